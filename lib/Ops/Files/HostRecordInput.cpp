// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RecordInput: batches of the records of TFRecord files, epoch after epoch, in
// an order that a buffer shuffles. Where TensorFlow's threads race for the
// buffer, the parts of an epoch are read in turn here: what one thread reads
// into a buffer with room for all of it comes in TensorFlow's order.
#include "lib/Ops/Files/Host.h"

#include "kiln/Tensor.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/Ops/Files/HostRecordSource.h"
#include "lib/Support/MurmurHash.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/resources/ResourceTable.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <mutex>
#include <random>

namespace kiln {
namespace {

struct RecordInputSpec {
  std::string patterns; ///< with commas between them
  std::string compression;
  int64_t seed = 0, bufferSize = 0, parallelism = 0, batchSize = 0;
  float shiftRatio = 0;
};

/// **Errors**: INVALID_ARGUMENT, with TensorFlow's texts where it has any: a
/// node without parts waits in it without end.
StatusOr<RecordInputSpec> readSpec(const Node &node) {
  RecordInputSpec spec;
  spec.patterns = node.attrOr<std::string>("file_pattern", "");
  spec.compression = node.attrOr<std::string>("compression_type", "");
  spec.seed = node.attrOr<int64_t>("file_random_seed", 301);
  spec.shiftRatio = node.attrOr<float>("file_shuffle_shift_ratio", 0);
  spec.bufferSize = node.attrOr<int64_t>("file_buffer_size", 10000);
  spec.parallelism = node.attrOr<int64_t>("file_parallelism", 16);
  spec.batchSize = node.attrOr<int64_t>("batch_size", 32);
  if (spec.parallelism < 0)
    return invalidArgumentError(
        strCat("file_parallelism should >= 0, got ", spec.parallelism));
  if (spec.batchSize < 0)
    return invalidArgumentError(
        strCat("batch_size must be non-negative but got ", spec.batchSize));
  if (spec.parallelism == 0 || spec.bufferSize == 0)
    return invalidArgumentError(
        strCat("expected a file_parallelism and a file_buffer_size above 0, "
               "got ",
               spec.parallelism, " and ", spec.bufferSize));
  // TensorFlow takes a negative size for a very large one.
  if (spec.bufferSize < 0)
    spec.bufferSize = std::numeric_limits<int64_t>::max();
  return spec;
}

/// The files of one of the parts that are read side by side.
class Part {
public:
  std::deque<std::string> files;
  std::vector<std::string> waiting; ///< for the buffer; the last one first

  bool isDone() const { return !source && files.empty() && waiting.empty(); }

  /// Reads until so many wait that they go to the buffer together.
  Status read(const RecordInputSpec &spec, const FileAccess &access) {
    constexpr size_t together = 16;
    Record record;
    while (waiting.size() < together) {
      if (!source) {
        if (files.empty())
          return okStatus();
        KILN_RETURN_IF_ERROR(open(spec, access));
      }
      KILN_ASSIGN_OR_RETURN(RecordSource::Step step, source->read(record));
      if (step.hasRecord)
        waiting.push_back(std::move(record.value));
      else if (step.isAtEnd)
        source.reset();
    }
    return okStatus();
  }

private:
  Status open(const RecordInputSpec &spec, const FileAccess &access) {
    const std::string file = std::move(files.front());
    files.pop_front();
    KILN_RETURN_IF_ERROR(access.check(file));
    KILN_ASSIGN_OR_RETURN(source,
                          makeRecordsOf({.kind = RecordFormat::Kind::TfRecords,
                                         .compression = spec.compression}));
    if (!source->begin(file).ok())
      return invalidArgumentError("Can't open " + file);
    return okStatus();
  }

  std::unique_ptr<RecordSource> source; ///< of the file that is read
};

/// What a RecordInput keeps from run to run. Thread safety: take(), by `mutex`.
class RecordInput final : public Resource {
public:
  explicit RecordInput(RecordInputSpec spec)
      : spec(std::move(spec)), random(static_cast<uint64_t>(this->spec.seed)),
        capacity(static_cast<size_t>(this->spec.bufferSize)) {}

