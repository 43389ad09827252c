// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions on whole graphs: while building, and over symbols as import
// calls them.
#include "lib/OpDefs/Inference.h"
#include "kiln/GraphDef.h"

#include "test/unit/RecordedCases.h"
#include "test/unit/StatusMatchers.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::IsEmpty;
using testing::isOk;

/// Infers all nodes of a graph in order, placeholders as feeds with the given
/// extents for unknown dimensions.
class Symbolic {
public:
  explicit Symbolic(const Graph &graph, int64_t sample)
      : Symbolic(graph, std::vector<int64_t>{sample}) {}
  /// Samples by feed; the last one serves the rest.
  Symbolic(const Graph &graph, const std::vector<int64_t> &samples) {
    for (int id = 0; id < graph.numNodes() && status.ok(); ++id)
      infer(*graph.node(id), samples);
    for (auto &[node, outputs] : values)
      for (ValueInfo &value : outputs) {
        value.shape = space.resolve(value.shape);
        if (value.contents)
          value.contents = space.resolve(*value.contents);
      }
  }

  const ValueInfo &at(const Graph &graph, std::string_view name,
                      size_t output = 0) {
    return values[graph.lookup(name)][output];
  }
  std::string shape(const Graph &graph, std::string_view name) {
    return toString(at(graph, name).shape);
  }
  std::string contents(const Graph &graph, std::string_view name,
                       size_t output = 0) {
    const auto &found = at(graph, name, output).contents;
    return found ? toString(*found) : "none";
  }

  DimSpace space;
  Status status;

private:
  void infer(const Node &node, const std::vector<int64_t> &samples) {
    if (node.op() == "Placeholder") {
      ValueInfo value{
          node.outputDType(0), false, toSymShape(node.outputShape(0)), {}, {}};
      int64_t sample =
          samples[std::min(static_cast<size_t>(feeds), samples.size() - 1)];
      for (size_t i = 0; i < value.shape.dims.size(); ++i)
        if (value.shape.dims[i].isUnknown())
          value.shape.dims[i] =
              space.feedDim(feeds, static_cast<int32_t>(i), sample);
      ++feeds;
      values[&node] = {value};
      return;
    }
    std::vector<const ValueInfo *> inputs;
    for (const Output &input : node.inputs())
      inputs.push_back(&values[input.node][static_cast<size_t>(input.index)]);
    auto outputs = inferNode(node, *lookupOp(node.op()), inputs, space);
    if (!outputs.ok())
      status = outputs.status();
    else
      values[&node] = *std::move(outputs);
  }

  int32_t feeds = 0;
  std::map<const Node *, std::vector<ValueInfo>> values;
};

std::shared_ptr<Graph> minibatch() {
  auto graph = loadGraphDefFile(KILN_SOURCE_DIR "/bench/graphs/minibatch.pb",
                                {.checker = makeNodeChecker()});
  EXPECT_THAT(graph, isOk());
  return graph.ok() ? *graph : nullptr;
}

TEST(Inference, EveryGraphInTheTreeBuilds) {
  for (const std::string &path : testing::realGraphs())
    EXPECT_THAT(loadGraphDefFile(path, {.checker = makeNodeChecker()}), isOk())
        << path;
}

TEST(Inference, BuildingKnowsWhatTensorFlowKnows) {
  auto graph = minibatch();
  ASSERT_TRUE(graph);
  auto shape = [&](const char *name) {
    return graph->lookup(name)->outputShape(0).toString();
  };
  EXPECT_EQ(shape("MatMul"), "[?,1]");
  EXPECT_EQ(shape("Mean"), "[]");
  EXPECT_EQ(shape("gradients/Mean_grad/GatherV2"), "[2]");
  EXPECT_EQ(shape("gradients/MatMul_grad/MatMul_1"), "[9,1]");
  EXPECT_TRUE(graph->lookup("Variable")->output(0).isRef);
  EXPECT_TRUE(graph->lookup("Variable/Assign")->output(0).isRef);
  EXPECT_FALSE(graph->lookup("Variable/read")->output(0).isRef);
}

