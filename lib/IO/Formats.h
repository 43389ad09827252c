// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's messages as plain values, for the layers that may not see
// protobuf.
#ifndef KILN_LIB_IO_FORMATS_H
#define KILN_LIB_IO_FORMATS_H

#include "kiln/CheckpointReader.h"
#include "kiln/Checkpoints.h"
#include "kiln/MetaGraph.h"
#include "kiln/Summary.h"

#include <map>
#include <set>
#include <span>

namespace kiln {

/// Names of a variable's nodes. **Source**: VariableDef.
struct VariableDef {
  std::string variableName, initialValueName, initializerName, snapshotName;
  bool isResource = false;
  bool isTrainable = true;
  /// The slice that a part of a partitioned variable is.
  struct Slice {
    std::string fullName;
    std::vector<int64_t> fullShape, offset, shape;
  };
  std::optional<Slice> slice;
};

/// Names of a queue runner's nodes. **Source**: QueueRunnerDef.
struct QueueRunnerDef {
  std::string queueName;
  /// Names of nodes, or of a tensor of one.
  std::vector<std::string> enqueueOpNames;
  std::string closeOpName, cancelOpName;
  std::vector<StatusCode> closedCodes;
  bool operator==(const QueueRunnerDef &) const = default;
};

/// Names of what belongs to a branch or to a loop. **Source**: CondContextDef,
/// WhileContextDef.
struct ContextDef {
  bool isWhile = false;
  std::string name;
  /// Names of tensors, those from outside among them.
  std::vector<std::string> values;
  /// From outside, and what stands inside for it.
  std::map<std::string, std::string> externalValues;
  std::vector<ContextDef> nested;
  // For a branch.
  std::string predName, pivotName;
  int branch = 0;
  // For a loop.
  int64_t parallelIterations = 10;
  bool backProp = true;
  bool swapMemory = false;
  std::string loopCondName, pivotForPredName, pivotForBodyName;
  std::vector<std::string> loopExitNames, loopEnterNames;
  std::string maximumIterationsName;
};

/// One record of an event file.
struct EventData {
  enum Kind { FileVersion, Graph, Summary, MetaGraph, RunMetadata, SessionLog };
  Kind kind = FileVersion;
  double wallTime = 0; ///< seconds since 1970
  int64_t step = 0;
  std::string bytes = {}; ///< the message, or the file's version
  std::string tag = {};   ///< of RunMetadata
  summary::SessionLog log = {};
};

// Messages of these kinds. **Errors** of decoding: INVALID_ARGUMENT.

StatusOr<std::string> encodeVariableDef(const VariableDef &variable);
StatusOr<VariableDef> decodeVariableDef(std::string_view bytes);
StatusOr<std::string> encodeQueueRunnerDef(const QueueRunnerDef &runner);
StatusOr<QueueRunnerDef> decodeQueueRunnerDef(std::string_view bytes);
StatusOr<std::string> encodeContextDef(const ContextDef &context);
StatusOr<ContextDef> decodeContextDef(std::string_view bytes, bool isWhile);
StatusOr<std::string> encodeSaverDef(const SaverDef &saver);
StatusOr<SaverDef> decodeSaverDef(std::string_view bytes);
/// As text.
StatusOr<std::string> encodeCheckpointState(const CheckpointState &state);
StatusOr<CheckpointState> decodeCheckpointState(std::string_view text);
StatusOr<std::string> encodeSavedModel(std::span<const MetaGraph> metaGraphs);
StatusOr<std::vector<MetaGraph>>
decodeSavedModel(std::string_view bytes, const GraphLoadOptions &options);
/// Tags of summaries that are in `described` lose their description, others
/// come into it.
StatusOr<std::string> encodeEvent(const EventData &event,
                                  std::set<std::string> &described);
/// A Summary of numbers by their tags.
StatusOr<std::string>
encodeScalars(std::span<const std::pair<std::string, double>> values);
/// A SummaryMetadata of a plug-in of TensorBoard.
StatusOr<std::string> encodeSummaryMetadata(const std::string &plugin);
/// A TensorProto, with strings as contents too. decodeTensor() **Errors**:
/// INVALID_ARGUMENT, with TensorFlow's words, for what is none;
/// RESOURCE_EXHAUSTED.
StatusOr<std::string> encodeTensor(const Tensor &tensor);
StatusOr<Tensor> decodeTensor(std::string_view bytes);
/// The variables of a checkpoint by name. **Thread safety**: none. **Errors**
/// are those of CheckpointReader.
class StoredVariables {
public:
  virtual ~StoredVariables() = default;
  virtual StatusOr<std::map<std::string, CheckpointVariable>> all() = 0;
  virtual StatusOr<Tensor> read(const std::string &name) = 0;
};
StatusOr<std::unique_ptr<StoredVariables>>
openStoredVariables(const std::string &prefix);
/// The graph alone, with the shapes of all outputs.
StatusOr<std::string> encodeGraphWithShapes(const Graph &graph);

} // namespace kiln

#endif // KILN_LIB_IO_FORMATS_H
