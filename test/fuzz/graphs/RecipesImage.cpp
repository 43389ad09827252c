// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of images, morphology, and summaries of pictures and sounds.
#include "test/fuzz/graphs/Recipes.h"

namespace kiln::fuzz {
namespace {

/// [batch, height, width, depth], none of them large.
Extents image(Call &call) {
  Extents dims = {call.random.between(1, 3), call.random.between(1, 6),
                  call.random.between(1, 6), call.random.between(1, 3)};
  if (call.random.chance(30))
    dims[1].of[1] = call.random.between(1, 6);
  return dims;
}

/// CropAndResize and its gradients: boxes reach beyond the image.
bool crop(Call &call) {
  const std::string &op = call.def.name;
  Extents dims = image(call);
  Extent boxes = call.random.between(0, 4), height = call.random.between(1, 5),
         width = call.random.between(1, 5);
  Extents crops = {boxes, height, width, dims[3]};
  if (op != "CropAndResize")
    call.fresh(crops, between(-2, 2));
  if (op != "CropAndResizeGradImage")
    call.fresh(dims, between(0, 9));
  call.fresh({boxes, 4}, between(-0.5, 1.5));
  call.indices({boxes}, dims[0]);
  if (op == "CropAndResize")
    call.integers({height, width});
  else if (op == "CropAndResizeGradImage")
    call.integers(dims);
  call.setIf("extrapolation_value", 0.5f);
  return call.done();
}

/// Takes the boxes of one image, [boxes, 4], with scores, or how much each two
/// overlap.
bool suppress(Call &call) {
  const bool hasOverlaps = call.def.name.ends_with("Overlaps");
  Extent boxes = call.maker.randomExtent();
  call.fresh({boxes, hasOverlaps ? boxes : Extent(4)},
             hasOverlaps ? between(0, 1) : between(-1, 2));
  call.fresh({boxes}, between(0, 1));
  call.scalar(call.random.between(0, 6));
  call.setIf("iou_threshold", call.random.among({0.25f, 0.5f, 0.9f}));
  while (call.next() != DType::Invalid)
    call.scalarBetween(0, 0.75);
  return call.done();
}

bool suppressClasses(Call &call) {
  Extent batch = call.random.between(1, 2), boxes = call.random.between(1, 8),
         classes = call.random.between(1, 3);
  call.fresh({batch, boxes, call.random.chance(50) ? classes : Extent(1), 4},
             between(-0.5, 1.5));
  call.fresh({batch, boxes, classes}, between(0, 1));
  call.scalar(call.random.between(1, 4));
  call.scalar(call.random.between(1, 6));
  call.scalarBetween(0.125, 0.75);
  call.scalarBetween(0, 0.5);
  return call.done();
}

/// A part of an image; the boxes of objects reach from one corner to another.
bool sampleBox(Call &call) {
  call.integers({call.random.between(1, 40), call.random.between(1, 40), 3});
  const int64_t boxes = call.random.between(0, 3);
  call.fresh({1, boxes, 4}, between(0, 1));
  if (call.next() != DType::Invalid)
    call.scalarBetween(0, 0.75);
  call.set("use_image_if_no_bounding_boxes", boxes == 0);
  call.setIf("max_attempts", call.random.between(1, 9));
  if (call.next() != DType::Invalid)
    call.integers({call.random.between(0, 99), call.random.between(0, 99)});
  return call.done();
}

bool drawBoxes(Call &call) {
  Extents dims = image(call);
  dims[3] = call.random.among<int64_t>({1, 3, 4});
  call.fresh(dims, between(0, 1));
  call.fresh({dims[0], call.random.between(0, 3), 4}, between(-0.25, 1.25));
  if (call.next() != DType::Invalid)
    call.fresh({call.random.between(1, 3), 4}, between(0, 1));
  return call.done();
}

bool dilate(Call &call) {
  Random &random = call.random;
  const bool isSame = call.text("padding") == "SAME";
  Extents dims = {random.between(1, 2)}, filter, result = dims;
  std::vector<int64_t> strides = {1}, rates = {1};
  for (int i = 0; i < 2; ++i) {
    const int64_t size = random.between(1, 3), stride = random.between(1, 2),
                  rate = random.between(1, 2), reach = (size - 1) * rate + 1;
    Extent input = reach + random.below(4);
    if (random.chance(30))
      input.of[1] = reach + random.below(4);
    filter.emplace_back(size);
    strides.push_back(stride);
    rates.push_back(rate);
    dims.push_back(input);
    result.push_back(each(
        [&](int64_t n) {
          return isSame ? (n + stride - 1) / stride : (n - reach) / stride + 1;
        },
        input));
  }
  const int64_t depth = random.between(1, 3);
  for (Extents *list : {&dims, &filter, &result})
    list->emplace_back(depth);
  strides.push_back(1);
  rates.push_back(1);
  call.set("strides", strides);
  call.set("rates", rates);
  call.like(dims);
  call.like(filter);
  if (call.next() != DType::Invalid)
    call.like(result);
  return call.done();
}

/// Takes the places that the pool found, or any.
bool gradientOfPlaces(Call &call) {
  Extents dims = {call.random.between(1, 2), call.random.between(2, 5),
                  call.random.between(2, 5), call.random.between(1, 3)},
          result = dims;
  for (size_t i : {1, 2})
    result[i] = dims[i] - 1;
  call.set("ksize", std::vector<int64_t>{1, 2, 2, 1});
  call.set("strides", std::vector<int64_t>{1, 1, 1, 1});
  call.set("padding", "VALID");
  Value x = call.like(dims);
  call.like(result);
  if (call.maker.isHostile || call.random.chance(30)) {
    // Places count within an image, or within the batch.
    Extent limit = dims[1] * dims[2] * dims[3];
    call.indices(result, limit);
    return call.done();
  }
  auto pooled = call.maker.add(
      "MaxPoolWithArgmax", {x},
      {{"T", x.dtype},
       {"Targmax", call.next()},
       {"ksize", std::vector<int64_t>{1, 2, 2, 1}},
       {"strides", std::vector<int64_t>{1, 1, 1, 1}},
       {"padding", "VALID"},
       {"include_batch_in_index", call.flag("include_batch_in_index")}});
  if (!pooled)
    return false;
  call.in(pooled->at(1));
  return call.done();
}

bool globalNormGradient(Call &call) {
  Extents dims = call.maker.dimsOfRank(4);
  call.set("variance_epsilon", 0.001f);
  call.like(dims);
  for (int i = 0; i < 3; ++i)
    call.fresh({dims[3]}, between(0.25, 3));
  call.like(dims);
  return call.done();
}

bool pictures(Call &call) {
  Extents dims = image(call);
  dims[3] = call.random.among<int64_t>({1, 3, 4});
  call.set("max_images", call.random.between(1, 3));
  call.fresh({}, texts({"picture"}));
  call.fresh(dims, call.random.chance(30) ? anything() : between(0, 255));
  return call.done();
}

bool sounds(Call &call) {
  Extents dims = {call.random.between(1, 4), call.random.between(1, 20)};
  if (call.random.chance(60))
    dims.emplace_back(call.random.between(1, 2));
  call.setIf("sample_rate", 8000.0f);
  call.set("max_outputs", call.random.between(1, 3));
  call.fresh({}, texts({"sound"}));
  call.fresh(dims, between(-1.25, 1.25));
  if (call.next() != DType::Invalid)
    call.scalarBetween(8000, 8000);
  return call.done();
}

/// Glimpses on the image, and others without noise.
bool glimpse(Call &call) {
  Extents dims = image(call);
  call.set("noise", "zero");
  call.set("uniform_noise", false);
  call.fresh(dims, between(0, 9));
  call.integers({call.random.between(0, 5), call.random.between(0, 5)});
  call.fresh({dims[0], 2}, between(-3, 3));
  return call.done();
}

bool project(Call &call) {
  Extents dims = image(call);
  call.set("interpolation", call.random.among({"NEAREST", "BILINEAR"}));
  call.set("fill_mode",
           call.random.among({"CONSTANT", "REFLECT", "WRAP", "NEAREST"}));
  call.fresh(dims, between(0, 200));
  call.fresh({call.random.chance(50) ? dims[0] : Extent(1), 8},
             between(-1.5, 1.5));
  call.integers({call.random.between(1, 6), call.random.between(1, 6)});
  if (call.next() != DType::Invalid)
    call.scalarBetween(0, 9);
  return call.done();
}

bool scale(Call &call) {
  Extents dims = image(call);
  Extent height = call.random.between(1, 6), width = call.random.between(1, 6);
  call.set("kernel_type", call.random.among({"lanczos1", "lanczos3", "lanczos5",
                                             "gaussian", "box", "triangle",
                                             "keyscubic", "mitchellcubic"}));
  if (call.def.name.ends_with("Grad")) {
    call.fresh({dims[0], height, width, dims[3]}, between(-2, 2));
    call.fresh(dims, between(0, 9));
  } else {
    call.fresh(dims, between(0, 100));
    call.integers({height, width});
  }
  call.fresh({2}, between(0.25, 2));
  call.fresh({2}, between(-2, 2));
  return call.done();
}

constexpr Recipe recipes[] = {
    {"ScaleAndTranslate ScaleAndTranslateGrad", scale},
    {"ExtractGlimpse ExtractGlimpseV2", glimpse},
    {"ImageProjectiveTransformV2 ImageProjectiveTransformV3", project},
    {"CropAndResize CropAndResizeGradImage CropAndResizeGradBoxes", crop},
    {"NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionV3 "
     "NonMaxSuppressionV4 NonMaxSuppressionV5 NonMaxSuppressionWithOverlaps",
     suppress},
    {"CombinedNonMaxSuppression", suppressClasses},
    {"DrawBoundingBoxes DrawBoundingBoxesV2", drawBoxes},
    {"SampleDistortedBoundingBox SampleDistortedBoundingBoxV2 "
     "StatelessSampleDistortedBoundingBox",
     sampleBox},
    {"Dilation2D Dilation2DBackpropInput Dilation2DBackpropFilter", dilate},
    {"MaxPoolGradWithArgmax", gradientOfPlaces},
    {"BatchNormWithGlobalNormalizationGrad", globalNormGradient},
    {"ImageSummary", pictures},
    {"AudioSummary AudioSummaryV2", sounds},
};

} // namespace

std::span<const Recipe> imageRecipes() { return recipes; }

} // namespace kiln::fuzz
