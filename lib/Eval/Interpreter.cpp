// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a block op by op, keeps the values between definition and last use, and
// counts their memory.
#include "lib/Eval/Interpreter.h"

#include "lib/Eval/Slices.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/RunState.h"
#include "runtime/Symbols.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace kiln::eval {

std::string nodeOf(Operation *op) {
  if (auto name = op->getLoc()->findInstanceOf<NameLoc>())
    return name.getName().str();
  return {};
}

StatusOr<Shape> Interpreter::shapeOf(Type type) const {
  Shape shape;
  for (const ir::Extent &extent : ir::extentsOf(cast<RankedTensorType>(type))) {
    if (!extent.isKnown() &&
        extent.symbol >= static_cast<int64_t>(env.symbols.size()))
      return internalError(strCat("expected a value for symbol s",
                                  extent.symbol, ", got ", env.symbols.size(),
                                  " values"));
    shape.appendDim(extent.isKnown() ? extent.value
                                     : env.symbols[extent.symbol]);
  }
  for (int i = 0; i < slicePrefix; ++i)
    shape.setDim(i, i + 1 < slicePrefix ? 1 : sliceRows);
  return shape;
}

StatusOr<Tensor> Interpreter::allocate(DType dtype, const Shape &shape) {
  if (dtype == DType::String)
    dtype = DType::Int64;
  KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
  CheckedInt64 total =
      CheckedInt64(elements) * static_cast<int64_t>(dtypeSize(dtype)) +
      liveBytes;
  if (total.overflowed() || *total.value() > env.maxBytes)
    return resourceExhaustedError(strCat(
        "expected at most ", env.maxBytes, " bytes of temporary values, got ",
        total.overflowed() ? "more than 2^63 - 1"
                           : std::to_string(*total.value()),
        " with shape ", shape.toString(), " of type ", dtypeTfName(dtype)));
  Tensor tensor;
  if (env.buffers) {
    KILN_ASSIGN_OR_RETURN(
        BufferRef buffer,
        env.buffers->allocate(static_cast<size_t>(*total.value() - liveBytes)));
    KILN_ASSIGN_OR_RETURN(tensor, Tensor::fromBuffer(dtype, shape, buffer));
  } else {
    KILN_ASSIGN_OR_RETURN(tensor, Tensor::create(dtype, shape));
  }
  liveBytes = *total.value();
  return tensor;
}

StatusOr<Tensor> Interpreter::allocateFor(Value value) {
  if (auto placed = places.find(value); placed != places.end())
    return placed->second;
  KILN_ASSIGN_OR_RETURN(Shape shape, shapeOf(value.getType()));
  return allocate(ir::dtypeOf(value.getType()), shape);
}

StatusOr<Tensor> Interpreter::dense(Value value) {
  EvalValue &stored = values.find(value)->second;
  if (!stored.isSplat)
    return stored.tensor;
  KILN_ASSIGN_OR_RETURN(Tensor whole, allocateFor(value));
  copyStrided(whole.mutableRawData(), stored.tensor.rawData(),
              {{whole.numElements(), 1, 0}}, dtypeSize(whole.dtype()));
  if (stored.isOwned && stored.tensor.isUnique())
    release(stored.tensor);
  stored = EvalValue{whole, /*isSplat=*/false, /*isOwned=*/true};
  return whole;
}

void Interpreter::drop(Value value) {
  auto found = values.find(value);
  if (found == values.end())
    return;
  // A reshape shares its operand's buffer: the last holder gives the bytes
  // back.
  if (found->second.isOwned && found->second.tensor.isUnique())
    release(found->second.tensor);
  values.erase(found);
}

Status Interpreter::detachViews(int64_t variable,
                                llvm::function_ref<bool(mlir::Value)> maySee) {
  for (auto &[value, stored] : values) {
    if (stored.variable != variable || maySee(value))
      continue;
    KILN_ASSIGN_OR_RETURN(
        Tensor copy, allocate(stored.tensor.dtype(), stored.tensor.shape()));
    std::memcpy(copy.mutableRawData(), stored.tensor.rawData(),
                stored.tensor.byteSize());
    stored = EvalValue{std::move(copy), stored.isSplat, /*isOwned=*/true};
  }
  return okStatus();
}

static Status budgetError() {
  return abortedError("expected a run of the evaluator to be shorter");
}

Status Interpreter::beforeEffect(Operation *op, int64_t variable) const {
  return !env.budget || env.budget->mayAct(op, variable) ? okStatus()
                                                         : budgetError();
}

