// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a cell on what a function makes of its outputs, until it says that all
// sequences are over.
#include "kiln/Rnn.h"

#include "kiln/BuildOps.h"
#include "lib/Support/Strings.h"
#include "lib/Train/RnnRun.h"
#include "lib/Train/RnnShapes.h"

namespace kiln {
namespace {

/// The loop: its variables are the time, which sequences are over, the next
/// inputs, the flows of the arrays, the cell's state and the loop's.
class RawRnn {
public:
  RawRnn(RnnCell &cell, const RawRnnFunction &function,
         const RawRnnOptions &options)
      : cell(cell), function(function), options(options) {}

  RawRnnResult run() {
    Output time = ops::constant(0);
    first = function(time, nullptr, {});
    if (!isWhole(first) || first.state.size() != cell.stateShapes().size())
      return refuse("the first step", first), RawRnnResult();
    Outputs loopState = first.loopState;
    if (loopState.empty())
      loopState = ops::constant(0);
    prepare();
    std::vector<Input> variables{time, first.finished};
    variables.insert(variables.end(), first.input.begin(), first.input.end());
    for (const TensorArray &array : arrays)
      variables.push_back(array.flow());
    variables.insert(variables.end(), first.state.begin(), first.state.end());
    variables.insert(variables.end(), loopState.begin(), loopState.end());
    if (!GraphBuilder::current().status().ok())
      return {};
    Outputs done = ops::whileLoop(
        [](const Outputs &v) {
          return rawOps::logicalNot(ops::reduceAll(v[1]));
        },
        [&](const Outputs &v) { return step(v); }, InputList(variables),
        {.parallelIterations = options.parallelIterations,
         .swapMemory = options.swapMemory});
    if (done.size() != variables.size())
      return {};
    RawRnnResult result;
    Parts parts = partsOf(done);
    for (size_t i = 0; i < arrays.size(); ++i)
      result.emit.push_back(arrays[i].withFlow(parts.flows[i]));
    result.state = parts.state;
    if (!first.loopState.empty())
      result.loopState = parts.loopState;
    return result;
  }

private:
  struct Parts {
    Outputs inputs, flows, state, loopState;
  };
  Parts partsOf(const Outputs &v) const {
    auto at = v.begin() + 2;
    auto next = [&](size_t count) {
      auto begin = at;
      at += static_cast<ptrdiff_t>(count);
      return std::vector<Output>(begin, at);
    };
    // Braces: in order.
    Parts parts{next(first.input.size()),
                next(arrays.size()),
                next(first.state.size()),
                {}};
    parts.loopState.assign(at, v.end());
    return parts;
  }

  static bool isWhole(const RawRnnStep &step) {
    bool isWhole = step.finished.node && !step.input.empty();
    for (const Output &input : step.input)
      isWhole &= input.node != nullptr;
    return isWhole;
  }

  void refuse(std::string_view what, const RawRnnStep &step) const {
    GraphBuilder::current().fail(invalidArgumentError(strCat(
        "expected of ", what,
        " an input, which sequences are over and a state of ",
        cell.stateShapes().size(), " tensors, got ", step.state.size())));
  }

  /// Makes the arrays of what is given out, and zeros like it.
  void prepare() {
    const Shape shape = first.input[0].shape();
    const int64_t known = shape.rank() > 0 ? shape.dim(0) : -1;
    for (const Output &input : first.input)
      if (const Shape other = input.shape(); known >= 0 && other.rank() > 0 &&
                                             other.dim(0) >= 0 &&
                                             other.dim(0) != known)
        GraphBuilder::current().fail(
            invalidArgumentError(strCat("Dimensions ", known, " and ",
                                        other.dim(0), " are not compatible")));
    Input batch = known >= 0 ? Input(known) : batchOf(first.input[0], 0);
    struct Kind {
      Input size;
      Shape shape;
      DType dtype;
    };
    std::vector<Kind> kinds;
    for (const Output &emit : first.emit)
      kinds.push_back({emit.shape().isFullyDefined() ? Input(emit.shape())
                                                     : Input(ops::shape(emit)),
                       emit.shape(), emit.dtype()});
    if (kinds.empty())
      for (const Shape &each : cell.outputShapes())
        kinds.push_back({each, each,
                         first.state.empty() ? first.input[0].dtype()
                                             : first.state[0].dtype()});
    for (size_t i = 0; i < kinds.size(); ++i) {
      Shape element = Shape::unknownRank();
      if (kinds[i].shape.isFullyDefined()) {
        std::vector<int64_t> dims{known};
        dims.insert(dims.end(), kinds[i].shape.dims().begin(),
                    kinds[i].shape.dims().end());
        element = Shape(dims);
      }
      arrays.emplace_back(kinds[i].dtype, 0,
                          TensorArrayOptions{.dynamicSize = true,
                                             .elementShape = element,
                                             .name = strCat("rnn_output_", i)});
    }
    for (const Kind &kind : kinds)
      zeros.push_back(zerosOf(batch, kind.size, kind.dtype));
  }

  /// **Source**: raw_rnn's body.
  Outputs step(const Outputs &v) {
    Parts before = partsOf(v);
    RnnCell::Step given = cell(before.inputs, before.state);
    if (isBroken(given, cell.outputShapes().size(), before.state.size()))
      return {};
    Output time = v[0] + 1;
    RawRnnStep next = function(time, &given, before.loopState);
    if (!isWhole(next) || next.input.size() != before.inputs.size() ||
        next.state.size() != before.state.size() ||
        next.emit.size() != arrays.size() ||
        (!next.loopState.empty() &&
         next.loopState.size() != before.loopState.size())) {
      refuse("a step", next);
      return {};
    }
    const Output &isOver = v[1];
    for (size_t i = 0; i < arrays.size(); ++i)
      next.emit[i] = unlessOver(isOver, zeros[i], next.emit[i]);
    for (size_t i = 0; i < before.state.size(); ++i)
      next.state[i] = unlessOver(isOver, before.state[i], next.state[i]);
    Outputs flows;
    for (size_t i = 0; i < arrays.size(); ++i)
      flows.push_back(
          arrays[i].withFlow(before.flows[i]).write(v[0], next.emit[i]).flow());
    Output over = rawOps::logicalOr(isOver, next.finished);
    Outputs all{time, over};
    all.insert(all.end(), next.input.begin(), next.input.end());
    all.insert(all.end(), flows.begin(), flows.end());
    all.insert(all.end(), next.state.begin(), next.state.end());
    const Outputs &rest =
        next.loopState.empty() ? before.loopState : next.loopState;
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

  RnnCell &cell;
  const RawRnnFunction &function;
  const RawRnnOptions &options;
  RawRnnStep first;
  std::vector<TensorArray> arrays;
  std::vector<Output> zeros;
};

} // namespace

RawRnnResult rawRnn(RnnCell &cell, const RawRnnFunction &function,
                    const RawRnnOptions &options) {
  auto scope = openCachingScope(options.scope);
  return RawRnn(cell, function, options).run();
}

} // namespace kiln
