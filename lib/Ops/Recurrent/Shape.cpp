// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of recurrent steps. Sizes that do not fit are the run's
// error, in TensorFlow's words.
#include "lib/Ops/Recurrent/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// How an op of TensorFlow speaks of a rank.
enum class Words : uint8_t { Cell, Block, Gru };

/// Demands the ranks and sizes of inputs, by their names.
class InputChecks {
public:
  InputChecks(InferenceContext &context, Words words)
      : context(context), words(words) {}

  Status rank(int i, int wanted) {
    const SymShape &shape = context.inputShape(i);
    if (context.isBuilding() || !shape.rankKnown || shape.rank() == wanted)
      return context.withRank(shape, wanted).status();
    const std::string &name = nameOf(i);
    switch (words) {
    case Words::Cell:
      return context.error(strCat(name, "_tensor must be rank ", wanted,
                                  " but is rank ", shape.rank(), "."));
    case Words::Block:
      return context.error(strCat(name, " must be ", wanted, "D"));
    case Words::Gru:
      break;
    }
    return context.error(
        strCat("Rank of ", name, " must be ", wanted, ", got ", shape.rank()));
  }
  Status ranks(int first, int last, int wanted) {
    for (int i = first; i <= last; ++i)
      KILN_RETURN_IF_ERROR(rank(i, wanted));
    return okStatus();
  }

  /// Dimension d of input i; unknown while its rank is.
  Dim extent(int i, int d) const {
    const SymShape &shape = context.inputShape(i);
    return shape.rankKnown ? shape.dims[static_cast<size_t>(d)]
                           : Dim::unknown();
  }
  Status extent(int i, int d, Dim wanted, std::string_view what) {
    if (context.isBuilding())
      return okStatus();
    const Dims found = {extent(i, d)}, expected = {wanted};
    const std::string prefix =
        strCat(nameOf(i), ".dim_size(", d, ") != ", what, ": ");
    return context.dims()
        .unify(found[0], wanted,
               {.prefix = prefix,
                .joiner = " vs. ",
                .lhs = &found,
                .rhs = &expected,
                .asNumbers = true})
        .status();
  }
  /// The inputs from first to last are matrices of these sizes.
  Status matrices(int first, int last, Dim batch, Dim cell) {
    for (int i = first; i <= last; ++i) {
      KILN_RETURN_IF_ERROR(extent(i, 0, batch, "batch_size"));
      KILN_RETURN_IF_ERROR(extent(i, 1, cell, "cell_size"));
    }
    return okStatus();
  }

private:
  const std::string &nameOf(int i) const {
    return context.def().inputs[static_cast<size_t>(i)].name;
  }

  InferenceContext &context;
  Words words;
};

void setShapes(InferenceContext &context, int first, int last, Dims dims) {
  for (int i = first; i <= last; ++i)
    context.setOutputShape(i, SymShape::of(dims));
}

Dim times(InferenceContext &context, Dim extent, int64_t factor) {
  return context.dims().mul(extent, Dim::known(factor));
}

/// What the weights of a memory must be, from input `first`: w, the peepholes,
/// b. Peepholes that nothing reads may be of any size.
Status checkLstmWeights(InferenceContext &context, InputChecks &checks,
                        int first, Dim input, Dim cell, bool hasPeepholes) {
  const Dim gates = times(context, cell, 4);
  KILN_RETURN_IF_ERROR(checks.extent(first, 0, context.dims().add(input, cell),
                                     "input_size + cell_size"));
  KILN_RETURN_IF_ERROR(checks.extent(first, 1, gates, "cell_size * 4"));
  for (int i = first + 1; i < first + 4 && hasPeepholes; ++i)
    KILN_RETURN_IF_ERROR(checks.extent(i, 0, cell, "cell_size"));
  return checks.extent(first + 4, 0, gates, "cell_size * 4");
}

struct Sizes {
  Dim time = Dim::unknown(), batch, cell;
};

/// Of x, the state and the weights.
StatusOr<Sizes> lstmCellSizes(InferenceContext &context, InputChecks &checks) {
  KILN_RETURN_IF_ERROR(checks.ranks(0, 3, 2));
  KILN_RETURN_IF_ERROR(checks.ranks(4, 7, 1));
  const Sizes sizes = {.batch = checks.extent(0, 0),
                       .cell = checks.extent(1, 1)};
  KILN_RETURN_IF_ERROR(checks.matrices(1, 2, sizes.batch, sizes.cell));
  KILN_RETURN_IF_ERROR(checkLstmWeights(context, checks, 3, checks.extent(0, 1),
                                        sizes.cell,
                                        context.boolAttr("use_peephole")));
  return sizes;
}

/// TensorFlow's single step does not take a state without elements.
Status demandElements(InferenceContext &context, const Sizes &sizes) {
  if (context.isBuilding())
    return okStatus();
  const Dims batch = {sizes.batch}, cell = {sizes.cell};
  DimSpace &dims = context.dims();
  const Dim count = dims.mul(sizes.batch, sizes.cell);
  return dims.require(Guard::Kind::NonNegative, dims.sub(count, Dim::known(1)),
                      Dim::known(0),
                      {.prefix = "cs_prev_tensor is empty, has shape: (",
                       .joiner = ",",
                       .suffix = ").",
                       .lhs = &batch,
                       .rhs = &cell,
                       .asNumbers = true});
}

