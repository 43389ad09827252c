// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings, tensors that own them, and what a run does with their handles.
#include "kiln/Attributes.h"
#include "runtime/memory/RunStrings.h"
#include "runtime/resources/VariableSlot.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

#include <array>
#include <barrier>
#include <thread>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

String stringFrom(std::string_view text) { return *String::create(text); }

TEST(String, SharesItsBytesAndCountsWhoDoes) {
  String text = stringFrom("abc");
  EXPECT_EQ(text.useCount(), 1);
  {
    String copy = text, moved = std::move(copy);
    EXPECT_EQ(moved.view().data(), text.view().data());
    EXPECT_EQ(text.useCount(), 2);
    const String &same = moved;
    moved = same;
    EXPECT_EQ(text.useCount(), 2);
    moved = stringFrom("other");
    EXPECT_EQ(text.useCount(), 1);
  }
  EXPECT_EQ(text, stringFrom("abc"));
  EXPECT_FALSE(text == stringFrom("abd"));
}

TEST(String, HoldsAnyBytes) {
  std::string_view odd("\0\xff\0", 3);
  EXPECT_EQ(stringFrom(odd).view(), odd);
  String empty = stringFrom("");
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty, String());
  EXPECT_EQ(empty.useCount(), 0);
}

TEST(String, RefusesMoreThanMemory) {
  char *bytes = nullptr;
  EXPECT_THAT(String::create(SIZE_MAX / 2, bytes),
              fails(StatusCode::ResourceExhausted, HasSubstr("a string")));
}

TEST(StringTensor, IsMadeFromTextsAndReadAsViews) {
  std::vector<std::string> texts = {"a", "", std::string("b\0c", 3)};
  auto tensor = Tensor::fromStrings({3}, std::span<const std::string>(texts));
  ASSERT_THAT(tensor, isOk());
  EXPECT_EQ(tensor->dtype(), DType::String);
  EXPECT_EQ(tensor->byteSize(), 24u);
  std::vector<std::string> read;
  for (std::string_view text : tensor->data<String>())
    read.emplace_back(text);
  EXPECT_EQ(read, texts);
  EXPECT_THAT(Tensor::scalar("one").data<String>(), ElementsAre("one"));
  EXPECT_THAT(Tensor::create(DType::String, {2})->data<String>(),
              ElementsAre("", ""));
  EXPECT_THAT(Tensor::fromStrings({2}, {"a"}),
              fails(StatusCode::InvalidArgument, HasSubstr("expected 2")));
}

TEST(StringTensor, OwnsItsElements) {
  String text = stringFrom("shared");
  {
    Tensor tensor = *Tensor::fromValues<String>({2}, {text, text});
    EXPECT_EQ(text.useCount(), 3);
    Tensor shares = tensor, copy = *tensor.clone();
    EXPECT_EQ(text.useCount(), 5);
    EXPECT_TRUE(copy.hasSameBits(tensor));
    copy.mutableData<String>()[0] = stringFrom("x");
    EXPECT_EQ(text.useCount(), 4);
    EXPECT_FALSE(copy.hasSameBits(tensor));
    Tensor viewed = *shares.reshaped({1, 2});
    tensor = Tensor();
    EXPECT_EQ(viewed.data<String>()[1], text);
  }
  EXPECT_EQ(text.useCount(), 1);
}

TEST(StringTensor, BorrowsAnArrayOfTheCallers) {
  std::array<String, 2> mine = {stringFrom("a"), stringFrom("b")};
  {
    Tensor tensor = *Tensor::borrow(DType::String, {2}, mine.data());
    EXPECT_THAT(tensor.data<String>(), ElementsAre("a", "b"));
    Tensor copy = *tensor.clone();
    EXPECT_EQ(mine[0].useCount(), 2);
  }
  EXPECT_EQ(mine[0].useCount(), 1);
  auto *odd = reinterpret_cast<char *>(mine.data()) + 4;
  EXPECT_THAT(Tensor::borrow(DType::String, {1}, static_cast<void *>(odd)),
              fails(StatusCode::InvalidArgument, HasSubstr("8 bytes")));
}

TEST(StringTensor, IsNotTakenForNumbersNorNumbersForIt) {
  Tensor strings = Tensor::scalar("a"), number = Tensor::scalar<int64_t>(-1);
  EXPECT_THAT(Tensor::fromBuffer(DType::Int64, {}, strings.bufferRef()),
              fails(StatusCode::InvalidArgument, HasSubstr("strings")));
  EXPECT_THAT(Tensor::fromBuffer(DType::String, {}, number.bufferRef()),
              fails(StatusCode::InvalidArgument, HasSubstr("numbers")));
  EXPECT_TRUE(strings.data<int64_t>().empty());
}

