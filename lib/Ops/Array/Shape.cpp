// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops that ask for shapes or make tensors from them.
#include "lib/Ops/Array/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/RangeLength.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

void setShapeOf(InferenceContext &context, int i) {
  setExtents(context, i, context.inputShape(i));
}

/// Demands a vector (or an unknown rank).
Status checkVector(InferenceContext &context, int i) {
  return context.withRank(context.inputShape(i), 1).status();
}

/// A vector of one element, which kernels of TensorFlow's first years still
/// take for a scalar.
bool isSingleVector(InferenceContext &context, int i) {
  const SymShape &shape = context.inputShape(i);
  return !context.isBuilding() && shape.rank() == 1 &&
         context.dims().isOne(shape.dims[0]) == true;
}

} // namespace

void setExtents(InferenceContext &context, int i, const SymShape &shape) {
  Dim rank = shape.rankKnown ? Dim::known(shape.rank()) : Dim::unknown();
  context.setOutputShape(i, SymShape::of({rank}));
  if (shape.rankKnown)
    context.setOutputContents(i, shape.dims);
}

Status inferShape(InferenceContext &context) {
  setShapeOf(context, 0);
  return okStatus();
}

Status inferShapeN(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i)
    setShapeOf(context, i);
  return okStatus();
}

Status inferSize(InferenceContext &context) {
  const SymShape &shape = context.inputShape(0);
  context.setOutputShape(0, SymShape::scalar());
  if (shape.rankKnown)
    context.setOutputContents(0, {context.dims().product(shape.dims)});
  return okStatus();
}

Status inferRank(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  if (context.inputShape(0).rankKnown)
    context.setOutputContents(0, {Dim::known(context.inputShape(0).rank())});
  return okStatus();
}

Status inferEnsureShape(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  const SymShape wanted = context.shapeAttr("shape");
  if (!shape.rankKnown || !wanted.rankKnown) {
    context.setOutputShape(0, wanted.rankKnown ? wanted : std::move(shape));
    return okStatus();
  }
  const Dims given = shape.dims;
  const std::string prefix =
      strCat("Shape of tensor ", context.node().input(0).node->name(), " ");
  const std::string joiner = " is not compatible with expected shape ";
  if (shape.rank() != wanted.rank())
    return context.error(strCat(prefix, context.dims().format(given), joiner,
                                context.dims().format(wanted.dims), "."));
  for (size_t i = 0; i < given.size(); ++i) {
    if (wanted.dims[i].isUnknown())
      continue;
    KILN_ASSIGN_OR_RETURN(shape.dims[i],
                          context.dims().unify(given[i], wanted.dims[i],
                                               {.prefix = prefix,
                                                .joiner = joiner,
                                                .suffix = ".",
                                                .lhs = &given,
                                                .rhs = &wanted.dims}));
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferBitcast(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  const DType from = context.typeAttr("T"), to = context.typeAttr("type");
  const auto oldSize = static_cast<int64_t>(dtypeSize(from)),
             newSize = static_cast<int64_t>(dtypeSize(to));
  const std::string message =
      strCat("Cannot bitcast from ", static_cast<int>(from), " to ",
             static_cast<int>(to));
  if (oldSize == 0 || newSize == 0)
    return context.error(message);
  if (shape.rankKnown && oldSize > newSize) {
    shape.dims.push_back(Dim::known(oldSize / newSize));
  } else if (shape.rankKnown && oldSize < newSize) {
    if (shape.rank() == 0)
      return context.error(message);
    KILN_RETURN_IF_ERROR(context.dims()
                             .unify(shape.dims.back(),
                                    Dim::known(newSize / oldSize),
                                    {.prefix = message})
                             .status());
    shape.dims.pop_back();
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferFill(InferenceContext &context) {
  const SymShape &value = context.inputShape(1);
  if (value.rankKnown && value.rank() != 0 && !isSingleVector(context, 1))
    return context.error("value must represent a scalar, got shape " +
                         context.dims().format(value.dims));
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, 0));
  context.setOutputShape(0, shape);
  if (const Dims *element = context.knownContents(1))
    setContentsByIndex(context, 0, shape, [&](std::span<const int64_t>) {
      return element->front();
    });
  return okStatus();
}

Status inferEmpty(InferenceContext &context) {
  const SymShape &given = context.inputShape(0);
  if (given.rankKnown && given.rank() != 1)
    return context.error("shape must be a vector of int32, got shape " +
                         context.dims().format(given.dims));
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, 0));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferDeepCopy(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferDeviceIndex(InferenceContext &context) {
  const auto names = context.node().attrOr<std::vector<std::string>>(
      "device_names", std::vector<std::string>());
  const auto place = std::ranges::find(names, "CPU") - names.begin();
  context.setOutputShape(0, SymShape::scalar());
  context.setOutputContents(0, {Dim::known(place)});
  return okStatus();
}

/// A shape function of TensorFlow's says what the graph does; its kernel has no
/// elements where that leaves something open.
Status inferFakeParam(InferenceContext &context) {
  SymShape shape = context.shapeAttr("shape");
  if (!context.isBuilding()) {
    if (!shape.rankKnown)
      shape = SymShape::scalar();
    for (Dim &dim : shape.dims)
      dim = dim.isUnknown() ? Dim::known(0) : dim;
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferBroadcastTo(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  KILN_RETURN_IF_ERROR(checkVector(context, 1));
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, 1));
  if (input.rankKnown && shape.rankKnown)
    KILN_RETURN_IF_ERROR(
        checkBroadcastTo(context.dims(), input.dims, shape.dims));
  context.setOutputShape(0, shape);
  const Dims *contents = context.knownContents(0);
  auto extents = smallExtents(input);
  if (contents && extents)
    setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
      return (*contents)[flatIndex(*extents, index, true)];
    });
  return okStatus();
}

