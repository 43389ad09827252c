// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, scopes, conversions and errors of graph construction, with what
// TensorFlow 2.21 gave for the same programs.
#include "kiln/BuildOps.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::isOk;

class GraphBuilderTest : public ::testing::Test {
protected:
  std::string constantNamed(const std::string &name) {
    Output made = ops::constant(1, {.name = name});
    return made.node ? made.node->name() : "none";
  }
  /// What went wrong last.
  Status taken() { return graph.takeStatus(); }

  GraphBuilder graph;
  GraphScope scope{graph};
};

// Names.

TEST_F(GraphBuilderTest, NamesAreUniqueWhateverTheirCase) {
  std::vector<std::string> names;
  for (const char *name : {"c", "c", "C", "c_1", "c_1"})
    names.push_back(constantNamed(name));
  EXPECT_THAT(names, ElementsAre("c", "c_1", "C_2", "c_1_1", "c_1_2"));
}

TEST_F(GraphBuilderTest, ANumberedNameMayComeFirst) {
  std::vector<std::string> names;
  for (const char *name : {"c_1", "c", "c", "c"})
    names.push_back(constantNamed(name));
  EXPECT_THAT(names, ElementsAre("c_1", "c", "c_2", "c_3"));
}

TEST_F(GraphBuilderTest, ScopesAndOpsShareTheNames) {
  constantNamed("s");
  {
    EXPECT_EQ(NameScope("s").name(), "s_1/");
  }
  {
    EXPECT_EQ(NameScope("foo").name(), "foo/");
  }
  EXPECT_EQ(constantNamed("foo"), "foo_1");
}

TEST_F(GraphBuilderTest, ScopesAreNumbered) {
  std::vector<std::string> names;
  for (const char *name : {"s", "s", "S"})
    names.push_back(NameScope(name).name());
  EXPECT_THAT(names, ElementsAre("s/", "s_1/", "S_2/"));
}

TEST_F(GraphBuilderTest, ANameWithASlashIsTakenAsItIs) {
  NameScope outer("outer");
  {
    NameScope inner("inner");
    EXPECT_EQ(ops::constant(1, {.name = inner.name()}).node->name(),
              "outer/inner");
  }
  NameScope again("outer/inner/");
  EXPECT_EQ(again.name(), "outer/inner/");
  EXPECT_EQ(constantNamed("x"), "outer/inner/x");
}

TEST_F(GraphBuilderTest, AnEmptyNameGoesBackToTheRoot) {
  NameScope outer("outer");
  NameScope root("");
  EXPECT_EQ(root.name(), "");
  EXPECT_EQ(constantNamed("x"), "x");
}

TEST_F(GraphBuilderTest, OperatorsAreNamedAsPythons) {
  Output x = ops::constant(5.0, {.name = "x"}), y = ops::constant(2.0);
  EXPECT_EQ((x + y).name(), "add:0");
  EXPECT_EQ((x - y).name(), "sub:0");
  EXPECT_EQ((x * y).name(), "mul:0");
  EXPECT_EQ((x / y).name(), "truediv:0");
  EXPECT_EQ((x % y).name(), "mod:0");
  EXPECT_EQ((x < y).name(), "Less:0");
  EXPECT_EQ((-x).name(), "Neg:0");
  EXPECT_EQ(ops::add(x, y).name(), "Add_1:0");
  EXPECT_EQ((x + y).node->op(), "AddV2");
  EXPECT_EQ((x % y).node->op(), "FloorMod");
}

TEST_F(GraphBuilderTest, ConstantsAreNamedAfterTheArgument) {
  Output x = ops::constant(5.0, {.name = "x"});
  Output right = x + 1, left = 1 + x;
  EXPECT_EQ(right.node->input(1).name(), "add/y:0");
  EXPECT_EQ(left.node->input(0).name(), "add_1/x:0");
  EXPECT_EQ(ops::pow(x, 2).node->input(1).name(), "Pow/y:0");
}

TEST_F(GraphBuilderTest, NamesInALoadedGraphAreTaken) {
  constantNamed("c");
  GraphBuilder more(graph.graph());
  GraphScope inner(more);
  EXPECT_EQ(constantNamed("c"), "c_1");
}

