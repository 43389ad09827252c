// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops that parse records: batches as large as the number of
// messages, lists as long as the run finds out.
#include "lib/Ops/Parsing/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// Gives the outputs their shapes, in their order.
class Outputs {
public:
  Outputs(InferenceContext &context, SymShape batch)
      : context(context), batch(std::move(batch)) {}

  void add(SymShape shape) {
    if (next < context.numOutputs())
      context.setOutputShape(next, std::move(shape));
    ++next;
  }

  /// The lists of types and shapes say how many outputs there are, as other
  /// attributes do.
  Status finish() const {
    return next == context.numOutputs()
               ? okStatus()
               : context.error(strCat("expected types and shapes of ",
                                      context.numOutputs(), " outputs, got ",
                                      next));
  }

  /// Indices, values and shapes of sparse tensors, of a rank that is larger
  /// than the batch's by `more`.
  void addSparse(std::string_view types, int more) {
    const size_t count = typesOf(types).size();
    const Dim rank =
        batch.rankKnown ? Dim::known(batch.rank() + more) : Dim::unknown();
    for (size_t i = 0; i < count; ++i)
      add(SymShape::of({Dim::unknown(), rank}));
    addVectors(count);
    for (size_t i = 0; i < count; ++i)
      add(SymShape::of({rank}));
  }

  /// A tensor a shape that the attribute lists, behind the batch and the steps.
  void addDense(std::string_view shapes, bool hasSteps = false) {
    for (const Shape &shape :
         context.node().attrOr<std::vector<Shape>>(shapes, {})) {
      SymShape row = toSymShape(shape), whole = batch;
      if (!whole.rankKnown || !row.rankKnown) {
        add(SymShape::unknownRank());
        continue;
      }
      if (hasSteps)
        whole.dims.push_back(Dim::unknown());
      whole.dims.insert(whole.dims.end(), row.dims.begin(), row.dims.end());
      add(std::move(whole));
    }
  }

  void addBatches(size_t count) {
    for (size_t i = 0; i < count; ++i)
      add(batch);
  }

  /// Values and row splits, twice where there are steps.
  void addRagged(std::string_view types, bool hasSteps) {
    const size_t count = typesOf(types).size();
    addVectors((hasSteps ? 3 : 2) * count);
  }

  std::vector<DType> typesOf(std::string_view types) const {
    return context.node().attrOr<std::vector<DType>>(types, {});
  }

private:
  void addVectors(size_t count) {
    for (size_t i = 0; i < count; ++i)
      add(SymShape::of({Dim::unknown()}));
  }

  InferenceContext &context;
  const SymShape batch;
  int next = 0;
};

/// Those that the op of one message, or of a vector of them, needs while a
/// graph is built; in a run the op has its own words.
Status checkRank(InferenceContext &context) {
  if (!context.isBuilding())
    return okStatus();
  const std::string &op = context.def().name;
  const SymShape &shape = context.inputShape(0);
  if (op.starts_with("ParseSingle"))
    return context.withRank(shape, 0).status();
  if (op == "ParseExample" || op == "ParseSequenceExample")
    return context.withRank(shape, 1).status();
  if (shape.rankKnown && shape.rank() > 1)
    return context.error(
        strCat("Shape must be at most rank 1 but is rank ", shape.rank()));
  return okStatus();
}

/// What stands for as many messages: none in a run that will refuse them.
SymShape batchOf(const InferenceContext &context) {
  const std::string &op = context.def().name;
  const SymShape &shape = context.inputShape(0);
  const bool isSingle = op.starts_with("ParseSingle");
  if (shape.rankKnown && shape.rank() <= 1)
    return shape;
  if (isSingle)
    return SymShape::scalar();
  return op.ends_with("V2") ? SymShape::unknownRank()
                            : SymShape::of({Dim::unknown()});
}

} // namespace

Status inferLikeInput(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferDecodeCsv(InferenceContext &context) {
  for (int i = 1; i < context.numInputs() && context.isBuilding(); ++i) {
    const SymShape &shape = context.inputShape(i);
    if (shape.rankKnown && shape.rank() > 1)
      return context.error(
          strCat("Shape must be at most rank 1 but is rank ", shape.rank()));
    if (shape.rankKnown && shape.rank() == 1 && shape.dims[0].isKnown() &&
        shape.dims[0].value > 1)
      return context.error("Shape of a default must be a length-0 or length-1 "
                           "vector, or a scalar.");
  }
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, context.inputShape(0));
  return okStatus();
}

Status inferParseExample(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context));
  Outputs outputs(context, batchOf(context));
  outputs.addSparse("sparse_types", 1);
  outputs.addDense("dense_shapes");
  outputs.addRagged("ragged_value_types", /*hasSteps=*/false);
  return outputs.finish();
}

Status inferParseSequenceExample(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context));
  Outputs outputs(context, batchOf(context));
  outputs.addSparse("context_sparse_types", 1);
  outputs.addDense("context_dense_shapes");
  outputs.addRagged("context_ragged_value_types", /*hasSteps=*/false);
  outputs.addSparse("feature_list_sparse_types", 2);
  outputs.addDense("feature_list_dense_shapes", /*hasSteps=*/true);
  if (context.def().name != "ParseSingleSequenceExample")
    outputs.addBatches(outputs.typesOf("feature_list_dense_types").size());
  outputs.addRagged("feature_list_ragged_value_types", /*hasSteps=*/true);
  return outputs.finish();
}

} // namespace kiln::shapes
