// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers, regularizers, normalization and products over several axes add
// TensorFlow's nodes. Graphs and values are recorded by
// test/golden_kiln/make_layer_cases.py.
#include "kiln/Layers.h"
#include "kiln/BuildOps.h"
#include "kiln/Losses.h"
#include "kiln/Optimizers.h"
#include "kiln/PartitionedVariable.h"
#include "kiln/Regularizers.h"
#include "kiln/SampledLosses.h"
#include "kiln/VolumeLayers.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

using ::testing::ElementsAre;

constexpr DType float16 = DType::Float16, float32 = DType::Float32,
                float64 = DType::Float64;

class Layers : public ProgramFixture {
protected:
  std::string error() { return std::string(graph.takeStatus().message()); }
  static Output input(DType dtype, const Shape &shape, std::string name) {
    return ops::placeholder(dtype, shape, {.name = std::move(name)});
  }
  std::vector<std::string> namesOf(std::string_view key) const {
    std::vector<std::string> names;
    for (const CollectionItem &item : graph.collection(key))
      names.push_back(item.name);
    return names;
  }

  void expectNormalization(const std::string &kind) {
    using layers::batchNormalization;
    Output x = input(float32, {-1, 3}, "x");
    Output t = input(float32, {4, 3, 2}, "t");
    Output image = input(float32, {-1, 4, 4, 2}, "image");
    Output volume = input(float32, {2, 2, 2, 2, 3}, "volume");
    Output wide = input(float64, {2, 3, 3, 2}, "wide");
    Output half = input(float16, {-1, 2}, "half");
    Output training = input(DType::Bool, {}, "training");
    {
      VariableScope net("net", {.useResource = kind == "handles"});
      batchNormalization(x, {.training = true});
      batchNormalization(x, {.training = training});
      batchNormalization(x);
      batchNormalization(t, {.axis = 1, .momentum = 0.5, .training = true});
      batchNormalization(t, {.axis = 1, .center = false});
      batchNormalization(image, {.epsilon = 0.01, .training = true});
      batchNormalization(image, {.training = training});
      batchNormalization(image, {.axis = 1, .center = false, .scale = false});
      batchNormalization(volume, {.momentum = 0.75, .training = true});
      batchNormalization(
          image, {.training = training, .fused = false, .name = "plain"});
      batchNormalization(wide, {.training = true});
      batchNormalization(half, {.scale = false, .training = true});
      batchNormalization(x,
                         {.training = ops::constant(true), .name = "shared"});
      batchNormalization(x, {.gammaInitializer = zerosInitializer(),
                             .name = "shared",
                             .reuse = true});
    }
    globalVariablesInitializer();
    expectGraph("layer_normalization_" + kind);
  }
};

TEST_F(Layers, Functions) {
  Output x = input(float32, {-1, 3, 4}, "x");
  Output half = input(float16, {2, 3}, "half");
  Output y = input(float64, {3, 2}, "y");
  Output v = input(float32, {4, 3, 5}, "v");
  Output k = input(float32, {2, 3, 4}, "k");
  Output u = input(float32, Shape::unknownRank(), "u");
  ops::moments(x, {0});
  ops::moments(x, {1, -1}, {.keepDims = true, .name = "kept"});
  ops::moments(half, {0, 1});
  ops::Moments m = ops::moments(y, {0});
  ops::batchNormalization(y, m.mean, m.variance, {.varianceEpsilon = 0.01});
  Output variance = ops::constant({0.5, 2.0}, {.dtype = float64});
  Output offset = ops::constant({0.0, 1.0}, {.dtype = float64});
  ops::batchNormalization(y, {1.0, 2.0}, variance,
                          {.offset = offset, .name = "given"});
  ops::l2Normalize(x, {.axis = 1});
  ops::l2Normalize(y, {.axis = Input({0, 1}), .epsilon = 1e-3});
  ops::l2Normalize(half, {.name = "whole"});
  ops::tensordot(k, v, {2, 1}, {0, 1});
  ops::tensordot(x, v, {1, 2}, {1, 0});
  ops::tensordot(k, v, 0);
  ops::tensordot(y, y, {0}, {0});
  ops::tensordot(ops::transpose(y), y, 1);
  ops::tensordot(u, v, {-1}, {0}, {.name = "rank"});
  ops::tensordot(u, v, 1);
  ops::tensordot(k, x, {0, 1, 2}, {0, 1, 2});
  expectGraph("layer_functions");
}

