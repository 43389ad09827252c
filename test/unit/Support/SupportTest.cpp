// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked arithmetic, hashes, checksums, text and files.
#include "kiln/Version.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/Crc32c.h"
#include "lib/Support/File.h"
#include "lib/Support/Hash.h"
#include "lib/Support/InlineVector.h"
#include "lib/Support/Md5.h"
#include "lib/Support/Strings.h"
#include "test/unit/StatusMatchers.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <unistd.h>
#include <vector>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

constexpr int64_t largest = std::numeric_limits<int64_t>::max();

TEST(CheckedMath, SaysWhenAResultDoesNotFit) {
  EXPECT_EQ(checkedAdd(2, 3), 5);
  EXPECT_EQ(checkedAdd(largest, 1), std::nullopt);
  EXPECT_EQ(checkedMul(largest, 2), std::nullopt);
  EXPECT_EQ(checkedMul(-1, std::numeric_limits<int64_t>::min()), std::nullopt);
}

TEST(CheckedInt64, RemembersAnOverflowToTheEndOfTheFormula) {
  EXPECT_EQ((CheckedInt64(6) * 7 - 2).value(), 40);
  EXPECT_TRUE((CheckedInt64(largest) * 2 * 0 + 1).overflowed());
}

TEST(Md5, DigestsOfTheStandard) {
  // RFC 1321, A.5, and lengths at which the last block is full.
  auto text = [](std::string_view bytes) {
    std::string hex;
    for (uint8_t byte : md5(bytes))
      for (int digit : {byte >> 4, byte & 15})
        hex += "0123456789abcdef"[digit];
    return hex;
  };
  EXPECT_EQ(text(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(text("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(text("abcdefghijklmnopqrstuvwxyz"),
            "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(text("1234567890123456789012345678901234567890123456789012345678901"
                 "2345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
  EXPECT_EQ(text(std::string(55, 'a')), "ef1772b6dff9a122358552954ad0df65");
  EXPECT_EQ(text(std::string(56, 'a')), "3b0c8ac703f828b04c6c197006d17218");
  EXPECT_EQ(text(std::string(64, 'a')), "014842d480b571495a4a0363793f7367");
  EXPECT_EQ(seedOf("7input_0"), 1933561695);
}

TEST(InlineVector, GrowsBeyondTheObjectAndCopies) {
  InlineVector<int, 2> list = {1, 2};
  EXPECT_EQ(list.data(), list.begin());
  for (int i = 3; i <= 9; ++i)
    list.push_back(i);
  list.insertFirst(0);
  InlineVector<int, 2> copy = list, assigned(1, 7);
  assigned = list;
  list.clear();
  EXPECT_TRUE(list.empty());
  list.push_back(4);
  EXPECT_EQ(list.back(), 4);
  for (const auto *each : {&copy, &assigned}) {
    ASSERT_EQ(each->size(), 10U);
    for (size_t i = 0; i < 10; ++i)
      EXPECT_EQ((*each)[i], static_cast<int>(i));
  }
}

TEST(Hash, IsTheSameInEveryProcess) {
  EXPECT_EQ(hashString(""), 0xab315ad69403072dULL);
  EXPECT_EQ(hashString("a kiln fires clay"), 0x718cd1140a44c9f2ULL);
  EXPECT_EQ(hashCombine(1, 2), 0x899193c19409ec93ULL);
  EXPECT_EQ(hashString("kiln"), hashString(std::string("ki") + "ln"));
  EXPECT_NE(hashString("ab"), hashString(std::string_view("ab\0", 3)));
  EXPECT_NE(HashBuilder().add(1).add(2).value(),
            HashBuilder().add(2).add(1).value());
  EXPECT_NE(HashBuilder().add("ab").add("c").value(),
            HashBuilder().add("a").add("bc").value());
}

TEST(Strings, JoinAndQuote) {
  EXPECT_EQ(strCat("a", 1, ':', int64_t{-2}, " ", true, " ", 0.1f),
            "a1:-2 true 0.1");
  EXPECT_EQ(strJoin(std::vector<int>{1, 2, 3}, ", "), "1, 2, 3");
  EXPECT_EQ(quote("a'b\n"), "'a\\'b\\x0a'");
  EXPECT_EQ(quote(std::string(300, 'x')).size(), 256u + 5u);
  EXPECT_EQ(formatBytes(512), "512 bytes");
  EXPECT_EQ(formatBytes(1536), "1.5 KiB");
}

class FileTest : public ::testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::path(::testing::TempDir()) /
             ("kiln-file-" + std::to_string(::getpid()) + "-" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
};

TEST_F(FileTest, ReplacesInOneStepAndLeavesNothingBehind) {
  std::string path = folder / "graph.pb";
  ASSERT_THAT(writeFileAtomically(path, "first"), isOk());
  ASSERT_THAT(writeFileAtomically(path, "second"), isOk());
  EXPECT_EQ(readFile(path, 100)->view(), "second");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST_F(FileTest, ErrorsNameThePathAndTheReason) {
  std::string path = folder / "none" / "graph.pb";
  EXPECT_THAT(
      readFile(path, 100),
      fails(StatusCode::NotFound, HasSubstr("none/graph.pb': No such file")));
  EXPECT_THAT(writeFileAtomically(path, "x"),
              fails(StatusCode::NotFound, HasSubstr("cannot create")));
  EXPECT_THAT(readFile(folder, 100), fails(StatusCode::InvalidArgument,
                                           HasSubstr("not a regular file")));
  EXPECT_THAT(
      readFile("/dev/null", 100),
      fails(StatusCode::InvalidArgument, HasSubstr("not a regular file")));
  std::string large = folder / "large";
  ASSERT_THAT(writeFileAtomically(large, "0123456789"), isOk());
  EXPECT_THAT(readFile(large, 9),
              fails(StatusCode::ResourceExhausted, HasSubstr("limit is 9")));
  EXPECT_THAT(readFile(large, 10), isOk());
}

/// A bit at a time.
uint32_t slowCrc(uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  for (char byte : bytes) {
    crc ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0);
  }
  return ~crc;
}

TEST(Crc32c, IsThePolynomials) {
  EXPECT_EQ(extendCrc32c(0, ""), 0u);
  EXPECT_EQ(extendCrc32c(0, "123456789"), 0xe3069283u); // RFC 3720
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::string text(40'000, 0);
  for (char &byte : text)
    byte = static_cast<char>(random());
  // Around the lanes that are summed up side by side, and anywhere.
  for (size_t size : {1, 7, 8, 6143, 6144, 6145, 12288, 18439}) {
    size_t at = random() % (text.size() - size);
    auto before = static_cast<uint32_t>(random());
    std::string_view part = std::string_view(text).substr(at, size);
    EXPECT_EQ(extendCrc32c(before, part), slowCrc(before, part)) << size;
  }
  size_t cut = random() % text.size();
  std::string_view all = text;
  EXPECT_EQ(extendCrc32c(extendCrc32c(0, all.substr(0, cut)), all.substr(cut)),
            slowCrc(0, all));
  for (size_t at : {size_t(0), cut, size_t(1), all.size()})
    EXPECT_EQ(joinCrc32c(extendCrc32c(0, all.substr(0, at)),
                         extendCrc32c(0, all.substr(at)), all.size() - at),
              slowCrc(0, all))
        << at;
}

TEST(Version, OfTheLibraryIsThatOfTheHeaders) {
  EXPECT_EQ(version(), KILN_VERSION_STRING);
  EXPECT_EQ(version(),
            strCat(KILN_VERSION / 10000, ".", KILN_VERSION / 100 % 100, ".",
                   KILN_VERSION % 100));
}

} // namespace
} // namespace kiln
