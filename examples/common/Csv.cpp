// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain reader: no quotes, no escapes, every field of a row a number.
#include "examples/common/Csv.h"

#include <charconv>
#include <cmath>
#include <fstream>

namespace kiln::examples {
namespace {

std::vector<std::string> splitLine(std::string line) {
  if (line.ends_with('\r'))
    line.pop_back();
  std::vector<std::string> fields;
  size_t begin = 0;
  for (size_t comma; (comma = line.find(',', begin)) != std::string::npos;
       begin = comma + 1)
    fields.push_back(line.substr(begin, comma - begin));
  fields.push_back(line.substr(begin));
  return fields;
}

/// What a message quotes of a field: the file may be anything.
std::string printable(const std::string &field) {
  constexpr size_t most = 40;
  std::string text = field.substr(0, most);
  for (char &c : text)
    if (c < ' ' || c > '~')
      c = '?';
  return "'" + text + (field.size() > most ? "...'" : "'");
}

} // namespace

StatusOr<Table> readCsv(const std::string &path,
                        std::vector<std::string> columns) {
  std::ifstream file(path);
  if (!file)
    return notFoundError("cannot open " + path);
  Table table;
  table.columns = std::move(columns);
  std::string line;
  size_t number = 0;
  if (table.columns.empty() && std::getline(file, line)) {
    table.columns = splitLine(line);
    ++number;
  }
  while (std::getline(file, line)) {
    std::string where = path + ":" + std::to_string(++number) + ": ";
    std::vector<std::string> fields = splitLine(line);
    if (fields.size() != table.columns.size())
      return invalidArgumentError(
          where + "expected " + std::to_string(table.columns.size()) +
          " fields, got " + std::to_string(fields.size()));
    for (const std::string &field : fields) {
      double value = 0;
      const char *end = field.data() + field.size();
      auto [parsed, error] = std::from_chars(field.data(), end, value);
      if (error != std::errc() || parsed != end || !std::isfinite(value))
        return invalidArgumentError(where + "expected a number, got " +
                                    printable(field));
      table.values.push_back(value);
    }
  }
  if (table.values.empty())
    return invalidArgumentError(path + ": expected rows of numbers");
  return table;
}

} // namespace kiln::examples