Status Interpreter::poll() const {
  KILN_RETURN_IF_ERROR(pollCancel());
  return env.budget && env.budget->isSpent() ? budgetError() : okStatus();
}

Status Interpreter::pollCancel() const {
  int32_t code = cancelCode(env.state);
  if (code == 0)
    return okStatus();
  bool late = code == static_cast<int32_t>(StatusCode::DeadlineExceeded);
  return errorStatus(late ? ErrorKind::DeadlineExceeded : ErrorKind::Cancelled,
                     {});
}

const Interpreter::Steps &Interpreter::stepsOf(Block &block) {
  std::unique_ptr<Steps> &found = steps[&block];
  if (found)
    return *found;
  found = std::make_unique<Steps>();
  // The terminator's operands outlive the block.
  DenseSet<Value> seen(llvm::from_range, block.getTerminator()->getOperands());
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    Step &step = found->emplace_back(Step{&op, {}});
    op.walk([&](Operation *user) {
      for (Value operand : user->getOperands())
        if (operand.getParentBlock() == &block && seen.insert(operand).second)
          step.last.push_back(operand);
    });
    for (Value result : op.getResults())
      if (!seen.contains(result))
        step.last.push_back(result);
  }
  std::ranges::reverse(*found);
  return *found;
}

void Interpreter::parallelFor(
    int64_t n, int64_t grain, bool isLeftOut,
    llvm::function_ref<void(int64_t, int64_t)> body) const {
  if (!env.state || !env.state->context)
    return body(0, n);
  KilnParallelBody call = [](void *context, int64_t begin, int64_t end) {
    (*static_cast<decltype(body) *>(context))(begin, end);
  };
  if (isLeftOut)
    kilnParallelFor(call, &body, n, grain, env.state);
  else
    kilnParallelForToTheEnd(call, &body, n, grain, env.state);
}

Status Interpreter::runBlock(Block &block) {
  SliceGroup group(*this);
  for (const Step &step : stepsOf(block)) {
    KILN_RETURN_IF_ERROR(poll());
    if (group.add(step))
      continue;
    if (group.isNeededBy(step.op)) {
      KILN_RETURN_IF_ERROR(group.run());
      if (group.add(step))
        continue;
    }
    KILN_RETURN_IF_ERROR(runOp(step.op));
    for (Value value : step.last)
      group.drop(value);
  }
  return group.run();
}

StatusOr<EvalValues> Interpreter::runRegion(Block &block,
                                            EvalValues arguments) {
  for (auto [argument, contents] :
       llvm::zip_equal(block.getArguments(), arguments))
    bind(argument, std::move(contents));
  KILN_RETURN_IF_ERROR(runBlock(block));
  OperandRange kept = block.getTerminator()->getOperands();
  EvalValues given;
  for (Value value : kept)
    given.push_back(contents(value));
  for (Value value : kept)
    if (value.getParentBlock() == &block)
      drop(value);
  for (Value argument : block.getArguments())
    drop(argument);
  return given;
}

Status Interpreter::runOp(Operation *op) {
  auto evaluateSpecific = [&](auto specific) {
    return evaluateOp(specific, *this);
  };
  Status status =
      llvm::TypeSwitch<Operation *, Status>(op)
          .Case<ir::ConstantOp, ir::ConstantRefOp, ir::DimsOp, ir::IotaOp,
                ir::BroadcastOp, ir::ReshapeOp, ir::TransposeOp, ir::SliceOp,
                ir::ConcatOp, ir::PadOp, ir::GatherOp, ir::ReduceOp,
                ir::ArgReduceOp, ir::MatmulOp, ir::RandomReserveOp,
                ir::RandomOp, ir::RandomIntOp, ir::VarReadOp, ir::VarWriteOp,
                ir::VarIsInitializedOp, ir::FusionOp, ir::RuntimeCallOp,
                ir::IfOp, ir::WhileOp, ir::BindOp, ir::DefineOp, ir::GuardOp>(
              evaluateSpecific)
          .Default([&](Operation *other) -> Status {
            if (isa<ir::KilnDialect>(other->getDialect()) &&
                other->hasTrait<OpTrait::Elementwise>())
              return evaluateElementwise(other, *this);
            return internalError(strCat("expected an op on tensors, got ",
                                        other->getName().getStringRef().str()));
          });
  return status.ok() ? status : status.withNode(nodeOf(op));
}

} // namespace kiln::eval
