// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions of tf.image add to a graph, node by node, beside what
// TensorFlow's do (make_image_function_cases.py).
#include "kiln/BuildOps.h"
#include "test/unit/Build/CompareFunctions.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

class ImagePrograms : public ProgramFixture {
protected:
  /// A picture and a batch of known rank, one of open rank.
  Output known, open, batch, any;
  std::vector<Output> addPlaceholders() {
    known = ops::placeholder(DType::Float32, {4, 5, 3}, {.name = "known"});
    open = ops::placeholder(DType::Float32, {-1, -1, 3}, {.name = "open"});
    batch = ops::placeholder(DType::UInt8, {-1, 4, 5, 3}, {.name = "batch"});
    any =
        ops::placeholder(DType::Float32, Shape::unknownRank(), {.name = "any"});
    return {known, open, batch, any};
  }
};

TEST_F(ImagePrograms, Turns) {
  std::vector<Output> all = addPlaceholders();
  Output k = ops::placeholder(DType::Int32, {}, {.name = "k"});
  for (const Output &x : all) {
    ops::flipLeftRight(x);
    ops::flipUpDown(x);
    ops::rot90(x);
    ops::rot90(x, {.k = k, .name = "turned"});
    ops::transposeImage(x);
    ops::transposeImage(x, {.name = "swapped"});
  }
  Tensor zeros = *Tensor::zeros(DType::Float32, {2, 2, 1});
  Variable v(zeros);
  ops::flipLeftRight(v);
  ops::flipUpDown(constantOf("image_function_turns", "flip_up_down_4/image"));
  ops::rot90({{{1}, {2}}}, {.k = 3});
  globalVariablesInitializer();
  expectGraph("image_function_turns");
}

TEST_F(ImagePrograms, Chances) {
  setRandomSeed(5);
  std::vector<Output> all = addPlaceholders();
  for (const Output &x : all) {
    ops::randomFlipLeftRight(x);
    ops::randomFlipUpDown(x, {.seed = 3});
  }
  for (const Output &x : {known, batch}) {
    ops::randomBrightness(x, 0.25);
    ops::randomContrast(x, 0.5, 1.5, {.seed = 1});
    ops::randomHue(x, 0.2);
    ops::randomSaturation(x, 0, 2, {.seed = 2});
  }
  ops::randomCrop(known, {2, 3, 3});
  ops::randomCrop(open, ops::constant({1, 2, 3}), {.seed = 7, .name = "cut"});
  expectGraph("image_function_chances");
}

TEST_F(ImagePrograms, Branches) {
  const std::string program = "image_function_branches";
  setRandomSeed(5);
  enableControlFlowV2();
  addPlaceholders();
  Output k = ops::placeholder(DType::Int32, {}, {.name = "k"});
  ops::flipLeftRight(any);
  ops::randomFlipUpDown(known, {.seed = 3});
  ops::randomFlipLeftRight(any);
  ops::rot90(known, {.k = k});
  ops::transposeImage(any, {.name = "swapped"});
  ASSERT_EQ(graph.status(), okStatus());
  auto read = loadGraphDef(*toGraphDef(*graph.graph()));
  ASSERT_EQ(read.status(), okStatus());
  std::shared_ptr<Graph> recorded = load(program);
  EXPECT_THAT(FunctionsCompared(**read, *recorded, comparison).differences(),
              ::testing::IsEmpty());
  auto steps = golden::readCase(folder(program));
  ASSERT_EQ(steps.status(), okStatus());
  golden::CaseResult result = golden::runCase(*steps, {}, graph.graph());
  EXPECT_EQ(result.failure, "");
  for (const golden::StepResult &step : result.steps)
    EXPECT_EQ(step.failure, "");
}

