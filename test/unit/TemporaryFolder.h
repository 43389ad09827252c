// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of a test's own, which goes with it.
#ifndef KILN_TEST_UNIT_TEMPORARYFOLDER_H
#define KILN_TEST_UNIT_TEMPORARYFOLDER_H

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace kiln::testing {

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = ::testing::TempDir() + "kiln-XXXXXX";
    path = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }
  const std::string &name() const { return path; }
  /// How many files and folders it holds.
  long numEntries() const {
    return std::distance(std::filesystem::directory_iterator(path), {});
  }

private:
  std::string path;
};

inline std::string readFileOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeFileOf(const std::string &path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_TEMPORARYFOLDER_H
