// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients as TensorFlow's C interface adds them: names, prefixes, errors.
#include "kiln/SymbolicGradients.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Session.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/MathOps.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

using testing::fails;
using testing::isOk;

class SymbolicGradientsTest : public ::testing::Test {
protected:
  GraphBuilder graph;
  GraphScope current{graph};
  Output a = ops::constant(Input{{1.f, 2.f}, {3.f, 4.f}}, {.name = "a"});
  Output b = ops::constant(Input{{1.f, 0.f}, {0.f, 1.f}}, {.name = "b"});
  Output product = ops::matMul(a, b, {.name = "MatMul"});

  StatusOr<std::vector<Output>>
  gradients(std::optional<std::string> prefix = {}) {
    return symbolicGradients(graph, {product}, {a, b}, {.prefix = prefix});
  }
};

TEST_F(SymbolicGradientsTest, NodesStandInOneScope) {
  auto found = gradients();
  ASSERT_THAT(found, isOk());
  EXPECT_EQ((*found)[0].name(), "gradients/MatMul:0");
  EXPECT_EQ((*found)[1].name(), "gradients/MatMul_1:0");
  EXPECT_TRUE(graph.graph()->lookup("gradients/OnesLike"));
  EXPECT_FALSE((*found)[0].node->attrOr("grad_a", false));
  EXPECT_EQ((*gradients())[0].name(), "gradients_1/MatMul:0");
}

TEST_F(SymbolicGradientsTest, PrefixesAreNotUsedTwice) {
  ASSERT_TRUE(gradients("scope/g").ok());
  ASSERT_TRUE(gradients("scope/g_1").ok());
  ASSERT_TRUE(gradients("scope/g/sub").ok());
  EXPECT_THAT(gradients("scope"),
              fails(StatusCode::InvalidArgument,
                    "prefix [scope] conflicts with existing node in the graph "
                    "named [scope/g/OnesLike]"));
  EXPECT_THAT(gradients("a"),
              fails(StatusCode::InvalidArgument,
                    "prefix [a] conflicts with existing node in the graph "
                    "named [a]"));
}

TEST_F(SymbolicGradientsTest, IntegersHaveDerivatives) {
  Output x = ops::constant(Input(3), {.name = "x"});
  Output y = ops::multiply(x, x);
  auto found = symbolicGradients(graph, {y}, {x});
  ASSERT_THAT(found, isOk());
  auto session = Session::create(graph.graph());
  auto values = (*session)->run({}, {(*found)[0]});
  ASSERT_THAT(values, isOk());
  EXPECT_EQ((*values)[0].data<int32_t>()[0], 6);
}

TEST_F(SymbolicGradientsTest, ErrorsAreThoseOfTheCInterface) {
  Output apart = ops::constant(Input(1.f), {.name = "apart"});
  EXPECT_THAT(symbolicGradients(graph, {product}, {apart}),
              fails(StatusCode::InvalidArgument,
                    "Cannot compute the partial derivative for node 'apart' as "
                    "it's unreachable from the output node(s)."));
  EXPECT_THAT(symbolicGradients(graph, {product}, {a}, {.gradYs = {a, b}}),
              fails(StatusCode::InvalidArgument,
                    "Must specify a gradient input for each output."));
  Output y{graph.addOp({.op = "AudioSpectrogram",
                        .inputs = {Input(a)},
                        .attrs = {{"window_size", int64_t{2}},
                                  {"stride", int64_t{1}}}}),
           0};
  EXPECT_THAT(symbolicGradients(graph, {y}, {a}),
              fails(StatusCode::NotFound,
                    "No gradient defined for op: AudioSpectrogram. Please see "
                    "https://www.tensorflow.org/code/tensorflow/cc/gradients/"
                    "README.md for instructions on how to add C++ gradients."));
  EXPECT_TRUE(graph.status().ok());
  EXPECT_FALSE(symbolicGradients(graph, {product}, {Output()}).ok());
}

} // namespace
} // namespace kiln
