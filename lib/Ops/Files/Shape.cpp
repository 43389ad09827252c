// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of files and readers: scalars, and vectors of as many records
// as there are.
#include "lib/Ops/Files/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::shapes {
namespace {

/// While a graph is built, names and contents must be scalars; in a run the ops
/// check them, with the words of TensorFlow's kernels.
Status checkScalars(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i)
    if (context.isBuilding() && context.inputDType(i) != DType::Resource &&
        !context.input(i).isRef)
      KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(i), 0).status());
  return okStatus();
}

Status inferAll(InferenceContext &context, const SymShape &shape) {
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, shape);
  return okStatus();
}

} // namespace

Status inferReader(InferenceContext &context) {
  const bool isRef = context.def().givesRef();
  context.setOutputShape(0, isRef ? SymShape::of({Dim::known(2)})
                                  : SymShape::scalar());
  context.setOutputHandle(0, HandleInfo());
  return okStatus();
}

Status inferFileScalar(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkScalars(context));
  return inferAll(context, SymShape::scalar());
}

Status inferFileNothing(InferenceContext &context) {
  return checkScalars(context);
}

Status inferReadUpTo(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkScalars(context));
  return inferAll(context, SymShape::of({Dim::unknown()}));
}

Status inferMatchingFiles(InferenceContext &context) {
  return inferAll(context, SymShape::of({Dim::unknown()}));
}

Status inferRecordInput(InferenceContext &context) {
  const int64_t records = context.intAttr("batch_size");
  // The kernel says what is wrong with a negative number.
  context.setOutputShape(
      0, SymShape::of({records < 0 ? Dim::unknown() : Dim::known(records)}));
  return okStatus();
}

} // namespace kiln::shapes
