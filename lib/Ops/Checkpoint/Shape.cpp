// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is restored has the shape that the graph says it has of a part; else
// only the file knows.
#include "lib/Ops/Checkpoint/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Ranks.h"
#include "lib/Shape/TensorSlice.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// Checks that input i has this rank, if it is known.
Status checkRank(const InferenceContext &context, int i, int rank) {
  return context.withRank(context.inputShape(i), rank).status();
}

/// The strings of a constant; null for others.
const TensorConstant *constantStrings(const Output &output) {
  if (output.node->op() != "Const")
    return nullptr;
  const AttrValue *value = output.node->findAttr("value");
  const auto *constant = value ? value->getIf<TensorConstant>() : nullptr;
  return constant && constant->dtype == DType::String ? constant : nullptr;
}

/// Outputs have the shapes that the texts of input 2 say, where they are known.
Status inferParts(InferenceContext &context) {
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, SymShape::unknownRank());
  const TensorConstant *specs = constantStrings(context.node().input(2));
  if (!specs)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(Tensor texts, specs->materialize());
  auto count = std::min<int64_t>(context.numOutputs(), texts.numElements());
  for (int i = 0; i < count; ++i) {
    std::string_view text = texts.data<String>()[static_cast<size_t>(i)];
    if (text.empty())
      continue;
    auto place = ShapeAndSlice::parse(text);
    if (!place.ok())
      return context.error(std::string(place.status().message()));
    context.setOutputShape(i, toSymShape(place->sliceShape));
  }
  return okStatus();
}

} // namespace

Status inferSave(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 1));
  return checkRank(context, 2, 1);
}

Status inferSaveWhole(InferenceContext &context) {
  return checkRank(context, 1, 1);
}

Status inferRestore(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 1));
  KILN_RETURN_IF_ERROR(checkRank(context, 2, 1));
  return inferParts(context);
}

/// One tensor, or a part of it where there is a text that says which.
Status inferRestoreOne(InferenceContext &context) {
  for (int i = 0; i < context.numInputs() && context.isBuilding(); ++i)
    KILN_RETURN_IF_ERROR(checkRank(context, i, 0));
  if (context.numInputs() > 2)
    return inferParts(context);
  context.setOutputShape(0, SymShape::unknownRank());
  return okStatus();
}

Status inferMergeCheckpoints(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 1));
  return checkRank(context, 1, 0);
}

Status inferShardedName(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i) {
    const SymShape &shape = context.inputShape(i);
    if (context.isBuilding())
      KILN_RETURN_IF_ERROR(checkRank(context, i, 0));
    else if (shape.rankKnown && shape.rank() != 0)
      return context.error(strCat(
          context.def().inputs[static_cast<size_t>(i)].name,
          " must be a scalar, got shape ", context.dims().format(shape.dims)));
  }
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferVocabularyRemapping(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {0, 0}));
  context.setOutputShape(
      0, SymShape::of({Dim::known(context.intAttr("num_new_vocab"))}));
  context.setOutputShape(1, SymShape::scalar());
  return okStatus();
}

Status inferRemappedMatrix(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {anyRank, 0}));
  context.setOutputShape(
      0, SymShape::of({Dim::known(context.intAttr("num_rows")),
                       Dim::known(context.intAttr("num_cols"))}));
  return okStatus();
}

} // namespace kiln::shapes
