// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a case's steps write and read files.
#ifndef KILN_TOOLS_GOLDEN_CASEFILES_H
#define KILN_TOOLS_GOLDEN_CASEFILES_H

#include "kiln/Status.h"

#include <string>
#include <string_view>

namespace kiln::golden {

/// The bytes as pairs of hexadecimal digits, as strings stand in case.json.
std::string toHex(std::string_view text);

/// A folder that goes with the object. Cases were recorded with files below
/// `recorded`; two processes that run one at a time, or what one has left
/// there, must be nothing to each other.
class CaseFiles {
public:
  static constexpr std::string_view recorded = "/tmp/kiln_golden";

  CaseFiles() = default;
  ~CaseFiles();
  CaseFiles(const CaseFiles &) = delete;
  CaseFiles &operator=(const CaseFiles &) = delete;

  /// Puts the folder's name, which is as long, for the recorded one, as text
  /// and as the hexadecimal digits that strings of a case are written in. What
  /// names it first makes it. **Errors**: INTERNAL where it cannot be made.
  Status rename(std::string &bytes);

private:
  std::string folder; ///< none yet where empty
};

} // namespace kiln::golden

#endif // KILN_TOOLS_GOLDEN_CASEFILES_H
