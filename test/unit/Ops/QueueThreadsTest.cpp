// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs that wait for each other: pipelines, crossed queues, locks while
// waiting, cancellation and closing, from many threads.
#include "test/unit/QueueFixture.h"
#include "test/unit/Together.h"

#include <atomic>
#include <barrier>
#include <thread>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using testing::isOk;
using testing::together;
using testing::valuesOf;

constexpr DType i64 = DType::Int64;
using std::chrono::milliseconds;

/// a and b: queues of one number each. sum and moves: variables.
/// putA: enqueues p. countA: takes from a and adds it to sum. aToB and bToA
/// move an element and count the move.
std::shared_ptr<Graph> pipelineGraph() {
  testing::QueueWriter writer;
  writer.placeholder("p", i64, {});
  writer.constant("one", Tensor::scalar<int64_t>(1));
  writer.variable("sum", Tensor::scalar<int64_t>(0));
  writer.variable("moves", Tensor::scalar<int64_t>(0));
  writer.queue("a", 1, {i64}, {Shape()});
  writer.queue("b", 1, {i64}, {Shape()});
  for (std::string q : {"a", "b"}) {
    writer.enqueue("put" + q, q, {"p"}, {i64});
    writer.dequeue("take" + q, q, {i64});
    writer.size("size" + q, q);
    writer.close("close" + q, q);
  }
  writer.binary("count", "AssignAdd", "sum", "takea", i64);
  writer.binary("note", "AssignAdd", "sum", "p", i64);
  writer.add("putNoted", "QueueEnqueueV2", {"a", "p", "^note"},
             {{"Tcomponents", std::vector<DType>{i64}}});
  writer.binary("move", "AssignAdd", "moves", "one", i64);
  writer.add("aToB", "QueueEnqueueV2", {"b", "takea", "^move"},
             {{"Tcomponents", std::vector<DType>{i64}}});
  writer.add("bToA", "QueueEnqueueV2", {"a", "takeb", "^move"},
             {{"Tcomponents", std::vector<DType>{i64}}});
  writer.add("init", "NoOp", {"^sum/Assign", "^moves/Assign"});
  return writer.graph;
}

class QueueThreads : public testing::SessionTest {
protected:
  QueueThreads() : session(open(pipelineGraph())) {
    EXPECT_THAT(session->run({}, {}, {"init"}), isOk());
  }
  Feed p(int64_t value) const { return {"p:0", Tensor::scalar(value)}; }
  int64_t valueOf(std::string tensor) {
    auto got = session->run({}, {std::move(tensor)});
    EXPECT_THAT(got, isOk());
    return got.ok() ? (*got)[0].data<int64_t>()[0] : -1;
  }
  /// The status of a run that waits, or is about to, when `end` is called.
  template <class Wait, class End> Status endAWait(Wait wait, End end) {
    Status status;
    std::barrier start(2);
    std::thread waiter([&] {
      start.arrive_and_wait();
      status = wait();
    });
    start.arrive_and_wait();
    end();
    waiter.join();
    return status;
  }

  std::unique_ptr<kiln::Session> session;
};

