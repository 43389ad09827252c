// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops that take parts: slices, splits, gathers.
#include "lib/Ops/Array/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Ops/State/Shape.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// The axis of a split as an index; nothing where it is not known.
StatusOr<std::optional<int>> splitAxis(InferenceContext &context,
                                       const SymShape &input, int axisInput) {
  const SymShape &given = context.inputShape(axisInput);
  if (context.isBuilding()) {
    KILN_RETURN_IF_ERROR(context.withRank(given, 0).status());
  } else if (context.node().op() == "Split") {
    if (given.rankKnown && given.rank() != 0)
      return context.error(
          strCat("split_dim must be a scalar but has rank ", given.rank()));
  } else if (const Dims *elements = context.inputContents(axisInput);
             elements && elements->size() != 1) {
    return context.error("split_dim_tensor must have exactly one element.");
  }
  Dim axis = scalarContents(context, axisInput);
  if (!axis.isKnown() || !input.rankKnown)
    return std::optional<int>();
  int rank = input.rank();
  std::optional<int> index = normalizeAxis(axis.value, rank);
  if (!index)
    return context.error(strCat("-input rank(-", rank,
                                ") <= split_dim < input rank (", rank,
                                "), but got ", axis.value));
  return index;
}

void setUnknownOutputs(InferenceContext &context, const SymShape &input) {
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, input.rankKnown
                                  ? SymShape::unknownDims(input.dims.size())
                                  : SymShape());
}

} // namespace

Status inferSplit(InferenceContext &context) {
  const SymShape &input = context.inputShape(1);
  DimSpace &space = context.dims();
  KILN_ASSIGN_OR_RETURN(std::optional<int> axis, splitAxis(context, input, 0));
  if (!axis) {
    setUnknownOutputs(context, input);
    return okStatus();
  }
  int64_t parts = context.intAttr("num_split");
  Dim extent = input.dims[static_cast<size_t>(*axis)];
  std::string prefix = strCat("Number of ways to split should evenly divide "
                              "the split dimension, but got split_dim ",
                              *axis, " (size = ");
  Dims size = {extent}, number = {Dim::known(parts)};
  KILN_RETURN_IF_ERROR(space.require(Guard::Kind::Divides, extent, number[0],
                                     {.prefix = prefix,
                                      .joiner = ") and num_split ",
                                      .lhs = &size,
                                      .rhs = &number,
                                      .asNumbers = true}));
  SymShape shape = input;
  shape.dims[static_cast<size_t>(*axis)] = space.floorDiv(extent, number[0]);
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, shape);
  return okStatus();
}

