// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of colors, and of boxes in images. Errors have the texts of
// TensorFlow's kernels.
#include "lib/Ops/Image/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Ops/Array/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

Status checkScalar(InferenceContext &context, int i, std::string_view name) {
  const SymShape &shape = context.inputShape(i);
  return !shape.rankKnown || shape.rank() == 0
             ? okStatus()
             : context.error(strCat(name, " must be scalar: ",
                                    context.dims().format(shape.dims)));
}

/// What the ops that select boxes add to their messages.
std::string rankText(int rank, int wanted) {
  return strCat(" (Shape must be rank ", wanted, " but is rank ", rank, ")");
}

Status checkRank(InferenceContext &context, int i, int rank,
                 std::string_view message, bool explains = false) {
  const SymShape &shape = context.inputShape(i);
  return !shape.rankKnown || shape.rank() == rank
             ? okStatus()
             : context.error(
                   strCat(message, context.dims().format(shape.dims),
                          explains ? rankText(shape.rank(), rank) : ""));
}

/// As many elements as `count` at input i, a vector.
Status checkCount(InferenceContext &context, int i, Dim count,
                  std::string_view name, bool explains) {
  const SymShape &vector = context.inputShape(i);
  if (!vector.rankKnown)
    return okStatus();
  const std::string text =
      strCat(name, " has incompatible shape",
             explains ? " (Dimensions must be equal, but are " : "");
  const Dims all = {count}, own = {vector.dims[0]};
  GuardInfo info{.prefix = text};
  if (explains)
    info = {.prefix = text,
            .joiner = " and ",
            .suffix = ")",
            .lhs = &all,
            .rhs = &own,
            .asNumbers = true};
  return context.dims().require(Guard::Kind::Equal, count, own[0], info);
}

/// Boxes [n, 4] at input i, and a vector of n at `ofEach`.
Status checkBoxes(InferenceContext &context, int i, int ofEach,
                  std::string_view name, bool explains = false) {
  KILN_RETURN_IF_ERROR(checkRank(
      context, i, 2,
      explains ? "boxes must be 2-D" : "boxes must be 2-D, got: ", explains));
  const SymShape &boxes = context.inputShape(i);
  if (boxes.rankKnown) {
    const Dims columns = {boxes.dims[1]};
    GuardInfo info{.prefix = "boxes must have 4 columns"};
    if (explains)
      info = {.prefix =
                  "boxes must have 4 columns (Dimension must be 4 but is ",
              .suffix = ")",
              .lhs = &columns,
              .asNumbers = true};
    KILN_RETURN_IF_ERROR(context.dims().require(Guard::Kind::Equal, columns[0],
                                                Dim::known(4), info));
  }
  KILN_RETURN_IF_ERROR(
      checkRank(context, ofEach, 1, strCat(name, " must be 1-D"), explains));
  return boxes.rankKnown
             ? checkCount(context, ofEach, boxes.dims[0], name, explains)
             : okStatus();
}

/// The elements of a vector of sizes.
StatusOr<Dims> sizesAt(InferenceContext &context, int i, size_t count,
                       std::string_view name) {
  KILN_RETURN_IF_ERROR(checkRank(context, i, 1, strCat(name, " must be 1-D")));
  const Dims *sizes = context.inputAmounts(i);
  // Known where they are asked for.
  const SymShape shape = context.dims().resolve(context.inputShape(i));
  if ((sizes && sizes->size() != count) ||
      (shape.rankKnown && shape.dims[0].isKnown() &&
       shape.dims[0].value != static_cast<int64_t>(count)))
    return context.error(strCat(name, " must have ",
                                count == 2 ? "two" : "four", " elements",
                                context.dims().format(shape.dims)));
  return sizes ? *sizes : Dims(count, Dim::unknown());
}

Status requirePositive(InferenceContext &context, Dim dim,
                       std::string_view message) {
  return context.dims().require(Guard::Kind::LessEqual, Dim::known(1), dim,
                                {.prefix = message});
}

} // namespace

namespace {

/// Three channels; `text` stands before their number in the error.
Status checkChannels(InferenceContext &context, std::string_view text,
                     StatusCode code) {
  const SymShape &image = context.inputShape(0);
  context.setOutputShape(0, image);
  if (!image.rankKnown)
    return okStatus();
  // A guard's error would have no code of its own.
  const auto channels = context.dims().sampleOf(image.dims.back());
  if (channels && *channels != 3)
    return Status(code, strCat(text, *channels, " channels."),
                  context.node().name());
  return context.dims().require(Guard::Kind::Equal, image.dims.back(),
                                Dim::known(3), {.prefix = text});
}

} // namespace

