// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schema tables, and what they say of nodes.
#include "lib/OpDefs/Inference.h"
#include "lib/OpDefs/OpParser.h"

#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>
#include <set>

namespace kiln {
namespace {

using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;

AttrValue zeros(DType dtype, const Shape &shape) {
  return AttrValue(*Tensor::zeros(dtype, shape));
}

class OpSchema : public ::testing::Test {
protected:
  const Node *constant(const std::string &name, DType dtype,
                       const Shape &shape) {
    return *graph.addNode(
        {.name = name,
         .op = "Const",
         .attrs = {{"dtype", dtype}, {"value", zeros(dtype, shape)}}});
  }
  Graph graph{makeNodeChecker()};
};

TEST_F(OpSchema, EveryLineParses) {
  std::set<std::string> names;
  for (const OpDef *def : allOps()) {
    EXPECT_TRUE(names.insert(def->name).second) << def->name;
    EXPECT_NE(def->infer, nullptr) << def->name;
    EXPECT_FALSE(def->doc.empty()) << def->name;
    EXPECT_NE(lookupOp(def->canonicalName), nullptr) << def->name;
  }
  EXPECT_GT(names.size(), 150u);
}

TEST_F(OpSchema, FlagsSayWhatOpsDoToVariables) {
  std::set<std::string> variables, updates, placeholders;
  for (const OpDef *def : allOps()) {
    if (def->has(variable))
      variables.insert(def->name);
    if (def->has(placeholder))
      placeholders.insert(def->name);
    if (def->writesVariable())
      updates.insert(def->name);
    // What takes a reference changes it, passes it on, or says that it keeps
    // it.
    if (!def->inputs.empty() && def->inputs[0].isRef &&
        !def->has(updatesVariable))
      EXPECT_EQ(def->givesRef(), def->writesVariable() || def->has(forwardsRef))
          << def->name;
  }
  EXPECT_EQ(variables,
            (std::set<std::string>{"TemporaryVariable", "VarHandleOp",
                                   "Variable", "VariableV2"}));
  EXPECT_EQ(placeholders, (std::set<std::string>{"Placeholder", "PlaceholderV2",
                                                 "PlaceholderWithDefault"}));
  for (const char *name :
       {"Assign", "AssignAddVariableOp", "ApplyAdam", "ResourceApplyMomentum",
        "CountUpTo", "ResourceCountUpTo"})
    EXPECT_EQ(updates.count(name), 1u) << name;
  for (const char *name : {"ReadVariableOp", "IsVariableInitialized",
                           "VarIsInitializedOp", "Identity", "RandomUniform"})
    EXPECT_EQ(updates.count(name), 0u) << name;
}

TEST_F(OpSchema, BadLineIsReportedWithItsText) {
  EXPECT_THAT(
      parseOpRecord({"Odd", "x: Q", "", "T: type", "", nullptr}, "Test"),
      fails(StatusCode::Internal,
            HasSubstr("schema of Odd: cannot read 'x: Q'")));
}

TEST_F(OpSchema, ReadsArgumentsAndAttributes) {
  const OpDef *concat = lookupOp("ConcatV2");
  ASSERT_NE(concat, nullptr);
  EXPECT_EQ(concat->inputs[0].numberAttr, "N");
  EXPECT_EQ(concat->inputs[1].typeAttr, "Tidx");
  EXPECT_EQ(concat->findAttr("N")->minimum, 2);
  EXPECT_EQ(*concat->findAttr("Tidx")->defaultValue, AttrValue(DType::Int32));
  EXPECT_TRUE(lookupOp("Assign")->outputs[0].isRef);
  EXPECT_EQ(lookupOp("Add")->canonicalName, "AddV2");
  EXPECT_EQ(lookupOp("NoSuchOp"), nullptr);
}

TEST_F(OpSchema, DefaultsAreFilledIn) {
  const Node *a = constant("a", DType::Float32, {2, 3});
  auto product =
      graph.addNode({.name = "m",
                     .op = "MatMul",
                     .inputs = {"a", "a"},
                     .attrs = {{"T", DType::Float32}, {"transpose_b", true}}});
  ASSERT_THAT(product, isOk());
  EXPECT_EQ((*product)->attrOr("transpose_a", true), false);
  EXPECT_EQ((*product)->outputShape(0), Shape({2, 2}));
  EXPECT_EQ(a->outputDType(0), DType::Float32);
}

TEST_F(OpSchema, MissingAttributeIsNamed) {
  constant("a", DType::Float32, {2});
  auto node = graph.addNode({.name = "n", .op = "Neg", .inputs = {"a"}});
  EXPECT_THAT(node,
              fails(StatusCode::InvalidArgument, "NodeDef missing attr 'T'"));
  EXPECT_THAT(node, failsAt("n"));
}

// Bodies of functions have placeholders, and theirs are replaced: other nodes
// have them to become such a body.
TEST_F(OpSchema, PlaceholderIsRefusedByRuns) {
  constant("a", DType::Float32, {2, 2});
  auto node = graph.addNode({.name = "n",
                             .op = "MatMul",
                             .inputs = {"a", "a"},
                             .attrs = {{"T", DType::Float32},
                                       {"transpose_a", AttrPlaceholder{"t"}}}});
  ASSERT_THAT(node, isOk());
  EXPECT_THAT(checkSupported(**node, *lookupOp("MatMul")),
              fails(StatusCode::InvalidArgument,
                    "AttrValue had value with unexpected type 'placeholder'"));
}

TEST_F(OpSchema, PlaceholderOfATypeIsRefused) {
  constant("a", DType::Float32, {2});
  auto node = graph.addNode({.name = "n",
                             .op = "Neg",
                             .inputs = {"a"},
                             .attrs = {{"T", AttrPlaceholder{"T"}}}});
  EXPECT_THAT(node, fails(StatusCode::InvalidArgument,
                          "AttrValue had value with type 'placeholder' when "
                          "'type' expected for attr 'T'"));
  EXPECT_THAT(node, failsAt("n"));
}

TEST_F(OpSchema, WrongInputTypeIsNamed) {
  constant("a", DType::Float32, {2});
  constant("b", DType::Int32, {2});
  EXPECT_THAT(graph.addNode({.name = "z",
                             .op = "AddV2",
                             .inputs = {"a", "b"},
                             .attrs = {{"T", DType::Float32}}}),
              fails(StatusCode::InvalidArgument,
                    "Input 1 of node z was passed int32 from b:0 incompatible "
                    "with expected "
                    "float."));
}

TEST_F(OpSchema, TypeOutsideTheListIsRefused) {
  constant("a", DType::Bool, {2});
  EXPECT_THAT(
      graph.addNode({.name = "z",
                     .op = "Sqrt",
                     .inputs = {"a"},
                     .attrs = {{"T", DType::Bool}}}),
      fails(StatusCode::InvalidArgument,
            "Value for attr 'T' of bool is not in the list of allowed values: "
            "bfloat16, half, float, double, complex64, complex128"));
}

TEST_F(OpSchema, WeightsOfCountsHaveTheShapeOfTheValuesOrNoElements) {
  constant("values", DType::Int32, {3, 3});
  constant("weights", DType::Float32, {3});
  constant("none", DType::Float32, {0});
  auto countsWith = [&](std::string weights) {
    return graph.addNode({.name = "by_" + weights,
                          .op = "DenseCountSparseOutput",
                          .inputs = {"values", weights},
                          .attrs = {{"T", DType::Int32},
                                    {"binary_output", false},
                                    {"output_type", DType::Float32}}});
  };
  EXPECT_THAT(countsWith("weights"),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Shapes of weights and values must be equal, but "
                              "are [3] and [3,3]")));
  EXPECT_THAT(countsWith("none"), isOk());
}