TEST_F(GraphBuilderTest, RefusesNames) {
  ops::constant(1, {.name = "a b"});
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("'a b' is not a valid node name. Accepted names "
                              "conform to Regex")));
  {
    NameScope scope("_x");
  }
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             HasSubstr("'_x' is not a valid root scope name. "
                                       "A root scope name has to match")));
  NameScope outer("outer");
  {
    NameScope inner("_x");
  }
  EXPECT_THAT(taken(), isOk());
  {
    NameScope inner("a:b");
  }
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("'a:b' is not a valid scope name. A scope name "
                              "has to match the following pattern")));
}

// Values.

TEST_F(GraphBuilderTest, NumbersAreAsPythons) {
  EXPECT_EQ(ops::constant(3).dtype(), DType::Int32);
  EXPECT_EQ(ops::constant(int64_t{3}).dtype(), DType::Int32);
  EXPECT_EQ(ops::constant(int64_t{1} << 40).dtype(), DType::Int64);
  EXPECT_EQ(ops::constant(3.5).dtype(), DType::Float32);
  EXPECT_EQ(ops::constant(true).dtype(), DType::Bool);
  EXPECT_EQ(ops::constant("text").dtype(), DType::String);
  EXPECT_EQ(ops::constant({1, 2.5}).dtype(), DType::Float32);
  EXPECT_EQ(ops::constant({{1, 2}, {3, 4}}).shape(), (Shape{2, 2}));
  EXPECT_EQ(ops::constant(std::vector<double>{1, 2}).dtype(), DType::Float32);
  EXPECT_EQ(ops::constant(Tensor::scalar(1.5)).dtype(), DType::Float64);
  EXPECT_THAT(taken(), isOk());
}

TEST_F(GraphBuilderTest, ANumberTakesTheTensorsType) {
  Output x = ops::constant(1.5, {.dtype = DType::Float64});
  EXPECT_EQ((x * 2).dtype(), DType::Float64);
  EXPECT_EQ((2 * x).dtype(), DType::Float64);
  EXPECT_EQ(
      (x + 0.1).node->input(1).node->attr<Tensor>("value")->data<double>()[0],
      0.1);
}

TEST_F(GraphBuilderTest, AFloatIsNoInteger) {
  Output x = ops::constant(1, {.name = "x"});
  Output sum = x + 1.5;
  EXPECT_EQ(sum.node, nullptr);
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Input 'y' of 'AddV2' Op has type float32 that "
                              "does not match type int32 of argument 'x'.")));
  ops::subtract(x, 1.5);
  EXPECT_THAT(
      taken(),
      fails(StatusCode::InvalidArgument,
            HasSubstr("Expected int32 passed to parameter 'y' of op 'Sub', got "
                      "1.5 of type 'float' instead. Error: Expected int32, but "
                      "got 1.5 of type 'float'.")));
}

TEST_F(GraphBuilderTest, TheLastElementStandsForMissingOnes) {
  Tensor value = *ops::constant({1, 2}, {.shape = Shape{2, 2}})
                      .node->attr<Tensor>("value");
  EXPECT_THAT(value.data<int32_t>(), ElementsAre(1, 2, 2, 2));
}

TEST_F(GraphBuilderTest, ValuesThatBecomeNoConstant) {
  ops::constant(1, {.dtype = DType::String});
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             "Expected string, but got 1 of type 'int'."));
  ops::constant("a", {.dtype = DType::Int32});
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             "Expected int32, but got a of type 'str'."));
  ops::constant({1, 2, 3}, {.shape = Shape{2}});
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    "Too many elements provided. Takes at most 2, but got 3."));
}

TEST_F(GraphBuilderTest, InputsOfAnotherType) {
  ops::addN({ops::constant(1), ops::constant(1.0)});
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             "Tensors in list passed to 'inputs' of 'AddN' Op "
                             "have types [int32, float32] that don't all "
                             "match."));
  ops::sqrt(4);
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             "Value passed to parameter 'x' has DataType int32 "
                             "not in list of allowed values: bfloat16, "
                             "float16, float32, float64, complex64, "
                             "complex128"));
  ops::matMul(ops::zeros({2, 3}), ops::zeros({4, 5}));
  EXPECT_THAT(
      taken(),
      fails(StatusCode::InvalidArgument,
            HasSubstr("for '{{node MatMul}} = MatMul[T=DT_FLOAT, grad_a=false, "
                      "grad_b=false, transpose_a=false, transpose_b=false]("
                      "zeros, zeros_1)' with input shapes: [2,3], [4,5].")));
}

