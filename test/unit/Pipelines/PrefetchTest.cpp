// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the thread of a prefetch does, and that nothing is left of it.
#include "lib/Pipelines/Iterator.h"
#include "runtime/threads/Cancel.h"
#include "test/unit/Pipelines/Numbers.h"
#include "test/unit/Sanitizers.h"

#include "gmock/gmock.h"

#include <atomic>
#include <chrono>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A word that threads wait for.
class Gate {
public:
  void open() {
    isOpen = true;
    isOpen.notify_all();
  }
  void wait() const { isOpen.wait(false); }

private:
  std::atomic<bool> isOpen = false;
};

/// Adds one, and counts its calls.
CapturedFunction counting(std::atomic<int64_t> &calls) {
  return function([&](std::span<const Tensor> arguments, Element &results) {
    ++calls;
    calls.notify_all();
    return addOne(arguments, results);
  });
}

void waitFor(const std::atomic<int64_t> &calls, int64_t wanted) {
  for (int64_t now; (now = calls) < wanted;)
    calls.wait(now);
}

TEST(Prefetch, GivesTheSameElements) {
  std::vector<int64_t> all(50);
  std::iota(all.begin(), all.end(), 1);
  for (int64_t size : {-1, 0, 1, 2, 3, 7, 100}) {
    auto ahead =
        prefetched(mapped(range(50), function(addOne)), {.bufferSize = size});
    EXPECT_EQ(numbersOf(ahead, 60), all) << size;
    EXPECT_THAT(numbersOf(repeated(prefetched(range(2), {.bufferSize = size}),
                                   /*count=*/3)),
                ElementsAre(0, 1, 0, 1, 0, 1))
        << size;
    EXPECT_THAT(numbersOf(prefetched(range(0), {.bufferSize = size})),
                ElementsAre());
  }
}

TEST(Prefetch, KeepsErrorsInTheirPlaces) {
  auto failing =
      function([](std::span<const Tensor> arguments, Element &results) {
        if (number(arguments[0]) == 1)
          return dataLossError("one");
        return addOne(arguments, results);
      });
  EXPECT_THAT(
      numbersOf(prefetched(mapped(range(3), failing), {.bufferSize = 2})),
      ElementsAre(1, -static_cast<int64_t>(StatusCode::DataLoss), 3));
}

TEST(Prefetch, MakesAsManyAheadAsTheBufferHolds) {
  std::atomic<int64_t> calls = 0;
  auto ahead =
      prefetched(mapped(range(100), counting(calls)), {.bufferSize = 3});
  IterationState state;
  auto iterator = *ahead->iterate(state);
  EXPECT_EQ(calls, 0) << "nothing before the first element is asked for";
  PullContext pull;
  Element element;
  ASSERT_TRUE(*iterator->next(element, pull));
  waitFor(calls, 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LE(calls, 4);
}

TEST(Prefetch, HoldsNoMoreBytesThanItMay) {
  std::atomic<int64_t> calls = 0;
  auto ahead = prefetched(mapped(range(100), counting(calls)),
                          {.bufferSize = 50, .maxBytes = 1});
  IterationState state;
  auto iterator = *ahead->iterate(state);
  PullContext pull;
  Element element;
  for (int64_t i = 0; i < 10; ++i) {
    ASSERT_TRUE(*iterator->next(element, pull));
    EXPECT_EQ(number(element[0]), i + 1);
    EXPECT_LE(calls, i + 2);
  }
}

TEST(Prefetch, OverlapsWithWhoAsks) {
  std::atomic<int64_t> calls = 0;
  auto ahead = prefetched(mapped(range(2), counting(calls)), {});
  IterationState state;
  auto iterator = *ahead->iterate(state);
  PullContext pull;
  Element element;
  ASSERT_TRUE(*iterator->next(element, pull));
  waitFor(calls, 2); // nobody has asked for it
  ASSERT_TRUE(*iterator->next(element, pull));
  EXPECT_FALSE(*iterator->next(element, pull));
}

TEST(Prefetch, EndsWithItsIterator) {
  Gate isIn, mayGoOn;
  std::atomic<bool> hasEnded = false;
  auto slow =
      function([&](std::span<const Tensor> arguments, Element &results) {
        if (number(arguments[0]) == 1) {
          isIn.open();
          mayGoOn.wait();
          hasEnded = true;
        }
        return addOne(arguments, results);
      });
  IterationState state;
  auto iterator =
      *prefetched(mapped(range(9), slow), {.bufferSize = 4})->iterate(state);
  PullContext pull;
  Element element;
  ASSERT_TRUE(*iterator->next(element, pull));
  isIn.wait();
  std::thread opener([&] { mayGoOn.open(); });
  iterator.reset();
  EXPECT_TRUE(hasEnded) << "the thread was waited for";
  opener.join();
}

TEST(Prefetch, CancelsWhatItsThreadDoes) {
  // Endless, but for its cancellation.
  auto none = function([](std::span<const Tensor>, Element &results) {
    results = {Tensor::scalar(false)};
    return okStatus();
  });
  auto ahead = prefetched(filtered(repeated(range(9), -1), none), {});
  auto iterator = Iterator::make();
  RunContext context;
  KilnRunState state = makeRunState(&context);
  PullContext pull{.state = &state};
  ASSERT_TRUE(iterator->begin(ahead, pull).ok());
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    requestCancel(&state, StatusCode::Cancelled);
  });
  Element element;
  EXPECT_EQ(iterator->next(element, pull).code(), StatusCode::Cancelled);
  canceller.join();
  iterator.reset(); // ends the thread
}

