// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call costs when there is next to nothing to compute: by Callable and
// by Session::run, by number of tensors, with variables, with changing shapes,
// from several threads.
//
// Call/WAY/f32/SHAPE/THREADS, here threads that call at once. It does not
// measure compiling, the first call of a signature, nor loops that are long
// enough to be cut into parts (Elementwise).
#include "bench/MicroGraph.h"

namespace kiln::bench {
namespace {

constexpr DType f32 = DType::Float32;

/// y0 = x0 + 1, y1 = x1 + 1 …: `count` feeds and fetches.
StatusOr<Bound> bindSums(int64_t count, const Shape &shape,
                         const Shape &declared) {
  GraphWriter writer;
  writer.scalar("one", f32, 1);
  std::vector<TensorId> names;
  std::vector<Tensor> feeds;
  std::vector<Fetch> fetches;
  for (int64_t i = 0; i < count; ++i) {
    std::string x = "x" + std::to_string(i), y = "y" + std::to_string(i);
    writer.placeholder(x, f32, declared);
    writer.math(y, "Add", {x, "one"}, f32);
    names.emplace_back(x + ":0");
    fetches.emplace_back(y + ":0");
    StatusOr<Tensor> feed = makeNumbers(f32, shape);
    if (!feed.ok())
      return feed.status();
    feeds.push_back(*std::move(feed));
  }
  return bindSignature(writer, names, std::move(feeds), fetches);
}

/// How much a call grows with every tensor that goes in and comes out.
void callWithTensors(benchmark::State &state, int64_t count) {
  StatusOr<Bound> bound = bindSums(count, {}, {});
  timeSteps(state, bound);
}
BENCHMARK_CAPTURE(callWithTensors, 1, 1)
    ->Name("Call/callable_tensors1/f32/scalar/1");
BENCHMARK_CAPTURE(callWithTensors, 4, 4)
    ->Name("Call/callable_tensors4/f32/scalar/1");
BENCHMARK_CAPTURE(callWithTensors, 16, 16)
    ->Name("Call/callable_tensors16/f32/scalar/1");
BENCHMARK_CAPTURE(callWithTensors, 64, 64)
    ->Name("Call/callable_tensors64/f32/scalar/1");

/// A step without feeds and fetches: locking and publishing a variable.
void updateVariable(benchmark::State &state) {
  GraphWriter writer;
  writer.variable("w", f32, {});
  writer.scalar("one", f32, 1);
  writer.math("bump", "AssignAdd", {"w", "one"}, f32);
  StatusOr<Bound> bound = bindSignature(writer, {}, {}, {}, {"bump"});
  timeSteps(state, bound);
}
BENCHMARK(updateVariable)->Name("Call/callable_variable/f32/scalar/1");

/// The batch size changes with every call: all of a call's sizes are found
/// anew.
void changeShapes(benchmark::State &state) {
  StatusOr<Bound> bound = bindSums(1, {16}, {-1});
  if (!bound.ok())
    return state.SkipWithError(bound.status().toString().c_str());
  std::vector<Tensor> sizes[2], results[2];
  for (int i = 0; i < 2; ++i) {
    StatusOr<Tensor> feed = makeNumbers(f32, {16 + 16 * i});
    if (!feed.ok())
      return state.SkipWithError(feed.status().toString().c_str());
    sizes[i].push_back(*feed);
    results[i].resize(1);
  }
  int turn = 0;
  for (auto _ : state) {
    Status status = bound->callable(sizes[turn], results[turn]);
    if (!status.ok())
      return state.SkipWithError(status.toString().c_str());
    turn = 1 - turn;
  }
}
BENCHMARK(changeShapes)->Name("Call/callable_two_sizes/f32/16_and_32/1");

/// What names cost a call: Session::run looks them up each time.
void runByName(benchmark::State &state) {
  StatusOr<Bound> bound = bindSums(1, {}, {});
  if (!bound.ok())
    return state.SkipWithError(bound.status().toString().c_str());
  const std::vector<Feed> feeds = {{"x0:0", bound->feeds[0]}};
  const std::vector<Fetch> fetches = {"y0:0"};
  for (auto _ : state) {
    auto results = bound->session->run(feeds, fetches);
    if (!results.ok())
      return state.SkipWithError(results.status().toString().c_str());
  }
}
BENCHMARK(runByName)->Name("Call/run_names/f32/scalar/1");

/// The same with handles in place of names.
void runByHandle(benchmark::State &state) {
  StatusOr<Bound> bound = bindSums(1, {}, {});
  if (!bound.ok())
    return state.SkipWithError(bound.status().toString().c_str());
  const std::shared_ptr<Graph> &graph = bound->session->graph();
  StatusOr<Output> x = graph->findTensor("x0:0"), y = graph->findTensor("y0:0");
  if (!x.ok() || !y.ok())
    return state.SkipWithError("the graph lacks its tensors");
  const std::vector<Feed> feeds = {{*x, bound->feeds[0]}};
  const std::vector<Fetch> fetches = {*y};
  for (auto _ : state) {
    auto results = bound->session->run(feeds, fetches);
    if (!results.ok())
      return state.SkipWithError(results.status().toString().c_str());
  }
}
BENCHMARK(runByHandle)->Name("Call/run_handles/f32/scalar/1");

/// One Callable called by several threads at once, each with its own tensors.
/// A machine with as many cores should take as long as with one thread.
void callFromThreads(benchmark::State &state) {
  static StatusOr<Bound> bound = bindSums(1, {}, {});
  if (!bound.ok())
    return state.SkipWithError(bound.status().toString().c_str());
  StatusOr<Tensor> feed = makeNumbers(f32, {});
  if (!feed.ok())
    return state.SkipWithError(feed.status().toString().c_str());
  const std::vector<Tensor> feeds = {*feed};
  std::vector<Tensor> results(1);
  for (auto _ : state) {
    Status status = bound->callable(feeds, results);
    if (!status.ok())
      return state.SkipWithError(status.toString().c_str());
  }
}
BENCHMARK(callFromThreads)
    ->Name("Call/callable_shared/f32/scalar")
    ->ThreadRange(1, 4);

} // namespace
} // namespace kiln::bench
