// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the ops on variables, and fusions and runtime calls in their tensor
// form.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/RandomScalar.h"
#include "runtime/RunState.h"
#include "runtime/kernels/MatrixInverse.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace kiln::eval {
namespace {

/// The executable's number of a variable.
StatusOr<int64_t> variableIndex(Operation *op, FlatSymbolRefAttr name,
                                Interpreter &interpreter) {
  auto variable =
      mlir::SymbolTable::lookupNearestSymbolFrom<ir::VariableOp>(op, name);
  if (!variable || !interpreter.environment().variables)
    return internalError(strCat("expected variable ", name.getValue().str(),
                                " to be accessible"));
  return static_cast<int64_t>(variable.getIndex());
}

/// Inverts (or inverts and transposes) each matrix of a batch.
template <class T>
Status invertMatrices(ir::RuntimeCallOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor input, interpreter.dense(op.getIns()[0]));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(op->getResult(0)));
  if (input.dtype() != dtypeOf<T> || input.rank() < 2)
    return internalError(
        strCat("expected matrices of ", dtypeTfName(dtypeOf<T>)));
  int64_t size = input.dim(-1), batch = 1;
  for (int i = 0; i + 2 < input.rank(); ++i)
    batch *= input.dim(i);
  auto adjoint = op->getAttrOfType<BoolAttr>("adjoint");
  KilnRunState state = makeRunState(nullptr);
  matrixInverse(&state, -1, input.data<T>().data(),
                result.mutableData<T>().data(), batch, size,
                adjoint && adjoint.getValue(), interpreter.environment().state);
  KILN_RETURN_IF_ERROR(runStatus(state, {}));
  KILN_RETURN_IF_ERROR(interpreter.poll());
  interpreter.bindOwned(op->getResult(0), std::move(result));
  return okStatus();
}

template <class T>
Status fillTruncatedNormal(ir::RuntimeCallOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor state, interpreter.dense(op.getIns()[0]));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(op->getResult(0)));
  random::PhiloxState philox;
  if (result.dtype() != dtypeOf<T> || state.byteSize() != sizeof philox)
    return internalError(strCat("expected six words of state and a result of ",
                                dtypeTfName(dtypeOf<T>)));
  std::memcpy(&philox, state.rawData(), sizeof philox);
  constexpr size_t part = size_t(1) << 16;
  std::span<T> elements = result.mutableData<T>();
  for (size_t begin = 0; begin < elements.size(); begin += part) {
    KILN_RETURN_IF_ERROR(interpreter.poll());
    random::fillTruncatedNormal(
        philox,
        elements.subspan(begin, std::min(part, elements.size() - begin)),
        static_cast<int64_t>(begin));
  }
  interpreter.bindOwned(op->getResult(0), std::move(result));
  return okStatus();
}

} // namespace

Status evaluateOp(ir::VarReadOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(int64_t index,
                        variableIndex(op, op.getVariableAttr(), interpreter));
  KILN_ASSIGN_OR_RETURN(Tensor view,
                        interpreter.environment().variables->read(index));
  KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(op.getType()));
  if (!(view.shape() == shape) || view.dtype() != dtypeOfType(op.getType()))
    return internalError(strCat("expected a variable of shape ",
                                shape.toString(), ", got ",
                                view.shape().toString()));
  KILN_ASSIGN_OR_RETURN(view, movableForm(view));
  interpreter.bind(op.getResult(), EvalValue{std::move(view), /*isSplat=*/false,
                                             /*isOwned=*/false, index});
  return okStatus();
}

Status evaluateOp(ir::VarWriteOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(int64_t index,
                        variableIndex(op, op.getVariableAttr(), interpreter));
  KILN_RETURN_IF_ERROR(interpreter.detachViews(index));
  KILN_ASSIGN_OR_RETURN(Tensor value, interpreter.dense(op.getValue()));
  return interpreter.environment().variables->write(index, value);
}

Status evaluateOp(ir::VarIsInitializedOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(int64_t index,
                        variableIndex(op, op.getVariableAttr(), interpreter));
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  *static_cast<bool *>(result.mutableRawData()) =
      interpreter.environment().variables->isInitialized(index);
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

Status evaluateOp(ir::FusionOp op, Interpreter &interpreter) {
  if (!op.getOuts().empty())
    return internalError("expected a fusion of tensors, got one of buffers");
  EvalValues arguments;
  for (Value operand : op.getIns())
    arguments.push_back(interpreter.contents(operand));
  KILN_ASSIGN_OR_RETURN(
      EvalValues yielded,
      interpreter.runRegion(op.getBody().front(), std::move(arguments)));
  for (auto [result, value] : llvm::zip_equal(op->getResults(), yielded))
    interpreter.bind(result, std::move(value));
  return okStatus();
}

Status evaluateOp(ir::RuntimeCallOp op, Interpreter &interpreter) {
  StringRef callee = op.getCallee();
  if (isKernelCall(callee))
    return evaluateKernelCall(op, interpreter);
  bool isReserve = callee == "ReserveRandom";
  if (!op.getOuts().empty() || op->getNumResults() != 1 ||
      op.getIns().size() != (isReserve ? 0 : 1))
    return internalError("expected a runtime call on tensors with one result");
  if (isReserve) {
    auto symbols = op->getAttrOfType<DenseI64ArrayAttr>("symbols");
    auto values = op->getAttrOfType<DenseI64ArrayAttr>("values");
    auto stream = op->getAttrOfType<IntegerAttr>("stream");
    if (!symbols || !values || !stream || symbols.size() != values.size())
      return internalError("expected a stream and the extents of its outputs");
    return reserveRandom(op->getResult(0), stream.getInt(), symbols, values,
                         interpreter);
  }
  if (callee == "MatrixInverseF32")
    return invertMatrices<float>(op, interpreter);
  if (callee == "MatrixInverseF64")
    return invertMatrices<double>(op, interpreter);
  if (callee == "FillTruncatedNormalF32")
    return fillTruncatedNormal<float>(op, interpreter);
  if (callee == "FillTruncatedNormalF64")
    return fillTruncatedNormal<double>(op, interpreter);
  return internalError(
      strCat("expected a function of runtime/Symbols.def on tensors, got ",
             callee.str()));
}

} // namespace kiln::eval
