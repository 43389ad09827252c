// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Global steps, learning rates, clipping and averages add TensorFlow's nodes
// and say what is wrong in its words. Graphs and values are recorded by
// test/golden_kiln/make_optimizer_cases.py.
#include "kiln/BuildOps.h"
#include "kiln/Clipping.h"
#include "kiln/GlobalStep.h"
#include "kiln/InputPipeline.h"
#include "kiln/Layers.h"
#include "kiln/LearningRates.h"
#include "kiln/Losses.h"
#include "kiln/MovingAverage.h"
#include "kiln/SampledLosses.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class TrainingFunctions : public ProgramFixture {
protected:
  /// The error of the graph, which is taken away.
  std::string error() { return std::string(graph.takeStatus().message()); }
};

TEST_F(TrainingFunctions, LearningRates) {
  Variable step = getOrCreateGlobalStep();
  Output past = ops::placeholder(DType::Int32, {}, {.name = "past"});
  Output rate = ops::constant(0.5, {.name = "rate"});
  exponentialDecay(0.1, step, 10, 0.96);
  exponentialDecay(rate, past, 10, 0.96, {.staircase = true, .name = "stairs"});
  naturalExpDecay(0.1, step, 10, 0.5);
  inverseTimeDecay(0.1, past, 10, 0.5, {.staircase = true});
  Output wide = ops::constant(0.1, {.dtype = DType::Float64});
  inverseTimeDecay(wide, step, 10.0, 0.5, {.name = "inverse"});
  polynomialDecay(0.1, step, 20, {.endLearningRate = 0.01, .power = 0.5});
  polynomialDecay(0.1, past, 20, {.cycle = true, .name = "cycle"});
  cosineDecay(0.1, step, 20);
  cosineDecay(0.1, past, 20, {.alpha = 0.25, .name = "cosine"});
  cosineDecayRestarts(0.1, past, 5, {.mMul = 0.5});
  linearCosineDecay(0.1, past, 20);
  piecewiseConstant(step, {10, 20}, {1.0, 0.5, 0.25});
  piecewiseConstant(past, {5, 10, 20}, {1.0, 0.5, 0.25, 0.125},
                    {.name = "pieces"});
  step.assign(ops::cast(past, DType::Int64));
  globalVariablesInitializer();
  expectGraph("optimizer_rates");
}

TEST_F(TrainingFunctions, Clipping) {
  std::string program = "optimizer_clipping";
  Output x = ops::placeholder(DType::Float32, {-1, 3}, {.name = "x"});
  Output y = ops::placeholder(DType::Float64, {2}, {.name = "y"});
  Output limit = ops::placeholder(DType::Float32, {}, {.name = "limit"});
  Variable v(constantOf(program, "v/initial_value"), {.name = "v"});
  IndexedSlices rows;
  rows.values = x;
  rows.indices = ops::constant({0, 3});
  rows.denseShape = ops::constant({5, 3});
  ops::clipByGlobalNorm({x, {}, rows, v.value()}, 2.0);
  Output norm =
      ops::clipByGlobalNorm({x, x}, limit, {.useNorm = limit, .name = "given"})
          .norm;
  EXPECT_EQ(norm, limit);
  ops::clipByNorm(x, 1.5);
  ops::clipByNorm(x, limit,
                  {.axes = Input(std::vector<int32_t>{1}), .name = "by_rows"});
  ops::clipByNorm(y, -1.0);
  EXPECT_TRUE(ops::clipByNorm(rows, 2).isSparse());
  ops::clipByAverageNorm(x, 0.5);
  ops::clipByAverageNorm(x, limit, {.name = "average"});
  ops::globalNorm({x, v.value()});
  globalVariablesInitializer();
  expectGraph(program);
}

TEST_F(TrainingFunctions, MovingAverages) {
  Variable w({1.0, 2.0}, {.name = "w"});
  Variable d(3.0, {.dtype = DType::Float64, .name = "d"});
  Variable r({{0.5}}, {.name = "r", .useResource = true});
  Output x = ops::placeholder(DType::Float32, {2}, {.name = "x"});
  Output t = ops::identity(x * 2, {.name = "t"});
  Output count = ops::placeholder(DType::Int32, {}, {.name = "count"});
  ExponentialMovingAverage all(0.9);
  all.apply();
  ExponentialMovingAverage some(0.99, {.numUpdates = count, .name = "some"});
  some.apply({w, t});
  ExponentialMovingAverage free(0.5, {.zeroDebias = true, .name = "free"});
  free.apply({t});
  w.assignAdd(x);
  d.assignSub(ops::cast(ops::reduceSum(x), DType::Float64));
  r.assignAdd({{1.0}});
  globalVariablesInitializer();
  all.average(r).readValue();
  expectGraph("optimizer_averages");
  EXPECT_EQ(all.averageName(w), "w/ExponentialMovingAverage");
  EXPECT_EQ(free.averageName(w), "w/free");
  EXPECT_FALSE(free.average(w).isValid());
  EXPECT_THAT(graph.collectionOf<Variable>(keys::movingAverageVariables),
              ElementsAre(w, d, r, w));
}

