// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs with queues cost: putting and taking, a part behind a dequeue,
// batches, handing over between threads; and how soon a run that waits at a
// queue hears of its end (the bound is 200 ms).
//
// Queue/WHAT/f32/SHAPE/THREADS. It does not measure compiling.
#include "bench/MicroGraph.h"

#include <atomic>
#include <thread>

namespace kiln::bench {
namespace {

constexpr DType f32 = DType::Float32;
using Types = std::vector<DType>;

/// x0: fed; q: a queue of `shape`; put, take; putMany, takeMany of n elements;
/// sum = take + 1.
GraphWriter queueGraph(const Shape &shape, int64_t capacity) {
  GraphWriter writer;
  writer.placeholder("x0", f32, Shape::unknownRank());
  writer.scalar("one", f32, 1);
  writer.add("n", "Placeholder", {}, {{"dtype", DType::Int32}});
  writer.add("q", "FIFOQueueV2", {},
             {{"component_types", Types{f32}},
              {"shapes", std::vector<Shape>{shape}},
              {"capacity", capacity}});
  writer.add("put", "QueueEnqueueV2", {"q", "x0"},
             {{"Tcomponents", Types{f32}}});
  writer.add("putMany", "QueueEnqueueManyV2", {"q", "x0"},
             {{"Tcomponents", Types{f32}}});
  writer.add("take", "QueueDequeueV2", {"q"},
             {{"component_types", Types{f32}}});
  writer.add("takeMany", "QueueDequeueManyV2", {"q", "n"},
             {{"component_types", Types{f32}}});
  writer.math("sum", "AddV2", {"take", "one"}, f32);
  return writer;
}

void putAndTake(benchmark::State &state, const char *fetch,
                const Shape &shape) {
  StatusOr<Tensor> feed = makeNumbers(f32, shape);
  if (!feed.ok())
    return state.SkipWithError(feed.status().toString().c_str());
  StatusOr<Bound> bound =
      bindSignature(queueGraph(shape, 2), {"x0:0"}, {*feed}, {fetch}, {"put"});
  timeSteps(state, bound);
}
BENCHMARK_CAPTURE(putAndTake, scalar, "take:0", {})
    ->Name("Queue/put_take/f32/scalar/1");
BENCHMARK_CAPTURE(putAndTake, matrix, "take:0", {100, 784})
    ->Name("Queue/put_take/f32/100x784/1");
/// The same with native code behind the dequeue.
BENCHMARK_CAPTURE(putAndTake, part, "sum:0", {})
    ->Name("Queue/put_take_add/f32/scalar/1");

/// 100 rows are cut and joined again.
void batches(benchmark::State &state) {
  StatusOr<Tensor> rows = makeNumbers(f32, {100, 784});
  if (!rows.ok())
    return state.SkipWithError(rows.status().toString().c_str());
  StatusOr<Bound> bound = bindSignature(queueGraph({784}, 100), {"x0:0", "n:0"},
                                        {*rows, Tensor::scalar<int32_t>(100)},
                                        {"takeMany:0"}, {"putMany"});
  timeSteps(state, bound);
}
BENCHMARK(batches)->Name("Queue/put_take_many/f32/100x784/1");

/// One thread puts, another takes.
void handOver(benchmark::State &state) {
  GraphWriter writer = queueGraph({}, 16);
  auto session = Session::create(writer.graph());
  auto put = (*session)->makeCallable({"x0:0"}, {}, {"put"});
  auto take = (*session)->makeCallable({}, {"take:0"});
  if (!put.ok() || !take.ok())
    return state.SkipWithError("expected callables");
  std::thread producer([&] {
    Tensor feeds[] = {Tensor::scalar(1.0f)};
    while ((*put)(feeds, {}).ok()) {
    }
  });
  Tensor results[1];
  for (auto _ : state)
    if (Status status = (*take)({}, results); !status.ok()) {
      state.SkipWithError(status.toString().c_str());
      break;
    }
  (*session)->close();
  producer.join();
}
BENCHMARK(handOver)->Name("Queue/hand_over/f32/scalar/2")->UseRealTime();

/// From cancel() to the end of a run that sleeps.
void cancelWait(benchmark::State &state) {
  using Clock = std::chrono::steady_clock;
  GraphWriter writer = queueGraph({}, 2);
  auto session = Session::create(writer.graph());
  for (auto _ : state) {
    Cancellation cancel;
    Clock::time_point ended;
    std::thread waiter([&] {
      (void)(*session)->run({}, {"take:0"}, {}, {.cancel = &cancel});
      ended = Clock::now();
    });
    // Long enough to be asleep; were it not, the figure would be smaller.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Clock::time_point asked = Clock::now();
    cancel.cancel();
    waiter.join();
    state.SetIterationTime(
        std::chrono::duration<double>(ended - asked).count());
  }
}
BENCHMARK(cancelWait)
    ->Name("Queue/cancel_wait/f32/scalar/1")
    ->UseManualTime()
    ->Iterations(200);

/// How late a time limit of 5 ms ends a run that sleeps.
void timeLimit(benchmark::State &state) {
  using Clock = std::chrono::steady_clock;
  constexpr auto limit = std::chrono::milliseconds(5);
  GraphWriter writer = queueGraph({}, 2);
  auto session = Session::create(writer.graph());
  for (auto _ : state) {
    Clock::time_point begin = Clock::now();
    (void)(*session)->run({}, {"take:0"}, {}, {.timeout = limit});
    state.SetIterationTime(
        std::chrono::duration<double>(Clock::now() - begin - limit).count());
  }
}
BENCHMARK(timeLimit)
    ->Name("Queue/time_limit_late/f32/scalar/1")
    ->UseManualTime()
    ->Iterations(100);

} // namespace
} // namespace kiln::bench