Status inferColors(InferenceContext &context) {
  const SymShape &image = context.inputShape(0);
  if (image.rankKnown && image.rank() < 1)
    return context.error(
        strCat("input must be at least 1D", context.dims().format(image.dims)));
  return checkChannels(context,
                       "input must have 3 channels but input only has ",
                       StatusCode::FailedPrecondition);
}

Status inferAdjusted(InferenceContext &context) {
  const SymShape &image = context.inputShape(0);
  if (image.rankKnown && image.rank() < 3)
    return context.error(strCat("input must be at least 3-D, got shape",
                                context.dims().format(image.dims)));
  const std::string name = context.def().inputs[1].name;
  KILN_RETURN_IF_ERROR(checkScalar(context, 1, name));
  if (name != "contrast_factor")
    return checkChannels(context, "input must have 3 channels but instead has ",
                         StatusCode::InvalidArgument);
  context.setOutputShape(0, image);
  return okStatus();
}

Status inferDrawnBoxes(InferenceContext &context) {
  const SymShape &images = context.inputShape(0),
                 &boxes = context.inputShape(1);
  context.setOutputShape(0, images);
  if (images.rankKnown && images.rank() != 4)
    return context.error("The rank of the images should be 4");
  if (boxes.rankKnown && boxes.rank() != 3)
    return context.error("The rank of the boxes tensor should be 3");
  DimSpace &dims = context.dims();
  if (images.rankKnown && boxes.rankKnown)
    KILN_RETURN_IF_ERROR(
        dims.require(Guard::Kind::Equal, images.dims[0], boxes.dims[0],
                     {.prefix = "The batch sizes should be the same"}));
  if (boxes.rankKnown)
    KILN_RETURN_IF_ERROR(dims.require(Guard::Kind::Equal, boxes.dims[2],
                                      Dim::known(4),
                                      {.prefix = "boxes must have 4 columns"}));
  if (!images.rankKnown)
    return okStatus();
  const Dims depth = {images.dims[3]};
  const auto channels = dims.sampleOf(depth[0]);
  if (channels && *channels != 1 && *channels != 3 && *channels != 4)
    return context.error("Channel depth should be either 1 (GRY), 3 (RGB), or "
                         "4 (RGBA)");
  KILN_RETURN_IF_ERROR(dims.require(
      Guard::Kind::LessEqual, depth[0], Dim::known(4),
      {.prefix = "Channel depth should be either 1 (GRY), 3 (RGB), or 4 "
                 "(RGBA)"}));
  if (context.numInputs() < 3 || !context.inputShape(2).rankKnown)
    return okStatus();
  const SymShape &colors = context.inputShape(2);
  if (colors.rank() != 2)
    return context.error(
        strCat("colors must be a 2-D matrix", dims.format(colors.dims)));
  return dims.require(
      Guard::Kind::LessEqual, depth[0], colors.dims[1],
      {.prefix =
           "colors must have equal or more channels than the image provided: ",
       .joiner = " ", // without one no shape is shown
       .lhs = &colors.dims});
}

/// height, width, channels, boxes of objects, how much of one is to be covered
/// -> where the part begins, its size, the same as a box.
Status inferSampledBox(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(
      checkRank(context, 0, 1, "image_size must be 1-dimensional"));
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 3,
                                 "input boxes must be 3-dimensional [batch, "
                                 "num_boxes, coords]: "));
  const SymShape &size = context.inputShape(0), &boxes = context.inputShape(1);
  DimSpace &dims = context.dims();
  if (size.rankKnown)
    KILN_RETURN_IF_ERROR(
        dims.require(Guard::Kind::Equal, size.dims[0], Dim::known(3),
                     {.prefix = "image_size must contain 3 elements",
                      .joiner = " ", // without one no shape is shown
                      .lhs = &size.dims}));
  if (boxes.rankKnown)
    KILN_RETURN_IF_ERROR(dims.require(
        Guard::Kind::Equal, boxes.dims[2], Dim::known(4),
        {.prefix = "bounding boxes must have shape [4] or [*, 4], got ",
         .joiner = " ",
         .lhs = &boxes.dims}));
  if (context.numInputs() > 2)
    KILN_RETURN_IF_ERROR(
        checkRank(context, 2, 0, "min_object_covered must be 0-D, got shape "));
  if (context.numInputs() > 3) {
    constexpr std::string_view text = "seed must have shape [2], not ";
    KILN_RETURN_IF_ERROR(checkRank(context, 3, 1, text));
    if (const SymShape &seed = context.inputShape(3); seed.rankKnown)
      KILN_RETURN_IF_ERROR(
          dims.require(Guard::Kind::Equal, seed.dims[0], Dim::known(2),
                       {.prefix = text, .joiner = " ", .lhs = &seed.dims}));
  }
  for (int i : {0, 1})
    context.setOutputShape(i, SymShape::of({Dim::known(3)}));
  context.setOutputShape(
      2, SymShape::of({Dim::known(1), Dim::known(1), Dim::known(4)}));
  return okStatus();
}

