// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors: allocation, borrowed memory, sharing; and the table of element
// types.
#include "kiln/Tensor.h"

#include "test/unit/Sanitizers.h"
#include "test/unit/StatusMatchers.h"

#include <atomic>
#include <gtest/gtest.h>
#include <limits>
#include <thread>
#include <vector>

#if KILN_ADDRESS_SANITIZER
// The sanitizer's allocator ends the process where malloc returns null.
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}
#endif

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

TEST(DType, HasTensorFlowsNumbersSizesAndNames) {
  EXPECT_EQ(static_cast<int>(DType::Bool), 10);
  EXPECT_EQ(static_cast<int>(DType::BFloat16), 14);
  EXPECT_EQ(static_cast<int>(DType::UInt64), 23);
  EXPECT_EQ(dtypeSize(DType::Complex128), 16u);
  EXPECT_EQ(dtypeSize(DType::String), 8u);
  EXPECT_EQ(dtypeSize(DType::Resource), 0u);
  EXPECT_EQ(dtypeName(DType::Float64), "float64");
  EXPECT_EQ(dtypeTfName(DType::Float64), "double");
  EXPECT_EQ(dtypeTfName(DType::Float16), "half");
  EXPECT_EQ(dtypeFromNumber(101), DType::Float32);
  EXPECT_EQ(dtypeFromNumber(34), std::nullopt);
  EXPECT_EQ(dtypeFromNumber(-1), std::nullopt);
  EXPECT_EQ(dtypeFromNumber(100), std::nullopt);
  EXPECT_EQ(dtypeFromName("half"), DType::Float16);
  EXPECT_EQ(dtypeName(static_cast<DType>(200)), "invalid");
  EXPECT_EQ(dtypeOf<int64_t>, DType::Int64);
  EXPECT_TRUE(isSupported(DType::Bool));
  EXPECT_TRUE(isSupported(DType::Float16));
  EXPECT_FALSE(isSupported(DType::Complex64));
}

TEST(Tensor, AllocatesAlignedMemory) {
  auto tensor = Tensor::create(DType::Float32, {3, 5});
  ASSERT_THAT(tensor, isOk());
  EXPECT_TRUE(tensor->isAligned());
  EXPECT_EQ(tensor->numElements(), 15);
  EXPECT_EQ(tensor->byteSize(), 60u);
  EXPECT_EQ(tensor->mutableData<float>().size(), 15u);
  EXPECT_THAT(Tensor::create(DType::Bool, {0, 4}), isOk());
}

TEST(Tensor, RefusesSizesThatCannotBe) {
  EXPECT_THAT(Tensor::create(DType::Float32, {-1}),
              fails(StatusCode::InvalidArgument, HasSubstr("unknown")));
  EXPECT_THAT(Tensor::create(DType::Float32, {-5}),
              fails(StatusCode::InvalidArgument, HasSubstr("negative")));
  EXPECT_THAT(Tensor::create(DType::Float64, {int64_t{1} << 61}),
              fails(StatusCode::InvalidArgument, HasSubstr("2^63 - 1 bytes")));
  EXPECT_THAT(Tensor::create(DType::Variant, {1}),
              fails(StatusCode::InvalidArgument, HasSubstr("got variant")));
  EXPECT_THAT(Tensor::create(DType::Float32, {int64_t{1} << 58}),
              fails(StatusCode::ResourceExhausted,
                    HasSubstr("1152921504606846976 bytes, 1 EiB")));
  EXPECT_THAT(
      Tensor::create(DType::Int8, {std::numeric_limits<int64_t>::max()}),
      fails(StatusCode::ResourceExhausted,
            HasSubstr("OOM when allocating tensor with shape[")));
}

TEST(Tensor, TypedAccessChecksTheDtype) {
  Tensor tensor = Tensor::scalar(2.5f);
  EXPECT_THAT(tensor.data<float>(), ElementsAre(2.5f));
  EXPECT_TRUE(tensor.data<double>().empty());
  EXPECT_TRUE(tensor.mutableData<int32_t>().empty());
  EXPECT_EQ(tensor.rank(), 0);
}