StatusOr<Sizes> blockLstmSizes(InferenceContext &context, InputChecks &checks) {
  const SymShape &steps = context.inputShape(0);
  if (!context.isBuilding() && steps.rankKnown && steps.rank() != 0)
    return context.error(strCat(
        "`seq_len_max_tensor` must be rank 0 but is rank ", steps.rank()));
  KILN_RETURN_IF_ERROR(context.withRank(steps, 0).status());
  KILN_RETURN_IF_ERROR(checks.rank(1, 3));
  KILN_RETURN_IF_ERROR(checks.ranks(2, 4, 2));
  KILN_RETURN_IF_ERROR(checks.ranks(5, 8, 1));
  const Sizes sizes = {.time = checks.extent(1, 0),
                       .batch = checks.extent(1, 1),
                       .cell = checks.extent(2, 1)};
  KILN_RETURN_IF_ERROR(checks.matrices(2, 3, sizes.batch, sizes.cell));
  KILN_RETURN_IF_ERROR(checkLstmWeights(context, checks, 4, checks.extent(1, 2),
                                        sizes.cell, /*hasPeepholes=*/true));
  return sizes;
}

StatusOr<Sizes> gruSizes(InferenceContext &context, InputChecks &checks) {
  KILN_RETURN_IF_ERROR(checks.ranks(0, 3, 2));
  KILN_RETURN_IF_ERROR(checks.ranks(4, 5, 1));
  const Sizes sizes = {.batch = checks.extent(0, 0),
                       .cell = checks.extent(1, 1)};
  KILN_RETURN_IF_ERROR(checks.matrices(1, 1, sizes.batch, sizes.cell));
  const Dim rows = context.dims().add(checks.extent(0, 1), sizes.cell),
            gates = times(context, sizes.cell, 2);
  for (int i : {2, 3})
    KILN_RETURN_IF_ERROR(checks.extent(i, 0, rows, "input_size + cell_size"));
  KILN_RETURN_IF_ERROR(checks.extent(2, 1, gates, "cell_size * 2"));
  KILN_RETURN_IF_ERROR(checks.extent(3, 1, sizes.cell, "cell_size"));
  KILN_RETURN_IF_ERROR(checks.extent(4, 0, gates, "cell_size * 2"));
  KILN_RETURN_IF_ERROR(checks.extent(5, 0, sizes.cell, "cell_size"));
  return sizes;
}

} // namespace

Status inferLstmCell(InferenceContext &context) {
  InputChecks checks(context, Words::Cell);
  KILN_ASSIGN_OR_RETURN(Sizes sizes, lstmCellSizes(context, checks));
  KILN_RETURN_IF_ERROR(demandElements(context, sizes));
  setShapes(context, 0, 6, {sizes.batch, sizes.cell});
  return okStatus();
}

Status inferLstmCellGrad(InferenceContext &context) {
  InputChecks checks(context, Words::Cell);
  KILN_ASSIGN_OR_RETURN(Sizes sizes, lstmCellSizes(context, checks));
  KILN_RETURN_IF_ERROR(checks.ranks(8, 15, 2));
  KILN_RETURN_IF_ERROR(checks.matrices(8, 15, sizes.batch, sizes.cell));
  setShapes(context, 0, 0, {sizes.batch, sizes.cell});
  setShapes(context, 1, 1, {sizes.batch, times(context, sizes.cell, 4)});
  for (int i = 2; i < 5; ++i)
    setShapes(context, i, i, {checks.extent(i + 2, 0)});
  return okStatus();
}

Status inferBlockLstm(InferenceContext &context) {
  InputChecks checks(context, Words::Block);
  KILN_ASSIGN_OR_RETURN(Sizes sizes, blockLstmSizes(context, checks));
  setShapes(context, 0, 6, {sizes.time, sizes.batch, sizes.cell});
  return okStatus();
}

Status inferBlockLstmGrad(InferenceContext &context) {
  InputChecks checks(context, Words::Block);
  KILN_ASSIGN_OR_RETURN(Sizes sizes, blockLstmSizes(context, checks));
  for (int i = 9; i < 18; ++i) {
    KILN_RETURN_IF_ERROR(checks.rank(i, 3));
    KILN_RETURN_IF_ERROR(checks.extent(i, 0, sizes.time, "timelen"));
    KILN_RETURN_IF_ERROR(checks.extent(i, 1, sizes.batch, "batch_size"));
    KILN_RETURN_IF_ERROR(checks.extent(i, 2, sizes.cell, "cell_size"));
  }
  for (int i = 0; i < 8; ++i)
    context.setOutputShape(i, context.inputShape(i + 1));
  return okStatus();
}

Status inferGruCell(InferenceContext &context) {
  InputChecks checks(context, Words::Gru);
  KILN_ASSIGN_OR_RETURN(Sizes sizes, gruSizes(context, checks));
  setShapes(context, 0, 3, {sizes.batch, sizes.cell});
  return okStatus();
}

Status inferGruCellGrad(InferenceContext &context) {
  InputChecks checks(context, Words::Gru);
  KILN_ASSIGN_OR_RETURN(Sizes sizes, gruSizes(context, checks));
  KILN_RETURN_IF_ERROR(checks.ranks(6, 9, 2));
  KILN_RETURN_IF_ERROR(checks.matrices(6, 9, sizes.batch, sizes.cell));
  context.setOutputShape(0, context.inputShape(0));
  setShapes(context, 1, 2, {sizes.batch, sizes.cell});
  setShapes(context, 3, 3, {sizes.batch, times(context, sizes.cell, 2)});
  return okStatus();
}

} // namespace kiln::shapes
