// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops that keep elements and move them: reshape, join,
// repeat, reorder.
#include "lib/Ops/Array/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Ops/TensorList/Shape.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

/// The same elements in the same order.
Status keepElements(InferenceContext &context, SymShape shape) {
  context.setOutputShape(0, std::move(shape));
  if (const Dims *contents = context.knownContents(0))
    context.setOutputContents(0, *contents);
  return okStatus();
}

StatusOr<std::vector<Dims>> dimsOfInputs(InferenceContext &context, int first,
                                         int count) {
  std::vector<Dims> inputs;
  for (int i = first; i < first + count; ++i)
    if (context.inputShape(i).rankKnown)
      inputs.push_back(context.inputShape(i).dims);
  return inputs;
}

Status inferConcatOf(InferenceContext &context, int first, int axisInput) {
  int count = context.numInputs() - 1;
  KILN_ASSIGN_OR_RETURN(std::vector<Dims> inputs,
                        dimsOfInputs(context, first, count));
  // TensorFlow takes a vector of one element for the axis, too.
  Dim axis = scalarContents(context, axisInput);
  if (const Dims *given = context.knownContents(axisInput);
      given && given->size() != 1)
    return context.error(
        strCat("Concat dim tensor should be a scalar integer, but got ",
               given->size(), " elements"));
  if (static_cast<int>(inputs.size()) != count || !axis.isKnown()) {
    if (!inputs.empty())
      context.setOutputShape(0, SymShape::unknownDims(inputs[0].size()));
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        concatShape(context.dims(), inputs, axis.value));
  auto along = static_cast<size_t>(
      *normalizeAxis(axis.value, static_cast<int>(dims.size())));
  SymShape shape = SymShape::of(std::move(dims));
  context.setOutputShape(0, shape);
  std::vector<std::vector<int64_t>> extents;
  for (int i = first; i < first + count; ++i) {
    auto part = smallExtents(context.inputShape(i));
    if (!part || !context.knownContents(i))
      return okStatus();
    extents.push_back(*std::move(part));
  }
  setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
    std::vector<int64_t> source(index.begin(), index.end());
    size_t part = 0;
    while (source[along] >= extents[part][along])
      source[along] -= extents[part++][along];
    return (*context.knownContents(
        first + static_cast<int>(part)))[flatIndex(extents[part], source)];
  });
  return okStatus();
}

} // namespace

Status inferParallelConcat(InferenceContext &context) {
  const SymShape shape = context.shapeAttr("shape");
  auto isFull = [](const SymShape &of) {
    return of.rankKnown && std::ranges::all_of(of.dims, [](Dim dim) {
             return !dim.isUnknown();
           });
  };
  if (!isFull(shape))
    return context.error("shape attr must be fully defined.");
  if (shape.rank() == 0)
    return context.error("expected a shape of rank 1 or more, got []");
  for (int i = 0; i < context.numInputs(); ++i) {
    const SymShape &part = context.inputShape(i);
    if (!isFull(part))
      return context.error("All input shapes must be fully defined.");
    if (part.rank() == 0)
      return context.error(strCat("The rank of all input shapes must be "
                                  "greater than 0, but input ",
                                  i, " had rank 0."));
    Dims expected = shape.dims;
    expected[0] = Dim::known(1);
    if (!part.dims[0].isKnown(1))
      return context.error("Size of first dimension must be 1.");
    KILN_RETURN_IF_ERROR(unifyShapes(context.dims(), part.dims, expected,
                                     {.prefix = "expected the shape of each "
                                                "value to be that of a row, "
                                                "got ",
                                      .joiner = " instead of "})
                             .status());
  }
  if (!shape.dims[0].isKnown(context.numInputs()))
    return context.error(strCat("expected a value for each row of the shape ",
                                context.dims().format(shape.dims), ", got ",
                                context.numInputs()));
  context.setOutputShape(0, shape);
  return okStatus();
}