Status inferBroadcastArgs(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkVector(context, 0));
  KILN_RETURN_IF_ERROR(checkVector(context, 1));
  const Dims *a = context.knownContents(0), *b = context.knownContents(1);
  if (a && b) {
    KILN_ASSIGN_OR_RETURN(Dims result, broadcastShapes(context.dims(), *a, *b));
    context.setOutputShape(
        0, SymShape::of({Dim::known(static_cast<int64_t>(result.size()))}));
    context.setOutputContents(0, std::move(result));
    return okStatus();
  }
  const SymShape &left = context.inputShape(0), &right = context.inputShape(1);
  bool known = left.rankKnown && right.rankKnown;
  context.setOutputShape(
      0, SymShape::of({known ? context.dims().max(left.dims[0], right.dims[0])
                             : Dim::unknown()}));
  return okStatus();
}

Status inferBroadcastGradientArgs(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkVector(context, 0));
  KILN_RETURN_IF_ERROR(checkVector(context, 1));
  const Dims *a = context.inputContents(0), *b = context.inputContents(1);
  std::optional<BroadcastAxes> axes;
  if (a && b) {
    KILN_ASSIGN_OR_RETURN(axes, broadcastGradientAxes(context.dims(), *a, *b));
  }
  if (!axes) {
    for (int i = 0; i < 2; ++i)
      context.setOutputShape(
          i, SymShape::of({context.dims().runDim(i, /*isSize=*/true)}));
    return okStatus();
  }
  for (int i = 0; i < 2; ++i) {
    Dims contents;
    for (int64_t axis : i == 0 ? axes->a : axes->b)
      contents.push_back(Dim::known(axis));
    context.setOutputShape(
        i, SymShape::of({Dim::known(static_cast<int64_t>(contents.size()))}));
    context.setOutputContents(i, std::move(contents));
  }
  return okStatus();
}

/// Shapes that do not fit are the run's error: a graph may hold such a node.
Status inferConcatOffset(InferenceContext &context) {
  DimSpace &space = context.dims();
  auto misfit = [&](const Status &status) {
    return space.isBuilding() ? okStatus() : status;
  };
  int count = context.numInputs() - 1;
  for (int i = 0; i <= count; ++i) {
    const SymShape &shape = context.inputShape(i);
    if (i > 0)
      context.setOutputShape(i - 1, shape);
    if (shape.rankKnown && shape.rank() != (i > 0))
      KILN_RETURN_IF_ERROR(misfit(context.error(
          strCat(i > 0 ? strCat("input ", i, " should be a vector")
                       : "Concat dim tensor should be a scalar integer",
                 ", but got shape ", space.format(shape.dims)))));
  }
  // Where the run computes the shapes, it finds the offsets.
  if (!context.knownContents(1))
    return okStatus();
  const Dims *axis = context.inputContents(0),
             *first = context.knownContents(1);
  if (!axis || axis->size() != 1 || !axis->front().isKnown() || !first)
    return okStatus();
  int rank = static_cast<int>(first->size());
  std::optional<int> index = normalizeAxis(axis->front().value, rank);
  if (!index)
    return misfit(context.error(strCat(
        "Concat dim is out of range: ", axis->front().value, " vs. ", rank)));
  Dim offset = Dim::known(0);
  for (int i = 0; i < count; ++i) {
    const Dims *shape = context.knownContents(i + 1);
    if (!shape)
      return okStatus();
    if (shape->size() != first->size())
      return misfit(
          context.error(strCat("input ", i, " should contain ", rank,
                               " elements, but got ", shape->size())));
    for (size_t k = 0; k < first->size(); ++k) {
      std::string prefix = strCat("All dimensions except ", *index,
                                  " must match. Input ", i, " has shape [");
      if (static_cast<int>(k) == *index)
        continue;
      Status fits = space
                        .unify((*shape)[k], (*first)[k],
                               {.prefix = prefix,
                                .joiner = "] and doesn't match input 0 with "
                                          "shape [",
                                .suffix = "].",
                                .lhs = shape,
                                .rhs = first,
                                .asNumbers = true})
                        .status();
      if (!fits.ok())
        return misfit(fits);
    }
    Dims contents(first->size(), Dim::known(0));
    contents[static_cast<size_t>(*index)] = offset;
    context.setOutputContents(i, std::move(contents));
    offset = space.add(offset, (*shape)[static_cast<size_t>(*index)]);
  }
  return okStatus();
}

