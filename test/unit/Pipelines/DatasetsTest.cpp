// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets without graphs: functions are C++ here. What TensorFlow gives is in
// golden_kiln/dataset_*.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Iterator.h"

#include "runtime/threads/ThreadPool.h"
#include "test/unit/Pipelines/Numbers.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Datasets, GoFromOpToOpAsTensors) {
  Tensor tensor = *tensorOf(range(3));
  EXPECT_EQ(tensor.dtype(), DType::Variant);
  EXPECT_EQ(tensor.rank(), 0);
  Tensor copy = tensor;
  tensor = Tensor();
  EXPECT_THAT(numbersOf(datasetOf(copy)), ElementsAre(0, 1, 2));
  EXPECT_EQ(datasetOf(Tensor::scalar(1.0f)), nullptr);
  EXPECT_EQ(datasetOf(Tensor()), nullptr);
}

TEST(Datasets, RangesEndBeforeTheyOverflow) {
  EXPECT_THAT(numbersOf(*rangeOf(INT64_MAX - 2, INT64_MAX, 2, DType::Int64)),
              ElementsAre(INT64_MAX - 2));
  EXPECT_THAT(numbersOf(*rangeOf(3, 0, -2, DType::Int64)), ElementsAre(3, 1));
  EXPECT_EQ(rangeOf(0, 1, 0, DType::Int64).status().code(),
            StatusCode::InvalidArgument);
}