Status inferReshape(InferenceContext &context) {
  const SymShape &target = context.inputShape(1);
  if (target.rankKnown && target.rank() > 1)
    return context.error("sizes input must be 1-D, not " +
                         context.dims().format(target.dims));
  KILN_RETURN_IF_ERROR(takeDeclaredRank(context, 1));
  const Dims *sizes = context.inputSizes(1);
  if (!sizes) {
    SymShape shape;
    if (target.rank() == 1 && target.dims[0].isKnown() &&
        target.dims[0].value <= Shape::maxRank)
      shape = SymShape::unknownDims(static_cast<size_t>(target.dims[0].value));
    return keepElements(context, std::move(shape));
  }
  SymShape shape = SymShape::of(*sizes);
  if (context.inputShape(0).rankKnown) {
    KILN_ASSIGN_OR_RETURN(
        shape.dims,
        reshapeShape(context.dims(), context.inputShape(0).dims, *sizes));
  } else {
    // Without the input's shape a -1 stays open.
    std::replace(shape.dims.begin(), shape.dims.end(), Dim::known(-1),
                 Dim::unknown());
  }
  return keepElements(context, std::move(shape));
}

Status inferExpandDims(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  const Dims *axis = context.inputContents(1);
  if (axis && axis->size() != 1)
    return context.error("'dim' must be a tensor with a single value");
  if (!input.rankKnown || !axis || !axis->front().isKnown())
    return keepElements(
        context, input.rankKnown ? SymShape::unknownDims(input.dims.size() + 1)
                                 : SymShape());
  KILN_ASSIGN_OR_RETURN(Dims dims, expandDimsShape(context.dims(), input.dims,
                                                   axis->front().value));
  return keepElements(context, SymShape::of(std::move(dims)));
}

Status inferSqueeze(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  if (!input.rankKnown)
    return keepElements(context, {});
  KILN_ASSIGN_OR_RETURN(std::optional<Dims> dims,
                        squeezeShape(context.dims(), input.dims,
                                     context.intsAttr("squeeze_dims")));
  if (!dims)
    context.needExtents(0);
  return keepElements(context,
                      dims ? SymShape::of(*std::move(dims)) : SymShape());
}

Status inferTile(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  if (context.isBuilding())
    KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(1), 1).status());
  else if (const SymShape &given = context.inputShape(1);
           given.rankKnown && given.rank() != 1)
    return context.error("Expected multiples to be 1-D, but got shape " +
                         context.dims().format(given.dims));
  const Dims *multiples = context.inputAmounts(1);
  if (!input.rankKnown || !multiples) {
    const SymShape &vector = context.inputShape(1);
    if (input.rankKnown)
      context.setOutputShape(0, SymShape::unknownDims(input.dims.size()));
    else if (vector.rank() == 1 && vector.dims[0].isKnown() &&
             vector.dims[0].value <= Shape::maxRank)
      context.setOutputShape(
          0, SymShape::unknownDims(static_cast<size_t>(vector.dims[0].value)));
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        tileShape(context.dims(), input.dims, *multiples));
  SymShape shape = SymShape::of(std::move(dims));
  context.setOutputShape(0, shape);
  const Dims *contents = context.knownContents(0);
  auto extents = smallExtents(input);
  if (contents && extents)
    setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
      std::vector<int64_t> source;
      for (size_t i = 0; i < index.size(); ++i)
        source.push_back(index[i] % (*extents)[i]);
      return (*contents)[flatIndex(*extents, source)];
    });
  return okStatus();
}

Status inferPack(InferenceContext &context) {
  if (context.inputDType(0) == DType::Variant)
    return inferListPack(context);
  KILN_ASSIGN_OR_RETURN(std::vector<Dims> inputs,
                        dimsOfInputs(context, 0, context.numInputs()));
  if (inputs.empty())
    return okStatus();
  int64_t axisAttr = context.intAttr("axis");
  KILN_ASSIGN_OR_RETURN(Dims dims, packShape(context.dims(), inputs, axisAttr));
  auto axis = static_cast<size_t>(
      *normalizeAxis(axisAttr, static_cast<int>(dims.size())));
  // Parts of unknown rank have the shape of the others, as in TensorFlow.
  dims[axis] = Dim::known(context.numInputs());
  SymShape shape = SymShape::of(std::move(dims));
  context.setOutputShape(0, shape);
  bool some = false;
  for (int i = 0; i < context.numInputs(); ++i)
    some |= context.knownContents(i) != nullptr;
  SymShape partShape = shape;
  partShape.dims.erase(partShape.dims.begin() + static_cast<ptrdiff_t>(axis));
  auto extents = smallExtents(context.dims().resolve(partShape));
  if (!some || !extents)
    return okStatus();
  // A part that nothing is known of does not hide the others.
  setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
    const Dims *part = context.knownContents(static_cast<int>(index[axis]));
    std::vector<int64_t> source(index.begin(), index.end());
    source.erase(source.begin() + static_cast<ptrdiff_t>(axis));
    return part ? (*part)[flatIndex(*extents, source)] : Dim::unknown();
  });
  return okStatus();
}

