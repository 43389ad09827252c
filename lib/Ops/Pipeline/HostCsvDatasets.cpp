// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets of the rows of CSV files (RFC 4180), with TensorFlow's checks and
// texts.
#include "lib/Ops/Files/HostRecordSource.h"
#include "lib/Ops/Parsing/HostNumbers.h"
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Ops/Pipeline/HostInputs.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kiln {
namespace {

/// What the inputs say of files and of their fields.
struct CsvFormat {
  std::vector<std::string> names;
  std::string compression;
  bool hasHeader = false;
  char delimiter = ',';
  bool hasQuotes = true;
  std::string missing;
  std::vector<int64_t> selected, excluded; ///< at most one of them is there
  std::vector<DType> dtypes;
  std::vector<Tensor> defaults; ///< empty for fields that must be there
};

class CsvRows final : public Dataset,
                      public std::enable_shared_from_this<CsvRows> {
public:
  CsvRows(CsvFormat format, const FileAccess &files)
      : format(std::move(format)), files(files) {}
  StatusOr<IteratorPtr> iterate(IterationState &) const override;

  const CsvFormat format;
  const FileAccess files;
};

/// The characters of a file.
class Text {
public:
  explicit Text(std::unique_ptr<RecordSource> source)
      : source(std::move(source)) {}

  Status begin(const std::string &name) {
    piece.value.clear();
    at = 0;
    isAtEnd = false;
    return source->begin(name);
  }
  void end() { source->end(); }

  /// The next character, which stays the next one; -1 at the end of the file.
  /// **Errors**: of the file.
  StatusOr<int> peek() {
    while (at == piece.value.size()) {
      if (isAtEnd)
        return -1;
      piece.value.clear();
      at = 0;
      KILN_ASSIGN_OR_RETURN(const RecordSource::Step step, source->read(piece));
      isAtEnd = step.isAtEnd;
    }
    return static_cast<unsigned char>(piece.value[at]);
  }
  void skip() { ++at; }

private:
  const std::unique_ptr<RecordSource> source;
  Record piece;
  size_t at = 0; ///< in the piece
  bool isAtEnd = false;
};

/// The first error of a row, which is read to its end all the same.
void keepFirst(Status &kept, Status status) {
  if (kept.ok())
    kept = std::move(status);
}

class CsvIterator final : public DatasetIterator {
public:
  CsvIterator(std::shared_ptr<const CsvRows> dataset,
              std::unique_ptr<RecordSource> source)
      : dataset(std::move(dataset)), format(this->dataset->format),
        text(std::move(source)) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    for (;;) {
      KILN_RETURN_IF_ERROR(pull.poll());
      if (!isInFile) {
        if (file == format.names.size())
          return false;
        KILN_RETURN_IF_ERROR(beginFile());
      }
      auto first = text.peek();
      if (first.ok() && *first < 0) {
        leaveFile();
        continue;
      }
      element.clear();
      Status status = first.ok() ? readRow(&element) : first.status();
      ++numRead;
      // The rest of a file that cannot be read on is passed over.
      if (!text.peek().ok())
        leaveFile();
      KILN_RETURN_IF_ERROR(status);
      if (element.size() != format.dtypes.size())
        return invalidArgumentError(strCat("Expect ", format.dtypes.size(),
                                           " fields but have ", element.size(),
                                           " in record"));
      return true;
    }
  }

  Status save(StateWriter &to) const override {
    to.name("CSV");
    to.number(static_cast<int64_t>(file));
    to.flag(isInFile);
    to.number(numRead);
    return okStatus();
  }
  /// Reads what was read before again.
  Status restore(StateReader &from, PullContext &pull) override {
    int64_t number, count;
    bool wasInFile;
    KILN_RETURN_IF_ERROR(from.name("CSV"));
    KILN_RETURN_IF_ERROR(
        from.number(number, 0, static_cast<int64_t>(format.names.size())));
    KILN_RETURN_IF_ERROR(from.flag(wasInFile));
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    file = static_cast<size_t>(number);
    if (!wasInFile)
      return okStatus();
    if (file == format.names.size())
      return invalidArgumentError("expected a file that is there");
    KILN_RETURN_IF_ERROR(beginFile());
    for (; numRead < count; ++numRead) {
      KILN_RETURN_IF_ERROR(pull.poll());
      KILN_ASSIGN_OR_RETURN(const int first, text.peek());
      if (first < 0)
        return outOfRangeError(strCat("expected a file of at least ", count,
                                      " rows, got ",
                                      quote(format.names[file])));
      // It may have been wrong before.
      std::ignore = readRow(nullptr);
    }
    return okStatus();
  }

private:
  void leaveFile() {
    text.end();
    isInFile = false;
    numRead = 0;
    ++file;
  }

  Status beginFile() {
    const std::string &name = format.names[file];
    KILN_RETURN_IF_ERROR(dataset->files.check(name));
    KILN_RETURN_IF_ERROR(text.begin(name));
    isInFile = true;
    if (format.hasHeader) {
      auto first = text.peek();
      if (!first.ok() || *first < 0 || !readRow(nullptr).ok())
        return invalidArgumentError("Can't read header of file");
    }
    return okStatus();
  }

  /// Takes a row to its end. \p element is null for one that is passed over.
  Status readRow(Element *element) {
    Status status;
    size_t numSelected = 0, numExcluded = 0;
    bool isLast = false;
    for (int64_t column = 0; !isLast; ++column) {
      const bool isExcluded = numExcluded < format.excluded.size() &&
                              format.excluded[numExcluded] == column;
      const bool isSelected =
          format.selected.empty() || (numSelected < format.selected.size() &&
                                      format.selected[numSelected] == column);
      const bool isWanted = element && isSelected && !isExcluded;
      numExcluded += isExcluded;
      numSelected += isSelected;
      std::string field;
      keepFirst(status, readField(field, isLast, isWanted));
      if (isWanted && status.ok())
        status = addField(field, *element);
    }
    return status;
  }

  /// Takes a field and what ends it. \p isLast: that is the end of the row.
  Status readField(std::string &field, bool &isLast, bool isWanted) {
    KILN_ASSIGN_OR_RETURN(const int first, peekOrLeave(isLast));
    if (format.hasQuotes && first == '"')
      return readQuoted(field, isLast, isWanted);
    Status status;
    for (;;) {
      KILN_ASSIGN_OR_RETURN(const int next, peekOrLeave(isLast));
      if (next >= 0)
        text.skip();
      if (endsField(next, isLast))
        return status;
      if (format.hasQuotes && next == '"')
        keepFirst(status, invalidArgumentError(
                              "Unquoted fields cannot have quotes inside"));
      if (isWanted)
        KILN_RETURN_IF_ERROR(append(field, next, isLast));
    }
  }

  Status readQuoted(std::string &field, bool &isLast, bool isWanted) {
    text.skip();
    Status status;
    for (;;) {
      KILN_ASSIGN_OR_RETURN(int next, peekOrLeave(isLast));
      if (next < 0) {
        isLast = true;
        return invalidArgumentError(
            "Reached end of file without closing quoted field in record");
      }
      text.skip();
      if (next == '"') {
        KILN_ASSIGN_OR_RETURN(next, peekOrLeave(isLast));
        if (next >= 0)
          text.skip();
        if (endsField(next, isLast))
          return status;
        if (next != '"')
          keepFirst(status, invalidArgumentError(
                                "Quote inside a string has to be escaped by "
                                "another quote"));
      }
      if (isWanted)
        KILN_RETURN_IF_ERROR(append(field, next, isLast));
    }
  }

  /// Whether a character that was taken, or the end of the file, ends a field.
  bool endsField(int taken, bool &isLast) {
    if (taken == static_cast<unsigned char>(format.delimiter))
      return true;
    if (taken >= 0 && taken != '\n' && taken != '\r')
      return false;
    isLast = true;
    // Nothing is lost where the file cannot be read on: the next row says so.
    if (auto next = text.peek(); taken == '\r' && next.ok() && *next == '\n')
      text.skip();
    return true;
  }

  /// A file that cannot be read on ends the row.
  StatusOr<int> peekOrLeave(bool &isLast) {
    auto next = text.peek();
    isLast |= !next.ok();
    return next;
  }

  Status append(std::string &field, int next, bool &isLast) {
    constexpr size_t most = size_t(1) << 31; // as strings of files have
    if (field.size() >= most) {
      isLast = true;
      return resourceExhaustedError(
          strCat("expected a field of at most ", most, " bytes"));
    }
    field += static_cast<char>(next);
    return okStatus();
  }

  template <class T>
  static StatusOr<Tensor> number(const std::string &field, size_t place) {
    T value{};
    if (host::readNumber(field, value))
      return Tensor::scalar(value);
    return invalidArgumentError(strCat("Field ", place,
                                       " in record is not a valid ",
                                       dtypeTfName(dtypeOf<T>), ": ", field));
  }

  StatusOr<Tensor> valueOf(const std::string &field, size_t place) const {
    switch (format.dtypes[place]) {
    case DType::Int32:
      return number<int32_t>(field, place);
    case DType::Int64:
      return number<int64_t>(field, place);
    case DType::Float32:
      return number<float>(field, place);
    case DType::Float64:
      return number<double>(field, place);
    case DType::String:
      return Tensor::fromStrings(Shape(), {field});
    default:
      return invalidArgumentError(strCat("csv: data type ",
                                         dtypeTfName(format.dtypes[place]),
                                         " not supported in field ", place));
    }
  }

  Status addField(const std::string &field, Element &element) const {
    const size_t place = element.size();
    if (place >= format.dtypes.size())
      return invalidArgumentError(strCat("Expect ", format.dtypes.size(),
                                         " fields but have more in record"));
    Tensor &value = element.emplace_back();
    if (field.empty() || field == format.missing) {
      const Tensor &given = format.defaults[place];
      if (given.numElements() != 1)
        return invalidArgumentError(
            strCat("Field ", place, " is required but missing in record!"));
      KILN_ASSIGN_OR_RETURN(value, given.reshaped(Shape()));
      return okStatus();
    }
    KILN_ASSIGN_OR_RETURN(value, valueOf(field, place));
    return okStatus();
  }

  const std::shared_ptr<const CsvRows> dataset;
  const CsvFormat &format;
  Text text;
  size_t file = 0; ///< the number of the present one, or of the next
  bool isInFile = false;
  int64_t numRead = 0; ///< rows of the file
};

StatusOr<IteratorPtr> CsvRows::iterate(IterationState &) const {
  KILN_ASSIGN_OR_RETURN(auto source,
                        makeRecordsOf({.kind = RecordFormat::Kind::Bytes,
                                       .compression = format.compression}));
  return std::make_unique<CsvIterator>(shared_from_this(), std::move(source));
}

/// The numbers of columns. **Errors**: INVALID_ARGUMENT with TensorFlow's texts
/// for other than increasing ones.
StatusOr<std::vector<int64_t>>
columnsOf(const Tensor &input, std::string_view name, std::string_view end) {
  if (input.rank() != 1)
    return invalidArgumentError(strCat("`", name, "` must be a vector", end));
  const auto numbers = input.data<int64_t>();
  for (size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i - 1] >= numbers[i])
      return invalidArgumentError(
          strCat(name, " should be strictly increasing indices"));
  if (!numbers.empty() && numbers.front() < 0)
    return invalidArgumentError(
        strCat(name, " should be non-negative indices"));
  return std::vector<int64_t>(numbers.begin(), numbers.end());
}