namespace {

/// The length of a range of floats, which the run finds out where the graph
/// does not fix the numbers.
StatusOr<Dim> lengthOfFloats(InferenceContext &context) {
  double ends[3];
  for (int i = 0; i < 3; ++i) {
    std::optional<double> end = context.constantNumber(i);
    if (!end)
      return context.dims().runDim(0, /*isSize=*/true);
    ends[i] = *end;
  }
  const DType dtype = context.typeAttr("Tidx");
  // TensorFlow has a kernel for it, and no shape of it for constants.
  if (dtype == DType::Float16)
    return context.error("Unsupported dtype float16");
  auto length = floatRangeLength(dtype, ends[0], ends[1], ends[2]);
  if (!length.ok())
    return context.error(std::string(length.status().message()));
  return Dim::known(*length);
}

} // namespace

Status inferRange(InferenceContext &context) {
  for (int i = 0; i < 3; ++i)
    if (context.inputShape(i).rankKnown && context.inputShape(i).rank() != 0 &&
        !isSingleVector(context, i))
      return context.error(
          strCat(context.def().inputs[static_cast<size_t>(i)].name,
                 " must be a scalar, not shape ",
                 context.dims().format(context.inputShape(i).dims)));
  if (!isInteger(context.typeAttr("Tidx"))) {
    KILN_ASSIGN_OR_RETURN(Dim length, lengthOfFloats(context));
    context.setOutputShape(0, SymShape::of({length}));
    return okStatus();
  }
  DimSpace &space = context.dims();
  Dim start = scalarAmount(context, 0), limit = scalarAmount(context, 1),
      delta = scalarContents(context, 2);
  KILN_ASSIGN_OR_RETURN(Dim length, rangeLength(space, start, limit, delta));
  SymShape shape = SymShape::of({length});
  context.setOutputShape(0, shape);
  setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
    return space.add(start, space.mul(delta, Dim::known(index[0])));
  });
  return okStatus();
}

Status inferLinSpace(InferenceContext &context) {
  for (int i = 0; i < 3; ++i) {
    const SymShape &shape = context.inputShape(i);
    if (!context.isBuilding() && shape.rankKnown && shape.rank() != 0)
      return context.error(strCat(
          context.def().inputs[static_cast<size_t>(i)].name,
          " must be a scalar, not shape ", context.dims().format(shape.dims)));
    KILN_RETURN_IF_ERROR(context.withRank(shape, 0).status());
  }
  const Dim count = scalarAmount(context, 2);
  const Dims counts = {count};
  if (count.isKnown() && count.value <= 0)
    return context.error(strCat("Requires num > 0: ", count.value));
  KILN_RETURN_IF_ERROR(context.dims().require(
      Guard::Kind::NonNegative, context.dims().sub(count, Dim::known(1)),
      Dim::known(0),
      {.prefix = "Requires num > 0: ", .lhs = &counts, .asNumbers = true}));
  context.setOutputShape(0, SymShape::of({count}));
  return okStatus();
}

Status inferOneHot(InferenceContext &context) {
  const SymShape &indices = context.inputShape(0);
  if (context.inputShape(1).rankKnown && context.inputShape(1).rank() != 0)
    return context.error("depth must be a scalar, but got: " +
                         context.dims().format(context.inputShape(1).dims));
  Dim depth = scalarAmount(context, 1);
  Dims number = {depth};
  KILN_RETURN_IF_ERROR(
      context.dims().require(Guard::Kind::NonNegative, depth, Dim(),
                             {.prefix = "depth must be non-negative, got: ",
                              .lhs = &number,
                              .asNumbers = true}));
  if (!indices.rankKnown)
    return okStatus();
  int64_t axis = context.intAttr("axis");
  int rank = indices.rank();
  if (axis < -1 || axis > rank)
    return context.error(strCat("Expected axis to be -1 or between [0, ",
                                rank + 1, ").  But received: ", axis));
  SymShape shape = indices;
  shape.dims.insert(axis == -1 ? shape.dims.end() : shape.dims.begin() + axis,
                    depth);
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

} // namespace kiln::shapes