Status inferUnpack(InferenceContext &context) {
  if (context.inputDType(0) == DType::Variant)
    return inferListUnpack(context);
  const SymShape &input = context.inputShape(0);
  if (!input.rankKnown)
    return okStatus();
  int rank = input.rank();
  int64_t axis = context.intAttr("axis"), number = context.intAttr("num");
  std::optional<int> index = normalizeAxis(axis, rank);
  if (!index)
    return context.error(
        strCat("axis = ", axis, " not in [", -rank, ", ", rank, ")"));
  std::string prefix = strCat("Input shape axis ", *index, " must equal ",
                              number, ", got shape ");
  Dims none;
  GuardInfo info{
      .prefix = prefix, .joiner = " ", .lhs = &input.dims, .rhs = &none};
  KILN_RETURN_IF_ERROR(context.dims()
                           .unify(input.dims[static_cast<size_t>(*index)],
                                  Dim::known(number), info)
                           .status());
  SymShape shape = input;
  shape.dims.erase(shape.dims.begin() + *index);
  const Dims *contents = context.knownContents(0);
  for (int i = 0; i < context.numOutputs(); ++i) {
    context.setOutputShape(i, shape);
    if (contents && rank == 1)
      context.setOutputContents(i, {(*contents)[static_cast<size_t>(i)]});
  }
  return okStatus();
}

Status inferConcatV2(InferenceContext &context) {
  return inferConcatOf(context, 0, context.numInputs() - 1);
}
Status inferConcat(InferenceContext &context) {
  return inferConcatOf(context, 1, 0);
}

Status inferTranspose(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(1), 1).status());
  auto permutation = knownNumbers(context.inputContents(1));
  if (!permutation || !input.rankKnown) {
    if (permutation || input.rankKnown)
      context.setOutputShape(0, SymShape::unknownDims(permutation
                                                          ? permutation->size()
                                                          : input.dims.size()));
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(
      Dims dims, transposeShape(context.dims(), input.dims, *permutation));
  SymShape shape = SymShape::of(std::move(dims));
  context.setOutputShape(0, shape);
  const Dims *contents = context.knownContents(0);
  auto extents = smallExtents(input);
  if (contents && extents)
    setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
      std::vector<int64_t> source(index.size());
      for (size_t i = 0; i < index.size(); ++i)
        source[static_cast<size_t>(
            *normalizeAxis((*permutation)[i], input.rank()))] = index[i];
      return (*contents)[flatIndex(*extents, source)];
    });
  return okStatus();
}

Status inferReverse(InferenceContext &context) {
  const SymShape &input = context.inputShape(0), &flags = context.inputShape(1);
  if (flags.rankKnown && flags.rank() != 1)
    return context.error(
        strCat("'dims' must be 1-dimension, not ", flags.rank()));
  context.setOutputShape(0, input);
  if (!input.rankKnown || !flags.rankKnown)
    return okStatus();
  if (input.rank() > 8)
    return context.error(
        "reverse does not work on tensors with more than 8 dimensions");
  const Dims extent = {Dim::known(input.rank())}, count = {flags.dims[0]};
  KILN_RETURN_IF_ERROR(
      context.dims()
          .unify(extent[0], count[0],
                 {.prefix = "'dims' must have the same number of values as "
                            "'input' has dimensions. 'input' has ",
                  .joiner = "'dims' has ",
                  .suffix = " values",
                  .lhs = &extent,
                  .rhs = &count,
                  .asNumbers = true})
          .status());
  (void)context.inputContents(1);
  if (context.isBuilding() || input.rank() == 0)
    return okStatus();
  return context.dims().require(
      Guard::Kind::NonZero, input.dims[0], Dim::known(0),
      {.prefix = "Invalid input first dimension. Found 0."});
}

