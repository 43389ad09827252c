// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the readers that nodes declare, and what is done with them.
#include "lib/HostKernels/HostKernels.h"
#include "lib/HostKernels/ImmediateOp.h"
#include "lib/OpDefs/HandleSource.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Ops/Files/HostReader.h"
#include "lib/Ops/Queue/HostQueueSpecs.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"
#include "runtime/resources/ResourceTable.h"

#include <utility>

namespace kiln {
namespace {

/// A read: an attempt at the reader and at the queue that it takes from.
class ReadOp final : public BlockingOp {
public:
  ReadOp(std::shared_ptr<Reader> reader, std::shared_ptr<Queue> queue,
         const FileAccess &files, bool isSingle)
      : reader(std::move(reader)), queue(std::move(queue)), files(files),
        isSingle(isSingle) {}

  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override {
    return "Dequeue operation was cancelled";
  }

  const std::shared_ptr<Reader> reader;
  const std::shared_ptr<Queue> queue;
  const FileAccess &files;
  const bool isSingle;
};

StatusOr<Tensor> textTensor(const std::vector<Record> &records,
                            std::string Record::*text, bool isSingle) {
  std::vector<std::string_view> texts;
  for (const Record &record : records)
    texts.push_back(record.*text);
  Shape shape;
  if (!isSingle)
    shape = Shape({static_cast<int64_t>(texts.size())});
  return Tensor::fromStrings(shape, std::span<const std::string_view>(texts));
}

class ReadOpAttempt final : public BlockingAttempt {
public:
  explicit ReadOpAttempt(const ReadOp &op) : op(op) {}
  ~ReadOpAttempt() override { abandon(); }

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &waiter) override {
    int64_t count = 1;
    if (!op.isSingle) {
      if (inputs[0].numElements() != 1)
        return invalidArgumentError(
            strCat("expected the number of records as a scalar, got shape ",
                   inputs[0].shape().toString()));
      count = inputs[0].data<int64_t>()[0];
    }
    if (count < 0)
      return invalidArgumentError(
          strCat("expected a number of records of at least 0, got ", count));
    attempt = std::make_unique<ReadAttempt>(*op.queue, op.files, count);
    if (!op.reader->begin(*attempt, waiter))
      return false;
    KILN_RETURN_IF_ERROR(end(outputs));
    return true;
  }
  bool hasEnded() const override { return op.reader->advance(*attempt); }
  Status end(std::span<Tensor> outputs) override {
    const std::vector<Record> records = std::move(attempt->records);
    Status status = std::move(attempt->status);
    attempt.reset();
    KILN_RETURN_IF_ERROR(status);
    KILN_ASSIGN_OR_RETURN(outputs[0],
                          textTensor(records, &Record::key, op.isSingle));
    KILN_ASSIGN_OR_RETURN(outputs[1],
                          textTensor(records, &Record::value, op.isSingle));
    return okStatus();
  }
  void abandon() override {
    if (attempt)
      op.reader->abandon(*attempt);
    attempt.reset();
  }

private:
  const ReadOp &op;
  std::unique_ptr<ReadAttempt> attempt; ///< the reader knows it while it waits
};

std::unique_ptr<BlockingAttempt> ReadOp::makeAttempt() const {
  return std::make_unique<ReadOpAttempt>(*this);
}

using Op = Status (*)(Reader &reader, const HostCall &call);

Status give(const HostCall &call, int64_t number) {
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::fromValues<int64_t>(Shape(), {number}));
  return okStatus();
}

Status numRecords(Reader &reader, const HostCall &call) {
  return give(call, reader.numRecords());
}

Status numFiles(Reader &reader, const HostCall &call) {
  return give(call, reader.numFilesEnded());
}

Status serialize(Reader &reader, const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(std::string state, reader.serialize());
  KILN_ASSIGN_OR_RETURN(call.outputs[0], Tensor::fromStrings(Shape(), {state}));
  return okStatus();
}