TEST(Prefetch, GoesWhereAnotherOneWas) {
  auto dataset =
      prefetched(mappedTogether(range(9), function(addOne), /*calls=*/2),
                 {.bufferSize = 3});
  for (size_t taken : {0, 1, 4, 9, 10}) {
    IterationState state, other;
    auto first = *dataset->iterate(state), second = *dataset->iterate(other);
    PullContext pull;
    Element element;
    for (size_t i = 0; i < taken; ++i)
      EXPECT_EQ(*first->next(element, pull), i < 9);
    StateWriter to(/*allowsState=*/false);
    ASSERT_EQ(first->save(to), okStatus());
    const std::vector<Tensor> saved = to.take();
    StateReader from(saved);
    ASSERT_EQ(second->restore(from, pull), okStatus());
    EXPECT_TRUE(from.isAtEnd());
    EXPECT_EQ(numbersIn(*second), numbersIn(*first)) << taken;
    // A saved state that ends too soon.
    const std::vector<Tensor> part(saved.begin(), saved.end() - 1);
    StateReader broken(part);
    IterationState third;
    EXPECT_FALSE((*dataset->iterate(third))->restore(broken, pull).ok());
  }
}

TEST(Prefetch, GoesOnInAChildOfFork) {
  if (KILN_THREAD_SANITIZER)
    GTEST_SKIP() << "ThreadSanitizer has no threads after a fork";
  std::atomic<int64_t> calls = 0;
  IterationState state;
  auto iterator =
      *prefetched(mapped(range(6), counting(calls)), {.bufferSize = 2})
           ->iterate(state);
  PullContext pull;
  Element element;
  ASSERT_TRUE(*iterator->next(element, pull));
  waitFor(calls, 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const pid_t child = fork();
  if (child == 0) {
    std::vector<int64_t> rest = numbersIn(*iterator);
    iterator.reset();
    _exit(rest == std::vector<int64_t>{2, 3, 4, 5, 6} ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(numbersIn(*iterator), ElementsAre(2, 3, 4, 5, 6));
}

TEST(Prefetch, FailsInAChildThatItsThreadIsMissingIn) {
  Gate isIn, mayGoOn;
  auto slow =
      function([&](std::span<const Tensor> arguments, Element &results) {
        if (number(arguments[0]) == 1) {
          isIn.open();
          mayGoOn.wait();
        }
        return addOne(arguments, results);
      });
  IterationState state;
  auto iterator = *prefetched(mapped(range(3), slow), {})->iterate(state);
  PullContext pull;
  Element element;
  ASSERT_TRUE(*iterator->next(element, pull));
  isIn.wait();
  const pid_t child = fork();
  if (child == 0) {
    const Status status = iterator->next(element, pull).status();
    iterator.reset();
    _exit(status.code() == StatusCode::FailedPrecondition ? 0 : 1);
  }
  mayGoOn.open();
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(numbersIn(*iterator), ElementsAre(2, 3));
}

TEST(Iterators, DoNotBeginInAFunctionOfADataset) {
  auto iterator = Iterator::make();
  const WaitControl wait{.isPipeline = true};
  PullContext pull{.wait = &wait};
  for (const Status &status :
       {iterator->begin(range(1), pull), iterator->restore({}, pull),
        iterator->save(/*allowsState=*/true, pull).status()})
    EXPECT_THAT(status.message(), HasSubstr("in a function of a dataset"));
}

} // namespace
} // namespace kiln
