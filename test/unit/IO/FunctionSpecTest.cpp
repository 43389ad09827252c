// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of graphs as functions: names, bytes, calls, gradients, bytes from
// hostile hands.
#include "kiln/FunctionSpec.h"

#include "kiln/GraphDef.h"
#include "kiln/Messages.h"
#include "kiln/Ops.h"
#include "kiln/Session.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr auto invalid = StatusCode::InvalidArgument;

class FunctionSpecTest : public ::testing::Test {
protected:
  const Node *add(NodeSpec spec) {
    auto node = graph.addNode(std::move(spec));
    EXPECT_THAT(node, isOk());
    return node.valueOr(nullptr);
  }
  const Node *placeholder(const std::string &name) {
    return add({.name = name,
                .op = "Placeholder",
                .attrs = {{"dtype", DType::Float32}, {"_mark", "m"}}});
  }
  const Node *negative(const std::string &name, const Node *of) {
    return add({.name = name,
                .op = "Neg",
                .inputs = {Output{of, 0}},
                .attrs = {{"T", DType::Float32}}});
  }

  const Node *axis() {
    return add({.name = "axis",
                .op = "Const",
                .attrs = {{"dtype", DType::Int32},
                          {"value", *Tensor::fromValues<int32_t>({}, {0})}}});
  }

  Graph graph{makeNodeChecker()};
};

TEST_F(FunctionSpecTest, NamesAreNormalizedAndUnique) {
  const Node *x = placeholder("Scope/X");
  const Node *y = negative("Y", x), *z = negative("y", y);
  auto spec = functionFromGraph(
      graph, "F", {.inputs = {{x, 0}}, .outputs = {{y, 0}, {z, 0}}});
  ASSERT_THAT(spec, isOk());
  EXPECT_EQ(spec->signature.inputs[0].name, "scope_x");
  EXPECT_EQ(spec->signature.outputs[0].name, "y");
  EXPECT_EQ(spec->signature.outputs[1].name, "y_0");
  EXPECT_EQ(spec->argAttrs[0].find("_mark")->getIf<std::string>()[0], "m");
  EXPECT_THAT(spec->returns,
              UnorderedElementsAre(Pair("y", "Y:y:0"), Pair("y_0", "y_1:y:0")));
}

TEST_F(FunctionSpecTest, CallsComputeWhatThePartDid) {
  const Node *x = placeholder("x");
  const Node *y = negative("y", x);
  auto spec =
      functionFromGraph(graph, "F", {.inputs = {{x, 0}}, .outputs = {{y, 0}}});
  ASSERT_THAT(spec, isOk());
  auto bytes = encodeFunctionDef(*spec);
  ASSERT_THAT(bytes, isOk());
  auto host = loadGraphDef("");
  ASSERT_THAT(addFunctionDef(**host, *bytes), isOk());
  const Node *fed = *(*host)->addNode({.name = "fed",
                                       .op = "Placeholder",
                                       .attrs = {{"dtype", DType::Float32}}});
  const Node *call = *(*host)->addNode(
      {.name = "call", .op = "F", .inputs = {Output{fed, 0}}});
  auto session = Session::create(*host);
  auto value = Tensor::fromValues<float>(Shape({2}), {1, -2});
  auto results = (*session)->run({{"fed:0", *value}}, {Output{call, 0}});
  ASSERT_THAT(results, isOk());
  EXPECT_EQ((*results)[0].data<float>()[1], 2);
}

TEST_F(FunctionSpecTest, ControlOutputsAreNamed) {
  const Node *x = placeholder("x");
  const Node *y = negative("y", x), *z = negative("z", x);
  const GraphPart part{.inputs = {{x, 0}},
                       .outputs = {{y, 0}},
                       .controlOutputs = {z},
                       .controlOutputNames = {"done"}};
  auto spec = functionFromGraph(graph, "F", part);
  ASSERT_THAT(spec, isOk());
  EXPECT_THAT(spec->controlReturns, UnorderedElementsAre(Pair("done", "z")));
  GraphPart wrong = part;
  wrong.controlOutputNames = {"a", "b"};
  EXPECT_THAT(functionFromGraph(graph, "F", wrong),
              fails(invalid, "Expected number of control outputs (1) and the "
                             "number of control output names (2) to match but "
                             "they do not."));
  wrong.controlOutputNames = {""};
  EXPECT_THAT(functionFromGraph(graph, "F", wrong),
              fails(invalid, "Control output name must be not empty"));
}

