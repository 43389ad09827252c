// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as native code calls them, with errors in the run's state, and the
// functions of its table.
#include "kiln/Tensor.h"
#include "runtime/abi/RunState.h"
#include "runtime/abi/Symbols.h"
#include "runtime/arithmetic/FloatEnv.h"
#include "runtime/kernels/KernelRegistry.h"
#include "runtime/random/RandomStream.h"
#include "runtime/resources/VariableSlot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace kiln {
namespace {

const std::vector<std::string> nodeNames = {"theta", "inverse"};

struct NativeRun {
  RunContext context;
  KilnRunState state = makeRunState(&context);
  Status status() const { return runStatus(state, nodeNames); }

  /// Calls a kernel of one input and one output as node 1.
  int32_t call(std::string_view kernel, KilnTensor in, KilnTensor out,
               std::vector<int64_t> numbers = {}) {
    KilnKernelCall call = {.state = &state,
                           .ins = &in,
                           .outs = &out,
                           .numbers = numbers.data(),
                           .bound = nullptr,
                           .allocator = nullptr,
                           .numIns = 1,
                           .numOuts = 1,
                           .numNumbers = static_cast<int32_t>(numbers.size()),
                           .node = 1};
    return KernelRegistry::process().find(kernel)->run(&call);
  }

  /// Inverts `batch` matrices.
  template <class T>
  int32_t invert(const T *in, T *out, int64_t batch, int64_t n,
                 bool adjoint = false) {
    int64_t dims[] = {batch, n, n};
    auto dtype = static_cast<int32_t>(dtypeOf<T>);
    return call("MatrixInverse", {const_cast<T *>(in), dims, dtype, 3},
                {out, dims, dtype, 3}, {adjoint});
  }
};

TEST(KernelRegistry, FindsKernelsByNameAndTakesEachNameOnce) {
  KernelRegistry &registry = KernelRegistry::process();
  EXPECT_EQ(registry.find("NoSuchKernel"), nullptr);
  auto succeed = [](const KilnKernelCall *) noexcept -> int32_t { return 0; };
  ASSERT_TRUE(registry.add({"KernelOfATest", succeed}).ok());
  const Kernel *found = registry.find("KernelOfATest");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->run(nullptr), 0);
  Status again = registry.add({"KernelOfATest", nullptr});
  EXPECT_EQ(again, Status(StatusCode::AlreadyExists,
                          "expected a new kernel, got KernelOfATest"));
  EXPECT_EQ(registry.find("KernelOfATest"), found);
}

TEST(MatrixInverse, InvertsABatch) {
  NativeRun run;
  std::array<float, 8> in = {1, 2, 3, 4, 2, 0, 0, 4}, out{};
  EXPECT_EQ(run.invert(in.data(), out.data(), 2, 2), 0);
  const float expected[] = {-2, 1, 1.5f, -0.5f, 0.5f, 0, 0, 0.25f};
  for (size_t i = 0; i < out.size(); ++i)
    EXPECT_NEAR(out[i], expected[i], 1e-6f) << i;
  EXPECT_TRUE(run.status().ok());
}

TEST(MatrixInverse, AdjointInvertsTheTranspose) {
  NativeRun run;
  std::array<double, 4> in = {1, 2, 3, 4}, out{};
  EXPECT_EQ(run.invert(in.data(), out.data(), 1, 2, true), 0);
  EXPECT_NEAR(out[1], 1.5, 1e-14);
  EXPECT_NEAR(out[2], 1.0, 1e-14);
}

TEST(MatrixInverse, LargeMatrixTimesInverseIsIdentity) {
  NativeRun run;
  constexpr size_t n = 70;
  std::vector<double> in(n * n), out(n * n);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = std::sin(static_cast<double>(i * i % 1009)) +
            (i % (n + 1) == 0 ? 5.0 : 0.0);
  ASSERT_EQ(run.invert(in.data(), out.data(), 1, n), 0);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      double product = 0;
      for (size_t k = 0; k < n; ++k)
        product += in[i * n + k] * out[k * n + j];
      EXPECT_NEAR(product, i == j ? 1.0 : 0.0, 1e-9);
    }
}

