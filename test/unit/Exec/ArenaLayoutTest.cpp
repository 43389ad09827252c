// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporaries that live together never overlap; those that do not share memory.
#include "lib/Exec/ArenaLayout.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>
#include <random>

namespace kiln {
namespace {

using testing::fails;
using testing::isOk;

TEST(ArenaLayout, SharesMemoryOneAfterTheOther) {
  ArenaLayout layout;
  std::vector<ArenaTenant> tenants = {{100, 0, 1}, {100, 2, 3}, {100, 1, 2}};
  ASSERT_THAT(layout.place(tenants), isOk());
  EXPECT_EQ(layout.offsets()[0], 0u);
  EXPECT_EQ(layout.offsets()[1], 0u);
  EXPECT_EQ(layout.offsets()[2], 128u);
  EXPECT_EQ(layout.bytes(), 256u);
}

TEST(ArenaLayout, EmptyTenantsTakeNothing) {
  ArenaLayout layout;
  ASSERT_THAT(layout.place({}), isOk());
  EXPECT_EQ(layout.bytes(), 0u);
  std::vector<ArenaTenant> tenants = {{0, 0, 9}, {0, 0, 9}};
  ASSERT_THAT(layout.place(tenants), isOk());
  EXPECT_EQ(layout.bytes(), 0u);
}

TEST(ArenaLayout, SizesBeyondAnyMemoryAreErrors) {
  ArenaLayout layout;
  constexpr int64_t large = int64_t(1) << 60;
  std::vector<ArenaTenant> overflowed = {{-1, 0, 1}},
                           together = {{large, 0, 1}, {large, 0, 1}},
                           apart = {{large, 0, 1}, {large, 2, 3}};
  auto isTooLarge = fails(StatusCode::ResourceExhausted,
                          ::testing::HasSubstr("more than 2^60 bytes"));
  EXPECT_THAT(layout.place(overflowed), isTooLarge);
  EXPECT_THAT(layout.place(together), isTooLarge);
  EXPECT_THAT(layout.place(apart), isOk());
  EXPECT_EQ(layout.bytes(), static_cast<size_t>(large));
  EXPECT_THAT(layout.place(std::vector<ArenaTenant>{{large + 1, 0, 1}}),
              isTooLarge);
}

TEST(ArenaLayout, RandomTenantsDoNotOverlap) {
  std::mt19937 random(7);
  ArenaLayout layout;
  for (int round = 0; round < 200; ++round) {
    std::vector<ArenaTenant> tenants(random() % 30);
    for (ArenaTenant &tenant : tenants) {
      tenant.bytes = random() % 500;
      tenant.first = random() % 20;
      tenant.last = tenant.first + random() % 6;
    }
    ASSERT_THAT(layout.place(tenants), isOk());
    for (size_t i = 0; i < tenants.size(); ++i) {
      size_t begin = layout.offsets()[i],
             end = begin + static_cast<size_t>(tenants[i].bytes);
      EXPECT_EQ(begin % 64, 0u);
      EXPECT_LE(end, layout.bytes());
      for (size_t j = 0; j < i; ++j) {
        size_t otherBegin = layout.offsets()[j],
               otherEnd = otherBegin + static_cast<size_t>(tenants[j].bytes);
        bool livesBeside = tenants[i].first <= tenants[j].last &&
                           tenants[j].first <= tenants[i].last;
        EXPECT_FALSE(livesBeside && begin < otherEnd && otherBegin < end)
            << "seed 7, round " << round << ", tenants " << i << " and " << j;
      }
    }
  }
}

} // namespace
} // namespace kiln
