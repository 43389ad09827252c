// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of what moves blocks between space, depth and batch.
#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Ops/Layout/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln::shapes {
namespace {

StatusOr<SymShape> imageOf(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  if (input.rankKnown && input.rank() != 4)
    return context.error(
        strCat("Input rank should be 4 instead of ", input.rank()));
  return input.rankKnown ? input : SymShape::unknownDims(4);
}

/// The attribute; its square is an int64. **Errors**: INVALID_ARGUMENT.
StatusOr<int64_t> blockSizeOf(InferenceContext &context) {
  int64_t block = context.intAttr("block_size");
  if (block > std::numeric_limits<int32_t>::max())
    return context.error(strCat("Attr block_size has value ", block,
                                " out of range for an int32"));
  return block;
}

/// extent / divisor, which must divide it.
StatusOr<Dim> dividedBy(InferenceContext &context, Dim extent, Dim divisor,
                        const GuardInfo &info) {
  KILN_RETURN_IF_ERROR(
      context.dims().require(Guard::Kind::Divides, extent, divisor, info));
  return context.dims().floorDiv(extent, divisor);
}

/// Whether the channels are last. **Errors**: in an import what TensorFlow says
/// of other formats, for which it has no kernel.
StatusOr<bool> hasLastChannels(InferenceContext &context) {
  const std::string format = context.stringAttr("data_format");
  if (format == "NHWC" || context.isBuilding())
    return format == "NHWC";
  return context.error(strCat("No OpKernel was registered to support Op '",
                              context.node().op(),
                              "' with data_format=", format));
}

} // namespace

Status inferSpaceToDepth(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(bool isLast, hasLastChannels(context));
  if (!isLast)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(SymShape shape, imageOf(context));
  KILN_ASSIGN_OR_RETURN(int64_t block, blockSizeOf(context));
  std::string suffix = strCat(" should be divisible by block_size: ", block);
  Dims width = {shape.dims[2]}, height = {shape.dims[1]};
  GuardInfo info{.prefix = "Image width ",
                 .joiner = " and height ",
                 .suffix = suffix,
                 .lhs = &width,
                 .rhs = &height,
                 .asNumbers = true};
  for (size_t i : {1, 2}) {
    KILN_ASSIGN_OR_RETURN(shape.dims[i], dividedBy(context, shape.dims[i],
                                                   Dim::known(block), info));
  }
  shape.dims[3] = context.dims().mul(shape.dims[3], Dim::known(block * block));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferDepthToSpace(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(bool isLast, hasLastChannels(context));
  if (!isLast)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(SymShape shape, imageOf(context));
  KILN_ASSIGN_OR_RETURN(int64_t block, blockSizeOf(context));
  Dims depth = {shape.dims[3]}, parts = {Dim::known(block * block)};
  KILN_ASSIGN_OR_RETURN(shape.dims[3],
                        dividedBy(context, shape.dims[3], parts[0],
                                  {.prefix = "Input depth dimension ",
                                   .joiner = " should be divisible by: ",
                                   .lhs = &depth,
                                   .rhs = &parts,
                                   .asNumbers = true}));
  for (size_t i : {1, 2})
    shape.dims[i] = context.dims().mul(shape.dims[i], Dim::known(block));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

namespace {

/// The blocks of *ToBatch* and what is added or cut off around them.
struct Blocks {
  std::vector<int64_t> sizes;
  Dims borders; ///< before and after, one pair a size
};

/// Nothing where it is not known. **Errors**: INVALID_ARGUMENT with
/// TensorFlow's texts, that of borders less than 0 given.
StatusOr<std::optional<Blocks>>
blocksOf(InferenceContext &context, const char *what, const char *ofNegative) {
  Blocks blocks;
  bool hasShape = context.numInputs() == 3;
  if (hasShape) {
    KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(1), 1).status());
    auto sizes = knownNumbers(context.inputContents(1));
    if (!sizes)
      return std::optional<Blocks>();
    blocks.sizes = *std::move(sizes);
  } else {
    KILN_ASSIGN_OR_RETURN(int64_t block, blockSizeOf(context));
    blocks.sizes.assign(2, block);
  }
  const Dims *borders = context.inputAmounts(hasShape ? 2 : 1);
  if (!borders)
    return std::optional<Blocks>();
  blocks.borders = *borders;
  if (blocks.borders.size() != 2 * blocks.sizes.size())
    return context.error(strCat(
        what, " should have shape [", blocks.sizes.size(), ", 2] instead of ",
        context.dims().format(context.inputShape(hasShape ? 2 : 1).dims)));
  for (size_t i = 0; i < blocks.sizes.size(); ++i)
    if (blocks.sizes[i] < 1)
      return context.error("All values in block_shape must be positive, got "
                           "value, " +
                           strCat(blocks.sizes[i], " at index ", i, "."));
  for (Dim border : blocks.borders)
    KILN_RETURN_IF_ERROR(context.dims().require(
        Guard::Kind::NonNegative, border, Dim(), {.prefix = ofNegative}));
  const SymShape &input = context.inputShape(0);
  if (input.rankKnown &&
      input.rank() < 1 + static_cast<int>(blocks.sizes.size()))
    return context.error(
        strCat("input rank should be >= ", 1 + blocks.sizes.size(),
               " instead of ", input.rank()));
  return std::optional<Blocks>(std::move(blocks));
}

/// What is added or cut off along a dimension.
Dim bordersOf(DimSpace &space, const Blocks &blocks, size_t dim) {
  return space.add(blocks.borders[2 * dim], blocks.borders[2 * dim + 1]);
}

void setUnknown(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  if (input.rankKnown)
    context.setOutputShape(0, SymShape::unknownDims(input.dims.size()));
}

} // namespace