/// What the inputs behind the names say, up to the columns.
Status readOptions(Inputs &inputs, CsvFormat &format) {
  auto text = [&](std::string_view name) -> StatusOr<std::string> {
    KILN_ASSIGN_OR_RETURN(const String value, inputs.scalar<String>(name));
    return std::string(value.view());
  };
  KILN_ASSIGN_OR_RETURN(format.compression, text("compression_type"));
  KILN_ASSIGN_OR_RETURN(const int64_t bufferSize,
                        inputs.scalar<int64_t>("buffer_size"));
  if (bufferSize <= 0)
    return invalidArgumentError("buffer_size should be positive");
  KILN_ASSIGN_OR_RETURN(format.hasHeader, inputs.scalar<bool>("header"));
  KILN_ASSIGN_OR_RETURN(const std::string delimiter, text("field_delim"));
  if (delimiter.size() != 1)
    return invalidArgumentError("field_delim should be only 1 char");
  format.delimiter = delimiter[0];
  KILN_ASSIGN_OR_RETURN(format.hasQuotes,
                        inputs.scalar<bool>("use_quote_delim"));
  KILN_ASSIGN_OR_RETURN(format.missing, text("na_value"));
  if (!format.compression.empty() && format.compression != "ZLIB" &&
      format.compression != "GZIP")
    return invalidArgumentError(
        strCat("Unsupported compression_type: ", format.compression, "."));
  return okStatus();
}