TEST_F(GraphBuilderTest, RaggedListsAreRefused) {
  ops::constant({{1, 2}, {3}});
  EXPECT_THAT(taken(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("The requested array has an inhomogeneous shape "
                              "after 1 dimensions. The detected shape was (2,) "
                              "+ inhomogeneous part.")));
}

TEST_F(GraphBuilderTest, ListsWithTensorsArePacked) {
  Output x = ops::constant(3, {.name = "x"});
  Output packed = graph.convert({x, 4});
  EXPECT_EQ(packed.name(), "packed:0");
  EXPECT_EQ(packed.node->op(), "Pack");
  EXPECT_EQ(packed.node->input(1).name(), "packed/1:0");
}

TEST_F(GraphBuilderTest, IntegersAreDividedAsFloat64) {
  Output quotient = ops::constant(3) / ops::constant(2);
  EXPECT_EQ(quotient.dtype(), DType::Float64);
  EXPECT_EQ(quotient.node->op(), "RealDiv");
  EXPECT_EQ(quotient.node->input(0).name(), "truediv/Cast:0");
}

// Errors.

TEST_F(GraphBuilderTest, ShapesThatDoNotFit) {
  Output a = ops::zeros({2, 3}), b = ops::zeros({4, 5});
  Output sum = ops::add(a, b);
  EXPECT_EQ(sum.node, nullptr);
  Status status = taken();
  EXPECT_THAT(status,
              fails(StatusCode::InvalidArgument,
                    HasSubstr("for '{{node Add}} = AddV2[T=DT_FLOAT](zeros, "
                              "zeros_1)' with input shapes: [2,3], [4,5].")));
  EXPECT_THAT(status, failsAt("Add"));
}

TEST_F(GraphBuilderTest, AnErrorStaysUntilItIsTaken) {
  Output bad = ops::add(ops::zeros({2}), ops::zeros({3}));
  int nodes = graph.graph()->numNodes();
  Output more = ops::square(bad) + 1;
  EXPECT_EQ(more.node, nullptr);
  Variable variable(3);
  EXPECT_EQ(variable.op(), nullptr);
  EXPECT_EQ(globalVariablesInitializer(), nullptr);
  EXPECT_EQ(graph.graph()->numNodes(), nodes);
  EXPECT_THAT(graph.status(), failsAt("Add"));
  (void)taken();
  EXPECT_NE(ops::constant(1).node, nullptr);
}

TEST_F(GraphBuilderTest, TensorsOfOtherGraphsAreRefused) {
  Output foreign;
  {
    GraphBuilder other;
    GraphScope inside(other);
    foreign = ops::constant(1, {.dtype = DType::Float32, .name = "c2"});
    Output here = ops::constant(1.0);
    GraphScope back(graph);
    ops::add(ops::constant(1.0), foreign);
    EXPECT_THAT(taken(),
                fails(StatusCode::InvalidArgument,
                      HasSubstr("Tensor Tensor(\"c2:0\", shape=(), "
                                "dtype=float32) is not an element of this "
                                "graph.")));
    // A function works in the graph of its inputs.
    EXPECT_TRUE(other.graph()->contains(ops::square(here).node));
  }
}

TEST_F(GraphBuilderTest, AFinalizedGraphStaysAsItIs) {
  graph.finalize();
  ops::constant(1);
  EXPECT_THAT(taken(), fails(StatusCode::FailedPrecondition,
                             "Graph is finalized and cannot be modified."));
}

TEST_F(GraphBuilderTest, AGraphThatIsFinalNoLongerGrowsAgain) {
  graph.finalize();
  graph.unfinalize();
  EXPECT_FALSE(graph.isFinalized());
  ops::constant(1);
  EXPECT_THAT(taken(), isOk());
}

TEST_F(GraphBuilderTest, ResettingInsideOfAGraphIsRefused) {
  resetDefaultGraph();
  EXPECT_THAT(taken(),
              fails(StatusCode::FailedPrecondition,
                    HasSubstr("Do not use tf.reset_default_graph() to clear "
                              "nested graphs.")));
}

// Scopes.

