// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A golden case: what TensorFlow did with a graph, as test/golden/README.md
// describes it.
#ifndef KILN_TOOLS_GOLDEN_CASE_H
#define KILN_TOOLS_GOLDEN_CASE_H

#include "kiln/Tensor.h"
#include "tools/golden/CaseFiles.h"
#include "tools/golden/Contents.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kiln::golden {

/// The value of an operation: none.
struct ExpectNothing {};
/// An array in `file`; bfloat16 bits stand in it as uint16.
struct ExpectArray {
  std::string file;
  bool isBFloat16 = false;
};
/// Any value of this dtype and shape.
struct ExpectType {
  std::string dtype;
  Shape shape;
};
/// Byte strings, row-major, in hexadecimal digits.
struct ExpectStrings {
  std::vector<std::string> hex;
  Shape shape;
};
using Expectation =
    std::variant<ExpectNothing, ExpectArray, ExpectType, ExpectStrings>;

struct ExpectedError {
  std::string type; ///< TensorFlow's exception class
  std::string message;
  std::vector<std::string> nodes;
};

/// One Session.run.
struct Step {
  std::string session;
  /// Tensor, and an array or strings.
  std::vector<std::pair<std::string, Expectation>> feeds;
  std::vector<std::string> fetches;
  int64_t repeat = 1;
  double rtol = 0;
  double atol = 0;
  std::vector<Expectation> expect; ///< one a fetch; none with an error
  std::optional<ExpectedError> error;
};

struct Case {
  std::shared_ptr<const Contents> contents;
  /// That the steps name, and graph.pb; null in a case that has none.
  std::shared_ptr<CaseFiles> files;
  std::string name; ///< the folder's or the archive's
  std::vector<Step> steps;
};

/// Reads case.json of a folder or of an archive. **Errors**: as readFile() and
/// Contents::open(); INVALID_ARGUMENT with the path for one that is not
/// as described.
StatusOr<Case> readCase(const std::filesystem::path &path);

/// Reads an array or strings of a case. **Errors**: INVALID_ARGUMENT for
/// anything else and for digits that are none; as readNpy().
StatusOr<Tensor> readValue(const Contents &contents, const Expectation &value);

/// Finds the cases among `paths`: a path is a folder or an archive of one, or a
/// folder that holds them. Sorted within each path. **Errors**: NOT_FOUND for a
/// path that is neither.
StatusOr<std::vector<std::filesystem::path>>
findCases(const std::vector<std::string> &paths);

} // namespace kiln::golden

#endif // KILN_TOOLS_GOLDEN_CASE_H
