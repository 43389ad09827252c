// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the lines of a text file as keys and values.
#include "lib/Ops/Table/HostTables.h"

#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace kiln {
namespace {

constexpr int64_t maxFileBytes = int64_t(2) << 30;
/// Places that are no column.
constexpr int64_t lineNumber = -1, wholeLine = -2;

/// What the attributes say.
struct Columns {
  int64_t key, value, vocabSize, offset;
  char delimiter;
};

Status checkColumn(std::string_view what, std::string_view type, int64_t place,
                   DType dtype) {
  if (place == lineNumber && dtype != DType::Int64)
    return invalidArgumentError(strCat(what,
                                       " index for line number requires "
                                       "table ",
                                       type, " dtype of int64, got ",
                                       dtypeTfName(dtype)));
  if (place == wholeLine && dtype != DType::String && !isInteger(dtype))
    return invalidArgumentError(strCat(what,
                                       " index for whole line requires "
                                       "string or integer table ",
                                       type, ", got table with ", type,
                                       " dtype ", dtypeTfName(dtype)));
  return okStatus();
}

StatusOr<Columns> columnsOf(const Node &node, const TableSpec &spec) {
  auto delimiter = node.attrOr<std::string>("delimiter", "\t");
  if (delimiter.size() != 1)
    return invalidArgumentError("delimiter should be only 1 char");
  Columns columns{node.attrOr<int64_t>("key_index", 0),
                  node.attrOr<int64_t>("value_index", 0),
                  node.attrOr<int64_t>("vocab_size", -1),
                  node.attrOr<int64_t>("offset", 0), delimiter[0]};
  KILN_RETURN_IF_ERROR(checkColumn("Key", "key", columns.key, spec.keyType));
  KILN_RETURN_IF_ERROR(
      checkColumn("Value", "value", columns.value, spec.valueType));
  return columns;
}

/// Takes a line from the front, without its end: "\n" or "\r\n".
std::string takeLine(std::string_view &text) {
  size_t end = text.find('\n');
  std::string line(text.substr(0, end));
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  if (line.ends_with('\r'))
    line.pop_back();
  return line;
}

template <class T> bool readNumber(std::string_view text, T &number) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  if (text.starts_with('+'))
    text.remove_prefix(1);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// The values of one column. Memory for them is had when they are all there.
class Column {
public:
  Column(DType dtype, int64_t place) : dtype(dtype), place(place) {}

  /// Takes the value of line `number`.
  Status add(const std::string &line,
             const std::vector<std::string_view> &tokens, int64_t number,
             int64_t offset) {
    if (place == lineNumber) {
      append(number + offset);
      return okStatus();
    }
    std::string_view token =
        place == wholeLine ? line : tokens[static_cast<size_t>(place)];
    switch (dtype) {
    case DType::String:
      texts.emplace_back(token);
      return okStatus();
    case DType::Int32:
      return addNumber<int32_t>(token, number);
    case DType::Int64:
      return addNumber<int64_t>(token, number);
    case DType::Float32:
      return addNumber<float>(token, number);
    case DType::Float64:
      return addNumber<double>(token, number);
    default:
      return invalidArgumentError(
          strCat("Data type ", dtypeTfName(dtype), " not supported."));
    }
  }

  StatusOr<Tensor> take(int64_t count) const {
    if (dtype == DType::String)
      return Tensor::fromStrings({count}, std::span<const std::string>(texts));
    KILN_ASSIGN_OR_RETURN(Tensor tensor, Tensor::create(dtype, {count}));
    std::ranges::copy(bytes, static_cast<char *>(tensor.mutableRawData()));
    return tensor;
  }

private:
  template <class T> void append(T value) {
    const char *begin = reinterpret_cast<const char *>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
  }
  template <class T> Status addNumber(std::string_view token, int64_t line) {
    T value = 0;
    if (!readNumber(token, value))
      return invalidArgumentError(strCat("Field ", token, " in line ", line,
                                         " is not a valid ", dtypeTfName(dtype),
                                         "."));
    append(value);
    return okStatus();
  }

  const DType dtype;
  const int64_t place;
  std::vector<std::string> texts;
  std::vector<char> bytes;
};

std::vector<std::string_view> split(std::string_view line, char delimiter) {
  std::vector<std::string_view> tokens;
  for (;;) {
    size_t end = line.find(delimiter);
    tokens.push_back(line.substr(0, end));
    if (end == line.npos)
      return tokens;
    line.remove_prefix(end + 1);
  }
}

} // namespace

Status initializeFromFile(LookupTable &table, const std::string &path,
                          const Node &node) {
  KILN_ASSIGN_OR_RETURN(Columns columns, columnsOf(node, table.spec()));
  KILN_ASSIGN_OR_RETURN(std::string contents,
                        readWholeFile(path, maxFileBytes));
  if (contents.empty())
    return outOfRangeError("Read less bytes than requested");
  Column keys(table.spec().keyType, columns.key),
      values(table.spec().valueType, columns.value);
  std::string_view rest = contents;
  int64_t number = 0;
  const auto least =
      static_cast<size_t>(std::max(columns.key, columns.value) + 1);
  for (; !rest.empty(); ++number) {
    if (number == columns.vocabSize)
      break; // what follows is left out
    std::string line = takeLine(rest);
    if (line.empty())
      return invalidArgumentError(strCat("Invalid content in ", path,
                                         ": empty line found at position ",
                                         contents.size() - rest.size(), "."));
    std::vector<std::string_view> tokens;
    if (least > 0)
      tokens = split(line, columns.delimiter);
    if (tokens.size() < least)
      return invalidArgumentError(strCat(
          "Invalid number of columns in ", path, " line ", number, " (", line,
          ") : expected at least ", least, " got ", tokens.size()));
    KILN_RETURN_IF_ERROR(keys.add(line, tokens, number, columns.offset));
    KILN_RETURN_IF_ERROR(values.add(line, tokens, number, columns.offset));
  }
  if (columns.vocabSize != -1 && number != columns.vocabSize)
    return invalidArgumentError(strCat("Invalid vocab_size in ", path,
                                       ": expected ", columns.vocabSize,
                                       " but got ", number));
  KILN_ASSIGN_OR_RETURN(Tensor keyTensor, keys.take(number));
  KILN_ASSIGN_OR_RETURN(Tensor valueTensor, values.take(number));
  return table.initialize(keyTensor, valueTensor);
}

} // namespace kiln