TEST_F(Layers, BatchNormalizationOfReferences) {
  expectNormalization("references");
  EXPECT_THAT(trainableVariables("net/batch_normalization/"),
              ::testing::SizeIs(2));
  std::vector<std::string> updates = namesOf(keys::updateOps);
  ASSERT_EQ(updates.size(), 20u);
  EXPECT_EQ(updates[0], "net/batch_normalization/AssignMovingAvg");
  EXPECT_EQ(updates[3], "net/batch_normalization_1/cond_3/Merge");
}

TEST_F(Layers, BatchNormalizationOfHandles) { expectNormalization("handles"); }

TEST_F(Layers, StepsThroughBatchNormalization) {
  setRandomSeed(13);
  Output image = input(float32, {-1, 6, 6, 2}, "image");
  Output target = input(float32, {-1, 2}, "target");
  Output learning = input(DType::Bool, {}, "learning");
  Output h = layers::conv2D(image, 3, {3, 3},
                            {.kernelRegularizer = regularizers::l2(0.01)});
  h = ops::relu(
      layers::batchNormalization(h, {.momentum = 0.5, .training = true}));
  h = layers::conv2DTranspose(h, 2, {2, 2}, {.strides = {2, 2}});
  h = layers::batchNormalization(h, {.momentum = 0.75, .training = learning});
  h = layers::dense(layers::flatten(h), 4);
  h = layers::batchNormalization(h, {.momentum = 0.75, .training = learning});
  Output y =
      layers::dense(h, 2, {.kernelRegularizer = regularizers::l1(0.001)});
  losses::meanSquaredError(target, y);
  Output loss = losses::getTotalLoss();
  {
    std::vector<ControlInput> updates;
    for (const Node *each : graph.collectionOf<const Node *>(keys::updateOps))
      updates.emplace_back(each);
    ControlScope after(updates);
    GradientDescentOptimizer(0.05).minimize(loss);
  }
  globalVariablesInitializer();
  comparison.ignores = isOfGradients;
  expectGraph("layer_training");
}

TEST_F(Layers, Convolutions) {
  setRandomSeed(5);
  std::string program = "layer_convolutions";
  auto relu = [](const Output &x) { return ops::relu(x); };
  auto tanh = [](const Output &x) { return ops::tanh(x); };
  Output image = input(float32, {-1, 5, 4, 2}, "image");
  Output open = input(float32, {3, -1, -1, 2}, "open_image");
  Output known = input(float32, {2, 3, 3, 2}, "known");
  layers::separableConv2D(image, 5, {3, 3},
                          {.depthMultiplier = 2, .activation = relu});
  layers::separableConv2D(
      image, 3, {2, 3}, {.padding = "same", .useBias = false, .name = "same"});
  Output wider = layers::conv2DTranspose(image, 3, {3, 3}, {.strides = {2, 2}});
  EXPECT_EQ(wider.shape(), Shape({-1, 11, 9, 3}));
  layers::conv2DTranspose(open, 3, {2, 3},
                          {.strides = {1, 2}, .padding = "same"});
  layers::conv2DTranspose(open, 2, {3, 3});
  layers::conv2DTranspose(
      known, 2, {2, 1},
      {.strides = {1, 3}, .activation = tanh, .useBias = false});
  Output f = ops::constant(constantOf(program, "f"), {.name = "f"});
  Output d = ops::constant(constantOf(program, "d"), {.name = "d"});
  Output p = ops::constant(constantOf(program, "p"), {.name = "p"});
  ops::conv2DTranspose(known, f, {2, 4, 4, 4}, {1, 1, 1, 1}, "VALID");
  ops::separableConv2D(known, d, p, {1, 1, 1, 1}, "SAME", {.name = "own"});
  globalVariablesInitializer();
  expectGraph(program);
}

