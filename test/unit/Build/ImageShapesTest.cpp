// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the shapes of images while a graph is built: what
// TensorFlow's functions know (tf.Tensor.get_shape).
#include "kiln/BuildOps.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;

class ImageShapes : public ::testing::Test {
protected:
  using Function = std::function<Output(const Output &)>;

  static Output image(const Shape &shape) {
    return ops::placeholder(DType::Float32, shape);
  }

  /// Of a picture, one of open size, a batch, and images of open rank.
  std::vector<std::string> shapesOf(const Function &function) {
    std::vector<std::string> shapes;
    for (const Output &x : {image({4, 5, 3}), image({-1, -1, 3}),
                            image({-1, 4, 5, 3}), image(Shape::unknownRank())})
      shapes.push_back(shapeOf(function, x));
    return shapes;
  }
  std::string shapeOf(const Function &function, const Output &x) {
    Output result = function(x);
    Status status = graph.takeStatus();
    return status.ok() && result.node ? result.shape().toTupleString()
                                      : std::string("error");
  }

  GraphBuilder graph;
  GraphScope scope{graph};
  Output height = ops::placeholder(DType::Int32, {});
};

TEST_F(ImageShapes, Turns) {
  auto same =
      ElementsAre("(4, 5, 3)", "(?, ?, 3)", "(?, 4, 5, 3)", "<unknown>");
  auto turned =
      ElementsAre("(?, ?, 3)", "(?, ?, 3)", "(?, ?, ?, 3)", "<unknown>");
  EXPECT_THAT(shapesOf(ops::flipLeftRight), same);
  EXPECT_THAT(
      shapesOf([](const Output &x) { return ops::randomFlipUpDown(x); }), same);
  EXPECT_THAT(shapesOf([](const Output &x) { return ops::rot90(x); }), turned);
  EXPECT_THAT(
      shapesOf([&](const Output &x) { return ops::rot90(x, {.k = height}); }),
      turned);
  EXPECT_THAT(
      shapesOf([](const Output &x) { return ops::transposeImage(x); }),
      ElementsAre("(5, 4, 3)", "(?, ?, 3)", "(?, 5, 4, 3)", "<unknown>"));
}

TEST_F(ImageShapes, Crops) {
  EXPECT_THAT(
      shapesOf([](const Output &x) { return ops::centralCrop(x, 0.5); }),
      ElementsAre("(2, 3, 3)", "(?, ?, 3)", "(?, 2, 3, 3)", "error"));
  EXPECT_THAT(
      shapesOf([](const Output &x) {
        return ops::cropToBoundingBox(x, 0, 0, 2, 2);
      }),
      ElementsAre("(2, 2, 3)", "(2, 2, 3)", "(?, 2, 2, 3)", "(2, 2, ?)"));
  EXPECT_THAT(
      shapesOf([&](const Output &x) {
        return ops::cropToBoundingBox(x, 0, 0, height, 2);
      }),
      ElementsAre("(?, 2, 3)", "(?, 2, 3)", "(?, ?, 2, 3)", "(?, 2, ?)"));
  EXPECT_THAT(
      shapesOf([&](const Output &x) {
        return ops::padToBoundingBox(x, 0, height, 6, height + 9);
      }),
      ElementsAre("(6, ?, 3)", "(6, ?, 3)", "(?, 6, ?, 3)", "(6, ?, ?)"));
  EXPECT_THAT(
      shapesOf([](const Output &x) {
        return ops::resizeImageWithCropOrPad(x, 3, 9);
      }),
      ElementsAre("(3, 9, 3)", "(3, 9, 3)", "(?, 3, 9, 3)", "(3, 9, ?)"));
  EXPECT_THAT(
      shapesOf([&](const Output &x) {
        return ops::resizeImageWithCropOrPad(x, height, 9);
      }),
      ElementsAre("(?, 9, 3)", "(?, 9, 3)", "(?, ?, 9, 3)", "(?, 9, ?)"));
}