TEST(Datasets, PartsOfOthers) {
  EXPECT_THAT(numbersOf(firstOf(range(5), 2)), ElementsAre(0, 1));
  EXPECT_THAT(numbersOf(restOf(range(5), 3)), ElementsAre(3, 4));
  EXPECT_THAT(numbersOf(restOf(range(5), 9)), IsEmpty());
  EXPECT_THAT(numbersOf(restOf(range(5), -1)), IsEmpty());
  EXPECT_THAT(numbersOf(*shardOf(range(7), 3, 1)), ElementsAre(1, 4));
  EXPECT_THAT(numbersOf(concatenated(range(2), range(1))),
              ElementsAre(0, 1, 0));
  EXPECT_THAT(numbersOf(repeated(range(2), 2)), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(numbersOf(repeated(range(2), -1), 5), ElementsAre(0, 1, 0, 1, 0));
  EXPECT_THAT(numbersOf(repeated(range(0), -1)), IsEmpty());
}

TEST(Datasets, RowsAreTensorsOfTheirOwn) {
  Tensor rows = *Tensor::fromValues<int64_t>(Shape{3, 2}, {1, 2, 3, 4, 5, 6});
  auto dataset = *rowsOf({rows});
  IterationState state;
  auto iterator = *dataset->iterate(state);
  PullContext pull;
  Element element;
  ASSERT_TRUE(*iterator->next(element, pull));
  element[0].mutableData<int64_t>()[0] = 100;
  EXPECT_EQ(rows.data<int64_t>()[0], 1);
  EXPECT_EQ(rowsOf({Tensor::scalar(1.0f)}).status().code(),
            StatusCode::InvalidArgument);
  EXPECT_EQ(
      rowsOf({rows, *Tensor::zeros(DType::Int8, Shape{2})}).status().code(),
      StatusCode::InvalidArgument);
  EXPECT_FALSE(rowsOf({}).ok());
}

TEST(Datasets, AFunctionThatFailsLosesItsElementAlone) {
  auto odd = function([](std::span<const Tensor> arguments, Element &results) {
    if (number(arguments[0]) % 2 == 0)
      return invalidArgumentError("even");
    return addOne(arguments, results);
  });
  const int64_t code = -static_cast<int64_t>(StatusCode::InvalidArgument);
  EXPECT_THAT(numbersOf(mapped(range(4), odd)), ElementsAre(code, 2, code, 4));
  EXPECT_THAT(numbersOf(withoutErrors(mapped(range(4), odd))),
              ElementsAre(2, 4));
  // A batch that fails takes its elements with it.
  EXPECT_THAT(numbersOf(*batched(mapped(range(4), odd), {.size = 2})),
              ElementsAre(code, code, 4));
}

TEST(Datasets, ElementsThatDoNotGoTogetherAreNoBatch) {
  const int64_t code = -static_cast<int64_t>(StatusCode::InvalidArgument);
  const DatasetPtr one = oneElement({Tensor::scalar(int64_t(1))}),
                   two = oneElement({Tensor::scalar(int64_t(1)),
                                     Tensor::scalar(int64_t(2))}),
                   text = oneElement({Tensor::scalar("text")});
  for (const DatasetPtr &other : {two, text}) {
    auto mixed = concatenated(one, other);
    EXPECT_THAT(numbersOf(*batched(mixed, {.size = 2})), ElementsAre(code));
    EXPECT_THAT(numbersOf(*windows(mixed, {.size = 2, .shift = 2})),
                ElementsAre(code));
    EXPECT_THAT(
        numbersOf(*paddedBatches(other, {.size = 1},
                                 {{*Tensor::zeros(DType::Int64, Shape{0})},
                                  {Tensor::scalar(int64_t(0))}})),
        ElementsAre(code));
  }
}

TEST(Datasets, MapsTogetherKeepTheOrder) {
  std::atomic<int> running = 0, most = 0,
                   wanted = std::min(2, availableThreads());
  auto slow = [&](std::span<const Tensor> arguments, Element &results) {
    const int now = ++running;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);)
      ;
    // A busy machine may be long in giving a second thread.
    for (int i = 0; i < 10000 && most < wanted; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --running;
    return number(arguments[0]) == 5 ? invalidArgumentError("five")
                                     : addOne(arguments, results);
  };
  const int64_t code = -static_cast<int64_t>(StatusCode::InvalidArgument);
  for (int64_t calls : {-1, 2, 3, 100})
    EXPECT_THAT(numbersOf(mappedTogether(range(8), function(slow), calls)),
                ElementsAre(1, 2, 3, 4, 5, code, 7, 8))
        << calls;
  EXPECT_GE(most, wanted);
  most = wanted = 0;
  EXPECT_THAT(
      numbersOf(mappedTogether(
          range(4),
          CapturedFunction(std::make_shared<Function>(slow, false), {}), 4)),
      ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(most, 1) << "the order of these calls may show";
  // An error of the input comes at its place, too.
  auto broken = mapped(range(7), function(slow));
  EXPECT_THAT(numbersOf(mappedTogether(broken, function(addOne), 4)),
              ElementsAre(2, 3, 4, 5, 6, code, 8));
}

TEST(Datasets, PredicatesGiveOneBool) {
  auto isBig = function(
      [](std::span<const Tensor> arguments, Element &results) {
        results = {
            Tensor::scalar(number(arguments[0]) >= number(arguments[1]))};
        return okStatus();
      },
      {Tensor::scalar(int64_t(3))});
  EXPECT_THAT(numbersOf(filtered(range(6), isBig)), ElementsAre(3, 4, 5));
  EXPECT_THAT(numbersOf(whileTrue(range(6), isBig)), IsEmpty());
  EXPECT_THAT(numbersOf(filtered(range(1), function(addOne))),
              ElementsAre(-static_cast<int64_t>(StatusCode::InvalidArgument)));
}

TEST(Datasets, InterleavedOnesTakeTurns) {
  auto tens = function([](std::span<const Tensor> arguments, Element &results) {
    const int64_t first = 10 * number(arguments[0]);
    results = {*tensorOf(*rangeOf(first, first + 3, 1, DType::Int64))};
    return okStatus();
  });
  EXPECT_THAT(numbersOf(*interleaved(range(3), tens, {})),
              ElementsAre(0, 1, 2, 10, 11, 12, 20, 21, 22));
  EXPECT_THAT(numbersOf(*interleaved(range(3), tens, {.cycle = 2, .block = 2})),
              ElementsAre(0, 1, 10, 11, 2, 12, 20, 21, 22));
  EXPECT_FALSE(interleaved(range(3), tens, {.cycle = 0}).ok());
  EXPECT_THAT(numbersOf(*interleaved(range(1), function(addOne), {})),
              ElementsAre(-static_cast<int64_t>(StatusCode::InvalidArgument)));
}

TEST(Datasets, AGeneratorIsLetGoOfOnce) {
  int begun = 0, ended = 0;
  int64_t next = 0;
  auto begin = function([&](std::span<const Tensor>, Element &results) {
    ++begun;
    results = {Tensor::scalar(int64_t(7))};
    return okStatus();
  });
  auto step =
      function([&](std::span<const Tensor> arguments, Element &results) {
        EXPECT_EQ(number(arguments[0]), 7);
        if (next == 3)
          return outOfRangeError("no more");
        results = {Tensor::scalar(next++)};
        return okStatus();
      });
  auto end = function([&](std::span<const Tensor>, Element &) {
    ++ended;
    return okStatus();
  });
  auto dataset = generated(begin, step, end);
  EXPECT_THAT(numbersOf(dataset), ElementsAre(0, 1, 2));
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
  next = 0;
  { // One that nobody takes to its end, and one that nobody begins.
    IterationState state;
    auto iterator = *dataset->iterate(state);
    auto other = *dataset->iterate(state);
    PullContext pull;
    Element element;
    ASSERT_TRUE(*iterator->next(element, pull));
  }
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(ended, 2);
}

/// The numbers of the datasets that a dataset's elements are.
std::vector<std::vector<int64_t>> listsOf(const DatasetPtr &dataset) {
  std::vector<std::vector<int64_t>> lists;
  IterationState state;
  auto iterator = *dataset->iterate(state);
  PullContext pull;
  Element element;
  for (;;) {
    auto has = iterator->next(element, pull);
    if (has.ok() && !*has)
      return lists;
    lists.push_back(
        has.ok() ? numbersOf(datasetOf(element[0]))
                 : std::vector{-static_cast<int64_t>(has.status().code())});
  }
}

TEST(Datasets, WindowsAreDatasets) {
  using List = std::vector<int64_t>;
  EXPECT_THAT(listsOf(*windows(range(5), {.size = 2, .shift = 2})),
              ElementsAre(List{0, 1}, List{2, 3}, List{4}));
  EXPECT_THAT(
      listsOf(*windows(
          range(5),
          {.size = 2, .shift = 1, .stride = 2, .dropsRemainder = true})),
      ElementsAre(List{0, 2}, List{1, 3}, List{2, 4}));
  EXPECT_THAT(listsOf(*windows(range(7), {.size = 1, .shift = 3})),
              ElementsAre(List{0}, List{3}, List{6}));
  // An error takes the windows that it is in with it.
  auto notTwo =
      function([](std::span<const Tensor> arguments, Element &results) {
        results = {arguments[0]};
        return number(arguments[0]) == 2 ? invalidArgumentError("two")
                                         : okStatus();
      });
  const int64_t code = -static_cast<int64_t>(StatusCode::InvalidArgument);
  EXPECT_THAT(
      listsOf(*windows(mapped(range(5), notTwo), {.size = 2, .shift = 2})),
      ElementsAre(List{0, 1}, List{code}, List{4}));
  EXPECT_FALSE(
      windows(range(1), {.size = INT64_MAX, .shift = 1, .stride = 2}).ok());
}

TEST(Datasets, GroupsAreReducedWhenTheyAreFull) {
  auto half = function([](std::span<const Tensor> arguments, Element &results) {
    results = {Tensor::scalar(number(arguments[0]) % 2)};
    return okStatus();
  });
  auto same = function([](std::span<const Tensor> arguments, Element &results) {
    results = {arguments[1]};
    return okStatus();
  });
  auto sizeOf = [](int64_t size) {
    return function([size](std::span<const Tensor>, Element &results) {
      results = {Tensor::scalar(size)};
      return okStatus();
    });
  };
  EXPECT_THAT(numbersOf(grouped(range(7), {half, same, sizeOf(2)})),
              ElementsAre(0, 2, 1, 3, 4, 6, 5));
  EXPECT_THAT(numbersOf(grouped(range(5), {half, same, sizeOf(100)})),
              ElementsAre(0, 2, 4, 1, 3));
  const int64_t code = -static_cast<int64_t>(StatusCode::InvalidArgument);
  EXPECT_THAT(numbersOf(grouped(range(2), {half, same, sizeOf(0)})),
              ElementsAre(code, code));
}

TEST(Datasets, DirectedOnesPassOverWhatHasEnded) {
  auto selector = repeated(range(2), 3);
  EXPECT_THAT(numbersOf(directed(selector, {range(1), range(3)}, false)),
              ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(numbersOf(directed(selector, {range(1), range(3)}, true)),
              ElementsAre(0, 0));
  EXPECT_THAT(numbersOf(unique(concatenated(range(2), range(3)))),
              ElementsAre(0, 1, 2));
}

TEST(Datasets, AreNestedSoDeepAtMost) {
  DatasetPtr dataset = range(1);
  while (dataset->depth < Dataset::maxDepth)
    dataset = firstOf(concatenated(dataset, range(1)), 1);
  EXPECT_THAT(numbersOf(restOf(dataset, 0)), ElementsAre(0));
  EXPECT_EQ(tensorOf(firstOf(dataset, 1)).ok(),
            dataset->depth < Dataset::maxDepth);
  EXPECT_EQ(tensorOf(firstOf(firstOf(dataset, 1), 1)).status().code(),
            StatusCode::ResourceExhausted);
  // One that a function gives lies within those around it.
  auto same = function([&](std::span<const Tensor>, Element &results) {
    results = {*tensorOf(range(3))};
    return okStatus();
  });
  auto inner = *interleaved(range(1), same, {});
  EXPECT_THAT(numbersOf(inner), ElementsAre(0, 1, 2));
  IterationState state;
  auto iterator = *inner->iterate(state);
  PullContext pull;
  pull.depth = Dataset::maxDepth;
  Element element;
  EXPECT_EQ(iterator->next(element, pull).status().code(),
            StatusCode::ResourceExhausted);
}

TEST(Datasets, CachedOnesAreComputedOnce) {
  int calls = 0;
  auto counting =
      function([&](std::span<const Tensor> arguments, Element &results) {
        ++calls;
        return addOne(arguments, results);
      });
  auto dataset = cached(mapped(range(3), counting));
  EXPECT_THAT(
      numbersOf(repeated(firstOf(dataset, 2), 2)),
      ElementsAre(1, 2, 1, 2)); // a walk that does not end keeps nothing
  EXPECT_EQ(calls, 4);
  EXPECT_THAT(numbersOf(repeated(dataset, 3)),
              ElementsAre(1, 2, 3, 1, 2, 3, 1, 2, 3));
  EXPECT_EQ(calls, 7);
}

TEST(Datasets, ShufflesGiveEachElementOnce) {
  auto dataset = *shuffled(range(9), {.bufferSize = 4, .seed = 1});
  IterationState state;
  std::vector<int64_t> first = numbersOf(dataset, state),
                       second = numbersOf(dataset, state);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, numbersOf(dataset)) << "another place begins anew";
  for (std::vector<int64_t> *walk : {&first, &second}) {
    EXPECT_LT(walk->front(), 4);
    std::sort(walk->begin(), walk->end());
    EXPECT_THAT(*walk, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  }
  // Seeds that are drawn stay the same where nothing reshuffles.
  dataset = *shuffled(range(9), {.bufferSize = 9, .reshuffles = false});
  IterationState same;
  EXPECT_EQ(numbersOf(dataset, same), numbersOf(dataset, same));
  EXPECT_FALSE(shuffled(range(9), {.bufferSize = 0}).ok());
}

TEST(Iterators, SayWhatIsMissing) {
  auto iterator = Iterator::make();
  PullContext pull;
  Element element;
  EXPECT_EQ(iterator->next(element, pull).code(),
            StatusCode::FailedPrecondition);
  ASSERT_TRUE(iterator->begin(range(1), pull).ok());
  EXPECT_TRUE(iterator->next(element, pull).ok());
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(iterator->next(element, pull).code(), StatusCode::OutOfRange);
  ASSERT_TRUE(iterator->begin(range(1), pull).ok());
  EXPECT_TRUE(iterator->next(element, pull).ok());
}

TEST(Iterators, AreFoundByNameWhileTheyLive) {
  auto iterator = Iterator::make();
  const std::string name = iterator->handle();
  EXPECT_EQ(*Iterator::find(name, nullptr), iterator);
  EXPECT_EQ(Iterator::find("other", nullptr).status().code(),
            StatusCode::InvalidArgument);
  EXPECT_NE(Iterator::make()->handle(), name);
  iterator.reset();
  EXPECT_EQ(Iterator::find(name, nullptr).status().code(),
            StatusCode::NotFound);
}

TEST(Iterators, AFactoryIsAskedOnce) {
  int calls = 0;
  auto iterator = Iterator::make(
      std::make_shared<Function>([&](std::span<const Tensor>, Element &) {
        ++calls;
        return internalError("broken");
      }));
  PullContext pull;
  Element element;
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(iterator->next(element, pull).code(), StatusCode::Internal);
  EXPECT_EQ(calls, 1);
}

TEST(Iterators, ARunThatWaitsForAnotherCanBeCancelled) {
  std::atomic<bool> isIn = false, mayGoOn = false;
  auto slow =
      function([&](std::span<const Tensor> arguments, Element &results) {
        isIn = true;
        isIn.notify_all();
        mayGoOn.wait(false);
        return addOne(arguments, results);
      });
  auto iterator = Iterator::make();
  PullContext pull;
  ASSERT_TRUE(iterator->begin(mapped(range(1), slow), pull).ok());
  std::thread first([&] {
    PullContext own;
    Element element;
    EXPECT_TRUE(iterator->next(element, own).ok());
  });
  isIn.wait(false);
  RunContext context;
  KilnRunState state = makeRunState(&context);
  std::thread canceller([&] { requestCancel(&state, StatusCode::Cancelled); });
  PullContext waiting{&state};
  Element element;
  EXPECT_EQ(iterator->next(element, waiting).code(), StatusCode::Cancelled);
  canceller.join();
  mayGoOn = true;
  mayGoOn.notify_all();
  first.join();
}

} // namespace
} // namespace kiln
