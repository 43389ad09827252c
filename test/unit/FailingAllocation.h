// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes each allocation of data of a scenario fail in turn, the first, the
// second and so on, until it needs no more.
#ifndef KILN_TEST_UNIT_FAILINGALLOCATION_H
#define KILN_TEST_UNIT_FAILINGALLOCATION_H

#include "lib/Support/DataMemory.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>

namespace kiln::testing {

/// Lets all allocations but number `failing` pass, counted from 1.
class FailingAllocation {
public:
  explicit FailingAllocation(int failing) {
    remaining = failing;
    setAllocationFilter([](size_t) noexcept { return --remaining != 0; });
  }
  ~FailingAllocation() { setAllocationFilter(nullptr); }
  bool hasFailed() const { return remaining <= 0; }

private:
  static inline std::atomic<int> remaining{0};
};

/// Runs the scenario with each of its allocations failing in turn. Returns how
/// many there are.
inline int failEach(const std::function<Status()> &scenario,
                    const std::function<bool(const Status &)> &isExpectedNode) {
  for (int failing = 1; failing < 1000; ++failing) {
    Status status;
    bool hasFailed;
    {
      FailingAllocation failure(failing);
      status = scenario();
      hasFailed = failure.hasFailed();
    }
    if (!hasFailed) {
      EXPECT_THAT(status, isOk());
      return failing - 1;
    }
    EXPECT_THAT(status, fails(StatusCode::ResourceExhausted,
                              ::testing::AllOf(
                                  ::testing::HasSubstr("OOM when allocating"),
                                  ::testing::ContainsRegex("[0-9]+ bytes"))))
        << "allocation " << failing;
    EXPECT_TRUE(isExpectedNode(status))
        << "allocation " << failing << ": " << status.toString();
    EXPECT_THAT(scenario(), isOk()) << "after failure " << failing;
  }
  ADD_FAILURE() << "allocations without end";
  return 1000;
}

/// Code belongs to all nodes of a run.
inline bool isNamed(const Status &status) {
  return !status.node().empty() ||
         status.message().starts_with("OOM when allocating code");
}
inline bool isUnnamed(const Status &status) { return status.node().empty(); }

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_FAILINGALLOCATION_H