TEST(Tensor, TakesValuesOfTheShapesNumber) {
  auto tensor = Tensor::fromValues<int64_t>({2, 2}, {1, 2, 3, 4});
  ASSERT_THAT(tensor, isOk());
  EXPECT_THAT(tensor->data<int64_t>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Tensor::fromValues<int64_t>({2, 2}, {1, 2, 3}),
              fails(StatusCode::InvalidArgument,
                    "expected 4 values for shape [2,2], got 3"));
}

TEST(Tensor, BorrowsMemoryOfAnyAlignmentWithoutACopy) {
  alignas(8) char memory[17] = {};
  auto tensor =
      Tensor::borrow(DType::Float32, {4}, static_cast<void *>(memory + 1));
  ASSERT_THAT(tensor, isOk());
  EXPECT_EQ(tensor->rawData(), memory + 1);
  EXPECT_TRUE(tensor->data<float>().empty());
  EXPECT_EQ(tensor->mutableRawData(), memory + 1);
}

TEST(Tensor, NeverWritesMemoryBorrowedAsConst) {
  const float values[] = {1, 2};
  auto tensor =
      Tensor::borrow(DType::Float32, {2}, static_cast<const void *>(values));
  ASSERT_THAT(tensor, isOk());
  EXPECT_THAT(tensor->data<float>(), ElementsAre(1, 2));
  EXPECT_EQ(tensor->mutableRawData(), nullptr);
  EXPECT_TRUE(tensor->mutableData<float>().empty());
}

TEST(Tensor, CallsTheDeleterOnceWhenTheLastCopyGoes) {
  int calls = 0;
  float value = 1;
  {
    auto tensor = Tensor::borrow(DType::Float32, {}, &value, [&] { ++calls; });
    ASSERT_THAT(tensor, isOk());
    Tensor copy = *tensor;
    EXPECT_FALSE(copy.isUnique());
    tensor = Tensor();
    EXPECT_TRUE(copy.isUnique());
    EXPECT_EQ(calls, 0);
  }
  EXPECT_EQ(calls, 1);
  void *null = nullptr;
  EXPECT_THAT(Tensor::borrow(DType::Float32, {1}, null, [&] { ++calls; }),
              fails(StatusCode::InvalidArgument, HasSubstr("null")));
  EXPECT_EQ(calls, 1);
}

TEST(Tensor, APoolGetsItsBufferBack) {
  static int returned = 0;
  static char memory[64];
  Buffer pooled;
  pooled.data = memory;
  pooled.bytes = sizeof memory;
  pooled.release = [](Buffer *buffer) noexcept {
    ++returned;
    buffer->references.store(1);
  };
  EXPECT_THAT(
      Tensor::fromBuffer(DType::Float32, {16}, BufferRef::adopt(&pooled)),
      isOk());
  EXPECT_EQ(returned, 1);
  EXPECT_THAT(
      Tensor::fromBuffer(DType::Float32, {17}, BufferRef::adopt(&pooled)),
      fails(StatusCode::InvalidArgument, HasSubstr("at least 68 bytes")));
  EXPECT_EQ(returned, 2);
}

TEST(Tensor, ReshapesAndClones) {
  Tensor tensor = *Tensor::fromValues<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  auto view = tensor.reshaped({3, 2});
  ASSERT_THAT(view, isOk());
  EXPECT_EQ(view->rawData(), tensor.rawData());
  EXPECT_THAT(tensor.reshaped({4}),
              fails(StatusCode::InvalidArgument, HasSubstr("6 elements")));
  auto copy = tensor.clone();
  ASSERT_THAT(copy, isOk());
  EXPECT_NE(copy->rawData(), tensor.rawData());
  EXPECT_TRUE(copy->hasSameBits(tensor));
  EXPECT_FALSE(view->hasSameBits(tensor));
  EXPECT_FALSE(Tensor::scalar(0.0f).hasSameBits(Tensor::scalar(-0.0f)));
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(Tensor::scalar(nan).hasSameBits(Tensor::scalar(nan)));
}

TEST(Tensor, CopiesFromManyThreadsReleaseOnce) {
  std::atomic<int> released = 0;
  float value = 1;
  {
    Tensor shared =
        *Tensor::borrow(DType::Float32, {}, &value, [&] { ++released; });
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([shared] {
        for (int j = 0; j < 1000; ++j)
          Tensor copy = shared;
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  EXPECT_EQ(released, 1);
}

} // namespace
} // namespace kiln
