// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain reader: no quotes, no escapes, every field below the first line a
// number.
#include "examples/common/Csv.h"

#include <charconv>
#include <fstream>
#include <sstream>

namespace kiln::examples {
namespace {

std::vector<std::string> splitLine(std::string line) {
  if (line.ends_with('\r'))
    line.pop_back();
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');)
    fields.push_back(field);
  return fields;
}

} // namespace

StatusOr<Table> readCsv(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    return notFoundError("cannot open " + path);
  Table table;
  std::string line;
  if (std::getline(file, line))
    table.columns = splitLine(line);
  for (size_t number = 2; std::getline(file, line); ++number) {
    std::string where = path + ":" + std::to_string(number) + ": ";
    std::vector<std::string> fields = splitLine(line);
    if (fields.size() != table.columns.size())
      return invalidArgumentError(
          where + "expected " + std::to_string(table.columns.size()) +
          " fields, got " + std::to_string(fields.size()));
    for (const std::string &field : fields) {
      double value = 0;
      const char *end = field.data() + field.size();
      auto [parsed, error] = std::from_chars(field.data(), end, value);
      if (error != std::errc() || parsed != end)
        return invalidArgumentError(where + "expected a number, got '" + field +
                                    "'");
      table.values.push_back(value);
    }
  }
  if (table.values.empty())
    return invalidArgumentError(path + ": expected rows of numbers");
  return table;
}

} // namespace kiln::examples