Status inferCrops(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 4, "input image must be 4-D"));
  KILN_RETURN_IF_ERROR(checkBoxes(context, 1, 2, "box_index"));
  KILN_ASSIGN_OR_RETURN(Dims sizes, sizesAt(context, 3, 2, "crop_size"));
  for (Dim size : sizes)
    KILN_RETURN_IF_ERROR(
        requirePositive(context, size, "crop dimensions must be positive"));
  const SymShape &image = context.inputShape(0), &own = context.inputShape(2);
  if (image.rankKnown)
    for (size_t dim : {1, 2})
      KILN_RETURN_IF_ERROR(requirePositive(
          context, image.dims[dim], "image dimensions must be positive"));
  SymShape crops = SymShape::of(
      {own.rankKnown ? own.dims[0] : Dim::unknown(), sizes[0], sizes[1],
       image.rankKnown ? image.dims[3] : Dim::unknown()});
  KILN_RETURN_IF_ERROR(checkElementCount(context, crops.dims));
  context.setOutputShape(0, std::move(crops));
  return okStatus();
}

Status inferCropsOfImage(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 4, "grads image must be 4-D"));
  KILN_RETURN_IF_ERROR(checkBoxes(context, 1, 2, "box_index"));
  KILN_ASSIGN_OR_RETURN(Dims sizes, sizesAt(context, 3, 4, "image_size"));
  const Dims batch = {sizes[0]}, none;
  KILN_RETURN_IF_ERROR(context.dims().require(Guard::Kind::NonNegative,
                                              sizes[0], Dim(),
                                              {.prefix = "Dimension ",
                                               .suffix = " must be >= 0",
                                               .lhs = &batch,
                                               .rhs = &none,
                                               .asNumbers = true}));
  const SymShape &grads = context.inputShape(0);
  for (size_t dim : {1, 2}) {
    if (grads.rankKnown)
      KILN_RETURN_IF_ERROR(requirePositive(context, grads.dims[dim],
                                           "grads dimensions must be "
                                           "positive"));
    KILN_RETURN_IF_ERROR(requirePositive(context, sizes[dim],
                                         "image dimensions must be positive"));
  }
  if (grads.rankKnown) {
    KILN_RETURN_IF_ERROR(context.dims().require(
        Guard::Kind::Equal, grads.dims[3], sizes[3],
        {.prefix = "image_size and grads are incompatible"}));
    if (const SymShape &own = context.inputShape(2); own.rankKnown)
      KILN_RETURN_IF_ERROR(context.dims().require(
          Guard::Kind::Equal, grads.dims[0], own.dims[0],
          {.prefix = "boxes and grads have incompatible shape"}));
  }
  context.setOutputShape(0, SymShape::of(std::move(sizes)));
  return okStatus();
}

Status inferCropsOfBoxes(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 4, "grads image must be 4-D"));
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 4, "input image must be 4-D"));
  KILN_RETURN_IF_ERROR(checkBoxes(context, 2, 3, "box_index"));
  const SymShape &grads = context.inputShape(0), &image = context.inputShape(1);
  if (grads.rankKnown && image.rankKnown)
    KILN_RETURN_IF_ERROR(
        context.dims().require(Guard::Kind::Equal, grads.dims[3], image.dims[3],
                               {.prefix = "image, grads depth differ"}));
  if (const SymShape &own = context.inputShape(3);
      own.rankKnown && grads.rankKnown)
    KILN_RETURN_IF_ERROR(context.dims().require(
        Guard::Kind::Equal, grads.dims[0], own.dims[0],
        {.prefix = "boxes and grads have incompatible shape"}));
  SymShape boxes = context.inputShape(2);
  context.setOutputShape(0, boxes.rankKnown ? std::move(boxes)
                                            : SymShape::unknownDims(2));
  return okStatus();
}