TEST(Inference, MinibatchStepHasOneSymbol) {
  auto graph = minibatch();
  ASSERT_TRUE(graph);
  Symbolic inferred(*graph, 100);
  ASSERT_THAT(inferred.status, isOk());
  EXPECT_EQ(inferred.shape(*graph, "Placeholder_1"),
            "[s0,1]"); // merged with the other feed's batch
  EXPECT_EQ(inferred.shape(*graph, "sub"), "[s0,1]");
  EXPECT_EQ(inferred.contents(*graph, "gradients/Mean_grad/Shape"), "[s0,1]");
  EXPECT_EQ(inferred.contents(*graph, "gradients/Mean_grad/mod"), "[0,1]");
  EXPECT_EQ(inferred.contents(*graph, "gradients/Mean_grad/GatherV2"),
            "[s0,1]");
  EXPECT_EQ(inferred.contents(*graph, "gradients/Mean_grad/Prod"), "[s0]");
  EXPECT_EQ(inferred.contents(*graph, "gradients/Mean_grad/Cast"), "none");
  EXPECT_EQ(inferred.shape(*graph, "gradients/Mean_grad/Tile"), "[s0,1]");
  EXPECT_EQ(
      inferred.contents(*graph, "gradients/sub_grad/BroadcastGradientArgs", 0),
      "[]");
  EXPECT_EQ(
      inferred.contents(*graph, "gradients/sub_grad/BroadcastGradientArgs", 1),
      "[]");
  EXPECT_EQ(inferred.shape(*graph, "gradients/sub_grad/Reshape"), "[s0,1]");
  EXPECT_EQ(inferred.shape(*graph, "gradients/MatMul_grad/MatMul"), "[s0,9]");
  EXPECT_EQ(inferred.shape(
                *graph, "GradientDescent/update_Variable/ApplyGradientDescent"),
            "[9,1]");
}

TEST(Inference, MinibatchFeedsShareTheBatchWithoutClasses) {
  auto graph = minibatch();
  ASSERT_TRUE(graph);
  for (int64_t sample : {100, 1}) {
    Symbolic inferred(*graph, sample);
    ASSERT_THAT(inferred.status, isOk());
    const SymbolTable &table = inferred.space.symbols();
    EXPECT_THAT(table.classes, IsEmpty());
    EXPECT_THAT(table.equalities, ElementsAre(DimEquality{0, 0, 1, 0}));
    EXPECT_THAT(table.guards, IsEmpty());
    EXPECT_EQ(inferred.shape(*graph, "sub"), "[s0,1]");
    EXPECT_EQ(inferred.shape(*graph, "gradients/MatMul_grad/MatMul"), "[s0,9]");
    std::vector<int64_t> x = {100, 9}, y = {100, 1};
    EXPECT_TRUE(table.classesMatch(std::vector<FeedShape>{x, y}));
    x[0] = y[0] = 1;
    EXPECT_TRUE(table.classesMatch(std::vector<FeedShape>{x, y}));
    x[0] = 64;
    EXPECT_FALSE(table.classesMatch(std::vector<FeedShape>{x, y}));
  }
}

TEST(Inference, MinibatchFeedsThatDisagreeAreAnError) {
  auto graph = minibatch();
  ASSERT_TRUE(graph);
  Symbolic inferred(*graph, {100, 64});
  ASSERT_THAT(inferred.status, isOk());
  const SymbolTable &table = inferred.space.symbols();
  ASSERT_EQ(table.guards.size(), 1u);
  EXPECT_THAT(table.equalities, IsEmpty());
  EXPECT_THAT(table.classes,
              ElementsAre(DimClass{0, 0, false}, DimClass{1, 0, false}));
  std::vector<int64_t> x = {100, 9}, y = {100, 1}, values;
  EXPECT_THAT(table.evaluate(std::vector<FeedShape>{x, y}, values), isOk());
  y[0] = 64;
  EXPECT_THAT(table.evaluate(std::vector<FeedShape>{x, y}, values),
              fails(StatusCode::InvalidArgument,
                    "Incompatible shapes: [100,1] vs. [64,1]"));
  y[0] = 1;
  EXPECT_FALSE(table.classesMatch(std::vector<FeedShape>{x, y}));
}

