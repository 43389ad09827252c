// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Linux's files say of caches, and what is taken where they say nothing.
#include "runtime/memory/LastCache.h"

#include "test/unit/TemporaryFolder.h"

namespace kiln {
namespace {

void tell(const testing::TemporaryFolder &folder, const std::string &index,
          const std::string &size) {
  std::filesystem::create_directory(folder / index);
  std::ofstream(folder / (index + "/size")) << size << "\n";
}

TEST(LastCache, IsTheLargest) {
  testing::TemporaryFolder folder;
  tell(folder, "index0", "48K");
  tell(folder, "index1", "32K");
  tell(folder, "index2", "96M");
  tell(folder, "index3", "2048K");
  EXPECT_EQ(lastCacheBytesIn(folder.name()), int64_t(96) << 20);
}

TEST(LastCache, IsAssumedWhereNothingIsTold) {
  constexpr int64_t assumed = int64_t(32) << 20;
  testing::TemporaryFolder folder;
  EXPECT_EQ(lastCacheBytesIn(folder.name()), assumed);
  for (const char *text : {"", "K", "-5K", "12", "12X", "99999999999999999999K",
                           "9999999999K", "0K"}) {
    tell(folder, "index0", text);
    EXPECT_EQ(lastCacheBytesIn(folder.name()), assumed) << text;
  }
}

TEST(LastCache, OfThisMachine) {
  EXPECT_GE(lastCacheBytes(), int64_t(1) << 16);
  EXPECT_LE(lastCacheBytes(), int64_t(1) << 40);
}

} // namespace
} // namespace kiln
