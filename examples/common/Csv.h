// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in comma-separated files.
#ifndef KILN_EXAMPLES_COMMON_CSV_H
#define KILN_EXAMPLES_COMMON_CSV_H

#include "kiln/Status.h"

#include <string>
#include <vector>

namespace kiln::examples {

/// A table of numbers, row-major.
struct Table {
  std::vector<std::string> columns;
  std::vector<double> values;
  size_t numRows() const {
    return columns.empty() ? 0 : values.size() / columns.size();
  }
};

/// Reads a file whose first line names the columns; or, with `columns`, one
/// that has nothing but rows of these. **Errors**: NOT_FOUND when it cannot be
/// opened; INVALID_ARGUMENT, with the line, for a field that is no finite
/// number, another number of fields, and a file without rows.
StatusOr<Table> readCsv(const std::string &path,
                        std::vector<std::string> columns = {});

} // namespace kiln::examples

#endif // KILN_EXAMPLES_COMMON_CSV_H