TEST_F(ImageShapes, Resizes) {
  auto sized = ElementsAre("(3, 7, 3)", "(3, 7, 3)", "(?, 3, 7, 3)", "error");
  EXPECT_THAT(
      shapesOf([](const Output &x) { return ops::resizeImages(x, {3, 7}); }),
      sized);
  EXPECT_THAT(shapesOf([&](const Output &x) {
                return ops::resizeImages(x, {height, 7});
              }),
              ElementsAre("(?, 7, 3)", "(?, 7, 3)", "(?, ?, 7, 3)", "error"));
  EXPECT_THAT(shapesOf([](const Output &x) {
                return ops::resizeImages(x, {8, 6},
                                         {.preserveAspectRatio = true});
              }),
              ElementsAre("(5, 6, 3)", "(?, ?, 3)", "(?, 5, 6, 3)", "error"));
  EXPECT_THAT(
      shapesOf(
          [](const Output &x) { return ops::resizeImageWithPad(x, 6, 7); }),
      ElementsAre("(6, 7, 3)", "(6, 7, 3)", "(?, 6, 7, 3)", "(6, 7, ?)"));
}

TEST_F(ImageShapes, ASizeMayBeTheShapeOfAnotherImage) {
  Output other = image({2, 9, 7, 1});
  Output open = image({-1, -1, -1, 3});
  auto sizeOf = [&](const Input &size) {
    return ops::resizeImages(open, size).shape().toTupleString();
  };
  Output extents = ops::shape(other, {.optimize = false});
  EXPECT_EQ(sizeOf(extents[{kiln::slice(1, 3)}]), "(?, 9, 7, 3)");
  EXPECT_EQ(sizeOf(ops::stack({extents[1], 5})), "(?, 9, 5, 3)");
  Output partly = ops::shape(image({-1, -1, 7, 3}));
  EXPECT_EQ(sizeOf(partly[{kiln::slice(1, 3)}]), "(?, ?, 7, 3)");
  EXPECT_EQ(sizeOf(ops::cast(ops::constant({int64_t{4}, int64_t{6}},
                                           {.dtype = DType::Int64}),
                             DType::Int32)),
            "(?, 4, 6, 3)");
  EXPECT_EQ(graph.status(), okStatus());
}

TEST_F(ImageShapes, Colors) {
  auto same =
      ElementsAre("(4, 5, 3)", "(?, ?, 3)", "(?, 4, 5, 3)", "<unknown>");
  EXPECT_THAT(shapesOf(ops::perImageStandardization), same);
  EXPECT_THAT(
      shapesOf([](const Output &x) { return ops::randomBrightness(x, 0.1); }),
      same);
  EXPECT_THAT(shapesOf([](const Output &x) { return ops::randomHue(x, 0.1); }),
              same);
  EXPECT_THAT(
      shapesOf([](const Output &x) { return ops::rgbToGrayscale(x); }),
      ElementsAre("(4, 5, 1)", "(?, ?, 1)", "(?, 4, 5, 1)", "<unknown>"));
  EXPECT_THAT(shapesOf([](const Output &x) {
                return ops::grayscaleToRgb(x[{ellipsis(), sliceTo(1)}]);
              }),
              same);
  EXPECT_THAT(shapesOf(ops::rgbToYiq),
              ElementsAre("(4, 5, 3)", "(?, ?, 3)", "(?, 4, 5, 3)", "error"));
}

TEST_F(ImageShapes, Qualities) {
  EXPECT_THAT(shapesOf([](const Output &x) { return ops::psnr(x, x, 1.0); }),
              ElementsAre("()", "()", "(?,)", "<unknown>"));
  EXPECT_THAT(shapesOf([](const Output &x) { return ops::totalVariation(x); }),
              ElementsAre("()", "()", "(?,)", "error"));
  EXPECT_EQ(shapeOf(ops::sobelEdges, image({-1, 4, 5, 3})), "(?, 4, 5, 3, 2)");
}

} // namespace
} // namespace kiln