TEST_F(ImagePrograms, Crops) {
  const std::string program = "image_function_crops";
  std::vector<Output> all = addPlaceholders();
  auto scalar = [](DType dtype, const char *name) {
    return ops::placeholder(dtype, {}, {.name = name});
  };
  Output a = scalar(DType::Int32, "a"), b = scalar(DType::Int32, "b"),
         h = scalar(DType::Int32, "h"), w = scalar(DType::Int32, "w");
  Output fraction = scalar(DType::Float32, "fraction");
  for (const Output &x : {known, open, batch}) {
    ops::centralCrop(x, 0.5);
    ops::centralCrop(x, 1);
    ops::centralCrop(x, fraction);
    ops::centralCrop(x, ops::constant(0.7));
  }
  for (const Output &x : all) {
    ops::cropToBoundingBox(x, 1, 1, 2, 2);
    ops::cropToBoundingBox(x, a, b, h, w);
    ops::cropToBoundingBox(x, a, 1, 2, w);
    ops::padToBoundingBox(x, 1, 2, 6, 8);
    Output height = 5 + h;
    ops::padToBoundingBox(x, a, b, height, 6 + w);
    ops::padToBoundingBox(x, 0, b, h + 6, 9);
    ops::resizeImageWithCropOrPad(x, 3, 7);
    ops::resizeImageWithCropOrPad(x, h, w);
    ops::resizeImageWithCropOrPad(x, 6, w);
  }
  ops::resizeImageWithCropOrPad(
      constantOf(program, "resize_image_with_crop_or_pad_12/image"), 2, 6);
  expectGraph(program);
}

TEST_F(ImagePrograms, Resizes) {
  addPlaceholders();
  Output size = ops::placeholder(DType::Int32, {2}, {.name = "size"});
  Output h = ops::placeholder(DType::Int32, {}, {.name = "h"});
  constexpr auto nearest = ops::ResizeMethod::NearestNeighbor;
  for (const Output &x : {known, open, batch}) {
    ops::resizeImages(x, {3, 7});
    ops::resizeImages(x, size, {.name = "by"});
    ops::resizeImages(x, {h, 2}, {.method = nearest});
    ops::resizeImages(x, {4, 5});
    ops::resizeImages(x, {8, 8}, {.method = nearest, .alignCorners = true});
    ops::resizeImages(x, {8, 6}, {.preserveAspectRatio = true});
    ops::resizeImages(x, size, {.preserveAspectRatio = true});
    ops::resizeImages(x, ops::shape(x)[{kiln::slice(-3, -1)}]);
    ops::resizeImages(x, ops::stack({6, ops::shape(x)[1]}));
    ops::resizeImageWithPad(x, 7, 6);
    ops::resizeImageWithPad(x, h, 6, {.method = nearest, .alignCorners = true});
  }
  ops::resizeImageWithPad(any, 6, 7);
  ops::resizeBilinear(batch, {2, 3}, {.halfPixelCenters = true});
  ops::resizeNearestNeighbor(batch, size,
                             {.alignCorners = true, .name = "near"});
  ops::resizeBicubic(batch, size, {.alignCorners = true, .name = "cubic"});
  ops::resizeBicubic(batch, {2, 3}, {.halfPixelCenters = true});
  ops::resizeArea(batch, size, {.alignCorners = true, .name = "area"});
  for (const Output &x : {known, batch}) {
    ops::resizeImages(x, size, {.method = ops::ResizeMethod::Bicubic});
    ops::resizeImages(x, {3, 2},
                      {.method = ops::ResizeMethod::Area, .name = "means"});
    ops::resizeImageWithPad(x, 5, 3, {.method = ops::ResizeMethod::Bicubic});
  }
  globalVariablesInitializer();
  expectGraph("image_function_resizes");
}

TEST_F(ImagePrograms, Types) {
  const std::string program = "image_function_types";
  const std::vector<DType> kinds = {
      DType::UInt8,   DType::Int8,    DType::UInt16,  DType::Int16,
      DType::Int32,   DType::Int64,   DType::Float16, DType::Float32,
      DType::Float64, DType::BFloat16};
  std::vector<Output> all;
  auto add = [&](const Input &x, DType dtype,
                 const ops::ConvertImageDTypeOptions &options) {
    all.push_back(ops::convertImageDType(x, dtype, options));
  };
  for (DType kind : kinds) {
    std::string name(dtypeName(kind));
    Output x = ops::placeholder(kind, {6}, {.name = name});
    for (DType other : kinds) {
      add(x, other, {});
      add(x, other,
          {.saturate = true, .name = "to_" + std::string(dtypeName(other))});
    }
  }
  Output wide = ops::placeholder(DType::UInt32, {3}, {.name = "wide"});
  Output most = ops::placeholder(DType::UInt64, {3}, {.name = "most"});
  for (const Output &x : {wide, most})
    for (DType kind : {DType::UInt8, DType::Int32, DType::Float32})
      add(x, kind, {});
  for (DType kind : {DType::UInt16, DType::Float32})
    add({0.5, 2.0}, kind, {.saturate = true});
  for (DType kind : {DType::UInt16, DType::Float32})
    add(constantOf(program, "image_2"), kind, {.saturate = true});
  for (const Output &each : all)
    if (each.dtype() == DType::BFloat16)
      ops::cast(each, DType::Float32);
  globalVariablesInitializer();
  expectGraph(program);
}