TEST_F(OpSchema, WrongAttributeKindAndCountAreRefused) {
  constant("a", DType::Float32, {2});
  EXPECT_THAT(
      graph.addNode(
          {.name = "n", .op = "Neg", .inputs = {"a"}, .attrs = {{"T", 1}}}),
      fails(StatusCode::InvalidArgument,
            HasSubstr("value with type 'int' when 'type' expected")));
  EXPECT_THAT(
      graph.addNode({.name = "n",
                     .op = "AddV2",
                     .inputs = {"a"},
                     .attrs = {{"T", DType::Float32}}}),
      fails(StatusCode::InvalidArgument,
            "NodeDef expected inputs 'float, float' do not match 1 inputs "
            "specified"));
  EXPECT_THAT(graph.addNode({.name = "n",
                             .op = "Pack",
                             .inputs = {},
                             .attrs = {{"T", DType::Float32}, {"N", 0}}}),
              fails(StatusCode::InvalidArgument,
                    "Value for attr 'N' of 0 must be at least minimum 1"));
}

TEST_F(OpSchema, AssignNeedsAReference) {
  constant("a", DType::Float32, {2});
  EXPECT_THAT(graph.addNode({.name = "s",
                             .op = "Assign",
                             .inputs = {"a", "a"},
                             .attrs = {{"T", DType::Float32}}}),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("incompatible with expected float_ref.")));
}

TEST_F(OpSchema, ListsHaveALeastLength) {
  EXPECT_THAT(graph.addNode({.name = "i",
                             .op = "IdentityN",
                             .attrs = {{"T", std::vector<DType>()}}}),
              fails(StatusCode::InvalidArgument,
                    "Length for attr 'T' of 0 must be at least minimum 1"));
}

TEST_F(OpSchema, UnsupportedTypeIsForImportToRefuse) {
  auto complex = graph.addNode(
      {.name = "c",
       .op = "Placeholder",
       .attrs = {{"dtype", DType::Complex64}, {"shape", Shape({2})}}});
  ASSERT_THAT(complex, isOk());
  EXPECT_THAT(checkSupported(**complex, *lookupOp("Placeholder")), isOk());
  auto sum = graph.addNode({.name = "sum",
                            .op = "AddV2",
                            .inputs = {"c", "c"},
                            .attrs = {{"T", DType::Complex64}}});
  ASSERT_THAT(sum, isOk());
  EXPECT_THAT(checkSupported(**sum, *lookupOp("AddV2")), isOk());
  auto quotient = graph.addNode({.name = "quotient",
                                 .op = "FloorDiv",
                                 .inputs = {"c", "c"},
                                 .attrs = {{"T", DType::Complex64}}});
  ASSERT_THAT(quotient, isOk());
  Status status = checkSupported(**quotient, *lookupOp("FloorDiv"));
  EXPECT_THAT(status, fails(StatusCode::Unimplemented, HasSubstr("complex64")));
  EXPECT_THAT(status, failsAt("quotient"));
}

} // namespace
} // namespace kiln