INSTANTIATE_TEST_SUITE_P(Modes, QueueThreads,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(QueueThreads, EveryElementIsCountedOnce) {
  constexpr int pairs = 8, each = 100;
  std::atomic<int> failed = 0;
  together(2 * pairs, [&](int t) {
    for (int i = 0; i < each; ++i)
      failed += t < pairs ? !session->run({p(t * each + i)}, {}, {"puta"}).ok()
                          : !session->run({}, {}, {"count"}).ok();
  });
  constexpr int64_t count = pairs * each;
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(valueOf("sum:0"), count * (count - 1) / 2);
}

/// One run writes a variable and waits for room, the other waits for an element
/// and writes the same variable: neither may wait with the lock.
TEST_P(QueueThreads, NoRunWaitsWhileItHoldsALock) {
  constexpr int each = 200;
  std::atomic<int> failed = 0;
  together(4, [&](int t) {
    for (int i = 0; i < each; ++i)
      failed += t % 2 == 0 ? !session->run({p(1)}, {}, {"putNoted"}).ok()
                           : !session->run({}, {}, {"count"}).ok();
  });
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(valueOf("sum:0"), 4 * each);
}

TEST_P(QueueThreads, OthersWriteWhileAWriterWaits) {
  Status status = endAWait(
      [&] {
        return session
            ->run({p(7)}, {"takea:0"}, {"note"}, {.timeout = milliseconds(100)})
            .status();
      },
      [&] {
        while (valueOf("sum:0") != 7) // its first part is through
          std::this_thread::yield();
        EXPECT_THAT(session->run({p(1)}, {}, {"note"}), isOk());
      });
  EXPECT_EQ(status.code(), StatusCode::DeadlineExceeded);
  EXPECT_EQ(valueOf("sum:0"), 8);
}

TEST_P(QueueThreads, CrossedQueuesGoOnWhileThereIsAnElement) {
  constexpr int each = 100;
  ASSERT_THAT(session->run({p(5)}, {}, {"puta"}), isOk());
  std::atomic<int> failed = 0;
  together(2, [&](int t) {
    for (int i = 0; i < each; ++i)
      failed += !session->run({}, {}, {t == 0 ? "aToB" : "bToA"}).ok();
  });
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(valueOf("moves:0"), 2 * each);
  EXPECT_EQ(valueOf("takea:0"), 5);
}

TEST_P(QueueThreads, UnorderedOpsOfARunAreTriedInTurn) {
  // takea waits for what this very run puts in behind taking b.
  ASSERT_THAT(session->run({p(3)}, {}, {"putb"}), isOk());
  auto got = session->run({}, {"takea:0"}, {"bToA"},
                          {.timeout = std::chrono::seconds(60)});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<int64_t>((*got)[0]), ElementsAre(3));
}

TEST_P(QueueThreads, CancellationEndsAWait) {
  Cancellation cancel;
  EXPECT_THAT(endAWait(
                  [&] {
                    return session
                        ->run({}, {"takea:0"}, {}, {.cancel = &cancel})
                        .status();
                  },
                  [&] { cancel.cancel(); }),
              fails(StatusCode::Cancelled, ::testing::_));
  ASSERT_THAT(session->run({p(1)}, {}, {"puta"}), isOk());
  EXPECT_EQ(valueOf("takea:0"), 1);
}

TEST_P(QueueThreads, TimeLimitEndsAWaitOfAFullQueue) {
  ASSERT_THAT(session->run({p(1)}, {}, {"puta"}), isOk());
  EXPECT_THAT(session->run({p(2)}, {}, {"puta"}, {.timeout = milliseconds(20)}),
              AllOf(fails(StatusCode::DeadlineExceeded, ::testing::_),
                    failsAt("puta")));
  EXPECT_EQ(valueOf("takea:0"), 1);
  EXPECT_EQ((*session->run({}, {"sizea:0"}))[0].data<int32_t>()[0], 0);
}

TEST_P(QueueThreads, ClosingTheSessionEndsWaits) {
  Status status =
      endAWait([&] { return session->run({}, {"takea:0"}).status(); },
               [&] { session->close(); });
  EXPECT_TRUE(status.code() == StatusCode::Cancelled ||
              status.code() == StatusCode::FailedPrecondition)
      << status.toString();
}

TEST_P(QueueThreads, ClosingTheQueueEndsWaits) {
  EXPECT_THAT(
      endAWait([&] { return session->run({}, {"takea:0"}).status(); },
               [&] { EXPECT_THAT(session->run({}, {}, {"closea"}), isOk()); }),
      AllOf(fails(StatusCode::OutOfRange, ::testing::_), failsAt("takea")));
}

TEST_P(QueueThreads, ClosingWhileManyWaitLeavesNobodyInside) {
  for (int round = 0; round < 20; ++round) {
    session = open(pipelineGraph());
    ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
    std::atomic<int> strange = 0;
    together(17, [&](int t) {
      if (t == 16) {
        session->close();
        return;
      }
      for (Status status; status.ok();) {
        const char *targets[] = {"puta", "count", "aToB", "bToA", "putNoted"};
        status = session->run({p(t)}, {}, {targets[t % 5]}).status();
        strange += !status.ok() && status.code() != StatusCode::Cancelled &&
                   status.code() != StatusCode::FailedPrecondition;
      }
    });
    EXPECT_EQ(strange, 0);
  }
}

} // namespace
} // namespace kiln
