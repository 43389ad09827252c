// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions add TensorFlow's nodes. Graphs and values are recorded by
// test/golden_kiln/make_composed_nn_cases.py.
#include "kiln/BuildOps.h"
#include "test/unit/Build/CompositionFixture.h"

namespace kiln {
namespace {

class ConvolutionCompositions : public CompositionFixture {
protected:
  void addPlain() {
    using namespace ops;
    conv1D(row, f1, {1}, "SAME");
    conv1D(rows, f1, {2}, "VALID", {.dataFormat = "NWC", .name = "one"});
    conv1D(row, f1, {1}, "VALID", {.dilations = {2}});
    conv2D(image, f2, {2}, "SAME");
    conv2D(image, f2, {1, 1, 2, 1}, Padding({{0, 0}, {1, 2}, {0, 1}, {0, 0}}));
    conv2D(image, f2, {2, 1}, "VALID", {.name = "two"});
    conv2D(several, f2, {1}, "SAME");
    conv2D(image, f2, {1}, "VALID", {.dilations = {1, 2, 1, 1}});
  }

  void addAnyRank() {
    using namespace ops;
    convolution(row, f1, "SAME");
    convolution(image, f2, "VALID", {.strides = {2, 1}, .name = "over"});
    convolution(volume, f3, "SAME");
    convolution(row, f1, "SAME", {.dilationRate = {2}});
    convolution(image, f2, "SAME", {.dilationRate = {2, 1}, .name = "wide"});
    convolution(open, f2, "VALID", {.dilationRate = {2, 2}});
    convolution(volume, f3, "VALID", {.dilationRate = {1, 2, 1}});
    convolution(open, f2, "SAME", {.dilationRate = {1, 2}});
    Tensor wide = waves({1, 1, 2, 2});
    std::vector<float> narrow(wide.data<double>().begin(),
                              wide.data<double>().end());
    convolution(image, *Tensor::fromValues<float>({1, 1, 2, 2}, narrow),
                "SAME");
    atrousConv2D(image, f2, 1, "SAME");
    atrousConv2D(image, f2, 2, "SAME", {.name = "atrous"});
    atrousConv2D(open, f2, 2, "VALID");
  }

  void addOfChannels() {
    using namespace ops;
    Output d = depth, p = input(float32, {1, 1, 4, 3}, "p");
    depthwiseConv2D(image, d, {1, 1, 1, 1}, "SAME");
    depthwiseConv2D(image, d, {1, 2, 2, 1}, "VALID", {.name = "deep"});
    depthwiseConv2D(image, d, {1, 1, 1, 1}, "SAME", {.rate = {2, 2}});
    depthwiseConv2D(open, d, {1, 1, 1, 1}, "VALID", {.rate = {2, 1}});
    separableConv2D(image, d, p, {1, 1, 1, 1}, "SAME");
    separableConv2D(image, d, p, {1, 1, 1, 1}, "VALID",
                    {.rate = {2, 2}, .name = "apart"});
  }

  void addTransposed(const Output &shape) {
    using namespace ops;
    Output back = conv2D(image, f2, {2}, "SAME");
    conv2DTranspose(back, f2, {2, 6, 5, 2}, {2});
    conv2DTranspose(back, f2, shape, {1, 2, 2, 1}, "SAME", {.name = "back"});
    conv2DTranspose(back, f2, stack({2, 6, 5, 2}), {2});
    conv3DTranspose(convolution(volume, f3, "SAME"), f3, {1, 4, 4, 4, 2}, {1});
    conv1DTranspose(conv1D(row, f1, {2}, "SAME"), f1, {2, 6, 2}, {2});
    Output narrow = conv1D(row, f1, {2}, "SAME");
    conv1DTranspose(narrow, f1, ops::constant({2, 6, 2}), {2}, "SAME",
                    {.name = "line"});
    convTranspose(back, f2, {2, 6, 5, 2}, {2});
    convTranspose(conv1D(row, f1, {1}, "SAME"), f1, {2, 6, 2}, {1}, "SAME",
                  {.name = "any"});
    Output wide = atrousConv2D(image, f2, 2, "SAME");
    atrousConv2DTranspose(wide, f2, {2, 6, 5, 2}, 2, "SAME");
    atrousConv2DTranspose(wide, f2, ops::constant({2, 6, 5, 2}), 2, "SAME",
                          {.name = "undone"});
    atrousConv2DTranspose(atrousConv2D(image, f2, 2, "VALID"), f2, {2, 6, 5, 2},
                          2, "VALID");
    atrousConv2DTranspose(atrousConv2D(image, f2, 1, "SAME"), f2, {2, 6, 5, 2},
                          1, "SAME");
  }

  void addBlocks(const Output &shape) {
    using namespace ops;
    spaceToBatch(image, {{0, 0}, {0, 1}}, 2);
    Output blocks =
        spaceToBatch(image, {{0, 0}, {1, 0}}, 2, {.name = "blocks"});
    batchToSpace(blocks, {{0, 0}, {1, 0}}, 2, {.name = "whole"});
    requiredSpaceToBatchPaddings({5, 6}, {2, 4});
    requiredSpaceToBatchPaddings(
        shape[{kiln::slice(1, 3)}], {2, 2},
        {.basePaddings = Input({{1, 0}, {0, 2}}), .name = "required"});
    withSpaceToBatch(image, {2, 2}, "VALID",
                     [](const Output &parts, int64_t, const Padding &) {
                       return parts * 2;
                     });
    withSpaceToBatch(image, {1, 1}, "SAME",
                     [](const Output &parts, int64_t axes, const Padding &) {
                       return parts + static_cast<double>(axes);
                     });
  }

  Output row = input(float32, {2, 6, 2}, "row");
  Output rows = input(float32, {-1, -1, 2}, "rows");
  Output image = input(float32, {2, 6, 5, 2}, "image");
  Output open = input(float32, {-1, -1, -1, 2}, "open_image");
  Output volume = input(float32, {1, 4, 4, 4, 2}, "volume");
  Output several = input(float32, {2, -1, 6, 5, 2}, "stack");
  Output f1 = input(float32, {3, 2, 3}, "f1");
  Output f2 = input(float32, {3, 2, 2, 3}, "f2");
  Output f3 = input(float32, {2, 2, 2, 2, 3}, "f3");
  Output depth = input(float32, {2, 2, 2, 2}, "d");
};

TEST_F(ConvolutionCompositions, AllOfThem) {
  addPlain();
  addAnyRank();
  addOfChannels();
  Output shape = input(int32, {4}, "shape");
  addTransposed(shape);
  Output kernel = depth[{sliceAll(), sliceAll(), sliceAll(), 0}];
  ops::erosion2D(image, kernel, {1, 1, 1, 1}, {1, 1, 1, 1}, "SAME");
  addBlocks(shape);
  expectGraph("composed_convolutions");
}

} // namespace
} // namespace kiln
