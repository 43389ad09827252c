// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a cell on what a function makes of its outputs, until it says that all
// sequences are over.
#include "kiln/Rnn.h"

#include "kiln/BuildOps.h"
#include "lib/Build/VariableStore.h"
#include "lib/Support/Strings.h"
#include "lib/Train/RnnShapes.h"

namespace kiln {
namespace {

/// The loop: its variables are the time, which sequences are over, the next
/// input, the flows of the arrays, the cell's state and the loop's.
class RawRnn {
public:
  RawRnn(RnnCell &cell, const RawRnnFunction &function,
         const RawRnnOptions &options)
      : cell(cell), function(function), options(options) {}

  RawRnnResult run() {
    Output time = ops::constant(0);
    first = function(time, nullptr, {});
    if (!first.finished.node || !first.input.node ||
        first.state.size() != cell.stateSizes().size())
      return refuse("the first step", first);
    Outputs loopState = first.loopState;
    if (loopState.empty())
      loopState = ops::constant(0);
    prepare();
    std::vector<Input> variables{time, first.finished, first.input};
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
    if (done.empty())
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
    std::vector<Output> flows, state;
    Outputs loopState;
  };
  Parts partsOf(const Outputs &v) const {
    auto flows = v.begin() + 3;
    auto state = flows + static_cast<ptrdiff_t>(arrays.size());
    auto rest = state + static_cast<ptrdiff_t>(first.state.size());
    return {{flows, state},
            {state, rest},
            Outputs(std::vector<Output>(rest, v.end()))};
  }

  RawRnnResult refuse(std::string_view what, const RawRnnStep &step) const {
    GraphBuilder::current().fail(invalidArgumentError(
        strCat("expected of ", what,
               " an input, which sequences are over and a state "
               "of ",
               cell.stateSizes().size(), " tensors, got ", step.state.size())));
    return {};
  }

  /// Makes the arrays of what is given out, and zeros like it.
  void prepare() {
    const int64_t known =
        first.input.shape().rank() > 0 ? first.input.shape().dim(0) : -1;
    Input batch = batchOf(first.input, 0);
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
      kinds.push_back({cell.outputSize(), Shape{cell.outputSize()},
                       first.state[0].dtype()});
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
    RnnCell::Step given = cell(v[2], before.state);
    if (!given.output.node)
      return {};
    Output time = v[0] + 1;
    RawRnnStep next = function(time, &given, before.loopState);
    if (!next.finished.node || !next.input.node ||
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
    Outputs all{time, over, next.input};
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
  VariableScope scope(options.scope);
  cacheReads(scope.handle());
  return RawRnn(cell, function, options).run();
}

} // namespace kiln
