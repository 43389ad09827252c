// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets of the records of files: lines, TFRecord, records of one length.
#include "lib/Ops/Files/HostRecordSource.h"
#include "lib/Ops/Pipeline/Host.h"
#include "lib/Pipelines/Dataset.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace kiln {
namespace {

class Records final : public Dataset {
public:
  Records(std::vector<std::string> names, RecordFormat format,
          const FileAccess &files)
      : names(std::move(names)), format(std::move(format)), files(files) {}
  StatusOr<IteratorPtr> iterate(IterationState &) const override;

  const std::vector<std::string> names;
  const RecordFormat format;
  const FileAccess files;
};

class RecordsIterator final : public DatasetIterator {
public:
  RecordsIterator(const Records &dataset, std::unique_ptr<RecordSource> source)
      : names(dataset.names), format(dataset.format), files(dataset.files),
        source(std::move(source)) {}

  /// Of a file with an error the rest is passed over.
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    for (;;) {
      KILN_RETURN_IF_ERROR(pull.poll());
      if (!isInFile) {
        if (place == names.size())
          return false;
        KILN_RETURN_IF_ERROR(begin(names[place]));
        isInFile = true;
      }
      Record record;
      auto step = source->read(record);
      ++numRead;
      if (!step.ok() || step->isAtEnd)
        leave();
      KILN_RETURN_IF_ERROR(step.status());
      if (!step->hasRecord)
        continue;
      element.assign(1, Tensor());
      KILN_ASSIGN_OR_RETURN(element[0],
                            Tensor::fromStrings(Shape(), {record.value}));
      return true;
    }
  }

  Status save(StateWriter &to) const override {
    to.name("Records");
    to.number(static_cast<int64_t>(place));
    to.flag(isInFile);
    to.number(numRead);
    return okStatus();
  }
  /// Reads what was read before again.
  Status restore(StateReader &from, PullContext &pull) override {
    int64_t file, count;
    bool wasInFile;
    KILN_RETURN_IF_ERROR(from.name("Records"));
    KILN_RETURN_IF_ERROR(
        from.number(file, 0, static_cast<int64_t>(names.size())));
    KILN_RETURN_IF_ERROR(from.flag(wasInFile));
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    place = static_cast<size_t>(file);
    if (!wasInFile)
      return okStatus();
    if (place == names.size())
      return invalidArgumentError("expected a file that is there");
    KILN_RETURN_IF_ERROR(begin(names[place]));
    isInFile = true;
    for (Record record; numRead < count; ++numRead) {
      KILN_RETURN_IF_ERROR(pull.poll());
      KILN_ASSIGN_OR_RETURN(const auto step, source->read(record));
      if (step.isAtEnd && numRead + 1 < count)
        return outOfRangeError(strCat("expected a file of at least ", count,
                                      " records, got ", quote(names[place])));
    }
    return okStatus();
  }

private:
  void leave() {
    source->end();
    isInFile = false;
    numRead = 0;
    ++place;
  }

  /// A file that cannot be opened stays the next one, as in TensorFlow.
  Status begin(const std::string &name) {
    KILN_RETURN_IF_ERROR(files.check(name));
    KILN_RETURN_IF_ERROR(source->begin(name));
    if (format.kind != RecordFormat::Kind::Fixed || !format.compression.empty())
      return okStatus();
    std::error_code error;
    const auto size =
        static_cast<int64_t>(std::filesystem::file_size(name, error));
    const int64_t body = size - format.header - format.footer;
    if (!error && (body < 0 || body % format.record != 0))
      return invalidArgumentError(strCat(
          "Excluding the header (", format.header, " bytes) and footer (",
          format.footer, " bytes), input file \"", name, "\" has body length ",
          body, " bytes, which is not an exact multiple of the record length (",
          format.record, " bytes)."));
    return okStatus();
  }

  const std::vector<std::string> names;
  const RecordFormat format;
  const FileAccess files;
  const std::unique_ptr<RecordSource> source;
  size_t place = 0; ///< of the file
  bool isInFile = false;
  int64_t numRead = 0; ///< of the file
};

StatusOr<IteratorPtr> Records::iterate(IterationState &) const {
  KILN_ASSIGN_OR_RETURN(auto source, makeRecordsOf(format));
  return std::make_unique<RecordsIterator>(*this, std::move(source));
}

StatusOr<std::vector<std::string>> namesOf(const Tensor &names) {
  if (names.rank() > 1)
    return invalidArgumentError("`filenames` must be a scalar or a vector.");
  std::vector<std::string> list;
  for (const String &name : names.data<String>())
    list.emplace_back(name.view());
  return list;
}

StatusOr<std::string> compressionIn(const Tensor &input) {
  if (input.rank() != 0)
    return invalidArgumentError("compression_type must be a scalar");
  std::string text(input.data<String>()[0].view());
  if (text != "" && text != "ZLIB" && text != "GZIP")
    return invalidArgumentError("Unsupported compression_type.");
  return text;
}

Status give(const HostCall &call, RecordFormat format) {
  KILN_ASSIGN_OR_RETURN(std::vector<std::string> names,
                        namesOf(call.inputs[0]));
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        tensorOf(std::make_shared<Records>(
                            std::move(names), std::move(format), call.files)));
  return okStatus();
}

Status makeLines(const HostCall &call) {
  RecordFormat format{.kind = RecordFormat::Kind::Lines};
  KILN_ASSIGN_OR_RETURN(format.compression, compressionIn(call.inputs[1]));
  return give(call, std::move(format));
}

Status makeTfRecords(const HostCall &call) {
  RecordFormat format{.kind = RecordFormat::Kind::TfRecords};
  KILN_ASSIGN_OR_RETURN(format.compression, compressionIn(call.inputs[1]));
  if (call.inputs.size() > 3 && call.inputs[3].numElements() != 0)
    return unimplementedError("expected no byte_offsets");
  return give(call, std::move(format));
}

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status makeFixed(const HostCall &call) {
  RecordFormat format{.kind = RecordFormat::Kind::Fixed};
  const std::pair<std::string_view, int64_t *> lengths[] = {
      {"header_bytes", &format.header},
      {"record_bytes", &format.record},
      {"footer_bytes", &format.footer}};
  for (size_t i = 0; i < std::size(lengths); ++i) {
    const Tensor &input = call.inputs[i + 1];
    if (input.rank() != 0)
      return invalidArgumentError(
          strCat(lengths[i].first, " must be a scalar"));
    *lengths[i].second = input.data<int64_t>()[0];
    if (*lengths[i].second < (i == 1 ? 1 : 0))
      return invalidArgumentError(
          strCat("`", lengths[i].first, "` must be ", i == 1 ? "> 0" : ">= 0"));
  }
  if (call.inputs.size() > 5) {
    KILN_ASSIGN_OR_RETURN(format.compression, compressionIn(call.inputs[5]));
  }
  return give(call, std::move(format));
}

} // namespace

void addRecordDatasetKernels(HostKernels &kernels) {
  constexpr std::pair<std::string_view, HostOpFn> rows[] = {
      {"TextLineDataset", makeLines},
      {"TFRecordDataset", makeTfRecords},
      {"FixedLengthRecordDataset", makeFixed}};
  for (const auto &[name, run] : rows)
    kernels.addOwn(name, {.run = run}, {""}, {"", HostKernels::secondVersion});
}

} // namespace kiln