TEST_F(FunctionSpecTest, PlaceholdersBecomeAttributes) {
  const Node *x = placeholder("x");
  const Node *y = add({.name = "y",
                       .op = "Sum",
                       .inputs = {Output{x, 0}, Output{axis(), 0}},
                       .attrs = {{"T", DType::Float32},
                                 {"Tidx", DType::Int32},
                                 {"keep_dims", AttrPlaceholder{"keep"}}}});
  auto spec =
      functionFromGraph(graph, "F", {.inputs = {{x, 0}}, .outputs = {{y, 0}}});
  ASSERT_THAT(spec, isOk());
  ASSERT_THAT(spec->signature.attrs, SizeIs(1));
  EXPECT_EQ(spec->signature.attrs[0].name, "keep");
  EXPECT_EQ(spec->signature.attrs[0].type, "bool");
}

TEST_F(FunctionSpecTest, ForeignTensorsAreRefused) {
  Graph other(makeNodeChecker());
  const Node *x = placeholder("x");
  const Node *away = *other.addNode({.name = "away",
                                     .op = "Placeholder",
                                     .attrs = {{"dtype", DType::Float32}}});
  EXPECT_THAT(
      functionFromGraph(graph, "F", {.inputs = {{away, 0}}}),
      fails(invalid, HasSubstr("Does it belong to a different graph?")));
  EXPECT_FALSE(functionFromGraph(graph, "F",
                                 {.body = std::vector<const Node *>{away},
                                  .inputs = {{x, 0}}})
                   .ok());
  EXPECT_FALSE(functionFromGraph(graph, "F", {.controlOutputs = {away}}).ok());
}

TEST(FunctionBytes, AttributesAreReplaced) {
  auto bytes = encodeFunctionDef({.signature = {.name = "F"}});
  ASSERT_THAT(bytes, isOk());
  auto once = setFunctionAttr(*bytes, "a", int64_t{1});
  ASSERT_THAT(once, isOk());
  auto twice = setFunctionAttr(*once, "a", "text");
  ASSERT_THAT(twice, isOk());
  auto head = decodeFunctionHead(*twice);
  ASSERT_THAT(head, isOk());
  EXPECT_EQ(head->name, "F");
  EXPECT_TRUE(*head->attrs.find("a") == AttrValue("text"));
}

TEST(FunctionBytes, HostileOnesAreRefused) {
  auto bytes = encodeFunctionDef(
      {.signature = {.name = "F"}, .attrs = {{"a", "some text"}}});
  ASSERT_THAT(bytes, isOk());
  for (size_t length = 1; length < bytes->size(); ++length)
    if (auto head = decodeFunctionHead(bytes->substr(0, length)); head.ok()) {
      EXPECT_TRUE(head->attrs.empty());
    }
  EXPECT_THAT(decodeFunctionHead(std::string(4, '\0')),
              fails(invalid, ::testing::_));
  EXPECT_THAT(setFunctionAttr("\xff", "a", true), fails(invalid, ::testing::_));
}

TEST(FunctionBytes, AFunctionHasOneGradient) {
  auto graph = loadGraphDef("");
  ASSERT_THAT(addFunctionGradient(**graph, "F", "G"), isOk());
  ASSERT_THAT(addFunctionGradient(**graph, "F", "G"), isOk());
  EXPECT_THAT(addFunctionGradient(**graph, "F", "H"),
              fails(invalid, "Cannot assign gradient function 'H' to 'F' "
                             "because it already has gradient function 'G'"));
  ASSERT_THAT(addFunctionGradient(**graph, "E", "G"), isOk());
  auto again = loadGraphDef(*toGraphDef(**graph));
  ASSERT_THAT(again, isOk());
  EXPECT_FALSE(addFunctionGradient(**again, "E", "H").ok());
}

} // namespace
} // namespace kiln