TEST(StringTensor, SplatsMaterialize) {
  TensorConstant splat(Tensor::scalar("s"), Shape{2, 2});
  EXPECT_THAT(splat.materialize()->data<String>(),
              ElementsAre("s", "s", "s", "s"));
  EXPECT_EQ(TensorConstant(Tensor::scalar("s")),
            TensorConstant(Tensor::scalar("s")));
}

TEST(RunStrings, LiveUntilTheRunEndsAndCount) {
  RunStrings strings(100);
  StringHandle handle = *strings.make("made");
  EXPECT_EQ(stringOf(handle).view(), "made");
  EXPECT_EQ(stringOf(handle).useCount(), 1);
  EXPECT_EQ(*strings.make(""), StringHandle(0));
  EXPECT_THAT(strings.make(std::string(80, 'x')),
              fails(StatusCode::ResourceExhausted,
                    HasSubstr("of at most 100 bytes, got 36 and 80 more")));
  // 32 bytes a string beside its own.
  EXPECT_THAT(strings.make(std::string(33, 'x')),
              fails(StatusCode::ResourceExhausted, HasSubstr("33 more")));
  EXPECT_THAT(strings.make(std::string(32, 'x')), isOk());
  String kept = stringOf(handle);
  strings.clear();
  EXPECT_EQ(kept.useCount(), 1);
  EXPECT_THAT(strings.make(std::string(60, 'x')), isOk());
}

/// Code reverses a variable's handles and overwrites one by a stranger's.
TEST(VariableStrings, SettleWhatCodeWroteOverThem) {
  String first = stringFrom("first"), second = stringFrom("second"),
         stranger = stringFrom("stranger");
  {
    Tensor variable =
        *Tensor::fromValues<String>({3}, {first, second, String()});
    VariableStrings settling;
    ASSERT_THAT(settling.remember(variable.data<String>()), isOk());
    auto *handles = static_cast<StringHandle *>(variable.mutableRawData());
    std::swap(handles[0], handles[1]);
    handles[2] = handleOf(stranger);
    handles[1] = handleOf(stranger);
    settling.adopt(variable.mutableData<String>());
    EXPECT_EQ(first.useCount(), 2);
    settling.release();
    EXPECT_THAT(variable.data<String>(),
                ElementsAre("second", "stranger", "stranger"));
    EXPECT_EQ(first.useCount(), 1);
    EXPECT_EQ(second.useCount(), 2);
    EXPECT_EQ(stranger.useCount(), 3);
  }
  EXPECT_EQ(second.useCount(), 1);
  EXPECT_EQ(stranger.useCount(), 1);
}

TEST(StringVariable, OwnsWhatIsAssigned) {
  String text = stringFrom("value");
  {
    auto slot =
        *VariableSlot::create("v", 0, DType::String, Shape::unknownDims(1));
    ASSERT_THAT(slot->assign(*Tensor::fromValues<String>({2}, {text, text})),
                isOk());
    EXPECT_EQ(text.useCount(), 3);
    Tensor copy = *slot->snapshot();
    EXPECT_EQ(text.useCount(), 5);
    ASSERT_THAT(slot->assign(*slot->view()), isOk());
    ASSERT_THAT(slot->assign(*Tensor::create(DType::String, Shape{1})), isOk());
    EXPECT_EQ(text.useCount(), 3);
    EXPECT_THAT(copy.data<String>(), ElementsAre("value", "value"));
  }
  EXPECT_EQ(text.useCount(), 1);
}

TEST(StringTensor, IsCopiedAndDroppedByManyThreads) {
  constexpr int numThreads = 8;
  String text = stringFrom("everybody's");
  {
    Tensor tensor = *Tensor::fromValues<String>({2}, {text, text});
    std::barrier start(numThreads);
    std::vector<std::thread> threads;
    for (int i = 0; i < numThreads; ++i)
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        for (int k = 0; k < 2000; ++k) {
          Tensor copy = (i + k) % 2 ? *tensor.clone() : tensor;
          ASSERT_EQ(copy.data<String>()[1].view(), "everybody's");
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(text.useCount(), 3);
  }
  EXPECT_EQ(text.useCount(), 1);
}

} // namespace
} // namespace kiln