Status inferSpaceToBatch(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(
      std::optional<Blocks> blocks,
      blocksOf(context, "paddings", "Paddings must be non-negative"));
  SymShape shape = context.inputShape(0);
  if (!blocks || !shape.rankKnown) {
    setUnknown(context);
    return okStatus();
  }
  DimSpace &space = context.dims();
  for (size_t i = 0; i < blocks->sizes.size(); ++i) {
    Dim padded = space.add(shape.dims[i + 1], bordersOf(space, *blocks, i));
    Dims lhs = {padded}, rhs = {Dim::known(blocks->sizes[i])};
    std::string prefix = strCat("padded_shape[", i, "]="),
                joiner = strCat(" is not divisible by block_shape[", i, "]=");
    KILN_ASSIGN_OR_RETURN(shape.dims[i + 1], dividedBy(context, padded, rhs[0],
                                                       {.prefix = prefix,
                                                        .joiner = joiner,
                                                        .lhs = &lhs,
                                                        .rhs = &rhs,
                                                        .asNumbers = true}));
    shape.dims[0] = space.mul(shape.dims[0], rhs[0]);
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferBatchToSpace(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(
      std::optional<Blocks> blocks,
      blocksOf(context, "crops", "Crops must be non-negative"));
  SymShape shape = context.inputShape(0);
  if (!blocks || !shape.rankKnown) {
    setUnknown(context);
    return okStatus();
  }
  DimSpace &space = context.dims();
  Dim product = Dim::known(1);
  for (size_t i = 0; i < blocks->sizes.size(); ++i) {
    Dim size = Dim::known(blocks->sizes[i]);
    product = space.mul(product, size);
    Dim whole = space.mul(shape.dims[i + 1], size),
        cut = bordersOf(space, *blocks, i);
    Dim rest = space.sub(whole, cut);
    Dims lhs = {rest};
    std::string prefix = strCat("cropped_shape[", i, "]=");
    KILN_RETURN_IF_ERROR(space.require(Guard::Kind::NonNegative, rest, Dim(),
                                       {.prefix = prefix,
                                        .suffix = " must be non-negative",
                                        .lhs = &lhs,
                                        .asNumbers = true}));
    shape.dims[i + 1] = rest;
  }
  Dims lhs = {shape.dims[0]}, rhs = {product};
  KILN_ASSIGN_OR_RETURN(shape.dims[0],
                        dividedBy(context, shape.dims[0], product,
                                  {.prefix = "Input batch dimension (",
                                   .joiner = ") is not divisible by product of "
                                             "block sizes (",
                                   .suffix = ")",
                                   .lhs = &lhs,
                                   .rhs = &rhs,
                                   .asNumbers = true}));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

} // namespace kiln::shapes