/// boxes or overlaps, scores, the largest number -> as many as the run finds,
/// or that number.
Status inferSuppression(InferenceContext &context) {
  const OpDef &def = context.def();
  if (def.inputs[0].name == "overlaps") {
    KILN_RETURN_IF_ERROR(checkRank(context, 0, 2, "overlaps must be 2-D"));
    KILN_RETURN_IF_ERROR(checkRank(context, 1, 1, "scores must be 1-D"));
    const SymShape &overlaps = context.inputShape(0);
    if (overlaps.rankKnown) {
      KILN_RETURN_IF_ERROR(context.dims().require(
          Guard::Kind::Equal, overlaps.dims[0], overlaps.dims[1],
          {.prefix = "overlaps must be square",
           .joiner = " ", // without one no shape is shown
           .lhs = &overlaps.dims}));
      KILN_RETURN_IF_ERROR(checkCount(context, 1, overlaps.dims[0], "scores",
                                      /*explains=*/true));
    }
  } else {
    KILN_RETURN_IF_ERROR(
        checkBoxes(context, 0, 1, "scores", /*explains=*/true));
  }
  for (int i = 2; i < context.numInputs(); ++i)
    KILN_RETURN_IF_ERROR(
        checkScalar(context, i, def.inputs[static_cast<size_t>(i)].name));
  Dim count = Dim::unknown();
  if (def.findAttr("pad_to_max_output_size") &&
      context.boolAttr("pad_to_max_output_size")) {
    if (const Dims *size = context.inputSizes(2); size && size->size() == 1)
      count = size->front();
    KILN_RETURN_IF_ERROR(
        context.dims().require(Guard::Kind::NonNegative, count, Dim::known(0),
                               {.prefix = "output size must be non-negative"}));
  } else {
    count = context.dims().runDim(0, /*isSize=*/true);
  }
  const int last = context.numOutputs() - 1;
  for (int i = 0; i <= last; ++i)
    context.setOutputShape(i, i == last && last > 0 ? SymShape::scalar()
                                                    : SymShape::of({count}));
  return okStatus();
}

Status inferCombinedSuppression(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 4, "boxes must be 4-D"));
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 3, "scores must be 3-D"));
  for (int i = 2; i < 6; ++i)
    KILN_RETURN_IF_ERROR(checkScalar(
        context, i, context.def().inputs[static_cast<size_t>(i)].name));
  const SymShape boxes = context.inputShape(0), scores = context.inputShape(1);
  DimSpace &dims = context.dims();
  Dim batch = Dim::unknown(), classes = Dim::unknown();
  if (boxes.rankKnown) {
    KILN_RETURN_IF_ERROR(dims.require(Guard::Kind::Equal, boxes.dims[3],
                                      Dim::known(4),
                                      {.prefix = "box must have 4 columns"}));
    batch = boxes.dims[0];
  }
  if (scores.rankKnown) {
    batch = scores.dims[0];
    classes = scores.dims[2];
  }
  if (boxes.rankKnown && scores.rankKnown) {
    KILN_RETURN_IF_ERROR(
        dims.require(Guard::Kind::Equal, boxes.dims[0], scores.dims[0],
                     {.prefix = "boxes and scores must have same batch size"}));
    KILN_RETURN_IF_ERROR(
        dims.require(Guard::Kind::Equal, boxes.dims[1], scores.dims[1],
                     {.prefix = "scores has incompatible shape"}));
    if (dims.isOne(boxes.dims[2]) != true)
      KILN_RETURN_IF_ERROR(dims.require(
          Guard::Kind::Equal, boxes.dims[2], classes,
          {.prefix = "third dimension of boxes must be either 1 or num "
                     "classes"}));
  }
  auto sizeAt = [&](int i) {
    const Dims *size = context.inputSizes(i);
    return size && size->size() == 1 ? size->front() : Dim::unknown();
  };
  Dim size = sizeAt(3);
  KILN_RETURN_IF_ERROR(
      requirePositive(context, size, "max_total_size must be > 0"));
  if (context.boolAttr("pad_per_class")) {
    Dim perClass = sizeAt(2);
    KILN_RETURN_IF_ERROR(requirePositive(
        context, perClass, "max_size_per_class must be positive"));
    size = dims.min(size, dims.mul(perClass, classes));
  }
  context.setOutputShape(0, SymShape::of({batch, size, Dim::known(4)}));
  for (int i : {1, 2})
    context.setOutputShape(i, SymShape::of({batch, size}));
  context.setOutputShape(3, SymShape::of({batch}));
  return okStatus();
}

} // namespace kiln::shapes