TEST_F(TrainingFunctions, VariablesToRestoreFromAverages) {
  Variable w({1.0, 2.0}, {.name = "w"});
  Variable step = createGlobalStep();
  ExponentialMovingAverage average(0.9, {.name = "mean"});
  EXPECT_THAT(average.variablesToRestore(),
              ElementsAre(Pair("global_step", step), Pair("w/mean", w)));
}

TEST_F(TrainingFunctions, GlobalSteps) {
  EXPECT_FALSE(getGlobalStep().isValid());
  Variable step;
  {
    NameScope scope("train");
    step = createGlobalStep();
  }
  EXPECT_EQ(step.name(), "global_step:0");
  EXPECT_EQ(step.dtype(), DType::Int64);
  EXPECT_FALSE(step.isTrainable());
  EXPECT_EQ(getGlobalStep(), step);
  EXPECT_EQ(getOrCreateGlobalStep(), step);
  EXPECT_THAT(graph.collectionOf<Variable>(keys::globalStep),
              ElementsAre(step));
  createGlobalStep();
  EXPECT_EQ(error(), "\"global_step\" already exists.");
}

TEST_F(TrainingFunctions, GlobalStepByName) {
  Variable step(0, {.trainable = false, .name = "global_step"});
  EXPECT_EQ(getGlobalStep(), step);
}

TEST_F(TrainingFunctions, GlobalStepsThatAreNone) {
  Variable step(0.5, {.name = "global_step"});
  EXPECT_FALSE(getGlobalStep().isValid());
  EXPECT_EQ(error(), "Existing \"global_step\" does not have integer type: "
                     "<dtype: 'float32_ref'>");
  GraphBuilder other;
  GraphScope inner(other);
  Variable several({1, 2}, {.name = "global_step"});
  EXPECT_FALSE(getGlobalStep().isValid());
  EXPECT_EQ(other.takeStatus().message(),
            "Existing \"global_step\" is not scalar: (2,)");
}

TEST_F(TrainingFunctions, ErrorsOfPieces) {
  Output x = ops::placeholder(DType::Int32, {});
  piecewiseConstant(x, {1, 2}, {1.0, 2.0});
  EXPECT_EQ(error(), "The length of boundaries should be 1 less than the "
                     "length of values");
  piecewiseConstant(x, {1.5}, {1.0, 2.0});
  EXPECT_EQ(error(), "Boundaries (<dtype: 'float32'>) must have the same dtype "
                     "as x (<dtype: 'int32'>).");
  piecewiseConstant(x, {1}, {1.0, 2});
  EXPECT_EQ(error(), "Values must have elements all with the same dtype "
                     "(<dtype: 'float32'> vs <dtype: 'int32'>).");
}

TEST_F(TrainingFunctions, ErrorsOfAveragesAndNorms) {
  Variable n(3, {.name = "n"});
  ExponentialMovingAverage(0.9).apply({n});
  EXPECT_EQ(error(), "The variables must be half, float, or double: n:0");
  ops::globalNorm({});
  EXPECT_EQ(error(),
            "expected at least one tensor for a global norm, got none");
}

