// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that TensorFlow 2.21 gave, by its C interface, for the same things.
#include "kiln/Describe.h"

#include "kiln/Ops.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>
#include <numeric>

namespace kiln {
namespace {

using namespace std::string_literals;

TEST(Describe, Attributes) {
  auto numbers = Tensor::fromValues<float>(Shape({2}), {1.5f, 2});
  std::vector<int64_t> many(60);
  std::iota(many.begin(), many.end(), 0);
  const std::pair<AttrValue, std::string_view> cases[] = {
      {0.1f, "0.1"},
      {1e10f, "1e+10"},
      {1.0f, "1"},
      {"a\"b\n\xff"s, "\"a\\\"b\\n\\377\""},
      {Shape({2, -1}), "[2,?]"},
      {Shape::unknownRank(), "<unknown>"},
      {std::vector<DType>{DType::Float32, DType::Int32},
       "[DT_FLOAT, DT_INT32]"},
      {std::vector<bool>{false, true}, "[false, true]"},
      {EmptyList(), "[]"},
      {NameAttrList{.name = "fn", .attrs = {{"T", DType::Float32}}},
       "fn[T=DT_FLOAT]"},
      {AttrPlaceholder{"pp"}, "$pp"},
      {AttrValue(), "<Unknown AttrValue type>"},
      {*numbers, "Tensor<type: float shape: [2] values: 1.5 2>"},
      {many, "[0, 1, 2, 3, 4, ..., 55, 56, 57, 58, 59]"}};
  for (const auto &[value, text] : cases)
    EXPECT_EQ(describe(value), text);
}

TEST(Describe, Ops) {
  const std::pair<const char *, std::string_view> cases[] = {
      {"Placeholder", "Op<name=Placeholder; signature= -> output:dtype; "
                      "attr=dtype:type; attr=shape:shape,default=<unknown>>"},
      {"IdentityN", "Op<name=IdentityN; signature=input: -> output:; "
                    "attr=T:list(type),min=1>"},
      {"Split", "Op<name=Split; signature=split_dim:int32, value:T -> "
                "output:num_split*T; attr=num_split:int,min=1; attr=T:type>"},
      {"Assign", "Op<name=Assign; signature=ref:Ref(T), value:T -> "
                 "output_ref:Ref(T); attr=T:type; "
                 "attr=validate_shape:bool,default=true; "
                 "attr=use_locking:bool,default=true; "
                 "allows_uninitialized_input=true>"}};
  for (const auto &[name, text] : cases) {
    ASSERT_NE(findOpSchema(name), nullptr);
    EXPECT_EQ(describe(*findOpSchema(name)), text);
  }
}

TEST(Describe, InputsThatDoNotFit) {
  Graph graph(makeNodeChecker());
  auto feed = graph.addNode(
      {.name = "f",
       .op = "Placeholder",
       .attrs = {{"dtype", DType::Float32}, {"shape", Shape::unknownRank()}}});
  NodeSpec spec{.name = "n",
                .op = "Neg",
                .inputs = {Output{*feed, 0}, "^f"s},
                .attrs = {{"T", DType::Float32}, {"_f", 0.1f}},
                .device = "/cpu:0"};
  EXPECT_EQ(withShapes(invalidArgumentError("no"), spec).message(),
            "no for '{{node n}} = Neg[T=DT_FLOAT, _f=0.1, "
            "_device=\"/cpu:0\"](f, ^f)' with input shapes: ?.");
}

} // namespace
} // namespace kiln