Status restore(Reader &reader, const HostCall &call) {
  const Tensor &state = call.inputs[0];
  if (state.rank() != 0)
    return invalidArgumentError(
        strCat("Reader state must be scalar, but had shape: ",
               state.shape().toString()));
  return reader.restore(state.data<String>()[0].view());
}

Status reset(Reader &reader, const HostCall &) {
  reader.reset();
  return okStatus();
}

/// By TensorFlow's names, which all come as V2, too; without a function, reads.
constexpr std::pair<std::string_view, Op> rows[] = {
    {"ReaderNumRecordsProduced", numRecords},
    {"ReaderNumWorkUnitsCompleted", numFiles},
    {"ReaderRead", nullptr},
    {"ReaderReadUpTo", nullptr},
    {"ReaderReset", reset},
    {"ReaderRestoreState", restore},
    {"ReaderSerializeState", serialize}};

std::string_view withoutVersion(std::string_view op) {
  if (op.ends_with("V2"))
    op.remove_suffix(2);
  return op;
}

/// The reader that a node declares, made on first use; null for other nodes.
StatusOr<std::shared_ptr<Reader>> findReader(const Node &node,
                                             ResourceUser &resources) {
  KILN_ASSIGN_OR_RETURN(std::unique_ptr<RecordSource> source,
                        makeRecordSource(node));
  if (!source)
    return std::shared_ptr<Reader>();
  ResourceKey key{ResourceKey::Kind::Reader,
                  canonicalContainer(node.attrOr<std::string>("container", "")),
                  node.attrOr<std::string>("shared_name", "")};
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<Resource> resource,
      resources.findOrCreate(std::move(key), node.name(), [&] {
        return std::make_shared<Reader>(
            strCat(withoutVersion(node.op()), " '", node.name(), "'"),
            std::move(source));
      }));
  return std::static_pointer_cast<Reader>(std::move(resource));
}

/// What a handle of the node stands for.
Status notDeclared(const Node &node, int input, std::string_view what) {
  return unimplementedError(strCat("expected input ", input, " (",
                                   quote(node.input(input).name()),
                                   ") to be a ", what, " of the graph"))
      .withNode(node.name());
}

} // namespace

/// **Errors**, with TensorFlow's texts: INVALID_ARGUMENT for attributes that
/// make no reader; UNIMPLEMENTED for a handle that comes from nowhere.
static StatusOr<std::unique_ptr<BlockingOp>>
bindReaderOp(const Node &node, const BlockingSite &site) {
  const auto *row =
      std::find_if(std::begin(rows), std::end(rows), [&](const auto &row) {
        return row.first == withoutVersion(node.op());
      });
  KILN_ASSIGN_OR_RETURN(const Node *declared, sourceOfHandle(site.handles[0]));
  if (!declared)
    return notDeclared(node, 0, "reader");
  auto found = findReader(*declared, site.resources);
  if (!found.ok())
    return found.status().withNode(declared->name());
  std::shared_ptr<Reader> reader = *std::move(found);
  if (!reader)
    return notDeclared(node, 0, "reader");
  if (Op op = row->second)
    return makeImmediateOp(
        node, site.files,
        [op, reader = std::move(reader)](const HostCall &call) {
          return op(*reader, call);
        });
  KILN_ASSIGN_OR_RETURN(declared, declaringNode(site.handles[1]));
  if (!declared)
    return notDeclared(node, 1, "queue");
  auto queue = findQueue(*declared, site.resources);
  if (!queue.ok())
    return queue.status().withNode(declared->name());
  return std::unique_ptr<BlockingOp>(
      std::make_unique<ReadOp>(std::move(reader), *std::move(queue), site.files,
                               row->first == "ReaderRead"));
}

void addReaderKernels(HostKernels &kernels) {
  // What reads takes names from a queue.
  for (const auto &[name, op] : rows)
    kernels.addOwn(name,
                   {.effect = op ? HostEffect::Apart : HostEffect::Waits,
                    .bindOp = bindReaderOp},
                   {""}, {"", HostKernels::secondVersion});
}

} // namespace kiln
