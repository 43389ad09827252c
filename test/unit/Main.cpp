// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of the unit tests. A program has the tests of several
// files; with --file=FooTest.cpp it runs those of one, as CTest does.
#include <gmock/gmock.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

/// A filter for the tests that stand in a file of this name, by their full
/// names: a fixture may be shared. Empty where there are none.
std::string filterFor(std::string_view file) {
  const ::testing::UnitTest &all = *::testing::UnitTest::GetInstance();
  std::string filter;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const ::testing::TestSuite &suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const ::testing::TestInfo &test = *suite.GetTestInfo(k);
      const std::string_view path = test.file();
      if (path.substr(path.find_last_of('/') + 1) == file)
        filter += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  return filter;
}

} // namespace

int main(int argc, char **argv) {
  ::testing::InitGoogleMock(&argc, argv);
  constexpr std::string_view option = "--file=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with(option))
      continue;
    const std::string filter = filterFor(argument.substr(option.size()));
    if (filter.empty()) {
      std::fprintf(stderr, "no tests for %s\n", argv[i]);
      return 2;
    }
    GTEST_FLAG_SET(filter, filter);
  }
  return RUN_ALL_TESTS();
}