Status inferSplitV(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  DimSpace &space = context.dims();
  KILN_ASSIGN_OR_RETURN(std::optional<int> axis, splitAxis(context, input, 2));
  // More sizes than shapes follow the run finds out, whatever is known of them.
  const bool isMany = context.numOutputs() > static_cast<int>(maxContents);
  if (axis && isMany && !context.isBuilding()) {
    const SymShape &list = context.inputShape(1);
    if (list.rank() == 1)
      KILN_RETURN_IF_ERROR(space.require(
          Guard::Kind::Equal, list.dims[0], Dim::known(context.numOutputs()),
          {.prefix = "size of the split_tensor must be 1-D and have the same "
                     "elements as outputs got 1 -D and ",
           .suffix = " elements",
           .lhs = &list.dims,
           .asNumbers = true}));
    for (int i = 0; i < context.numOutputs(); ++i) {
      SymShape shape = input;
      shape.dims[static_cast<size_t>(*axis)] = space.runDim(i, /*isSize=*/true);
      context.setOutputShape(i, std::move(shape));
    }
    return okStatus();
  }
  const Dims *given = isMany ? nullptr : context.inputSizes(1);
  if (!axis || !given) {
    setUnknownOutputs(context, input);
    return okStatus();
  }
  if (static_cast<int>(given->size()) != context.numOutputs())
    return context.error(strCat("size of the split_sizes must be ",
                                context.numOutputs(), ", got ", given->size()));
  Dims sizes = *given;
  Dim extent = input.dims[static_cast<size_t>(*axis)], sum = Dim::known(0);
  // The run may find one to be -1, which is all that the others leave.
  const Dim one = Dim::known(1);
  Dim numOpen = Dim::known(0);
  Dims isOpen;
  for (Dim size : sizes) {
    isOpen.push_back(space.sub(isBelowZero(space, size),
                               isBelowZero(space, space.add(size, one))));
    numOpen = space.add(numOpen, isOpen.back());
    sum = space.add(sum, space.add(size, isOpen.back()));
  }
  KILN_RETURN_IF_ERROR(
      space.require(Guard::Kind::LessEqual, numOpen, one,
                    {.prefix = "There can only be one -1 in the input."}));
  Dims got = {sum};
  GuardInfo info{.prefix = "Determined shape must either match input shape "
                           "along split_dim exactly if fully specified, or be "
                           "less than the size of the input along split_dim if "
                           "not fully specified.  Got: ",
                 .lhs = &got,
                 .asNumbers = true};
  if (sum.isUnknown() && std::all_of(sizes.begin(), sizes.end(),
                                     [](Dim size) { return size.isKnown(); }))
    return context.error(std::string(info.prefix) + "more than 2**63 - 1");
  const Dim rest = space.sub(extent, sum);
  if (!numOpen.isKnown(0))
    KILN_RETURN_IF_ERROR(
        space.require(Guard::Kind::LessEqual, sum, extent, info));
  KILN_RETURN_IF_ERROR(space.require(Guard::Kind::Equal,
                                     space.add(sum, space.mul(numOpen, rest)),
                                     extent, info));
  for (size_t i = 0; i < sizes.size(); ++i) {
    Dims number = {sizes[i]};
    std::string prefix =
        strCat("Split size at index ", i, " must be >= 0. Got: ");
    if (!isOpen[i].isKnown(0))
      sizes[i] =
          space.add(sizes[i], space.mul(isOpen[i], space.add(rest, one)));
    KILN_RETURN_IF_ERROR(
        space.require(Guard::Kind::NonNegative, sizes[i], Dim(),
                      {.prefix = prefix, .lhs = &number, .asNumbers = true}));
    SymShape shape = input;
    shape.dims[static_cast<size_t>(*axis)] = sizes[i];
    context.setOutputShape(static_cast<int>(i), std::move(shape));
  }
  return okStatus();
}

Status inferSlice(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  const Dims *begin = context.inputAmounts(1), *size = context.inputAmounts(2);
  // Whose extents may be known by now.
  const SymShape beginShape = context.dims().resolve(context.inputShape(1)),
                 sizeShape = context.dims().resolve(context.inputShape(2));
  std::optional<size_t> rank;
  if (input.rankKnown)
    rank = input.dims.size();
  else if (begin || size)
    rank = begin ? begin->size() : size->size();
  if (!rank)
    return okStatus();
  for (const SymShape *vector : {&beginShape, &sizeShape})
    if (vector->rankKnown &&
        (vector->rank() != 1 ||
         (vector->dims[0].isKnown() &&
          !vector->dims[0].isKnown(static_cast<int64_t>(*rank)))))
      return context.error(
          strCat("Expected begin and size arguments to be 1-D tensors of size ",
                 *rank, ", but got shapes ", toString(beginShape), " and ",
                 toString(sizeShape), " instead."));
  Dims unknown(*rank, Dim::unknown());
  Dims from = begin ? *begin : unknown;
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        sliceShape(context.dims(),
                                   input.rankKnown ? input.dims : unknown, from,
                                   size ? *size : unknown));
  SymShape shape = SymShape::of(std::move(dims));
  context.setOutputShape(0, shape);
  const Dims *contents = context.knownContents(0);
  auto extents = smallExtents(input);
  auto starts = knownNumbers(&from);
  if (contents && extents && starts)
    setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
      std::vector<int64_t> source;
      for (size_t i = 0; i < index.size(); ++i)
        source.push_back(index[i] + (*starts)[i]);
      return (*contents)[flatIndex(*extents, source)];
    });
  return okStatus();
}

