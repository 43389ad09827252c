// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Goes from block to block of a region as conditions say.
#include "lib/Exec/RegionRun.h"

#include "lib/Exec/CutFrame.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <iterator>

namespace kiln {
namespace {

/// As TensorFlow's ToBool: a scalar that is not zero or empty, or a tensor that
/// has elements.
bool isTrue(const Tensor &condition) {
  if (condition.rank() != 0)
    return condition.numElements() > 0;
  if (condition.dtype() == DType::String)
    return !condition.data<String>()[0].view().empty();
  return dispatchElement(condition.dtype(), [&]<class T>(T) {
    return condition.data<T>()[0] != T();
  });
}

int64_t integerOf(const Tensor &scalar) {
  return scalar.dtype() == DType::Int64 ? scalar.data<int64_t>()[0]
                                        : scalar.data<int32_t>()[0];
}

} // namespace

RegionRun::RegionRun(const CutUnit &unit, const CutPlan::Inner &plans,
                     SessionServices &services, KilnRunState &state,
                     RunContext &context)
    : unit(unit), region(*unit.region), plans(plans), services(services),
      state(state), context(context) {}

RegionRun::~RegionRun() = default;

CutFrame &RegionRun::frameOf(bool isSecond) {
  std::unique_ptr<CutFrame> &frame = isSecond ? second : first;
  if (!frame)
    frame = std::make_unique<CutFrame>(isSecond ? *plans.second : *plans.first,
                                       services, state, context);
  return *frame;
}

Status RegionRun::begin(std::span<Tensor> inputs) {
  bool takesSecond = false;
  if (region.kind == Item::Kind::If) {
    const Tensor &condition = inputs.front();
    if (region.number && condition.rank() != 0)
      return invalidArgumentError("expected branch_index to be a scalar");
    takesSecond = region.number ? integerOf(condition) != *region.number
                                : !isTrue(condition);
    inputs = inputs.subspan(1);
  }
  auto assign = [](std::vector<Tensor> &to, std::span<Tensor> from) {
    to.assign(std::move_iterator(from.begin()), std::move_iterator(from.end()));
  };
  assign(values, inputs.first(region.numOperands));
  assign(around, inputs.subspan(region.numOperands));
  enter(takesSecond);
  return okStatus();
}

void RegionRun::enter(bool isSecond) {
  isInSecond = isSecond;
  const CutGraph &block = isSecond ? region.second : region.first;
  size_t numCaptured = block.feeds.size() - block.numArgs;
  auto captured = std::span<Tensor>(around);
  captured =
      isSecond ? captured.last(numCaptured) : captured.first(numCaptured);
  // Branches behind the first of a Case are around its operands.
  values.resize(block.numArgs);
  if (region.kind == Item::Kind::While)
    values.insert(values.end(), captured.begin(), captured.end());
  else // comes once
    values.insert(values.end(), std::move_iterator(captured.begin()),
                  std::move_iterator(captured.end()));
  frameOf(isSecond).beginBlock(values);
}

StatusOr<bool> RegionRun::leave() {
  CutFrame &frame = frameOf(isInSecond);
  const CutGraph &block = isInSecond ? region.second : region.first;
  bool isLoop = region.kind == Item::Kind::While;
  bool hasCondition = isLoop && !isInSecond;
  values.clear();
  for (size_t i = hasCondition ? 1 : 0; i < block.fetches.size(); ++i)
    values.push_back(frame.valueOf(block.fetches[i]));
  bool goesOn = !hasCondition || isTrue(frame.valueOf(block.fetches.front()));
  frame.clear();
  if (!isLoop || !goesOn)
    return true;
  if (int32_t code = cancelCode(&state))
    return errorStatus(
        code == static_cast<int32_t>(StatusCode::DeadlineExceeded)
            ? ErrorKind::DeadlineExceeded
            : ErrorKind::Cancelled,
        unit.name);
  enter(!isInSecond);
  return false;
}

StatusOr<bool> RegionRun::advance(const RunControl &control) {
  for (;;) {
    KILN_ASSIGN_OR_RETURN(bool hasEnded, frameOf(isInSecond).advance(control));
    if (!hasEnded)
      return false;
    KILN_ASSIGN_OR_RETURN(bool isOver, leave());
    if (isOver)
      return true;
  }
}

const BlockingOp *RegionRun::pendingOp(std::string &name) const {
  const CutFrame *frame = isInSecond ? second.get() : first.get();
  return frame ? frame->pendingOp(name) : nullptr;
}

void RegionRun::clear() {
  for (CutFrame *frame : {first.get(), second.get()})
    if (frame)
      frame->clear();
  values.clear();
  around.clear();
}

} // namespace kiln