TEST_F(Layers, Regularizers) {
  setRandomSeed(7);
  Output image = input(float32, {-1, 4, 4, 2}, "image");
  Output x = input(float32, {-1, 3}, "x");
  layers::conv2D(image, 3, {2, 2},
                 {.kernelRegularizer = regularizers::l2(0.1),
                  .biasRegularizer = regularizers::l1(0.5),
                  .name = "c"});
  layers::conv2D(
      image, 3, {2, 2},
      {.kernelRegularizer = regularizers::l2(0.1), .name = "c", .reuse = true});
  layers::dense(x, 2,
                {.biasInitializer = onesInitializer(),
                 .kernelRegularizer = regularizers::l1L2(0.1, 0.2)});
  {
    VariableScope cut("cut", {.partitioner = fixedSizePartitioner(2)});
    layers::dense(
        x, 3,
        {.activation = [](const Output &y) { return ops::sigmoid(y); },
         .kernelRegularizer = regularizers::l2(0.25)});
    layers::conv2D(image, 2, {2, 2});
  }
  losses::getRegularizationLoss();
  globalVariablesInitializer();
  expectGraph("layer_regularizers");
  EXPECT_THAT(namesOf(keys::regularizationLosses),
              ElementsAre("c/kernel/Regularizer/mul:0",
                          "c/bias/Regularizer/mul:0",
                          "dense/kernel/Regularizer/add_1:0",
                          "cut/dense/kernel/Regularizer/mul:0",
                          "cut/dense/kernel/Regularizer_1/mul:0"));
}

TEST_F(Layers, Embeddings) {
  setRandomSeed(3);
  std::string program = "layer_embeddings";
  Output ids = input(DType::Int64, {-1, 2}, "ids");
  Output more = input(DType::Int32, {-1}, "more");
  Output first = input(float32, {-1, 3}, "first");
  Output second = input(float32, {-1, -1}, "second");
  Output rows = ops::constant(constantOf(program, "rows"), {.name = "rows"});
  Output row = ops::constant(constantOf(program, "row"), {.name = "row"});
  for (bool isHandle : {false, true}) {
    PartitionedVariable w, b;
    Variable single;
    {
      VariableScope scope(isHandle ? "handles" : "references",
                          {.useResource = isHandle});
      w = getPartitionedVariable("w", fixedSizePartitioner(3),
                                 {.initializer = rows});
      b = getPartitionedVariable("b", fixedSizePartitioner(3),
                                 {.initializer = row});
      single = getVariable("single", {.initializer = rows});
    }
    ops::embeddingLookup(single, ids);
    ops::embeddingLookup(w, ids, {.partitionStrategy = "div"});
    ops::embeddingLookup(w.parts(), more, {.name = "mod"});
    ops::embeddingLookup(b, more, {.partitionStrategy = "div", .name = "ones"});
    Output labels = ops::expandDims(ops::cast(more, DType::Int64), 1);
    ops::nceLoss(w, b, labels, first, 2, 7, {.partitionStrategy = "div"});
    ops::sampledSoftmaxLoss(w, b, labels, first, 3, 7,
                            {.seed = 4, .partitionStrategy = "div"});
  }
  std::vector<Output> tensors{first, second};
  ops::embeddingLookup(tensors, more, {.name = "of_tensors"});
  ops::embeddingLookup(tensors, more,
                       {.partitionStrategy = "div", .name = "open"});
  globalVariablesInitializer();
  expectGraph(program);
}