TEST_F(ImagePrograms, Colors) {
  std::vector<Output> all = addPlaceholders();
  Output half = ops::placeholder(DType::Float16, {2, 3, 3}, {.name = "half"});
  Output wide =
      ops::placeholder(DType::Float64, {-1, 3, 3}, {.name = "double"});
  Output by = ops::placeholder(DType::Float32, {}, {.name = "by"});
  for (const Output &x : all) {
    ops::perImageStandardization(x);
    ops::adjustBrightness(x, 0.2);
    ops::adjustBrightness(x, by);
    ops::adjustContrast(x, 0.5);
    ops::adjustContrast(x, by);
    ops::adjustGamma(x);
    ops::adjustGamma(x, {.gamma = by, .gain = 2.0});
    ops::adjustGamma(x, {.gamma = 0.5, .gain = by});
    ops::adjustHue(x, 0.1);
    ops::adjustHue(x, by, {.name = "hued"});
    ops::adjustSaturation(x, 0.5);
    ops::adjustSaturation(x, by, {.name = "saturated"});
    ops::rgbToGrayscale(x);
    ops::rgbToGrayscale(x, {.name = "gray"});
    ops::grayscaleToRgb(x[{ellipsis(), sliceTo(1)}]);
    ops::grayscaleToRgb(x[{ellipsis(), kiln::slice(1, 2)}], {.name = "rgb"});
  }
  for (const Output &x : {known, open}) {
    ops::rgbToYiq(x);
    ops::yiqToRgb(x);
    ops::rgbToYuv(x);
    ops::yuvToRgb(x);
  }
  for (const Output &x : {half, wide}) {
    ops::adjustBrightness(x, 0.2);
    ops::adjustGamma(x, {.gamma = 2});
    ops::rgbToGrayscale(x);
  }
  ops::adjustContrast(wide, by);
  ops::adjustHue(wide, 0.1);
  ops::adjustSaturation(wide, 2.0);
  ops::grayscaleToRgb(any, {.name = "colored"});
  Output contents = ops::placeholder(DType::String, {-1}, {.name = "contents"});
  ops::isJpeg(contents);
  ops::isJpeg(contents, {.name = "jpeg"});
  Output picture = ops::encodePng(batch[0]);
  Output small = ops::encodePng(constantOf("image_function_colors", "Const"),
                                {.compression = 3, .name = "png"});
  globalVariablesInitializer();
  ops::decodePng(picture);
  ops::decodePng(small);
  expectGraph("image_function_colors");
}

TEST_F(ImagePrograms, Samples) {
  setRandomSeed(5);
  Output size = ops::placeholder(DType::Int32, {3}, {.name = "size"});
  Output boxes =
      ops::placeholder(DType::Float32, {-1, -1, 4}, {.name = "boxes"});
  Output least = ops::placeholder(DType::Float32, {}, {.name = "least"});
  ops::sampleDistortedBoundingBox(size, boxes, {.seed = 3});
  ops::sampleDistortedBoundingBox(size, boxes,
                                  {.seed = 3,
                                   .seed2 = 4,
                                   .minObjectCovered = least,
                                   .aspectRatioRange = {0.5f, 2.0f},
                                   .areaRange = {0.1f, 0.9f},
                                   .maxAttempts = 20,
                                   .useImageIfNoBoundingBoxes = true,
                                   .name = "drawn"});
  ops::sampleDistortedBoundingBox(
      ops::shape(ops::zeros({30, 40, 3})), {{{0.1, 0.2, 0.9, 0.8}}},
      {.seed = 9, .minObjectCovered = 0.5, .useImageIfNoBoundingBoxes = true});
  ops::sampleDistortedBoundingBox(size, boxes, {.name = "any"});
  expectGraph("image_function_samples");
}