TEST_F(TrainingFunctions, Losses) {
  using losses::Reduction;
  setRandomSeed(3);
  std::string program = "optimizer_losses";
  Output x = ops::placeholder(DType::Float32, {-1, 3}, {.name = "x"});
  Output y = ops::placeholder(DType::Int32, {-1, 3}, {.name = "y"});
  Output z = ops::placeholder(DType::Float32, {2, 3}, {.name = "z"});
  Output u = ops::placeholder(DType::Float64, {2, 3}, {.name = "u"});
  Output ids = ops::placeholder(DType::Int64, {-1}, {.name = "ids"});
  losses::absoluteDifference(y, x);
  losses::absoluteDifference(z, x,
                             {.weights = 0.5, .reduction = Reduction::Mean});
  losses::meanSquaredError(y, x, {.scope = "mse"});
  losses::meanSquaredError(z, z * 2, {.weights = {{1.0}, {0.0}}});
  losses::cosineDistance(z, x, 1);
  losses::hingeLoss(y, x, {.reduction = Reduction::None});
  losses::huberLoss(z, x, 0.5, {.reduction = Reduction::Sum});
  losses::logLoss(y, ops::sigmoid(x), 1e-7,
                  {.reduction = Reduction::SumOverBatchSize});
  losses::sigmoidCrossEntropy(y, x);
  losses::sigmoidCrossEntropy(u, u, 0.25);
  losses::softmaxCrossEntropy(y, x);
  losses::softmaxCrossEntropy(z, z, 0.1, {.weights = {1.0, 2.0}});
  losses::sparseSoftmaxCrossEntropy(ids, x);
  losses::sparseSoftmaxCrossEntropy(ops::expandDims(ids, 1), x,
                                    {.weights = 2.0});
  losses::computeWeightedLoss(u, {.weights = 3});
  Variable w(constantOf(program, "w/initial_value"), {.name = "w"});
  Variable b(constantOf(program, "b/initial_value"), {.name = "b"});
  Output target = ops::expandDims(ids, 1);
  auto [seed, seed2] = graph.seedsFor(5);
  auto drawn = rawOps::logUniformCandidateSampler(
      target, 1, 4, true, 20, {.seed = seed, .seed2 = seed2});
  ops::SampledCandidates given{drawn.sampledCandidates, drawn.trueExpectedCount,
                               drawn.sampledExpectedCount};
  ops::nceLoss(w, b, target, x, 5, 20);
  ops::sampledSoftmaxLoss(w, b, target, x, 5, 20);
  ops::sampledSoftmaxLoss(
      w, b, target, x, 4, 20,
      {.sampledValues = given, .removeAccidentalHits = false, .name = "given"});
  Output next = target + 1;
  ops::nceLoss(w, b, ops::concat({target, next}, 1), x, 6, 20,
               {.numTrue = 2, .removeAccidentalHits = true, .name = "two"});
  globalVariablesInitializer();
  expectGraph(program);
  EXPECT_EQ(losses::getLosses().size(), 15u);
  EXPECT_EQ(losses::getLosses("mse").size(), 1u);
}

TEST_F(TrainingFunctions, PairLosses) {
  Output x = ops::placeholder(DType::Float32, {-1, 3}, {.name = "x"});
  Output y = ops::placeholder(DType::Int32, {-1, 3}, {.name = "y"});
  Output z = ops::placeholder(DType::Float32, {2, 3, 2}, {.name = "z"});
  Output w = ops::placeholder(DType::Float32, {-1, 1}, {.name = "w"});
  Output whole =
      ops::placeholder(DType::Float32, Shape::unknownRank(), {.name = "whole"});
  losses::meanPairwiseSquaredError(y, x);
  losses::meanPairwiseSquaredError(z, z * z, {.weights = 0.5, .scope = "own"});
  losses::meanPairwiseSquaredError(y, x, {.weights = w});
  losses::meanPairwiseSquaredError(
      z, z + 1.0, {.weights = {{{1.0}}, {{0.0}}}, .collection = {}});
  losses::meanPairwiseSquaredError(x, x * x, {.weights = whole});
  losses::getTotalLoss();
  expectGraph("optimizer_pair_losses");
  EXPECT_EQ(losses::getLosses().size(), 4u);
}

TEST_F(TrainingFunctions, Layers) {
  setRandomSeed(11);
  auto relu = [](const Output &value) { return ops::relu(value); };
  auto tanh = [](const Output &value) { return ops::tanh(value); };
  Output x = ops::placeholder(DType::Float32, {-1, 5}, {.name = "x"});
  Output t = ops::placeholder(DType::Float32, {-1, 4, 5}, {.name = "t"});
  Output known = ops::placeholder(DType::Float32, {2, 4, 5}, {.name = "known"});
  Output image =
      ops::placeholder(DType::Float32, {-1, 8, 8, 3}, {.name = "image"});
  Output anySize =
      ops::placeholder(DType::Float32, {-1, -1, 3}, {.name = "any_size"});
  Output training = ops::placeholder(DType::Bool, {}, {.name = "training"});
  Output a = layers::dense(x, 4, {.activation = relu});
  layers::dense(t, 3, {.useBias = false, .name = "d3"});
  layers::dense(known, 3, {.name = "d3_known"});
  layers::dense(a, 2,
                {.kernelInitializer = onesInitializer(),
                 .biasInitializer = constantInitializer(0.5)});
  layers::dense(t, 3, {.useBias = false, .name = "d3", .reuse = true});
  Output h;
  {
    VariableScope outer("outer");
    h = layers::conv2D(image, 4, {3, 3},
                       {.padding = "same", .activation = relu});
    h = layers::conv2D(h, 2, {3, 2}, {.strides = {2, 2}, .useBias = false});
  }
  layers::maxPooling2D(image, {2, 2}, {2, 2});
  layers::averagePooling2D(image, {3, 2}, {2, 2},
                           {.padding = "same", .name = "avg"});
  layers::flatten(h);
  layers::flatten(anySize);
  layers::dropout(x, {.rate = 0.25, .training = true});
  layers::dropout(x, {.training = training});
  layers::dropout(x);
  layers::conv1D(t, 2, 3);
  layers::conv1D(t, 2, 2,
                 {.strides = {2}, .padding = "same", .activation = tanh});
  globalVariablesInitializer();
  expectGraph("optimizer_layers");
}

