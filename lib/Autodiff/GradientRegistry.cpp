// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of gradient functions.
#include "lib/Autodiff/GradientRegistry.h"

#include "lib/Autodiff/GradientCall.h"
#include "lib/Support/Strings.h"

namespace kiln {

/// Ops that no family's file tells of because nothing flows back through them.
/// **Source**: tf.NotDifferentiable of TensorFlow 2.21.
static void registerNotDifferentiable(GradientRegistry &registry) {
  registry.addNotDifferentiable({"ApproximateEqual",
                                 "Assert",
                                 "Assign",
                                 "AssignAdd",
                                 "AssignSub",
                                 "AsString",
                                 "AudioSummary",
                                 "AudioSummaryV2",
                                 "BitwiseAnd",
                                 "BitwiseOr",
                                 "BitwiseXor",
                                 "BroadcastGradientArgs",
                                 "ConcatOffset",
                                 "Const",
                                 "CTCBeamSearchDecoder",
                                 "CTCGreedyDecoder",
                                 "DecodeBase64",
                                 "DecodePaddedRaw",
                                 "DecodeRaw",
                                 "DeleteSessionTensor",
                                 "DenseToDenseSetOperation",
                                 "DenseToSparseSetOperation",
                                 "DrawBoundingBoxes",
                                 "EditDistance",
                                 "EncodeBase64",
                                 "Equal",
                                 "FakeQuantWithMinMaxArgsGradient",
                                 "FakeQuantWithMinMaxVarsGradient",
                                 "FakeQuantWithMinMaxVarsPerChannelGradient",
                                 "FixedLengthRecordReader",
                                 "GenerateVocabRemapping",
                                 "GetSessionHandle",
                                 "GetSessionTensor",
                                 "Greater",
                                 "GreaterEqual",
                                 "HashTable",
                                 "HashTableV2",
                                 "HistogramSummary",
                                 "HSVToRGB",
                                 "IdentityReader",
                                 "ImageSummary",
                                 "InitializeTable",
                                 "InitializeTableFromTextFile",
                                 "InitializeTableFromTextFileV2",
                                 "InitializeTableV2",
                                 "Invert",
                                 "InvertPermutation",
                                 "LeftShift",
                                 "Less",
                                 "LessEqual",
                                 "LoadAndRemapMatrix",
                                 "LogicalAnd",
                                 "LogicalNot",
                                 "LogicalOr",
                                 "LookupTableFind",
                                 "LookupTableFindV2",
                                 "LookupTableInsert",
                                 "LookupTableInsertV2",
                                 "LookupTableSize",
                                 "LookupTableSizeV2",
                                 "MergeSummary",
                                 "Multinomial",
                                 "MutableDenseHashTableV2",
                                 "MutableHashTable",
                                 "MutableHashTableOfTensors",
                                 "MutableHashTableOfTensorsV2",
                                 "MutableHashTableV2",
                                 "NonMaxSuppression",
                                 "NonMaxSuppressionV2",
                                 "NonMaxSuppressionWithOverlaps",
                                 "NotEqual",
                                 "OneHot",
                                 "OnesLike",
                                 "ParameterizedTruncatedNormal",
                                 "ParseTensor",
                                 "Queue",
                                 "QueueClose",
                                 "QueueDequeue",
                                 "QueueDequeueMany",
                                 "QueueDequeueUpTo",
                                 "QueueEnqueue",
                                 "QueueEnqueueMany",
                                 "QueueSize",
                                 "RaggedRange",
                                 "RandomIndexShuffle",
                                 "RandomShuffle",
                                 "RandomStandardNormal",
                                 "RandomUniform",
                                 "Range",
                                 "Rank",
                                 "ReaderNumRecordsProduced",
                                 "ReaderNumWorkUnitsCompleted",
                                 "ReaderRead",
                                 "ReaderReadUpTo",
                                 "ReaderReset",
                                 "ReaderRestoreState",
                                 "ReaderSerializeState",
                                 "ReduceJoin",
                                 "RegexReplace",
                                 "ResizeBilinearGrad",
                                 "RightShift",
                                 "ScalarSummary",
                                 "ScatterAdd",
                                 "ScatterDiv",
                                 "ScatterMul",
                                 "ScatterNdAdd",
                                 "ScatterNdSub",
                                 "ScatterNdUpdate",
                                 "ScatterSub",
                                 "SerializeTensor",
                                 "SetSize",
                                 "Shape",
                                 "ShapeN",
                                 "Size",
                                 "SparseAddGrad",
                                 "SparseConcat",
                                 "SparseToSparseSetOperation",
                                 "Stack",
                                 "StackClose",
                                 "StackPop",
                                 "StackPush",
                                 "StatelessMultinomial",
                                 "StatelessRandomBinomial",
                                 "StatelessRandomNormal",
                                 "StatelessRandomNormalV2",
                                 "StatelessRandomPoisson",
                                 "StatelessRandomUniform",
                                 "StatelessRandomUniformFullInt",
                                 "StatelessRandomUniformFullIntV2",
                                 "StatelessRandomUniformInt",
                                 "StatelessRandomUniformIntV2",
                                 "StatelessRandomUniformV2",
                                 "StatelessTruncatedNormal",
                                 "StatelessTruncatedNormalV2",
                                 "StopGradient",
                                 "StringJoin",
                                 "StringSplit",
                                 "StringToHashBucket",
                                 "StringToHashBucketFast",
                                 "StringToHashBucketStrong",
                                 "StringToNumber",
                                 "TensorArray",
                                 "TensorArrayCloseV2",
                                 "TensorArrayCloseV3",
                                 "TensorArrayGradV2",
                                 "TensorArrayGradV3",
                                 "TensorArrayGradWithShape",
                                 "TensorArraySizeV2",
                                 "TensorArraySizeV3",
                                 "TensorArrayV2",
                                 "TensorArrayV3",
                                 "TensorListConcatLists",
                                 "TensorListElementShape",
                                 "TensorListLength",
                                 "TensorListPushBackBatch",
                                 "TensorSummary",
                                 "TensorSummaryV2",
                                 "TextLineReader",
                                 "TFRecordReader",
                                 "TruncatedNormal",
                                 "VariableShape",
                                 "VarIsInitializedOp",
                                 "WholeFileReader",
                                 "ZerosLike"});
}

GradientRegistry &GradientRegistry::global() {
  static GradientRegistry *theRegistry = [] {
    auto *registry = new GradientRegistry();
    registerGradients(*registry);
    registerNotDifferentiable(*registry);
    return registry;
  }();
  return *theRegistry;
}

void GradientRegistry::add(std::initializer_list<std::string_view> types,
                           Function function) {
  for (std::string_view type : types)
    (void)insert(type, function);
}

void GradientRegistry::addNotDifferentiable(
    std::initializer_list<std::string_view> types) {
  for (std::string_view type : types)
    (void)insert(type, {});
}

Status GradientRegistry::insert(std::string_view type, Function function) {
  std::lock_guard lock(mutex);
  if (functions.contains(type))
    return alreadyExistsError(
        strCat("Registering two gradient with name '", type, "'!"));
  functions.emplace(type, std::move(function));
  return okStatus();
}

std::optional<GradientRegistry::Function>
GradientRegistry::find(std::string_view type) const {
  std::lock_guard lock(mutex);
  auto found = functions.find(type);
  if (found == functions.end())
    return std::nullopt;
  return found->second;
}

Status registerGradient(std::string_view type, GradientFunction function) {
  return GradientRegistry::global().insert(
      type, [function = std::move(function)](GradientCall &call) {
        call.setAll(function(call.node, call.outputGradients()));
      });
}

Status notDifferentiable(std::string_view type) {
  return GradientRegistry::global().insert(type, {});
}

GradientSupport gradientSupport(std::string_view type) {
  auto found = GradientRegistry::global().find(type);
  if (!found)
    return GradientSupport::Unknown;
  return *found ? GradientSupport::Differentiable
                : GradientSupport::NotDifferentiable;
}

} // namespace kiln