TEST_F(ImagePrograms, Qualities) {
  Output one =
      ops::placeholder(DType::Float32, {-1, -1, -1, 2}, {.name = "one"});
  Output two =
      ops::placeholder(DType::Float32, {2, 13, 12, 2}, {.name = "two"});
  Output bytes1 =
      ops::placeholder(DType::UInt8, {13, 12, 2}, {.name = "bytes1"});
  Output bytes2 =
      ops::placeholder(DType::UInt8, Shape::unknownRank(), {.name = "bytes2"});
  Output most = ops::placeholder(DType::Float32, {}, {.name = "most"});
  auto compare = [](const Output &a, const Output &b, const Input &value) {
    ops::psnr(a, b, value);
    ops::psnr(a, b, value, {.name = "signal"});
    ops::ssim(a, b, value);
    ops::ssim(a, b, value,
              {.filterSize = 5, .filterSigma = 1.0, .k1 = 0.02, .k2 = 0.05});
  };
  compare(one, two, 1.0);
  compare(two, two, 1.0);
  compare(bytes1, bytes2, 255);
  compare(two, one, most);
  ops::ssimMultiscale(one, two, 1.0,
                      {.powerFactors = {0.5, 0.5}, .filterSize = 4});
  ops::ssimMultiscale(two, two, 1.0,
                      {.powerFactors = {0.2, 0.3, 0.5}, .filterSize = 3});
  ops::ssimMultiscale(bytes1, bytes2, 255, {.powerFactors = {1.0}});
  for (const Output &x : {one, two}) {
    ops::totalVariation(x);
    ops::totalVariation(x[0], {.name = "varied"});
    ops::imageGradients(x);
    ops::sobelEdges(x);
  }
  globalVariablesInitializer();
  expectGraph("image_function_qualities");
}

TEST_F(ImagePrograms, Boxes) {
  auto floats = [](const Shape &shape, const char *name) {
    return ops::placeholder(DType::Float32, shape, {.name = name});
  };
  Output images = floats({-1, -1, -1, 3}, "images"),
         boxes = floats({-1, -1, 4}, "boxes"), scores = floats({-1}, "scores");
  Output most = ops::placeholder(DType::Int32, {}, {.name = "most"});
  Output ofClass = floats({-1, -1, 2}, "of_class"),
         overlaps = floats({-1, -1}, "overlaps"), by = floats({}, "by");
  ops::drawBoundingBoxes(images, boxes);
  ops::drawBoundingBoxes(
      images, boxes,
      {.name = "drawn", .colors = Input::List{Input::List{1.0, 0.0, 0.5}}});
  ops::drawBoundingBoxes(images, {{{0.1, 0.2, 0.8, 0.9}}});
  ops::cropAndResize(images, boxes[0], {0, 0, 0}, {2, 3});
  ops::cropAndResize(
      images, boxes[0], {0, 0, 0}, {1, 1},
      {.method = "nearest", .extrapolationValue = 0.5f, .name = "cut"});
  Output first = boxes[0];
  ops::nonMaxSuppression(first, scores, most);
  ops::nonMaxSuppression(
      first, scores, 2,
      {.iouThreshold = by, .scoreThreshold = 0.3, .name = "best"});
  ops::nonMaxSuppressionWithScores(first, scores, most);
  ops::nonMaxSuppressionWithScores(first, scores, 2,
                                   {.iouThreshold = 0.4,
                                    .scoreThreshold = by,
                                    .softNmsSigma = 0.5,
                                    .name = "scored"});
  ops::nonMaxSuppressionPadded(first, scores, most);
  ops::nonMaxSuppressionPadded(first, scores, 5,
                               {.iouThreshold = by,
                                .scoreThreshold = 0.1,
                                .padToMaxOutputSize = true,
                                .name = "filled"});
  ops::nonMaxSuppressionOverlaps(overlaps, scores, most);
  ops::nonMaxSuppressionOverlaps(
      overlaps, scores, most,
      {.overlapThreshold = 0.3, .scoreThreshold = by, .name = "shared"});
  Output several = ops::expandDims(boxes, 2);
  ops::combinedNonMaxSuppression(several, ofClass, 2, 3);
  ops::combinedNonMaxSuppression(several, ofClass, most, 4,
                                 {.iouThreshold = by,
                                  .scoreThreshold = 0.2,
                                  .padPerClass = true,
                                  .clipBoxes = false,
                                  .name = "classes"});
  globalVariablesInitializer();
  expectGraph("image_function_boxes");
}

} // namespace
} // namespace kiln