TEST_F(Layers, SparseEmbeddings) {
  std::string program = "layer_sparse_embeddings";
  Output indices = input(DType::Int64, {-1, 2}, "indices");
  Output values = input(DType::Int64, {-1}, "values");
  Output denseShape = input(DType::Int64, {2}, "dense_shape");
  Output numbers = input(float32, {-1}, "numbers");
  Output half = input(float16, {7, 2}, "half");
  ops::SparseTensor ids{indices, values, denseShape};
  ops::SparseTensor weights{indices, numbers, denseShape};
  Output rows = ops::constant(constantOf(program, "rows"), {.name = "rows"});
  auto lookup = [&](const ops::EmbeddingParameters &params,
                    ops::SparseEmbeddingOptions options) {
    ops::embeddingLookupSparse(params, ids, options);
  };
  for (bool isHandle : {false, true}) {
    PartitionedVariable w;
    Variable single;
    {
      VariableScope scope(isHandle ? "handles" : "references",
                          {.useResource = isHandle});
      w = getPartitionedVariable("w", fixedSizePartitioner(2),
                                 {.initializer = rows});
      single = getVariable("single", {.initializer = rows});
    }
    lookup(single, {});
    lookup(single, {.combiner = "sqrtn"});
    lookup(w, {.combiner = "sum", .partitionStrategy = "div"});
    lookup(single, {.weights = weights, .combiner = "sum"});
    lookup(w, {.weights = weights, .name = "mean"});
    lookup(single, {.weights = weights, .combiner = "sqrtn"});
  }
  lookup(half, {.weights = weights});
  lookup(half, {.combiner = "sum", .name = "halves"});
  globalVariablesInitializer();
  expectGraph(program);
}

TEST_F(Layers, ErrorsOfEmbeddings) {
  ops::embeddingLookup(std::vector<Output>(), 1);
  EXPECT_EQ(error(),
            "Length of params is currently 0. Need at least one param.");
  Output x = input(float32, {2, 3}, "x");
  ops::embeddingLookup(std::vector<Output>{x, x}, 1,
                       {.partitionStrategy = "hash"});
  EXPECT_EQ(error(), "Unrecognized partition strategy: hash.Must be one of "
                     "either `mod` or `div`.");
  ops::embeddingLookupSparse(x, {x, x, x}, {.combiner = "max"});
  EXPECT_EQ(error(), "combiner must be one of 'mean', 'sqrtn' or 'sum', got "
                     "max");
}

TEST_F(Layers, RegularizedVariables) {
  setRandomSeed(7);
  {
    VariableScope s("s", {.regularizer = regularizers::l2(0.5)});
    getVariable("a", {.shape = {3}});
    getVariable("b", {.shape = {3}, .regularizer = Regularizer()});
    getVariable("c", {.shape = {3}, .regularizer = regularizers::l1(0.25)});
    {
      VariableScope inner("inner");
      getVariable("d", {.shape = {2, 2}, .useResource = true});
    }
    {
      VariableScope without("without", {.regularizer = Regularizer()});
      getVariable("e", {.shape = {2}});
    }
    getPartitionedVariable("p", fixedSizePartitioner(2), {.shape = {5}});
  }
  globalVariablesInitializer();
  // What TensorFlow calls a regularizer for once more is at the root.
  comparison.ignores = [](const Node &node) {
    return !node.name().starts_with("s/") && node.name() != "init";
  };
  expectGraph("layer_regularized_variables");
  EXPECT_THAT(namesOf(keys::regularizationLosses),
              ElementsAre("s/a/Regularizer/mul:0", "s/c/Regularizer/mul:0",
                          "s/inner/d/Regularizer/mul:0",
                          "s/p/part_0/Regularizer/mul:0",
                          "s/p/part_1/Regularizer/mul:0"));
}

TEST_F(Layers, ErrorsOfBatchNormalization) {
  layers::batchNormalization(input(float32, {-1, -1}, "x"));
  EXPECT_EQ(error(), "Input has undefined `axis` dimension. Received input "
                     "with shape (?, ?) and axis=(1,)");
  layers::batchNormalization(input(float32, {2, 3}, "x"), {.axis = 2});
  EXPECT_EQ(error(), "Invalid value for `axis` argument. Expected 0 <= axis < "
                     "inputs.rank (with inputs.rank=2). Received: axis=(2,)");
  layers::batchNormalization(input(float32, Shape::unknownRank(), "x"));
  EXPECT_EQ(error(),
            "Input has undefined rank. Received: input_shape=<unknown>");
}

TEST_F(Layers, ErrorsOfProducts) {
  Output x = input(float32, {2, 3}, "x");
  ops::tensordot(x, x, {0}, {0, 1});
  EXPECT_EQ(error(), "Different number of contraction axes `a` and `b`, "
                     "1 != 2.");
  ops::tensordot(x, x, -1);
  EXPECT_EQ(error(), "`axes` must be at least 0. Received: -1.");
  ops::tensordot(x, x, {2}, {0});
  EXPECT_EQ(error(), "expected different axes of a tensor of rank 2, got [2]");
  ops::tensordot(x, x, {0, 0}, {0, 1});
  EXPECT_EQ(error(),
            "expected different axes of a tensor of rank 2, got [0, 0]");
}