  /// The next batch. **Errors**: NOT_FOUND without files; of the files. They
  /// stay.
  StatusOr<Tensor> take(const HostCall &call) {
    KILN_ASSIGN_OR_RETURN(
        Tensor batch, Tensor::zeros(DType::String, Shape({spec.batchSize})));
    std::scoped_lock lock(mutex);
    for (String &record : batch.mutableData<String>()) {
      if (status.ok())
        status = fill(call);
      KILN_RETURN_IF_ERROR(status);
      KILN_ASSIGN_OR_RETURN(record, String::create(buffer.back()));
      buffer.pop_back();
    }
    return batch;
  }

private:
  /// Puts into the buffer what has room, and at least one record.
  Status fill(const HostCall &call) {
    if (parts.empty() && buffer.empty())
      KILN_RETURN_IF_ERROR(beginEpoch(call));
    while (!parts.empty() && buffer.size() < capacity) {
      Part part = std::move(parts.front());
      parts.pop_front();
      KILN_RETURN_IF_ERROR(part.read(spec, call.files));
      for (; !part.waiting.empty() && buffer.size() < capacity;
           part.waiting.pop_back())
        add(std::move(part.waiting.back()));
      if (!part.isDone())
        parts.push_back(std::move(part));
      else if (parts.empty())
        capacity = std::min(capacity, numAdded);
    }
    return buffer.empty() ? outOfRangeError(strCat(
                                "no records in the files at ", spec.patterns))
                          : okStatus();
  }

  /// Changes places with any of the others.
  void add(std::string record) {
    ++numAdded;
    const size_t place = random() % (buffer.size() + 1);
    buffer.push_back(std::move(record));
    std::swap(buffer[place], buffer.back());
  }

  Status beginEpoch(const HostCall &call) {
    ++epoch;
    numAdded = 0;
    KILN_ASSIGN_OR_RETURN(std::vector<std::string> files, findFiles(call));
    if (files.empty())
      return notFoundError("Found no files at " + spec.patterns);
    char bytes[sizeof(epoch)];
    std::memcpy(bytes, &epoch, sizeof(epoch));
    std::mt19937_64 order(
        murmurHash64({bytes, sizeof(bytes)}, static_cast<uint64_t>(spec.seed)));
    std::shuffle(files.begin(), files.end(), order);
    if (spec.shiftRatio >= 0 && spec.shiftRatio < 1) {
      const auto shift = static_cast<std::ptrdiff_t>(
          spec.shiftRatio * static_cast<float>(files.size()));
      std::rotate(files.begin(), files.begin() + shift, files.end());
    }
    parts.resize(std::min(files.size(), static_cast<size_t>(spec.parallelism)));
    for (size_t i = 0; i < files.size(); ++i)
      parts[i % parts.size()].files.push_back(std::move(files[i]));
    return okStatus();
  }

  /// In the order of their names, where TensorFlow takes that of the folder.
  StatusOr<std::vector<std::string>> findFiles(const HostCall &call) const {
    std::vector<std::string_view> patterns;
    for (std::string_view rest = spec.patterns; !rest.empty();) {
      const size_t comma = std::min(rest.find(','), rest.size());
      patterns.push_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    KILN_ASSIGN_OR_RETURN(
        Tensor asked,
        Tensor::fromStrings(Shape({static_cast<int64_t>(patterns.size())}),
                            std::span<const std::string_view>(patterns)));
    Tensor found;
    KILN_RETURN_IF_ERROR(
        host::matchingFiles({call.node, {&asked, 1}, {&found, 1}, call.files}));
    std::vector<std::string> files;
    for (const String &file : found.data<String>())
      files.emplace_back(file.view());
    return files;
  }

  const RecordInputSpec spec;
  std::mutex mutex; ///< guards all below
  std::mt19937_64 random;
  Status status;
  int64_t epoch = 0;
  size_t numAdded = 0;    ///< in this epoch
  size_t capacity;        ///< at most an epoch's records, once it is known
  std::deque<Part> parts; ///< of the epoch, in turn
  std::vector<std::string> buffer;
};

StatusOr<BoundHostOp> bindRecordInput(const Node &node,
                                      const BlockingSite &site) {
  KILN_ASSIGN_OR_RETURN(RecordInputSpec spec, readSpec(node));
  // No other node has the same one.
  ResourceKey key{
      ResourceKey::Kind::Reader, {}, strCat("RecordInput ", node.name())};
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<Resource> resource,
      site.resources.findOrCreate(std::move(key), node.name(), [&] {
        return std::make_shared<RecordInput>(std::move(spec));
      }));
  auto input = std::static_pointer_cast<RecordInput>(std::move(resource));
  return BoundHostOp([input](const HostCall &call) -> Status {
    KILN_ASSIGN_OR_RETURN(call.outputs[0], input->take(call));
    return okStatus();
  });
}

} // namespace

void addRecordInputKernel(HostKernels &kernels) {
  kernels.addOwn("RecordInput",
                 {.effect = HostEffect::Apart, .bindBody = bindRecordInput});
}

} // namespace kiln
