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

/// What fails() gives. Nothing but the last step depends on what is matched:
/// gmock's own macro would compile the matcher of the message once a type of
/// result.
class FailsMatcher {
public:
  FailsMatcher(StatusCode code, ::testing::Matcher<const std::string &> message)
      : code(code), message(std::move(message)) {}

  template <class T>
  bool MatchAndExplain(const T &arg,
                       ::testing::MatchResultListener *listener) const {
    const Status &status = statusOf(arg);
    *listener << status.toString();
    return status.code() == code &&
           message.MatchAndExplain(std::string(status.message()), listener);
  }
  void DescribeTo(std::ostream *out) const {
    *out << "is an error with the code " << statusCodeName(code)
         << " and a message that ";
    message.DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream *out) const {
    *out << "isn't an error with the code " << statusCodeName(code)
         << " and a message that ";
    message.DescribeTo(out);
  }

private:
  StatusCode code;
  ::testing::Matcher<const std::string &> message;
};

/// An error with this code and a message that matches.
template <class Message>
::testing::PolymorphicMatcher<FailsMatcher> fails(StatusCode code,
                                                  const Message &message) {
  return ::testing::MakePolymorphicMatcher(FailsMatcher(
      code, ::testing::SafeMatcherCast<const std::string &>(message)));
}

/// An error that names this node.
MATCHER_P(failsAt, node, "is an error of the given node") {
  *result_listener << statusOf(arg).toString();
  return !statusOf(arg).ok() && statusOf(arg).node() == node;
}

} // namespace testing
} // namespace kiln

#endif // KILN_TEST_UNIT_STATUSMATCHERS_H