Status inferReverseV2(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(1), 1).status());
  context.setOutputShape(0, input);
  auto axes = knownNumbers(context.inputContents(1));
  if (!axes || !input.rankKnown)
    return okStatus();
  std::vector<bool> reversed(input.dims.size());
  for (size_t i = 0; i < axes->size(); ++i) {
    std::optional<int> index = normalizeAxis((*axes)[i], input.rank());
    if (!index)
      return context.error(strCat("'axis'[", i, "] = ", (*axes)[i],
                                  " is out of valid range [0, ",
                                  input.rank() - 1));
    if (reversed[static_cast<size_t>(*index)])
      return context.error(
          strCat("axis ", *index, " specified more than once."));
    reversed[static_cast<size_t>(*index)] = true;
  }
  const Dims *contents = context.knownContents(0);
  if (contents && input.rank() == 1) {
    Dims turned = *contents;
    if (reversed[0])
      std::reverse(turned.begin(), turned.end());
    context.setOutputContents(0, std::move(turned));
  }
  return okStatus();
}

static bool areKnown(const Dims &dims) {
  return std::all_of(dims.begin(), dims.end(),
                     [](const Dim &dim) { return dim.isKnown(); });
}

/// Passes the elements of a vector on, with what stands around them, where all
/// are known: TensorFlow's inference computes constants here, not parts of
/// shapes.
static void setPadContents(InferenceContext &context, const Dims &amounts) {
  const Dims *contents = context.knownContents(0);
  if (!contents || !areKnown(*contents) || context.inputShape(0).rank() != 1 ||
      !amounts[0].isKnown() || !amounts[1].isKnown() || amounts[0].value < 0 ||
      amounts[1].value < 0 ||
      std::max(amounts[0].value, amounts[1].value) >
          static_cast<int64_t>(maxContents))
    return;
  Dim around = Dim::known(0);
  if (context.numInputs() == 3) {
    const Dims *value = context.knownContents(2);
    if (!value || value->size() != 1 || !areKnown(*value))
      return;
    around = value->front();
  }
  Dims padded(static_cast<size_t>(amounts[0].value), around);
  padded.insert(padded.end(), contents->begin(), contents->end());
  padded.insert(padded.end(), static_cast<size_t>(amounts[1].value), around);
  context.setOutputContents(0, std::move(padded));
}

Status inferPad(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  // First: that they are asked for makes their shape known, too.
  const Dims *amounts = input.rankKnown ? context.inputAmounts(1) : nullptr;
  KILN_ASSIGN_OR_RETURN(
      SymShape pairs,
      context.withRank(context.dims().resolve(context.inputShape(1)), 2));
  if (context.numInputs() == 3)
    KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(2), 0).status());
  if (!input.rankKnown) {
    if (pairs.dims[0].isKnown() && pairs.dims[0].value <= Shape::maxRank)
      context.setOutputShape(
          0, SymShape::unknownDims(static_cast<size_t>(pairs.dims[0].value)));
    return okStatus();
  }
  Dims expected = {Dim::known(input.rank()), Dim::known(2)};
  if ((pairs.dims[0].isKnown() && pairs.dims[0] != expected[0]) ||
      (pairs.dims[1].isKnown() && pairs.dims[1] != expected[1]) ||
      (amounts && amounts->size() != 2 * input.dims.size()))
    return context.error(
        "The first dimension of paddings must be the rank of inputs" +
        context.dims().format(pairs.dims) + " " +
        context.dims().format(input.dims));
  if (!amounts) {
    context.setOutputShape(0, SymShape::unknownDims(input.dims.size()));
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        padShape(context.dims(), input.dims, *amounts));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  setPadContents(context, *amounts);
  return okStatus();
}

/// A permutation decides on the order of dimensions: it is known before a run
/// or cannot be compiled.
Status inferInvertPermutation(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape,
                        context.withRank(context.inputShape(0), 1));
  context.setOutputShape(0, shape);
  const Dims *elements = context.inputContents(0);
  if (!elements)
    return okStatus();
  auto count = static_cast<int64_t>(elements->size());
  Dims inverse(elements->size(), Dim::unknown());
  for (size_t i = 0; i < elements->size(); ++i) {
    Dim to = (*elements)[i];
    if (!to.isKnown())
      return okStatus();
    if (to.value < 0 || to.value >= count)
      return context.error(strCat(to.value, " is not between 0 and ", count));
    Dim &place = inverse[static_cast<size_t>(to.value)];
    if (!place.isUnknown())
      return context.error(strCat(to.value, " is duplicated in the input."));
    place = Dim::known(static_cast<int64_t>(i));
  }
  context.setOutputContents(0, std::move(inverse));
  return okStatus();
}

} // namespace kiln::shapes
