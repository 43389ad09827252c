// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program that calls Kiln finds afterwards: its own floating-point
// state, signal mask and locale, and nothing written to its streams; and its
// state does not change Kiln's results.
#include "kiln/GraphDef.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>
#include <xmmintrin.h>

namespace kiln {
namespace {

using testing::countingMatrix;
using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

/// All that a call could leave changed.
struct CallerState {
  unsigned mxcsr = _mm_getcsr();
  unsigned short x87Control = 0;
  unsigned short x87Status = 0;
  int rounding = std::fegetround();
  sigset_t mask;
  std::string locale = std::setlocale(LC_ALL, nullptr);

  CallerState() {
    __asm__ volatile("fnstcw %0" : "=m"(x87Control));
    __asm__ volatile("fnstsw %0" : "=m"(x87Status));
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  }
  void expectSame(const char *what) const {
    CallerState now;
    EXPECT_EQ(now.mxcsr, mxcsr) << what;
    EXPECT_EQ(now.x87Control, x87Control) << what;
    EXPECT_EQ(now.x87Status, x87Status) << what;
    EXPECT_EQ(now.rounding, rounding) << what;
    EXPECT_EQ(now.locale, locale) << what;
    for (int signal = 1; signal < NSIG; ++signal)
      EXPECT_EQ(sigismember(&now.mask, signal), sigismember(&mask, signal))
          << what << ", signal " << signal;
  }
};

/// y: exp, a division, a sum and a product of x and a variable; z divides
/// integers.
std::shared_ptr<Graph> arithmeticGraph() {
  testing::GraphWriter writer;
  constexpr DType f32 = DType::Float32;
  writer.placeholder("x", f32, {-1, 3});
  writer.variable("w", tensorOf<float>({3}, {0.1f, 0.7f, -3.3f}));
  writer.add("e", "Exp", {"x"}, {{"T", f32}});
  writer.binary("q", "RealDiv", "e", "w/read", f32);
  writer.constant("axis", tensorOf<int32_t>({1}, {0}));
  writer.add("s", "Sum", {"q", "axis"},
             {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
  writer.add("m", "MatMul", {"q", "q"},
             {{"T", f32}, {"transpose_a", true}, {"transpose_b", false}});
  writer.binary("y", "Mul", "m", "s", f32);
  writer.constant("tiny", tensorOf<float>({1}, {1e-39f}));
  writer.constant("tenth", tensorOf<float>({1}, {0.1f}));
  writer.binary("folded", "RealDiv", "tenth", "tiny", f32);
  writer.placeholder("i", DType::Int32, {-1});
  writer.constant("seven", tensorOf<int32_t>({1}, {7}));
  writer.binary("z", "FloorDiv", "seven", "i", DType::Int32);
  writer.add("init", "NoOp", {"^w/Assign"});
  return writer.graph;
}

/// Every public function with good and bad arguments, `check` after each.
std::vector<Tensor>
callEverything(ExecutionMode mode,
               const std::function<void(const char *)> &check) {
  std::vector<Tensor> values;
  auto graph = arithmeticGraph();
  check("building");
  auto bytes = toGraphDef(*graph);
  check("toGraphDef");
  auto text = toGraphDef(*graph, GraphDefFormat::Text);
  EXPECT_THAT(text, isOk());
  EXPECT_THAT(loadGraphDef(*text), isOk());
  check("text");
  EXPECT_FALSE(loadGraphDef("node { name: 3 }").ok());
  EXPECT_FALSE(loadGraphDef("\x0a\x7f\x01").ok());
  EXPECT_FALSE(loadGraphDefFile("/nowhere/graph.pb").ok());
  check("loading what cannot be loaded");
  auto loaded = loadGraphDef(*bytes);
  check("loading");
  auto session = testing::openSession(*std::move(loaded), mode);
  check("create");
  EXPECT_FALSE(session->run({}, {"s:0"}).ok());
  check("a run without its feed");
  EXPECT_THAT(session->run({}, {}, {"init"}), isOk());
  check("init");
  Tensor x = countingMatrix(5, 3);
  auto result = session->run({{"x:0", x}}, {"y:0", "s:0", "folded:0"});
  check("run");
  EXPECT_THAT(result, isOk());
  if (result.ok())
    values = *std::move(result);
  EXPECT_FALSE(
      session->run({{"i:0", tensorOf<int32_t>({2}, {1, 0})}}, {"z:0"}).ok());
  check("a division by zero");
  EXPECT_FALSE(session->run({{"x:0", countingMatrix(3, 2)}}, {"y:0"}).ok());
  check("a feed of a wrong shape");
  auto callable = session->makeCallable({"x:0"}, {"y:0"});
  check("makeCallable");
  EXPECT_THAT(callable, isOk());
  Tensor feeds[] = {x}, results[1];
  EXPECT_THAT((*callable)(feeds, results), isOk());
  check("a call");
  EXPECT_THAT(session->prepare({{"x:0"}}, {"m:0"}), isOk());
  check("prepare");
  EXPECT_THAT(session->explain({{"x:0"}}, {"m:0"}), isOk());
  EXPECT_FALSE(
      session->explain({{"x:0"}}, {"m:0"}, {}, {.stopAfter = "nothing"}).ok());
  check("explain");
  (void)session->stats();
  session->close();
  check("close");
  EXPECT_FALSE(session->run({}, {}, {"init"}).ok());
  check("a run after close");
  return values;
}

class CallerStateTest : public testing::SessionTest {
protected:
  void TearDown() override {
    std::fesetenv(FE_DFL_ENV);
    std::setlocale(LC_ALL, "C");
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, CallerStateTest,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(CallerStateTest, IsTheSameAfterEachCall) {
  std::feclearexcept(FE_ALL_EXCEPT);
  CallerState before;
  callEverything(GetParam(),
                 [&](const char *what) { before.expectSame(what); });
}

/// Another rounding, flushed denormals, sticky flags, blocked signals.
TEST_P(CallerStateTest, IsTheSameAfterEachCallWhereItIsUnusual) {
  sigset_t some, old;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  sigaddset(&some, SIGFPE);
  pthread_sigmask(SIG_BLOCK, &some, &old);
  std::fesetround(FE_UPWARD);
  std::feraiseexcept(FE_INEXACT | FE_DIVBYZERO);
  _mm_setcsr(_mm_getcsr() | 0x8040);
  CallerState before;
  callEverything(GetParam(),
                 [&](const char *what) { before.expectSame(what); });
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

TEST_P(CallerStateTest, DoesNotChangeResults) {
  auto expected = callEverything(GetParam(), [](const char *) {});
  for (int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST})
    for (unsigned flush : {0u, 0x8040u}) {
      std::fesetround(rounding);
      _mm_setcsr((_mm_getcsr() & ~0x8040u) | flush);
      auto values = callEverything(GetParam(), [](const char *) {});
      std::fesetenv(FE_DFL_ENV);
      ASSERT_EQ(values.size(), expected.size());
      for (size_t i = 0; i < values.size(); ++i)
        EXPECT_TRUE(values[i].hasSameBits(expected[i]))
            << "fetch " << i << ", rounding " << rounding << ", flush "
            << flush;
    }
}

/// A trap that the caller has enabled stays his; nothing in Kiln springs it.
TEST_P(CallerStateTest, SpringsNoTrap) {
  _mm_setcsr(_mm_getcsr() &
             ~(_MM_MASK_DIV_ZERO | _MM_MASK_INVALID | _MM_MASK_OVERFLOW));
  CallerState before;
  callEverything(GetParam(),
                 [&](const char *what) { before.expectSame(what); });
}

/// Sends a descriptor into a file while it lives.
class Redirected {
public:
  explicit Redirected(int descriptor)
      : descriptor(descriptor), saved(::dup(descriptor)), file(std::tmpfile()) {
    std::fflush(nullptr);
    ::dup2(::fileno(file), descriptor);
  }
  ~Redirected() {
    std::fflush(nullptr);
    ::dup2(saved, descriptor);
    ::close(saved);
    std::fclose(file);
  }
  int64_t bytes() const {
    std::fflush(nullptr);
    struct stat info;
    return ::fstat(::fileno(file), &info) == 0 ? info.st_size : -1;
  }

private:
  int descriptor, saved;
  std::FILE *file;
};

TEST_P(CallerStateTest, NothingIsWrittenToItsStreams) {
  int64_t toOutput, toErrors;
  {
    Redirected output(STDOUT_FILENO), errors(STDERR_FILENO);
    callEverything(GetParam(), [](const char *) {});
    toOutput = output.bytes();
    toErrors = errors.bytes();
  }
  EXPECT_EQ(toOutput, 0);
  EXPECT_EQ(toErrors, 0);
}

} // namespace
} // namespace kiln