/// A graph of one placeholder and what a test puts behind it.
class Behind : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_THAT(graph.addNode({.name = "x",
                               .op = "Placeholder",
                               .attrs = {{"dtype", DType::Float32},
                                         {"shape", Shape({-1, 4})}}}),
                isOk());
  }
  void numbers(const std::string &name, std::initializer_list<int32_t> values,
               bool scalar = false) {
    Shape shape =
        scalar ? Shape() : Shape({static_cast<int64_t>(values.size())});
    ASSERT_THAT(graph.addNode(
                    {.name = name,
                     .op = "Const",
                     .attrs = {{"dtype", DType::Int32},
                               {"value", AttrValue(*Tensor::fromValues<int32_t>(
                                             shape, values))}}}),
                isOk());
  }
  Graph graph{makeNodeChecker()};
};

TEST_F(Behind, DynamicShapeIdiomKeepsTheBatch) {
  // tf.reshape(x, [tf.shape(x)[0], -1]), as graphs write it.
  numbers("zero", {0});
  numbers("one", {1});
  numbers("rest", {-1}, true);
  ASSERT_THAT(graph.addNodes({{.name = "shape",
                               .op = "Shape",
                               .inputs = {"x"},
                               .attrs = {{"T", DType::Float32}}},
                              {.name = "batch",
                               .op = "StridedSlice",
                               .inputs = {"shape", "zero", "one", "one"},
                               .attrs = {{"T", DType::Int32},
                                         {"Index", DType::Int32},
                                         {"shrink_axis_mask", 1}}},
                              {.name = "target",
                               .op = "Pack",
                               .inputs = {"batch", "rest"},
                               .attrs = {{"T", DType::Int32}, {"N", 2}}},
                              {.name = "y",
                               .op = "Reshape",
                               .inputs = {"x", "target"},
                               .attrs = {{"T", DType::Float32}}}}),
              isOk());
  EXPECT_EQ(graph.lookup("y")->outputShape(0).rank(), 2);
  Symbolic inferred(graph, 6);
  ASSERT_THAT(inferred.status, isOk());
  EXPECT_EQ(inferred.contents(graph, "target"), "[s0,-1]");
  EXPECT_EQ(inferred.shape(graph, "y"), "[s0,4]");
  EXPECT_TRUE(inferred.space.symbols().guards.empty());
}

TEST_F(Behind, GradientOfABiasSumsOverTheBatch) {
  numbers("bias", {4});
  ASSERT_THAT(graph.addNodes({{.name = "shape",
                               .op = "Shape",
                               .inputs = {"x"},
                               .attrs = {{"T", DType::Float32}}},
                              {.name = "args",
                               .op = "BroadcastGradientArgs",
                               .inputs = {"shape", "bias"}}}),
              isOk());
  Symbolic inferred(graph, 6);
  EXPECT_EQ(inferred.contents(graph, "args", 0), "[]");
  EXPECT_EQ(inferred.contents(graph, "args", 1), "[0]");
  EXPECT_TRUE(inferred.space.symbols().classes.empty())
      << "the batch needs no class";
}