TEST_F(Layers, ErrorsOfParts) {
  VariableScope cut("cut", {.partitioner = fixedSizePartitioner(2)});
  EXPECT_TRUE(getVariable("scalar", {.shape = Shape{}}).isValid());
  getVariable("whole", {.shape = {4}});
  EXPECT_EQ(error(), "expected getPartitionedVariable() for the variable "
                     "cut/whole, as its scope cuts variables into parts");
  EXPECT_EQ(getPartitionedVariable("whole", {.shape = {4}}).parts().size(), 2u);
}

TEST_F(Layers, OfSequencesAndVolumes) {
  setRandomSeed(9);
  Output line = input(float32, {-1, 7, 2}, "line");
  Output volume = input(float32, {-1, 4, 5, 3, 2}, "volume");
  Output open = input(float32, {2, -1, 3, -1, 2}, "open_volume");
  Output first = input(float32, {2, 2, 4, 4, 4}, "first");
  std::vector<Output> all;
  all.push_back(layers::conv3D(volume, 3, {2, 2, 2}));
  all.push_back(
      layers::conv3D(volume, 2, {1, 2, 3},
                     {.strides = {1, 2, 1},
                      .padding = "same",
                      .activation = [](auto &x) { return ops::relu(x); },
                      .useBias = false,
                      .name = "same"}));
  all.push_back(
      layers::conv3DTranspose(volume, 2, {2, 2, 2}, {.strides = {2, 2, 2}}));
  all.push_back(layers::conv3DTranspose(
      open, 3, {2, 1, 3},
      {.strides = {1, 2, 1}, .padding = "same", .activation = [](auto &x) {
         return ops::tanh(x);
       }}));
  all.push_back(layers::separableConv1D(line, 4, 3, {.depthMultiplier = 2}));
  all.push_back(layers::separableConv1D(
      line, 3, 2,
      {.strides = {2},
       .padding = "same",
       .activation = [](auto &x) { return ops::relu(x); },
       .useBias = false}));
  all.push_back(layers::maxPooling1D(line, 2, 2));
  all.push_back(layers::averagePooling1D(line, 3, 2,
                                         {.padding = "same", .name = "means"}));
  all.push_back(layers::maxPooling3D(volume, {2, 2, 1}, {2, 2, 2}));
  all.push_back(layers::averagePooling3D(volume, {2, 2, 2}, {1, 2, 1},
                                         {.padding = "same"}));
  all.push_back(layers::maxPooling3D(first, {2, 2, 2}, {2, 2, 2},
                                     {.dataFormat = "channels_first"}));
  std::vector<Input> losses;
  for (const Output &each : all) {
    Output squares = ops::square(each);
    losses.push_back(ops::reduceSum(squares));
  }
  Output loss = ops::addN(losses, {.name = "loss"});
  GradientDescentOptimizer(0.001).minimize(loss);
  globalVariablesInitializer();
  comparison.ignores = isOfGradients;
  expectGraph("layer_volumes");
}

TEST_F(Layers, BatchNormalizationOverSeveralAxes) {
  using layers::batchNormalization;
  Output x = input(float32, {-1, 3, 2}, "x");
  Output image = input(float32, {2, 4, 3, 2}, "image");
  Output training = input(DType::Bool, {}, "training");
  batchNormalization(x, {.axis = {1, 2}, .training = training});
  batchNormalization(x, {.axis = {1, -1}, .momentum = 0.5, .center = false});
  batchNormalization(image,
                     {.axis = {1, 3}, .epsilon = 0.01, .training = true});
  batchNormalization(image, {.axis = {3}, .training = training});
  globalVariablesInitializer();
  expectGraph("layer_normalization_axes");
  batchNormalization(x, {.axis = {1, -2}});
  EXPECT_EQ(error(), "Duplicate axis: (1, 1)");
}

} // namespace
} // namespace kiln