/// The spec in inputs 1 to 3 and in the attributes. **Errors**:
/// INVALID_ARGUMENT for vectors of different sizes.
static StatusOr<StridedSliceSpec> stridedSliceSpec(InferenceContext &context) {
  StridedSliceSpec spec;
  auto take = [](const Dims *contents) {
    return contents ? std::optional<Dims>(*contents) : std::nullopt;
  };
  spec.begin = take(context.inputAmounts(1));
  spec.end = take(context.inputAmounts(2));
  spec.strides = take(context.inputContents(3));
  spec.beginMask = context.intAttr("begin_mask");
  spec.endMask = context.intAttr("end_mask");
  spec.ellipsisMask = context.intAttr("ellipsis_mask");
  spec.newAxisMask = context.intAttr("new_axis_mask");
  spec.shrinkAxisMask = context.intAttr("shrink_axis_mask");
  for (int i = 1; i < 4; ++i) {
    const SymShape vector = context.dims().resolve(context.inputShape(i));
    bool fits = !vector.rankKnown || vector.rank() == 1;
    if (vector.rankKnown && fits && vector.dims[0].isKnown()) {
      const int64_t entries = vector.dims[0].value;
      if (entries > 62)
        return context.error("expected at most 62 entries in a strided slice");
      fits = spec.numEntries < 0 || entries == spec.numEntries;
      spec.numEntries = static_cast<int>(entries);
    }
    if (!fits)
      return context.error(strCat(
          "Expected begin, end, and strides to be 1D equal size tensors, but "
          "got shapes ",
          context.dims().format(context.inputShape(1).dims), ", ",
          context.dims().format(context.inputShape(2).dims), ", and ",
          context.dims().format(context.inputShape(3).dims), " instead."));
  }
  return spec;
}

Status inferStridedSlice(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  KILN_ASSIGN_OR_RETURN(StridedSliceSpec spec, stridedSliceSpec(context));
  if (!input.rankKnown || spec.numEntries < 0)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(StridedSlicePlan plan,
                        planStridedSlice(context.dims(), input.dims, spec));
  SymShape shape = SymShape::of(plan.shape);
  context.setOutputShape(0, shape);
  const Dims *contents = context.knownContents(0);
  auto extents = smallExtents(input);
  if (!contents || !extents)
    return okStatus();
  setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
    std::vector<int64_t> source;
    for (const StridedDim &dim : plan.dims)
      source.push_back(dim.begin.value);
    for (size_t i = 0; i < index.size(); ++i)
      if (plan.outputs[i] >= 0)
        source[static_cast<size_t>(plan.outputs[i])] +=
            index[i] *
            plan.dims[static_cast<size_t>(plan.outputs[i])].stride.value;
    for (const StridedDim &dim : plan.dims)
      if (!dim.begin.isKnown() || !dim.stride.isKnown())
        return Dim::unknown();
    return (*contents)[flatIndex(*extents, source)];
  });
  return okStatus();
}

/// shape, begin, end, strides, dy: what a slice of `shape` was.
Status inferStridedSliceGrad(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, 0));
  context.setOutputShape(0, shape);
  KILN_ASSIGN_OR_RETURN(StridedSliceSpec spec, stridedSliceSpec(context));
  if (!shape.rankKnown || spec.numEntries < 0)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(StridedSlicePlan plan,
                        planStridedSlice(context.dims(), shape.dims, spec));
  const SymShape &dy = context.inputShape(4);
  if (!dy.rankKnown)
    return okStatus();
  return unifyShapes(context.dims(), dy.dims, plan.shape,
                     {.prefix = "shape of dy was ", .joiner = " instead of "})
      .status();
}

