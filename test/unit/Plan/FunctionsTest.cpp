// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a library as graphs: edges, attributes, effects, and what is
// wrong with malformed ones.
#include "lib/OpDefs/Callees.h"

#include "kiln/GraphDef.h"
#include "test/unit/Requests.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;

constexpr std::string_view call = R"(
  node { name: "a" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
    attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 2 } } } }
  node { name: "y" op: "PartitionedCall" input: "a"
    attr { key: "Tin" value { list { type: DT_FLOAT } } } attr { key: "Tout" value { list { type: DT_FLOAT } } }
    attr { key: "f" value { func { name: "f" attr { key: "T" value { type: DT_FLOAT } } } } } })";

/// A function of one argument x and one result y.
std::string function(std::string_view name, std::string_view nodes,
                     std::string_view result) {
  return "function { signature { name: '" + std::string(name) +
         "' input_arg { name: 'x' type_attr: 'T' } output_arg { name: 'y' "
         "type_attr: 'T' } attr { name: 'T' type: 'type' } } " +
         std::string(nodes) + " ret { key: 'y' value: '" + std::string(result) +
         "' } }";
}

constexpr std::string_view typed =
    " attr { key: 'T' value { placeholder: 'T' } } ";

std::string neg(std::string_view name, std::string_view input) {
  return "node_def { name: '" + std::string(name) + "' op: 'Neg' input: '" +
         std::string(input) + "'" + std::string(typed) + "}";
}

class Functions : public ::testing::Test {
protected:
  StatusOr<Call> find(const std::string &library,
                      std::string_view nodes = call) {
    auto loaded =
        loadGraphDef(std::string(nodes) + " library { " + library + " }");
    EXPECT_THAT(loaded, isOk());
    if (!loaded.ok())
      return loaded.status();
    graph = *loaded;
    return findCall(graph->functionLibrary().get(), *graph->lookup("y"));
  }
  std::shared_ptr<Graph> graph;
};

TEST_F(Functions, EdgesByNameBecomeEdgesByIndex) {
  auto found = find(function("f",
                             "node_def { name: 's' op: 'Split' input: 'd' "
                             "input: 'x' attr { key: 'num_split' value { i: 2 "
                             "} }" +
                                 std::string(typed) +
                                 "} node_def { name: 'd' op: 'Const' attr { "
                                 "key: 'dtype' value { type: DT_INT32 } } attr "
                                 "{ key: 'value' value { tensor { dtype: "
                                 "DT_INT32 tensor_shape { } int_val: 0 } } } }",
                             "s:output:1"));
  // An argument is "x"; "d" is none.
  EXPECT_THAT(found, AllOf(fails(StatusCode::InvalidArgument,
                                 HasSubstr("tensor 'd' does not exist in "
                                           "function 'f'")),
                           failsAt("s")));
  found = find(function("f", neg("n", "x") + neg("m", "n:y:0"), "m:y:0"));
  ASSERT_THAT(found, isOk());
  ASSERT_EQ(found->bodies.size(), 1u);
  const FunctionBody &body = *found->bodies[0];
  EXPECT_EQ(body.results[0].node->name(), "m");
  EXPECT_EQ(body.results[0].node->input(0).node->name(), "n");
  EXPECT_EQ(body.results[0].dtype(), DType::Float32);
  EXPECT_FALSE(body.hasEffect);
}

TEST_F(Functions, OneBodyForOneSetOfAttributes) {
  auto first = find(function("f", neg("n", "x"), "n:y:0"));
  ASSERT_THAT(first, isOk());
  auto again = findCall(graph->functionLibrary().get(), *graph->lookup("y"));
  ASSERT_THAT(again, isOk());
  EXPECT_EQ(first->bodies[0], again->bodies[0]);
}

TEST_F(Functions, ThoseThatCallThemselvesAreRefused) {
  auto calls = [](std::string_view callee) {
    return "node_def { name: 'c' op: '" + std::string(callee) + "' input: 'x'" +
           std::string(typed) + "}";
  };
  EXPECT_THAT(find(function("f", calls("f"), "c:y:0")),
              AllOf(fails(StatusCode::InvalidArgument,
                          HasSubstr("call themselves are not supported: 'f' -> "
                                    "'f'")),
                    failsAt("c")));
  EXPECT_THAT(
      find(function("f", calls("g"), "c:y:0") +
           function("g", calls("f"), "c:y:0")),
      fails(StatusCode::InvalidArgument, HasSubstr("'f' -> 'g' -> 'f'")));
}

TEST_F(Functions, DepthOfCallsIsBounded) {
  auto chain = [](int length) {
    std::string library = function("f", neg("c", "x"), "c:y:0");
    for (int i = 1; i < length; ++i) {
      std::string name = i == length - 1 ? "f" : "f" + std::to_string(i);
      std::string callee = i == 1 ? "f0" : "f" + std::to_string(i - 1);
      library += function(name,
                          "node_def { name: 'c' op: '" + callee +
                              "' input: 'x'" + std::string(typed) + "}",
                          "c:y:0");
    }
    // The innermost takes f's name where it is not the outermost.
    library.replace(library.find("'f'"), 3, length == 1 ? "'f'" : "'f0'");
    return library;
  };
  EXPECT_THAT(find(chain(maxCallDepth)), isOk());
  EXPECT_THAT(find(chain(maxCallDepth + 1)),
              fails(StatusCode::ResourceExhausted, HasSubstr("at most 100")));
}

TEST_F(Functions, MalformedOnesFailWhenTheyAreUsed) {
  EXPECT_THAT(find(""),
              AllOf(fails(StatusCode::NotFound,
                          "function 'f' is not in the graph's library"),
                    failsAt("y")));
  EXPECT_THAT(find(function("f", neg("n", "x"), "n:z:0")),
              fails(StatusCode::InvalidArgument, HasSubstr("'n:z:0'")));
  EXPECT_THAT(find(function("f", neg("n", "x"), "n:y:1")),
              fails(StatusCode::InvalidArgument, HasSubstr("'n:y:1'")));
  EXPECT_THAT(
      find(function("f", "node_def { name: 'n' op: 'Nope' }", "x")),
      AllOf(fails(StatusCode::NotFound, "Op type not registered 'Nope'"),
            failsAt("n")));
  EXPECT_THAT(find("function { signature { name: 'f' } }"),
              fails(StatusCode::InvalidArgument,
                    "expected function 'f' to have 1 arguments, got 0"));
  EXPECT_THAT(
      find("function { signature { name: 'f' input_arg { name: 'x' } } }"),
      fails(StatusCode::InvalidArgument,
            HasSubstr("expected one type, got 0")));
}

TEST_F(Functions, EffectsOfWhatTheyCallAreTheirs) {
  std::string draw =
      "node_def { name: 'r' op: 'RandomUniform' input: 'Shape:output:0' attr { "
      "key: 'dtype' value { type: DT_FLOAT } } attr { key: 'T' value { type: "
      "DT_INT32 } } } node_def { name: 'Shape' op: 'Shape' input: 'x'" +
      std::string(typed) + "}";
  auto found = find(function("g", draw, "x") +
                    function("f",
                             "node_def { name: 'c' op: 'g' input: 'x'" +
                                 std::string(typed) + "}",
                             "x"));
  ASSERT_THAT(found, isOk());
  EXPECT_TRUE(found->hasEffect());
  EXPECT_FALSE(found->writesVariable());
  ASSERT_EQ(found->bodies[0]->statefulNodes.size(), 1u);
  EXPECT_EQ(found->bodies[0]->statefulNodes[0]->name(), "c");
}

} // namespace
} // namespace kiln
