// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing .npy files.
#include "tools/common/Npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <tuple>

namespace kiln {
namespace {

/// A version 1 file with this header and these elements.
std::string npy(std::string header, const std::string &elements) {
  std::string bytes("\x93NUMPY\1\0", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + elements;
}

std::string header(const std::string &descr, const std::string &shape,
                   const std::string &order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

std::string temporaryFile() {
  const auto *test = ::testing::UnitTest::GetInstance()->current_test_info();
  return ::testing::TempDir() + "kiln-" + test->name() + ".npy";
}

TEST(Npy, RoundTripKeepsDtypeShapeAndBits) {
  const Tensor tensors[] = {
      *Tensor::fromValues<float>({2, 3}, {1, -0.0f, 3.5f, 4, 5, 6}),
      *Tensor::fromValues<double>({1}, {1e300}),
      *Tensor::fromValues<int32_t>({0, 4}, {}),
      Tensor::scalar<int64_t>(int64_t{1} << 62),
      *Tensor::fromValues<bool>({2}, {true, false}),
  };
  std::string path = temporaryFile();
  for (const Tensor &tensor : tensors) {
    ASSERT_TRUE(writeNpy(path, tensor).ok());
    StatusOr<Tensor> read = readNpy(path);
    ASSERT_TRUE(read.ok()) << read.status().toString();
    EXPECT_TRUE(read->hasSameBits(tensor));
  }
  std::filesystem::remove(path);
}

TEST(Npy, StringsComeWithoutTheZerosAtTheirEnds) {
  using ::testing::ElementsAre;
  auto bytes = parseNpy(npy(header("|S3", "(3,)"), std::string("a\0b"
                                                               "cd\0"
                                                               "\0\0\0",
                                                               9)));
  ASSERT_TRUE(bytes.ok()) << bytes.status().toString();
  EXPECT_THAT(bytes->data<String>(),
              ElementsAre(std::string_view("a\0b", 3), "cd", ""));
  auto texts = parseNpy(
      npy(header("<U2", "(2, 1)", "True"),
          std::string("\x41\0\0\0\xf6\0\0\0\x00\xf6\1\0\0\0\0\0", 16)));
  ASSERT_TRUE(texts.ok()) << texts.status().toString();
  EXPECT_THAT(texts->data<String>(), ElementsAre("A\u00f6", "\U0001f600"));
}

TEST(Npy, FortranOrderOfStrings) {
  auto tensor = parseNpy(npy(header("|S2", "(2, 2)", "True"), "a1b1a2b2"));
  ASSERT_TRUE(tensor.ok()) << tensor.status().toString();
  EXPECT_THAT(tensor->data<String>(),
              ::testing::ElementsAre("a1", "a2", "b1", "b2"));
}

TEST(Npy, StringsRoundTripUnlessTheyEndInAZero) {
  std::string path = temporaryFile();
  Tensor tensor = *Tensor::fromStrings({2, 2}, {"a", "", "long\xff", "b"});
  ASSERT_TRUE(writeNpy(path, tensor).ok());
  EXPECT_TRUE(readNpy(path)->hasSameBits(tensor));
  EXPECT_EQ(writeNpy(path, Tensor::scalar(std::string_view("a\0", 2))).code(),
            StatusCode::Unimplemented);
  std::filesystem::remove(path);
}

TEST(Npy, RefusesStringsThatAreNone) {
  std::string surrogate("\0\xd8\0\0", 4);
  for (const auto &[descr, shape, elements] :
       {std::tuple("<U1", "(1,)", surrogate),
        {"|S", "(1,)", "a"},
        {"|S-1", "(1,)", "a"},
        {"|S0", "(9000000000,)", ""},
        {"|S99999999999", "(1,)", "a"},
        {"|S2", "(2,)", "abc"},
        {">U1", "(1,)", surrogate},
        {"|O", "(1,)", "x"}})
    EXPECT_FALSE(parseNpy(npy(header(descr, shape), elements)).ok()) << descr;
}

TEST(Npy, ElementsBeginAtAMultipleOf64) {
  std::string path = temporaryFile();
  ASSERT_TRUE(writeNpy(path, Tensor::scalar(1.0f)).ok());
  EXPECT_EQ(std::filesystem::file_size(path) % 64, sizeof(float));
  std::filesystem::remove(path);
}

TEST(Npy, FortranOrderBecomesRowMajor) {
  StatusOr<Tensor> tensor =
      parseNpy(npy(header("|i1", "(2, 3)", "True"), {0, 3, 1, 4, 2, 5}));
  ASSERT_TRUE(tensor.ok()) << tensor.status().toString();
  for (int8_t i = 0; i < 6; ++i)
    EXPECT_EQ(tensor->data<int8_t>()[static_cast<size_t>(i)], i);
}

TEST(Npy, BigEndianNumbersAndTextsAreSwapped) {
  using ::testing::ElementsAre;
  auto floats = parseNpy(
      npy(header(">f4", "(2,)"), std::string("\x3f\x80\0\0\xc0\0\0\0", 8)));
  ASSERT_TRUE(floats.ok()) << floats.status().toString();
  EXPECT_THAT(floats->data<float>(), ElementsAre(1.0f, -2.0f));
  auto shorts = parseNpy(
      npy(header(">i2", "(1, 2)", "True"), std::string("\1\2\xff\xfe", 4)));
  ASSERT_TRUE(shorts.ok()) << shorts.status().toString();
  EXPECT_THAT(shorts->data<int16_t>(), ElementsAre(0x102, -2));
  auto texts = parseNpy(
      npy(header(">U2", "(1,)"), std::string("\0\0\0\xe9\0\1\xf4\x0d", 8)));
  ASSERT_TRUE(texts.ok()) << texts.status().toString();
  EXPECT_THAT(texts->data<String>(),
              ElementsAre(std::string_view("\xc3\xa9\xf0\x9f\x90\x8d")));
}

TEST(Npy, LimitOnTheBytesOfAString) {
  EXPECT_TRUE(parseNpy(npy(header("|S268435456", "(0,)"), "")).ok());
  auto refused = parseNpy(npy(header("|S268435457", "(0,)"), ""));
  EXPECT_EQ(refused.status().message(),
            "not a .npy file: expected the length of the strings to be at most "
            "268435456, got '268435457'");
}

TEST(Npy, LimitOnTheBytesOfAFile) {
  std::string path = temporaryFile();
  ASSERT_TRUE(writeNpy(path, Tensor::scalar(1.0f)).ok());
  size_t size = std::filesystem::file_size(path);
  EXPECT_TRUE(readNpy(path, size).ok());
  auto refused = readNpy(path, size - 1);
  EXPECT_EQ(refused.status().code(), StatusCode::ResourceExhausted);
  EXPECT_THAT(std::string(refused.status().message()),
              ::testing::HasSubstr("has 132 bytes, the limit is 131"));
  std::filesystem::remove(path);
}

TEST(Npy, EveryTruncationIsAnError) {
  std::string bytes = npy(header("<i4", "(2,)"), std::string(8, '\1'));
  ASSERT_TRUE(parseNpy(bytes).ok());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(parseNpy(std::string_view(bytes).substr(0, size)).ok())
        << size;
  EXPECT_FALSE(parseNpy(bytes + "x").ok());
}

TEST(Npy, RefusesWhatIsNoSuchArray) {
  const std::string headers[] = {
      header("<f4", "(-1,)"),
      header("<f4", "(9223372036854775807, 9223372036854775807)"),
      header("<f4", "(99999999999999999999,)"),
      header("<f4", "(2"),
      header("<f4", "(0,)", "Maybe"),
      header("<f3", "(0,)"),
      header("|O", "(0,)"),
      "{'descr': '<f4', 'shape': (0,)}",
      "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (0,)}",
      "{",
      "",
  };
  for (const std::string &text : headers)
    EXPECT_FALSE(parseNpy(npy(text, "")).ok()) << text;
  EXPECT_FALSE(parseNpy(npy(header("|b1", "(1,)"), "\2")).ok());
}

TEST(Npy, AnErrorNamesTheFile) {
  std::string path = temporaryFile();
  std::ofstream(path) << "text";
  Status status = readNpy(path).status();
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_NE(status.message().find(path), std::string::npos);
  std::filesystem::remove(path);
}

} // namespace
} // namespace kiln