/// Above 512 x 512 the runtime has its own blocks; rows are out of order, so
/// that every pivot is one.
std::vector<double> shuffledMatrix(size_t n) {
  std::vector<double> in(n * n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      in[i * n + j] = std::sin(static_cast<double>((i * n + j * j) % 1009)) +
                      ((i + n / 3) % n == j ? 40.0 : 0.0);
  return in;
}

TEST(MatrixInverse, BlocksGiveTheInverseToo) {
  NativeRun run;
  constexpr size_t n = 600;
  std::vector<double> in = shuffledMatrix(n), out(n * n);
  for (int adjoint : {0, 1}) {
    ASSERT_EQ(run.invert(in.data(), out.data(), 1, n, adjoint != 0), 0);
    for (size_t i : {size_t(0), size_t(63), size_t(64), size_t(255), n - 1})
      for (size_t j = 0; j < n; ++j) {
        double product = 0;
        for (size_t k = 0; k < n; ++k)
          product += (adjoint ? in[k * n + i] : in[i * n + k]) * out[k * n + j];
        EXPECT_NEAR(product, i == j ? 1.0 : 0.0, 1e-9) << i << " " << j;
      }
  }
  std::copy_n(in.begin(), n, in.begin() + 100 * n); // two equal rows
  std::fill_n(in.begin() + 200 * n, n, 0.0);
  EXPECT_NE(run.invert(in.data(), out.data(), 1, n), 0);
  EXPECT_EQ(run.status().code(), StatusCode::InvalidArgument);
}

TEST(MatrixInverse, AnEndlessOneIsCancelled) {
  NativeRun run;
  constexpr size_t n = 600;
  std::vector<double> in = shuffledMatrix(n), out(n * n);
  std::thread other([&] { requestCancel(&run.state, StatusCode::Cancelled); });
  while (run.invert(in.data(), out.data(), 1, n) == 0) {
  }
  other.join();
  EXPECT_EQ(run.status().code(), StatusCode::Cancelled);
}

TEST(MatrixInverse, SingularInputIsAnErrorThatNamesTheNode) {
  const std::array<float, 4> singular[] = {
      {1, 2, 2, 4}, {0, 0, 0, 0}, {NAN, 0, 0, 1}, {1e-45f, 0, 0, 1}};
  for (const auto &in : singular) {
    FloatEnv env;
    NativeRun run;
    std::array<float, 4> out{};
    EXPECT_NE(run.invert(in.data(), out.data(), 1, 2), 0);
    EXPECT_EQ(run.status(), Status(StatusCode::InvalidArgument,
                                   "Input is not invertible.", "inverse"));
  }
}

TEST(MatrixInverse, InfinityAndEmptyAreNoErrors) {
  NativeRun run;
  std::array<float, 4> in = {std::numeric_limits<float>::infinity(), 0, 0, 1},
                       out{};
  EXPECT_EQ(run.invert(in.data(), out.data(), 1, 2), 0);
  EXPECT_EQ(out, (std::array<float, 4>{0, 0, 0, 1}));
  EXPECT_EQ(run.invert(in.data(), out.data(), 2, 0), 0);
}

TEST(MatrixInverse, NanBehindTheFirstPivotSpreads) {
  NativeRun run;
  std::array<float, 4> in = {1, 2, NAN, 1}, out{};
  EXPECT_EQ(run.invert(in.data(), out.data(), 1, 2), 0);
  for (float value : out)
    EXPECT_TRUE(std::isnan(value));
}

TEST(RunState, FirstErrorWinsAndIsFormatted) {
  NativeRun run;
  kilnReportError(&run.state, static_cast<int32_t>(ErrorKind::IndexOutOfRange),
                  0, 1, 5, 2);
  kilnReportError(&run.state,
                  static_cast<int32_t>(ErrorKind::IntegerDivisionByZero), 1, 0,
                  0, 0);
  EXPECT_NE(kilnPoll(&run.state), 0);
  EXPECT_EQ(run.status(), Status(StatusCode::InvalidArgument,
                                 "indices[1] = 5 is not in [0, 2)", "theta"));
}

TEST(RunState, ErrorComesBeforeCancellation) {
  NativeRun run;
  requestCancel(&run.state, StatusCode::DeadlineExceeded);
  requestCancel(&run.state, StatusCode::Cancelled);
  EXPECT_EQ(run.status().code(), StatusCode::DeadlineExceeded);
  recordError(&run.state, ErrorKind::IntegerDivisionByZero, 7);
  EXPECT_EQ(run.status(),
            Status(StatusCode::InvalidArgument, "Integer division by zero"));
}

TEST(RunState, UninitializedVariableIsNamed) {
  NativeRun run;
  recordError(&run.state, ErrorKind::UninitializedVariable, 0, 1);
  auto v = *VariableSlot::create("v", 0, DType::Float32, Shape()),
       w = *VariableSlot::create("w", 1, DType::Float32, Shape());
  VariableSlot *variables[] = {v.get(), w.get()};
  run.context.variables = variables;
  EXPECT_EQ(run.status(),
            Status(StatusCode::FailedPrecondition,
                   "Attempting to use uninitialized value w", nodeNames[0]));
}

TEST(RandomStream, ReservationsFollowEachOther) {
  RandomStream stream(0x1122334455667788, 0x99aabbccddeeff00);
  RandomStream *streams[] = {&stream};
  NativeRun run;
  run.context.streams = streams;
  uint32_t words[6];
  EXPECT_EQ(kilnReserveRandom(&run.state, 0, 0x100000003, words), 0);
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(kilnReserveRandom(&run.state, 0, 256, words), 0);
  const uint32_t expected[] = {3,          1,          0xddeeff00,
                               0x99aabbcc, 0x55667788, 0x11223344};
  for (size_t i = 0; i < 6; ++i)
    EXPECT_EQ(words[i], expected[i]) << i;
  EXPECT_EQ(stream.samplesTaken(), 0x100000103u);
}

TEST(TruncatedNormal, KernelGivesTensorFlowsNumbers) {
  // TensorFlow 2.21, graph seed 1, op seed 2.
  const float expected[] = {-1.04677927f, 0.839704573f, 1.23583639f,
                            0.303742707f, 0.388690919f};
  uint32_t words[6];
  RandomStream(1, 2).reserve(256 * 5, words);
  std::array<float, 5> out{};
  NativeRun run;
  int64_t numWords = 6, numbers = 5;
  KilnTensor in = {words, &numWords, static_cast<int32_t>(DType::Int32), 1},
             result = {out.data(), &numbers,
                       static_cast<int32_t>(DType::Float32), 1};
  EXPECT_EQ(run.call("TruncatedNormal", in, result), 0);
  for (size_t i = 0; i < out.size(); ++i)
    EXPECT_NEAR(out[i], expected[i], 2e-7f) << i;
  requestCancel(&run.state, StatusCode::Cancelled);
  EXPECT_NE(run.call("TruncatedNormal", in, result), 0);
}

// IR that was written by hand may be run by those who have no such run.
TEST(SlotKernels, DemandARunThatHoldsSlots) {
  float number = 1;
  KilnTensor scalar = {&number, nullptr, static_cast<int32_t>(DType::Float32),
                       0};
  for (const char *kernel :
       {"SlotMake",       "SlotMakeGradient", "SlotWrite",
        "SlotRead",       "SlotReadMany",     "SlotWriteMany",
        "SlotConcat",     "SlotSplit",        "SlotSize",
        "SlotClose",      "SlotMakeStack",    "SlotPush",
        "SlotPop",        "ListMake",         "ListReserve",
        "ListPush",       "ListPop",          "ListGet",
        "ListSet",        "ListLength",       "ListStack",
        "ListGather",     "ListFromTensor",   "ListScatter",
        "ListScatterNew", "ListResize",       "ListConcat",
        "ListConcatOld",  "ListSplit",        "ListElementShape",
        "ListCopy",       "ListZerosLike",    "ListAdd",
        "ListAppend",     "ListPushList",     "ListPopList",
        "ListGetList",    "ListSetList",      "ListPushBatch",
        "ListAppendEach", "ListFetched"}) {
    NativeRun run, outside;
    outside.state.context = nullptr;
    for (NativeRun *each : {&run, &outside}) {
      EXPECT_NE(each->call(kernel, scalar, scalar, {0, 0}), 0) << kernel;
      EXPECT_EQ(each->status().code(), StatusCode::FailedPrecondition);
      EXPECT_EQ(each->status().node(), "inverse") << kernel;
    }
  }
}

} // namespace
} // namespace kiln