TEST_F(Behind, GradientOfATileInterleavesMultiplesAndExtents) {
  // reshape(transpose(stack([multiples, shape(x)])), [-1]), as TensorFlow
  // writes it, with the permutation from the rank.
  numbers("multiples", {2, 3});
  numbers("zero", {0}, true);
  numbers("one", {1}, true);
  numbers("flat", {-1});
  AttrMap i32 = {{"T", DType::Int32}};
  ASSERT_THAT(
      graph.addNodes(
          {{.name = "shape",
            .op = "Shape",
            .inputs = {"x"},
            .attrs = {{"T", DType::Float32}}},
           {.name = "stack",
            .op = "Pack",
            .inputs = {"multiples", "shape"},
            .attrs = {{"T", DType::Int32}, {"N", 2}}},
           {.name = "rank", .op = "Rank", .inputs = {"stack"}, .attrs = i32},
           {.name = "last",
            .op = "Sub",
            .inputs = {"rank", "one"},
            .attrs = i32},
           {.name = "range", .op = "Range", .inputs = {"zero", "rank", "one"}},
           {.name = "perm",
            .op = "Sub",
            .inputs = {"last", "range"},
            .attrs = i32},
           {.name = "transpose",
            .op = "Transpose",
            .inputs = {"stack", "perm"},
            .attrs = i32},
           {.name = "split",
            .op = "Reshape",
            .inputs = {"transpose", "flat"},
            .attrs = i32}}),
      isOk());
  Symbolic inferred(graph, 6);
  ASSERT_THAT(inferred.status, isOk());
  EXPECT_EQ(inferred.contents(graph, "perm"), "[1,0]");
  EXPECT_EQ(inferred.contents(graph, "stack"), "[2,3,s0,4]");
  EXPECT_EQ(inferred.contents(graph, "transpose"), "[2,s0,3,4]");
  EXPECT_EQ(inferred.contents(graph, "split"), "[2,s0,3,4]");
}

TEST_F(Behind, ConcatOfMatricesKeepsElements) {
  // The paddings of a Slice's gradient.
  numbers("before", {1, 2});
  numbers("after", {3, 4});
  numbers("column", {2, 1});
  numbers("axis", {1}, true);
  ASSERT_THAT(graph.addNodes({{.name = "a",
                               .op = "Reshape",
                               .inputs = {"before", "column"},
                               .attrs = {{"T", DType::Int32}}},
                              {.name = "b",
                               .op = "Reshape",
                               .inputs = {"after", "column"},
                               .attrs = {{"T", DType::Int32}}},
                              {.name = "paddings",
                               .op = "ConcatV2",
                               .inputs = {"a", "b", "axis"},
                               .attrs = {{"T", DType::Int32}, {"N", 2}}},
                              {.name = "y",
                               .op = "Pad",
                               .inputs = {"x", "paddings"},
                               .attrs = {{"T", DType::Float32}}}}),
              isOk());
  Symbolic inferred(graph, 6);
  EXPECT_EQ(inferred.contents(graph, "paddings"), "[1,3,2,4]");
  EXPECT_EQ(graph.lookup("y")->outputShape(0), Shape({-1, 10}));
}

TEST_F(Behind, IntegerArithmeticWrapsAndCompares) {
  numbers("big", {2147483647});
  numbers("one", {1});
  ASSERT_THAT(graph.addNodes({{.name = "sum",
                               .op = "AddV2",
                               .inputs = {"big", "one"},
                               .attrs = {{"T", DType::Int32}}},
                              {.name = "less",
                               .op = "Less",
                               .inputs = {"sum", "one"},
                               .attrs = {{"T", DType::Int32}}},
                              {.name = "pick",
                               .op = "SelectV2",
                               .inputs = {"less", "one", "big"},
                               .attrs = {{"T", DType::Int32}}}}),
              isOk());
  Symbolic inferred(graph, 6);
  EXPECT_EQ(inferred.contents(graph, "sum"), "[-2147483648]");
  EXPECT_EQ(inferred.contents(graph, "less"), "[1]");
  EXPECT_EQ(inferred.contents(graph, "pick"), "[1]");
}

TEST_F(Behind, MistakesWhileBuildingNameTheNode) {
  numbers("axis", {2});
  EXPECT_THAT(graph.addNode({.name = "s",
                             .op = "Sum",
                             .inputs = {"x", "axis"},
                             .attrs = {{"T", DType::Float32}}}),
              testing::failsAt("s"));
  EXPECT_EQ(graph.lookup("s"), nullptr);
}

} // namespace
} // namespace kiln