/// Demands that a value broadcasts to a slice, where that has elements;
/// dimensions of 1 may stand before those of the slice.
static Status checkSliceValue(InferenceContext &context, const Dims &value,
                              const Dims &slice) {
  DimSpace &space = context.dims();
  const GuardInfo info{.prefix = "Cannot broadcast input shape ",
                       .joiner = " into final shape ",
                       .lhs = &value,
                       .rhs = &slice};
  for (Dim dim : slice)
    if (dim.isKnown(0))
      return okStatus();
  for (size_t back = 1; back <= value.size(); ++back) {
    const Dim extent = value[value.size() - back],
              wanted = back <= slice.size() ? slice[slice.size() - back]
                                            : Dim::known(1);
    if (extent.isUnknown() || wanted.isUnknown() ||
        space.equal(extent, wanted) || space.isOne(extent) == true)
      continue;
    KILN_RETURN_IF_ERROR(space.unify(extent, wanted, info).status());
  }
  return okStatus();
}

/// What is updated (a tensor, or a variable by reference or handle), begin,
/// end, strides, value: the value is broadcast to the slice.
Status inferStridedSliceUpdate(InferenceContext &context) {
  const bool isHandle = context.inputDType(0) == DType::Resource;
  const SymShape input = variableShape(context, 0);
  if (!isHandle)
    context.setOutputShape(0, input);
  const std::optional<HandleInfo> &handle = context.input(0).handle;
  if (const DType dtype = context.typeAttr("T");
      isHandle && handle && handle->dtype != dtype)
    return context.error(strCat("l-value dtype ", dtypeTfName(handle->dtype),
                                " does not match r-value dtype ",
                                dtypeTfName(dtype)));
  KILN_ASSIGN_OR_RETURN(StridedSliceSpec spec, stridedSliceSpec(context));
  if (!input.rankKnown || spec.numEntries < 0)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(StridedSlicePlan plan,
                        planStridedSlice(context.dims(), input.dims, spec));
  const SymShape &value = context.inputShape(4);
  // At graph building TensorFlow takes any value.
  if (!value.rankKnown || context.isBuilding())
    return okStatus();
  return checkSliceValue(context, value.dims, plan.shape);
}

namespace {

Status inferGatherAlong(InferenceContext &context, const SymShape &params,
                        Dim axis, int64_t batchDims) {
  const SymShape &indices = context.inputShape(1);
  if (!params.rankKnown || !indices.rankKnown)
    return okStatus();
  if (params.rank() == 0)
    return context.error("params must be at least 1 dimensional");
  if (!axis.isKnown()) {
    if (batchDims == 0)
      context.setOutputShape(0, SymShape::unknownDims(params.dims.size() - 1 +
                                                      indices.dims.size()));
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        gatherShape(context.dims(), params.dims, indices.dims,
                                    axis.value, batchDims));
  SymShape shape = SymShape::of(std::move(dims));
  context.setOutputShape(0, shape);
  const Dims *contents = context.knownContents(0),
             *chosen = context.knownContents(1);
  if (params.rank() != 1 || !contents || !chosen || batchDims != 0)
    return okStatus();
  Dims picked;
  for (Dim index : *chosen) {
    bool inside = index.isKnown() && index.value >= 0 &&
                  index.value < static_cast<int64_t>(contents->size());
    picked.push_back(inside ? (*contents)[static_cast<size_t>(index.value)]
                            : Dim::unknown());
  }
  context.setOutputContents(0, std::move(picked));
  return okStatus();
}

} // namespace

Status inferGatherV2(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(Dim axis, scalarArgument(context, 2));
  return inferGatherAlong(context, context.inputShape(0), axis,
                          context.intAttr("batch_dims"));
}

Status inferGather(InferenceContext &context) {
  return inferGatherAlong(context, context.inputShape(0), Dim::known(0), 0);
}

Status inferResourceGather(InferenceContext &context) {
  const std::optional<HandleInfo> &handle = context.input(0).handle;
  int64_t batch = context.intAttr("batch_dims");
  if (DType dtype = context.typeAttr("dtype"); handle && handle->dtype != dtype)
    return context.error(strCat("expected a variable of dtype ",
                                dtypeTfName(dtype), ", got ",
                                dtypeTfName(handle->dtype)));
  return inferGatherAlong(context,
                          handle ? handle->shape : SymShape::unknownRank(),
                          Dim::known(batch), batch);
}

} // namespace kiln::shapes
