// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a block op by op, keeps the values between definition and last use, and
// counts their memory.
#include "lib/Eval/Interpreter.h"

#include "lib/Eval/Slices.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/InlineVector.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/RunState.h"
#include "runtime/abi/Symbols.h"

#include <algorithm>
#include <cstring>

namespace kiln::eval {

Status Interpreter::symbolError(int64_t symbol) {
  return internalError(strCat("expected a value for symbol s", symbol));
}

StatusOr<Shape> Interpreter::shapeOf(ValueId value) const {
  InlineVector<int64_t, 8> extents;
  for (const Dim &dim : program.dimsOf(value)) {
    if (!hasNumber(dim))
      return symbolError(dim.symbol);
    extents.push_back(knownNumberOf(dim));
  }
  for (int i = 0; i < slicePrefix; ++i)
    extents[static_cast<size_t>(i)] = i + 1 < slicePrefix ? 1 : sliceRows;
  return Shape(std::span<const int64_t>(extents.data(), extents.size()));
}

StatusOr<Tensor> Interpreter::allocate(DType dtype, const Shape &shape) {
  if (dtype == DType::String)
    dtype = DType::Int64;
  auto elements = shape.numElements();
  if (!elements.ok())
    return errorStatus(ErrorKind::SizeOverflow, {});
  CheckedInt64 total =
      CheckedInt64(*elements) * static_cast<int64_t>(dtypeSize(dtype)) +
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

StatusOr<Tensor> Interpreter::allocateFor(ValueId value) {
  if (!resultPlaces.empty())
    if (auto placed = resultPlaces.find(value); placed != resultPlaces.end())
      return placed->second;
  KILN_ASSIGN_OR_RETURN(Shape shape, shapeOf(value));
  return allocate(program.dtypeOf(value), shape);
}

StatusOr<Tensor> Interpreter::dense(ValueId value) {
  EvalValue &stored = bound[static_cast<size_t>(places[value])].contents;
  if (!stored.isSplat)
    return stored.tensor;
  KILN_ASSIGN_OR_RETURN(Tensor whole, allocateFor(value));
  copyStrided(whole.mutableRawData(), stored.tensor.rawData(),
              {{whole.numElements(), 1, 0}}, dtypeSize(whole.dtype()));
  if (stored.isOwned && stored.tensor.isUnique())
    release(stored.tensor);
  bind(value, EvalValue{whole, /*isSplat=*/false, /*isOwned=*/true});
  return whole;
}

void Interpreter::bind(ValueId value, EvalValue contents) {
  int32_t &place = places[value];
  if (place >= 0) {
    leave(place);
  } else if (!idle.empty()) {
    place = idle.back();
    idle.pop_back();
  } else {
    place = static_cast<int32_t>(bound.size());
    bound.emplace_back();
  }
  if (contents.variable >= 0)
    views.emplace(contents.variable, value);
  bound[static_cast<size_t>(place)] = {std::move(contents), value};
}

EvalValue Interpreter::leave(int32_t place) {
  auto &[stored, value] = bound[static_cast<size_t>(place)];
  if (stored.variable >= 0)
    views.erase({stored.variable, value});
  return std::exchange(stored, EvalValue());
}

void Interpreter::drop(ValueId value) {
  int32_t place = std::exchange(places[value], -1);
  if (place < 0)
    return;
  EvalValue stored = leave(place);
  // A reshape shares its operand's buffer: the last holder gives the bytes
  // back.
  if (stored.isOwned && stored.tensor.isUnique())
    release(stored.tensor);
  idle.push_back(place);
}

EvalValue Interpreter::take(ValueId value) {
  int32_t place = std::exchange(places[value], -1);
  idle.push_back(place);
  return leave(place);
}

void Interpreter::clear() {
  for (const Bound &each : bound)
    places[each.value] = -1;
  bound.clear();
  idle.clear();
  views.clear();
  liveBytes = 0;
}

Status Interpreter::detachViews(int64_t variable,
                                std::span<const ValueId> maySee) {
  auto view = views.lower_bound({variable, ValueId()});
  while (view != views.end() && view->first == variable) {
    const ValueId value = view->second;
    ++view;
    if (std::ranges::find(maySee, value) != maySee.end())
      continue;
    const Tensor &seen = contents(value).tensor;
    KILN_ASSIGN_OR_RETURN(Tensor copy, allocate(seen.dtype(), seen.shape()));
    std::memcpy(copy.mutableRawData(), seen.rawData(), seen.byteSize());
    bind(value, {std::move(copy), contents(value).isSplat, /*isOwned=*/true});
  }
  return okStatus();
}

static Status budgetError() {
  return abortedError("expected a run of the evaluator to be shorter");
}

Status Interpreter::beforeEffect(const Op &op, int64_t variable) const {
  return !env.budget || env.budget->mayAct(op.isLastEffect, variable)
             ? okStatus()
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

void Interpreter::runParallel(KilnParallelBody body, void *context, int64_t n,
                              int64_t grain, bool isLeftOut) const {
  if (!env.state || !env.state->context)
    body(context, 0, n);
  else if (isLeftOut)
    kilnParallelFor(body, context, n, grain, env.state);
  else
    kilnParallelForToTheEnd(body, context, n, grain, env.state);
}

Status Interpreter::runBlock(const Block &block) {
  SliceGroup group(*this);
  for (const Op &op : program.opsOf(block)) {
    KILN_RETURN_IF_ERROR(poll());
    if (op.rows > 0 || !group.isEmpty()) {
      if (group.add(op))
        continue;
      if (group.isNeededBy(op)) {
        KILN_RETURN_IF_ERROR(group.run());
        if (group.add(op))
          continue;
      }
    }
    KILN_RETURN_IF_ERROR(runOp(op));
    for (ValueId value : program.idsOf(op.last))
      group.drop(value);
  }
  return group.run();
}

Status Interpreter::runRegion(uint32_t number, std::span<EvalValue> arguments,
                              EvalValues &given) {
  const Block &block = program.blocks[number];
  std::span<const ValueId> targets = program.idsOf(block.arguments);
  for (size_t i = 0; i < targets.size(); ++i)
    bind(targets[i], std::move(arguments[i]));
  KILN_RETURN_IF_ERROR(runBlock(block));
  given.clear();
  for (ValueId value : program.idsOf(block.results))
    given.push_back(block.givesOwn ? take(value) : contents(value));
  for (ValueId value : program.idsOf(block.own))
    drop(value);
  return okStatus();
}

Status Interpreter::runOp(const Op &op) {
  Status status = std::visit(
      [&](const auto &what) { return evaluateOp(op, what, *this); }, op.what);
  return status.ok() ? status : status.withNode(program.nameOf(op.node));
}

} // namespace kiln::eval
