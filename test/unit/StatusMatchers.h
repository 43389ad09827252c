// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matchers for Status and StatusOr: EXPECT_THAT(graph.addNode(spec),
// fails(StatusCode::NotFound, HasSubstr("x"))).
#ifndef KILN_TEST_UNIT_STATUSMATCHERS_H
#define KILN_TEST_UNIT_STATUSMATCHERS_H

#include "kiln/Status.h"

#include <gmock/gmock.h>

namespace kiln {

inline void PrintTo(const Status &status, std::ostream *out) {
  *out << status.toString();
}
template <class T> void PrintTo(const StatusOr<T> &result, std::ostream *out) {
  *out << result.status().toString();
}

namespace testing {

inline const Status &statusOf(const Status &status) { return status; }
template <class T> const Status &statusOf(const StatusOr<T> &result) {
  return result.status();
}

MATCHER(isOk, negation ? "fails" : "is OK") {
  *result_listener << statusOf(arg).toString();
  return statusOf(arg).ok();
}

/// An error with this code and a message that matches.
MATCHER_P2(fails, code, message,
           "is an error with the given code and message") {
  const Status &status = statusOf(arg);
  *result_listener << status.toString();
  return status.code() == code &&
         ::testing::ExplainMatchResult(message, std::string(status.message()),
                                       result_listener);
}

/// An error that names this node.
MATCHER_P(failsAt, node, "is an error of the given node") {
  *result_listener << statusOf(arg).toString();
  return !statusOf(arg).ok() && statusOf(arg).node() == node;
}

} // namespace testing
} // namespace kiln

#endif // KILN_TEST_UNIT_STATUSMATCHERS_H
