// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs elementwise ops in blocks; an operand that repeats one element is one
// block for all.
#include "dialect/IntegerOps.h"
#include "lib/Eval/ElementwiseKernels.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/RunState.h"

#include <algorithm>
#include <array>

using namespace mlir;

namespace kiln::eval {
namespace {

constexpr int64_t blockElements = 1024;
constexpr int64_t blocksBetweenPolls = 512;

Kernel kernelOf(Operation *op) {
  DType operand = ir::dtypeOf(op->getOperand(0).getType());
  DType result = ir::dtypeOf(op->getResult(0).getType());
  if (isa<ir::CastOp>(op))
    return castKernel(operand, result);
  if (isa<ir::CompareOp>(op))
    return compareKernel(op, operand);
  if (isa<ir::SelectOp>(op))
    return selectKernel(result == DType::String ? DType::Int64 : result);
  if (auto function = ir::integerFunctionOf(op);
      function && result != DType::Float32 && result != DType::Float64)
    return integerKernel(*function, result);
  return op->getNumOperands() == 1 ? unaryKernel(op, result)
                                   : binaryKernel(op, result);
}

/// An operand as the blocks see it.
struct BlockInput {
  const char *data = nullptr;
  int64_t step = 0; ///< bytes from element to element; 0 for a splat, whose
                    ///< block is always the same
};

} // namespace

Status evaluateElementwise(Operation *op, Interpreter &interpreter) {
  Kernel kernel = kernelOf(op);
  if (!kernel)
    return internalError(strCat("expected an elementwise op, got ",
                                op->getName().getStringRef().str()));
  bool isSplat = llvm::all_of(op->getOperands(), [&](Value v) {
    return interpreter.contents(v).isSplat;
  });
  Value resultValue = op->getResult(0);
  DType type = ir::dtypeOf(resultValue.getType());
  Tensor result;
  if (isSplat) {
    KILN_ASSIGN_OR_RETURN(result, interpreter.allocate(type, Shape()));
  } else {
    KILN_ASSIGN_OR_RETURN(result, interpreter.allocateFor(resultValue));
  }

  std::array<BlockInput, 3> inputs;
  alignas(64) char splats[3][blockElements * sizeof(double)];
  size_t numInputs = op->getNumOperands();
  for (size_t i = 0; i < numInputs; ++i) {
    const EvalValue &operand =
        interpreter.contents(op->getOperand(static_cast<unsigned>(i)));
    const char *data = static_cast<const char *>(operand.tensor.rawData());
    size_t size = dtypeSize(operand.tensor.dtype());
    if (isSplat || !operand.isSplat) {
      inputs[i] = {data, static_cast<int64_t>(size)};
      continue;
    }
    copyStrided(splats[i], data, {{blockElements, 1, 0}}, size);
    inputs[i] = {splats[i], 0};
  }

  char *out = static_cast<char *>(result.mutableRawData());
  int64_t outStep = static_cast<int64_t>(dtypeSize(type)),
          count = result.numElements(), block = 0;
  for (int64_t begin = 0; begin < count; begin += blockElements) {
    std::array<const void *, 3> pointers = {};
    for (size_t i = 0; i < numInputs; ++i)
      pointers[i] = inputs[i].data + begin * inputs[i].step;
    ErrorKind error = kernel(pointers.data(), out + begin * outStep,
                             std::min(blockElements, count - begin));
    if (error != ErrorKind::None) {
      KILN_ASSIGN_OR_RETURN(Shape shape,
                            interpreter.shapeOf(resultValue.getType()));
      KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
      if (elements == 0)
        break; // a splat that is nowhere
      return errorStatus(error, {});
    }
    if (++block % blocksBetweenPolls == 0)
      KILN_RETURN_IF_ERROR(interpreter.poll());
  }
  interpreter.bindOwned(resultValue, std::move(result), isSplat);
  return okStatus();
}

} // namespace kiln::eval