TEST_F(TrainingFunctions, ErrorsOfLayers) {
  layers::dense(ops::placeholder(DType::Float32, {-1, -1}), 2);
  EXPECT_EQ(error(), "The last dimension of the inputs to `Dense` should be "
                     "defined. Found `None`.");
  layers::conv2D(ops::placeholder(DType::Float32, {2, 3}), 2, {3, 3},
                 {.name = "images"});
  EXPECT_EQ(error(), "Input 0 of layer images is incompatible with the layer: "
                     "expected ndim=4, found ndim=2. Full shape received: "
                     "[2, 3]");
  Output wide = ops::placeholder(DType::Float32, {-1, 4});
  for (int64_t units : {int64_t(0), int64_t(-5), int64_t(1) << 40}) {
    layers::dense(wide, units);
    EXPECT_EQ(error(), "Received an invalid value for `units`, expected a "
                       "positive integer. Received: units=" +
                           std::to_string(units));
  }
}

// As numbers of a shape they do not fit into an int32, their product not even
// into an int64.
TEST_F(TrainingFunctions, HugeExtentsAreRefused) {
  const int64_t huge = int64_t(1) << 40;
  Output x = ops::placeholder(DType::Float32, {huge, huge, 4});
  for (bool isFlat : {false, true}) {
    isFlat ? layers::flatten(x) : layers::dense(x, 2);
    EXPECT_EQ(error(), "Python integer 1099511627776 out of bounds for int32");
  }
}

TEST_F(TrainingFunctions, InputQueues) {
  setRandomSeed(2);
  stringInputProducer({"a", "b", "c"}, {.numEpochs = 2, .shuffle = false});
  rangeInputProducer(5, {.shuffle = false, .capacity = 8, .name = "numbers"});
  Output features = ops::constant(constantOf("optimizer_input", "features"),
                                  {.name = "features"});
  Output labels = ops::constant({1, 2, 3, 4}, {.name = "labels"});
  std::vector<Output> row =
      sliceInputProducer({features, labels}, {.numEpochs = 1, .seed = 4});
  batch(row, 2, {.numThreads = 2, .allowSmallerFinalBatch = true});
  batch({features}, 3, {.enqueueMany = true, .name = "again"});
  globalVariablesInitializer();
  localVariablesInitializer();
  expectGraph("optimizer_input");
  EXPECT_EQ(graph.collection(keys::queueRunners).size(), 5u);
}

TEST_F(TrainingFunctions, ErrorsOfInputQueues) {
  stringInputProducer(Input(Input::List{}));
  EXPECT_EQ(error(), "string_input_producer requires a non-null input tensor");
  limitEpochs(1, 0);
  EXPECT_EQ(error(), "num_epochs must be > 0 not 0.");
  sliceInputProducer(std::vector<Input>{});
  EXPECT_EQ(error(), "Expected at least one tensor in slice_input_producer().");
}

TEST_F(TrainingFunctions, TotalLosses) {
  Output one = ops::constant(1.0), two = ops::constant(2.0);
  losses::addLoss(one);
  graph.addToCollection(keys::regularizationLosses, two);
  EXPECT_EQ(losses::getTotalLoss().node->numInputs(), 2);
  EXPECT_EQ(losses::getTotalLoss(false, "own").node->numInputs(), 1);
}

TEST_F(TrainingFunctions, ErrorsOfLosses) {
  Output x = ops::placeholder(DType::Float32, {2, 3});
  losses::meanSquaredError(ops::zeros({2, 2}), x);
  EXPECT_EQ(error(), "Shapes (2, 3) and (2, 2) are incompatible");
  losses::meanSquaredError(x, x, {.weights = ops::zeros({2, 2})});
  EXPECT_EQ(error(),
            "weights can not be broadcast to values. Mismatch at dim 1. "
            "values.shape=[2 3], weights.shape=[2 2]. Received weights="
            "Tensor(\"zeros_1:0\", shape=(2, 2), dtype=float32), values="
            "Tensor(\"mean_squared_error_1/SquaredDifference:0\", shape=(2, "
            "3), dtype=float32)");
  losses::meanSquaredError(x, x,
                           {.weights = Input(std::vector<double>{1, 2, 3})});
  EXPECT_THAT(error(),
              ::testing::HasSubstr(
                  "weights can not be broadcast to values. values.rank=2. "
                  "weights.rank=1. values.shape=(2, 3). weights.shape="
                  "(3,). Received weights=Tensor(\""));
}

} // namespace
} // namespace kiln