TEST_F(GraphBuilderTest, ControlInputsAreThoseThatDataDoesNotBring) {
  Output a = ops::constant(1, {.name = "a"}),
         b = ops::constant(2, {.name = "b"});
  ControlScope outer({a});
  Output c = ops::identity(b, {.name = "c"});
  EXPECT_THAT(c.node->controlInputs(), ElementsAre(a.node));
  EXPECT_THAT(ops::identity(a).node->controlInputs(), IsEmpty());
  // c was added here, so what takes it waits already.
  EXPECT_THAT(ops::identity(c).node->controlInputs(), IsEmpty());
  {
    ControlScope inner({b});
    EXPECT_THAT(ops::constant(3).node->controlInputs(),
                ElementsAre(a.node, b.node));
  }
  ControlScope none = ControlScope::none();
  EXPECT_THAT(ops::identity(b).node->controlInputs(), IsEmpty());
}

TEST_F(GraphBuilderTest, DevicesAreMergedFromInsideOut) {
  DeviceScope job("/job:worker/cpu:1");
  EXPECT_EQ(ops::constant(1).node->device(), "/job:worker/device:CPU:1");
  {
    DeviceScope gpu("/gpu:0");
    EXPECT_EQ(ops::constant(1).node->device(), "/job:worker/device:GPU:0");
    DeviceScope any("");
    EXPECT_EQ(ops::constant(1).node->device(), "");
  }
  DeviceScope bad("/nothing:x:y");
  EXPECT_THAT(taken(), fails(StatusCode::InvalidArgument,
                             "Unknown attribute 'nothing' is encountered while "
                             "parsing the device spec: '/nothing:x:y'."));
}

TEST_F(GraphBuilderTest, ColocatedOpsSaySo) {
  Output a;
  {
    DeviceScope cpu("/cpu:0");
    a = ops::constant(1, {.name = "a"});
  }
  ColocationScope place(a);
  Output b = ops::constant(2);
  EXPECT_EQ(*b.node->attr<std::vector<std::string>>("_class"),
            std::vector<std::string>{"loc:@a"});
  EXPECT_EQ(b.node->device(), "/device:CPU:0");
}

TEST_F(GraphBuilderTest, SeedsAreTensorFlows) {
  using Pair = std::pair<int64_t, int64_t>;
  constexpr int64_t largest = 2147483647;
  EXPECT_EQ(graph.seedsFor({}), Pair(0, 0));
  EXPECT_EQ(graph.seedsFor(5), Pair(87654321, 5));
  EXPECT_EQ(graph.seedsFor(largest), Pair(87654321, 0));
  graph.setRandomSeed(0);
  EXPECT_EQ(graph.seedsFor({}), Pair(0, largest));
  EXPECT_EQ(graph.seedsFor({}), Pair(0, 1));
  EXPECT_EQ(graph.seedsFor(0), Pair(0, largest));
  graph.setRandomSeed(-1);
  EXPECT_EQ(graph.seedsFor({}), Pair(largest - 1, 2));
}

TEST_F(GraphBuilderTest, CollectionsAreFilteredByScope) {
  Output a = ops::constant(1, {.name = "a"});
  graph.addToCollection("k", a);
  graph.addToCollection("k", CollectionItem{"", 3});
  EXPECT_EQ(graph.collection("k").size(), 2u);
  EXPECT_EQ(graph.collection("k", "a").size(), 1u);
  EXPECT_EQ(graph.collection("k", "b").size(), 0u);
  EXPECT_THAT(graph.collectionOf<int>("k"), ElementsAre(3));
  graph.collectionRef("k").clear();
  EXPECT_THAT(graph.collection("k"), IsEmpty());
}

TEST_F(GraphBuilderTest, SlicesAreStridedSlices) {
  Output x = ops::zeros({4, 5, 6});
  EXPECT_EQ(x[0].shape(), (Shape{5, 6}));
  Output part = x[{slice(1, 3), ellipsis(), newAxis(), sliceAll(2)}];
  EXPECT_EQ(part.shape(), (Shape{2, 5, 1, 3}));
  EXPECT_EQ(part.name(), "strided_slice_1:0");
  EXPECT_EQ(part.node->input(1).name(), "strided_slice_1/stack:0");
  EXPECT_EQ(part.node->input(3).name(), "strided_slice_1/stack_2:0");
}

} // namespace
} // namespace kiln
