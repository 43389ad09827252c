// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process may end while its first compilation goes on, in which the compiler
// makes its static objects. This program compiles in children alone.
#include "test/unit/Sanitizers.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kiln {
namespace {

using namespace std::chrono_literals;
using testing::openSession;

/// Takes seconds to compile: behind each product is another row of functions,
/// so that none shares code.
std::shared_ptr<Graph> manyProducts() {
  testing::GraphWriter writer;
  constexpr DType f32 = DType::Float32;
  writer.placeholder("x", f32, {-1, -1});
  std::string last = "x";
  for (int i = 0; i < 100; ++i) {
    std::string name = "n" + std::to_string(i);
    writer.add(name, "MatMul", {last, "x"},
               {{"T", f32}, {"transpose_a", false}, {"transpose_b", false}});
    last = name;
    for (int bit = 0; bit < 7; ++bit) {
      writer.add(name + "_" + std::to_string(bit),
                 i >> bit & 1 ? "Tanh" : "Sigmoid", {last}, {{"T", f32}});
      last = name + "_" + std::to_string(bit);
    }
  }
  writer.add("y", "Identity", {last}, {{"T", f32}});
  return writer.graph;
}

Status runAtMost(Session &session, std::chrono::nanoseconds timeout) {
  return session
      .run({{"x:0", testing::countingMatrix(2, 2)}}, {"y:0"}, {},
           {.timeout = timeout})
      .status();
}

/// What children of this process do until they end.
class ExitOfChild : public ::testing::Test {
protected:
  void SetUp() override {
#if KILN_THREAD_SANITIZER
    GTEST_SKIP() << "ThreadSanitizer has no threads after a fork";
#endif
  }

  /// What a child of this process ends with, negative for a signal.
  template <class Child> static int inChild(Child child) {
    std::fflush(nullptr);
    pid_t pid = fork();
    if (pid == 0) {
      alarm(60); // where it hangs
      child();
      _exit(100);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }
};

class Exit : public ExitOfChild,
             public ::testing::WithParamInterface<std::chrono::milliseconds> {};

INSTANTIATE_TEST_SUITE_P(
    After, Exit, ::testing::Values(1ms, 5ms, 20ms, 50ms, 100ms, 200ms, 400ms),
    [](const auto &info) { return std::to_string(info.param.count()) + "ms"; });

TEST_P(Exit, WhileTheFirstCompilationGoesOn) {
  auto graph = manyProducts();
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(inChild([&] {
                auto session = openSession(graph, ExecutionMode::NativeOnly);
                Status late = runAtMost(*session, GetParam());
                std::exit(late.code() == StatusCode::DeadlineExceeded ? 0 : 1);
              }),
              0);
}

TEST_P(Exit, ByAnotherThreadThanTheOneThatWaits) {
  auto graph = manyProducts();
  EXPECT_EQ(inChild([&] {
              auto session = openSession(graph, ExecutionMode::NativeOnly);
              std::thread waits([&] { (void)runAtMost(*session, 1h); });
              (void)runAtMost(*session, GetParam());
              std::exit(0);
            }),
            0);
}

TEST_P(Exit, WithASessionThatStillHoldsTheCompilation) {
  auto graph = manyProducts();
  EXPECT_EQ(inChild([&] {
              // What atexit() is given runs while the compiler works.
              static auto session =
                  openSession(graph, ExecutionMode::NativeOnly);
              std::atexit([] {
                session->close();
                Status closed = runAtMost(*session, 1h);
                session.reset();
                if (closed.code() != StatusCode::FailedPrecondition)
                  _exit(1);
              });
              (void)runAtMost(*session, GetParam());
              std::exit(0);
            }),
            0);
}

// By then what threads have of their own is gone.
TEST_F(ExitOfChild, FunctionsOfExitRunSessions) {
  testing::GraphWriter writer;
  writer.placeholder("x", DType::Float32, {-1, -1});
  writer.binary("y", "AddV2", "x", "x", DType::Float32);
  EXPECT_EQ(inChild([&] {
              static auto session =
                  openSession(writer.graph, ExecutionMode::EvaluatorOnly);
              std::atexit([] {
                for (int i = 0; i < 3; ++i)
                  if (!runAtMost(*session, 1h).ok())
                    _exit(1);
              });
              std::exit(runAtMost(*session, 1h).ok() ? 0 : 2);
            }),
            0);
}

} // namespace
} // namespace kiln