Status checkDefaults(const std::vector<Tensor> &defaults) {
  for (size_t i = 0; i < defaults.size(); ++i) {
    if (defaults[i].rank() > 1)
      return invalidArgumentError(
          "Each record default should be at most rank 1");
    if (defaults[i].numElements() > 1)
      return invalidArgumentError(
          strCat("There should only be 1 default per field but field ", i,
                 " has ", defaults[i].numElements()));
  }
  return okStatus();
}

Status makeCsv(const HostCall &call) {
  CsvFormat format;
  Inputs inputs(call, anyBytes);
  KILN_ASSIGN_OR_RETURN(const Element names, inputs.tensors(1));
  if (names[0].rank() > 1)
    return invalidArgumentError("`filenames` must be a scalar or a vector.");
  for (const String &name : names[0].data<String>())
    format.names.emplace_back(name.view());
  KILN_RETURN_IF_ERROR(readOptions(inputs, format));
  format.dtypes = call.node.attrOr<std::vector<DType>>("output_types", {});
  KILN_ASSIGN_OR_RETURN(const Element selected, inputs.tensors(1));
  KILN_ASSIGN_OR_RETURN(format.selected,
                        columnsOf(selected[0], "select_cols", "."));
  KILN_ASSIGN_OR_RETURN(format.defaults, inputs.tensors(format.dtypes.size()));
  KILN_RETURN_IF_ERROR(checkDefaults(format.defaults));
  if (inputs.count() != 0) {
    KILN_ASSIGN_OR_RETURN(const Element excluded, inputs.tensors(1));
    KILN_ASSIGN_OR_RETURN(format.excluded,
                          columnsOf(excluded[0], "exclude_cols", ""));
  }
  if (!format.selected.empty() &&
      format.selected.size() != format.dtypes.size())
    return invalidArgumentError("select_cols should match output size");
  if (!format.selected.empty() && !format.excluded.empty())
    return invalidArgumentError(
        "Either select_cols or exclude_cols should be empty");
  return giveDataset(call, DatasetPtr(std::make_shared<CsvRows>(
                               std::move(format), call.files)));
}

} // namespace

void addCsvDatasetKernels(HostKernels &kernels) {
  kernels.addOwn("CSVDataset", {.run = makeCsv}, {"", "Experimental"},
                 {"", HostKernels::secondVersion});
}

} // namespace kiln
