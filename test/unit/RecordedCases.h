// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recorded cases of test/golden and test/golden_kiln, for tests that read
// their files.
#ifndef KILN_TEST_UNIT_RECORDEDCASES_H
#define KILN_TEST_UNIT_RECORDEDCASES_H

#include "tools/golden/Archive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::testing {

/// The names of a folder's cases that begin with a prefix, sorted.
inline std::vector<std::string> recordedCases(const std::string &folder,
                                              std::string_view prefix = "") {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(
           std::string(KILN_SOURCE_DIR "/test/") + folder))
    if (golden::isArchive(entry.path()))
      if (std::string name = golden::caseName(entry.path());
          name.starts_with(prefix))
        names.push_back(name);
  std::ranges::sort(names);
  return names;
}

/// The folder with the files of a case, which is unpacked at its first use and
/// removed when the program ends. **Thread safety**: none.
inline std::string recordedFolder(const std::string &name) {
  static std::map<std::string, std::shared_ptr<const golden::UnpackedCase>>
      unpacked;
  std::shared_ptr<const golden::UnpackedCase> &files = unpacked[name];
  for (const char *folder : {"golden/", "golden_kiln/"}) {
    const std::string path = std::string(KILN_SOURCE_DIR "/test/") + folder +
                             name + std::string(golden::archiveSuffix);
    if (files || !golden::isArchive(path))
      continue;
    auto read = golden::UnpackedCase::unpack(path);
    EXPECT_TRUE(read.ok()) << read.status().toString();
    files = read.valueOr(nullptr);
  }
  EXPECT_TRUE(files) << "no case " << name;
  return files ? files->folder().string() : std::string();
}

/// The graphs of bench/graphs, and those of all cases of test/golden.
inline std::vector<std::string> realGraphs() {
  std::vector<std::string> folders = {KILN_SOURCE_DIR "/bench/graphs"}, paths;
  for (const std::string &name : recordedCases("golden"))
    folders.push_back(recordedFolder(name));
  for (const std::string &folder : folders)
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".pb" &&
          entry.path().filename() != "saved_model.pb")
        paths.push_back(entry.path());
  return paths;
}

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_RECORDEDCASES_H
