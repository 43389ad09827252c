// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of neural networks add TensorFlow's nodes: activations, losses,
// statistics, pooling. Graphs and values are recorded by
// test/golden_kiln/make_composed_nn_cases.py.
#include "kiln/BuildOps.h"
#include "test/unit/Build/CompositionFixture.h"

namespace kiln {
namespace {

class NnCompositions : public CompositionFixture {
protected:
  void addLosses(const Output &x, const Output &n, const Output &t,
                 const Output &h, const Output &u) {
    using namespace ops;
    softmaxCrossEntropyWithLogitsV2(t, t);
    softmaxCrossEntropyWithLogitsV2(t, t, {.axis = 1, .name = "middle"});
    softmaxCrossEntropyWithLogits(x, x, {.axis = 0});
    softmaxCrossEntropyWithLogitsV2(h, h);
    Output labels = input(int32, {2, 3}, "labels");
    sparseSoftmaxCrossEntropyWithLogits(labels, t);
    sparseSoftmaxCrossEntropyWithLogits(n, x);
    Output one = ops::constant(1);
    Output row = h[0];
    sparseSoftmaxCrossEntropyWithLogits(one, cast(row, DType::Float16));
    sparseSoftmaxCrossEntropyWithLogits(labels, u, {.name = "sparse"});
  }
};

TEST_F(NnCompositions, Activations) {
  using namespace ops;
  Output x = input(float32, {-1, 3}, "x"), n = input(int32, {2}, "n");
  Output t = input(float32, {2, 3, 4}, "t");
  Output h = input(DType::Float16, {2, 3}, "h");
  Output w = input(float32, {3, 4}, "w"), b = input(float32, {4}, "b");
  Output u = input(float32, {-1, -1, 4}, "u");
  crelu(x);
  crelu(t, {.name = "parts", .axis = 1});
  leakyRelu(x);
  leakyRelu(n);
  leakyRelu(-1.0, {.alpha = 0.5, .name = "leaky"});
  xwPlusB(x, w, b);
  xwPlusB(x, w, b, {.name = "own"});
  reluLayer(x, w, b);
  reluLayer(x, w, {1.0, 2.0, 3.0, 4.0}, {.name = "layer"});
  biasAdd(t, b);
  biasAdd(t, {1.0, 2.0, 3.0}, {.dataFormat = "NCW"});
  biasAdd(x, {1.0, 2.0, 3.0}, {.dataFormat = "NXC", .name = "bias"});
  softmax(t);
  EXPECT_EQ(softmax(t, {.axis = 1}).shape(), (Shape{2, 3, 4}));
  softmax(t, {.axis = -3, .name = "rows"});
  logSoftmax(t, {.axis = 0});
  softmax(x, {.axis = 1});
  addLosses(x, n, t, h, u);
  weightedCrossEntropyWithLogits(x, x, 2.0);
  weightedCrossEntropyWithLogits(t, t, b, {.name = "weighted"});
  logPoissonLoss(abs(x), x);
  logPoissonLoss(exp(t), t, {.computeFullLoss = true, .name = "full"});
  expectGraph("composed_activations");
}

TEST_F(NnCompositions, Statistics) {
  using namespace ops;
  graph.setRandomSeed(3);
  Output x = input(float32, {-1, 3}, "x"), t = input(float64, {2, 3, 4}, "t");
  Output h = input(DType::Float16, {2, 3}, "h"), b = input(float32, {3}, "b");
  Output image = input(float32, {2, 2, 2, 3}, "image");
  std::vector<std::pair<std::string, SufficientStatistics>> all{
      {"x", sufficientStatistics(x, {0})},
      {"t", sufficientStatistics(t, {0, -1}, {.keepDims = true})},
      {"s",
       sufficientStatistics(x, {-2, 1, 1}, {.shift = b, .name = "shifted"})}};
  for (const auto &[name, found] : all)
    normalizeMoments(found.count, found.sum, found.sumOfSquares,
                     found.shift.node ? std::optional<Input>(found.shift)
                                      : std::nullopt,
                     {.name = name});
  normalizeMoments(2.0, b, b);
  weightedMoments(x, {0}, b);
  weightedMoments(t, {1, 2}, Input({{{1.0}}, {{3.0}}}),
                  {.name = "weighed", .keepDims = true});
  weightedMoments(h, {1}, 0.5);
  moments(h, {0});
  moments(t, {}, {.name = "none"});
  batchNormalization(x, b, abs(b), {.offset = b, .varianceEpsilon = 0.1});
  batchNormWithGlobalNormalization(x, b, abs(b), b, b, 0.01, true);
  batchNormWithGlobalNormalization(x, b, abs(b), b, b, 0.01, false,
                                   {.name = "global"});
  fusedBatchNorm(image, b, b);
  fusedBatchNorm(image, {1.0, 2.0, 3.0}, b,
                 {.mean = b,
                  .variance = abs(b),
                  .epsilon = 0.1,
                  .isTraining = false,
                  .name = "fused"});
  l2Normalize(x, {.axis = 1});
  l2Normalize(t, {.axis = Input({0, 1}), .epsilon = 0.1, .name = "units"});
  Output rate = input(float32, {}, "rate");
  dropoutKeeping(x, 0.5);
  dropout(x, rate, {.seed = 7});
  dropoutKeeping(x, rate, {.name = "kept"});
  EXPECT_EQ(dropout(image, 0.25, {.noiseShape = Shape{2, 1, 1, -1}}).shape(),
            (Shape{2, 2, 2, 3}));
  EXPECT_EQ(dropoutKeeping(t, 1.0), t);
  dropout(x, 0.3, {.noiseShape = Input({2, 1}), .seed = 1});
  expectGraph("composed_statistics");
}

TEST_F(NnCompositions, Pooling) {
  using namespace ops;
  Output row = input(float32, {2, 6, 2}, "row");
  Output image = input(float32, {2, 6, 5, 2}, "image");
  Output volume = input(float32, {1, 4, 4, 4, 2}, "volume");
  Output open = input(float32, {-1, -1, -1, 2}, "open_image");
  maxPool(image, {2}, {2}, "SAME");
  maxPool(image, {2, 1}, {1, 2, 1, 1}, "VALID", {.name = "most"});
  maxPool(image, {2}, {1}, Padding({{0, 0}, {1, 0}, {0, 1}, {0, 0}}));
  maxPool2D(image, {2}, {2}, "VALID");
  avgPool(image, {2}, {2, 2}, "SAME");
  avgPool(image, {1, 3, 3, 1}, {1}, "VALID", {.name = "mean"});
  maxPool1D(row, {2}, {2}, "SAME");
  maxPool1D(row, {3}, {1}, Padding({{0, 0}, {1, 1}, {0, 0}}), {.name = "line"});
  avgPool1D(row, {2}, {1}, "VALID");
  maxPool3D(volume, {2}, {2}, "SAME");
  avgPool3D(volume, {2, 2, 1}, {2}, "VALID", {.name = "volumes"});
  maxPoolV2(row, {2}, {2}, "SAME");
  maxPoolV2(image, {2}, {2}, "SAME");
  maxPoolV2(volume, {2}, {2}, "SAME", {.name = "any"});
  avgPoolV2(row, {2}, {2}, "SAME");
  avgPoolV2(image, {2}, {2}, "SAME");
  avgPoolV2(volume, {2}, {2}, "VALID");
  pool(row, {2}, "MAX", "SAME");
  pool(image, {2, 2}, "AVG", "VALID", {.strides = {2, 1}, .name = "pooled"});
  pool(volume, {2, 2, 2}, "MAX", "SAME");
  pool(image, {2, 2}, "MAX", "VALID", {.dilationRate = {2, 1}});
  pool(open, {2, 2}, "AVG", "VALID", {.dilationRate = {1, 2}});
  pool(row, {2}, "AVG", "VALID", {.dilationRate = {2}, .name = "apart"});
  pool(volume, {1, 2, 2}, "AVG", "SAME");
  maxPoolWithArgmax(image, {1, 2, 2, 1}, {1, 2, 2, 1}, "SAME");
  maxPoolWithArgmax(
      image, {1, 2, 2, 1}, {1, 2, 2, 1}, "SAME",
      {.targmax = int32, .name = "places", .includeBatchInIndex = true});
  expectGraph("composed_pooling");
}

} // namespace
} // namespace kiln
