// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that are wrong end with TensorFlow's kinds of errors and words.
#include "test/unit/errors/ErrorTable.h"
#include "test/unit/StatusMatchers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>

namespace kiln::testing {

static void PrintTo(const ErrorCase &each, std::ostream *out) {
  *out << each.name;
}

namespace {

using Recorded = std::map<std::string, std::pair<std::string, std::string>>;

/// By name, the class of Python's exception and its words.
const Recorded &recorded() {
  static const Recorded errors =
      nlohmann::json::parse(
          std::ifstream(KILN_SOURCE_DIR "/test/unit/errors/errors.json"))
          .get<Recorded>();
  return errors;
}

const std::vector<ErrorCase> &allCases() {
  static const std::vector<ErrorCase> cases = [] {
    std::vector<ErrorCase> all;
    for (auto *section :
         {nameErrors, variableErrors, sessionErrors, feedErrors, runErrors,
          nodeErrors, controlFlowErrors, gradientErrors, optimizerErrors,
          saverErrors, importErrors, imageErrors})
      std::ranges::move(section(), std::back_inserter(all));
    return all;
  }();
  return cases;
}

/// The code that stands for a class of exceptions.
StatusCode codeOf(const std::string &exception) {
  static const std::map<std::string, StatusCode> codes{
      {"AssertionError", StatusCode::FailedPrecondition},
      {"AttributeError", StatusCode::InvalidArgument},
      {"FailedPreconditionError", StatusCode::FailedPrecondition},
      {"InvalidArgumentError", StatusCode::InvalidArgument},
      {"KeyError", StatusCode::NotFound},
      {"LookupError", StatusCode::NotFound},
      {"NotFoundError", StatusCode::NotFound},
      {"OSError", StatusCode::NotFound},
      {"OutOfRangeError", StatusCode::OutOfRange},
      {"RuntimeError", StatusCode::FailedPrecondition},
      {"TypeError", StatusCode::InvalidArgument},
      {"ValueError", StatusCode::InvalidArgument}};
  auto found = codes.find(exception);
  return found == codes.end() ? StatusCode::Ok : found->second;
}

class ErrorTable : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(ErrorTable, SaysWhatTensorFlowSays) {
  const ErrorCase &each = GetParam();
  auto found = recorded().find(each.name);
  ASSERT_NE(found, recorded().end());
  const auto &[exception, words] = found->second;
  GraphBuilder graph;
  GraphScope scope(graph);
  Status got = each.program();
  EXPECT_THAT(got,
              fails(each.differs.code.value_or(codeOf(exception)),
                    each.differs.words.empty() ? words : each.differs.words));
  // What differs says how.
  if (each.differs.code)
    EXPECT_NE(*each.differs.code, codeOf(exception));
  EXPECT_NE(each.differs.words, words);
}

INSTANTIATE_TEST_SUITE_P(Programs, ErrorTable, ::testing::ValuesIn(allCases()),
                         [](const auto &test) {
                           std::string name = test.param.name;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST(ErrorTableTest, HasAllThatIsRecorded) {
  std::set<std::string> names, written;
  for (const auto &[name, error] : recorded())
    names.insert(name);
  for (const ErrorCase &each : allCases())
    EXPECT_TRUE(written.insert(each.name).second) << each.name;
  EXPECT_EQ(written, names);
}

} // namespace
} // namespace kiln::testing
