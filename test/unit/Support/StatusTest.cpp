// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Status, StatusOr and the macros that pass them on.
#include "kiln/Status.h"

#include "lib/Support/StatusMacros.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>
#include <memory>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

TEST(Status, SuccessIsOnePointerAndHasNoText) {
  static_assert(sizeof(Status) == sizeof(void *));
  Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::Ok);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.toString(), "OK");
}

TEST(Status, CodesHaveAbseilsNumbersAndNames) {
  const std::string_view names[] = {"OK",
                                    "CANCELLED",
                                    "UNKNOWN",
                                    "INVALID_ARGUMENT",
                                    "DEADLINE_EXCEEDED",
                                    "NOT_FOUND",
                                    "ALREADY_EXISTS",
                                    "PERMISSION_DENIED",
                                    "RESOURCE_EXHAUSTED",
                                    "FAILED_PRECONDITION",
                                    "ABORTED",
                                    "OUT_OF_RANGE",
                                    "UNIMPLEMENTED",
                                    "INTERNAL",
                                    "UNAVAILABLE",
                                    "DATA_LOSS",
                                    "UNAUTHENTICATED"};
  for (int code = 0; code < 17; ++code)
    EXPECT_EQ(statusCodeName(static_cast<StatusCode>(code)), names[code]);
  EXPECT_EQ(statusCodeName(static_cast<StatusCode>(99)), "UNKNOWN");
}

TEST(Status, FactoriesMakeTheirCode) {
  EXPECT_EQ(cancelledError("").code(), StatusCode::Cancelled);
  EXPECT_EQ(deadlineExceededError("").code(), StatusCode::DeadlineExceeded);
  EXPECT_EQ(dataLossError("").code(), StatusCode::DataLoss);
  EXPECT_EQ(unauthenticatedError("").code(), StatusCode::Unauthenticated);
  EXPECT_THAT(invalidArgumentError("bad"),
              fails(StatusCode::InvalidArgument, "bad"));
}

TEST(Status, KeepsTheFirstNodeName) {
  Status status = internalError("boom").withNode("inner").withNode("outer");
  EXPECT_EQ(status.node(), "inner");
  EXPECT_EQ(status.toString(), "INTERNAL: boom [[{{node inner}}]]");
  EXPECT_TRUE(okStatus().withNode("x").ok());
}

TEST(Status, CopiesOutliveTheOriginal) {
  Status copy;
  {
    Status original = abortedError("gone");
    copy = original;
  }
  EXPECT_EQ(copy.message(), "gone");
  Status moved = std::move(copy);
  EXPECT_EQ(moved, abortedError("gone"));
}

TEST(StatusOr, HoldsMoveOnlyValues) {
  StatusOr<std::unique_ptr<int>> made = std::make_unique<int>(7);
  ASSERT_THAT(made, isOk());
  EXPECT_EQ(**made, 7);
  std::unique_ptr<int> taken = *std::move(made);
  EXPECT_EQ(*taken, 7);
}

TEST(StatusOr, AnOkStatusIsNoValue) {
  StatusOr<int> result = okStatus();
  EXPECT_THAT(result,
              fails(StatusCode::Internal, HasSubstr("without a value")));
  EXPECT_EQ(result.valueOr(3), 3);
  EXPECT_FALSE(StatusOr<int>().ok());
}

TEST(StatusOrDeathTest, ValueOfAnErrorEndsTheProcess) {
  EXPECT_DEATH((void)StatusOr<int>(internalError("x")).value(), "");
}

StatusOr<int> half(int number) {
  if (number % 2)
    return invalidArgumentError("odd");
  return number / 2;
}

StatusOr<int> quarter(int number) {
  KILN_ASSIGN_OR_RETURN(int once, half(number));
  KILN_RETURN_IF_ERROR(half(once).status());
  return half(once);
}

TEST(StatusMacros, PassErrorsOnAndUnwrapValues) {
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_THAT(quarter(6), fails(StatusCode::InvalidArgument, "odd"));
  EXPECT_THAT(quarter(5), fails(StatusCode::InvalidArgument, "odd"));
}

} // namespace
} // namespace kiln
