// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the fields of comma-separated values apart (RFC 4180), with
// TensorFlow's checks and texts.
#include "lib/Ops/Parsing/Host.h"

#include "lib/Ops/Parsing/HostFeatures.h"
#include "lib/Ops/Parsing/HostNumbers.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <string>
#include <vector>

namespace kiln::host {
namespace {

/// What the attributes say.
struct Format {
  std::vector<DType> dtypes;
  std::vector<int64_t> columns; ///< none: all
  char delimiter;
  bool hasQuotes;
  std::string missing;
};

StatusOr<Format> formatOf(const Node &node) {
  Format format{node.attrOr<std::vector<DType>>("OUT_TYPE", {}),
                node.attrOr<std::vector<int64_t>>("select_cols", {}), ',',
                node.attrOr<bool>("use_quote_delim", true),
                node.attrOr<std::string>("na_value", "")};
  const auto &columns = format.columns;
  if (!columns.empty() && columns.size() != format.dtypes.size())
    return invalidArgumentError("select_cols should match output size");
  for (size_t i = 1; i < columns.size(); ++i)
    if (columns[i - 1] >= columns[i])
      return invalidArgumentError(
          "select_cols should be strictly increasing indices");
  if (!columns.empty() && columns.front() < 0)
    return invalidArgumentError("select_cols should be non-negative indices");
  auto delimiter = node.attrOr<std::string>("field_delim", ",");
  if (delimiter.size() != 1)
    return invalidArgumentError("field_delim should be only 1 char");
  format.delimiter = delimiter[0];
  return format;
}

/// Walks through a line. Where the line ends decides what is an error, as in
/// TensorFlow.
class Line {
public:
  Line(const Format &format, std::string_view text)
      : format(format), text(text) {}

  /// The fields of the columns that are asked for.
  StatusOr<std::vector<std::string>> split() {
    std::vector<std::string> fields;
    int64_t numFields = 0;
    auto isWanted = [&] {
      return format.columns.empty() ||
             (fields.size() < format.columns.size() &&
              format.columns[fields.size()] == numFields);
    };
    while (at < text.size()) {
      if (text[at] == '\n' || text[at] == '\r') {
        ++at;
        continue;
      }
      const bool isTaken = isWanted();
      KILN_ASSIGN_OR_RETURN(std::string field,
                            format.hasQuotes && text[at] == '"' ? quoted()
                                                                : plain());
      ++numFields;
      if (!isTaken)
        continue;
      fields.push_back(std::move(field));
      if (fields.size() == format.columns.size())
        return fields;
    }
    if (!text.empty() && text.back() == format.delimiter && isWanted())
      fields.emplace_back();
    return fields;
  }

private:
  bool isDelimiter(size_t i) const { return text[i] == format.delimiter; }

  StatusOr<std::string> plain() {
    std::string field;
    for (; at < text.size() && !isDelimiter(at); ++at) {
      if ((format.hasQuotes && text[at] == '"') || text[at] == '\n' ||
          text[at] == '\r')
        return invalidArgumentError(
            "Unquoted fields cannot have quotes/CRLFs inside");
      field += text[at];
    }
    ++at;
    return field;
  }

  StatusOr<std::string> quoted() {
    std::string field;
    ++at;
    while (at + 1 < text.size() && (text[at] != '"' || !isDelimiter(at + 1))) {
      if (text[at] != '"') {
        field += text[at++];
        continue;
      }
      if (text[at + 1] != '"')
        return invalidArgumentError(
            "Quote inside a string has to be escaped by another quote");
      field += '"';
      at += 2;
    }
    if (at >= text.size() || text[at] != '"' ||
        (at + 1 != text.size() && !isDelimiter(at + 1)))
      return invalidArgumentError("Quoted field has to end with quote followed "
                                  "by delim or end");
    at += 2;
    return field;
  }

  const Format &format;
  const std::string_view text;
  size_t at = 0;
};

template <class T>
Status setNumber(const std::string &field, size_t place, int64_t record,
                 Tensor &output) {
  T number{};
  if (!readNumber(field, number))
    return invalidArgumentError(
        strCat("Field ", place, " in record ", record, " is not a valid ",
               dtypeTfName(output.dtype()), ": ", field));
  output.mutableData<T>()[static_cast<size_t>(record)] = number;
  return okStatus();
}

/// Sets element `record` of a field's tensor.
Status setField(const std::string &field, size_t place, int64_t record,
                Tensor &output) {
  switch (output.dtype()) {
  case DType::Int32:
    return setNumber<int32_t>(field, place, record, output);
  case DType::Int64:
    return setNumber<int64_t>(field, place, record, output);
  case DType::Float32:
    return setNumber<float>(field, place, record, output);
  case DType::Float64:
    return setNumber<double>(field, place, record, output);
  case DType::String: {
    KILN_ASSIGN_OR_RETURN(
        output.mutableData<String>()[static_cast<size_t>(record)],
        String::create(field));
    return okStatus();
  }
  default:
    return invalidArgumentError(strCat("csv: data type ",
                                       dtypeTfName(output.dtype()),
                                       " not supported in field ", place));
  }
}

} // namespace

Status decodeCsv(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Format format, formatOf(call.node));
  const Tensor &records = call.inputs[0];
  std::span<const Tensor> defaults = call.inputs.subspan(1);
  for (size_t i = 0; i < defaults.size(); ++i) {
    if (defaults[i].rank() > 1)
      return invalidArgumentError(
          "Each record default should be at most rank 1");
    if (defaults[i].numElements() >= 2)
      return invalidArgumentError(
          strCat("There should only be 1 default per field but field ", i,
                 " has ", defaults[i].numElements()));
  }
  for (size_t i = 0; i < format.dtypes.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(call.outputs[i],
                          Tensor::create(format.dtypes[i], records.shape()));
  }
  auto texts = records.data<String>();
  for (int64_t record = 0; record < records.numElements(); ++record) {
    KILN_ASSIGN_OR_RETURN(
        std::vector<std::string> fields,
        Line(format, texts[static_cast<size_t>(record)].view()).split());
    if (fields.size() != format.dtypes.size())
      return invalidArgumentError(strCat("Expect ", format.dtypes.size(),
                                         " fields but have ", fields.size(),
                                         " in record ", record));
    for (size_t i = 0; i < fields.size(); ++i) {
      if (!fields[i].empty() && fields[i] != format.missing) {
        KILN_RETURN_IF_ERROR(setField(fields[i], i, record, call.outputs[i]));
        continue;
      }
      if (defaults[i].numElements() == 0)
        return invalidArgumentError(strCat("Field ", i,
                                           " is required but missing in "
                                           "record ",
                                           record, "!"));
      copyElements(defaults[i], call.outputs[i], record);
    }
  }
  return okStatus();
}

} // namespace kiln::host
