// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of kiln::ops and operators add the nodes that TensorFlow's Python
// functions add: same names, ops, attributes, edges.
#include "kiln/BuildOps.h"
#include "kiln/GraphDef.h"
#include "test/unit/CompareGraphs.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using testing::isOk;

class BuildFunctions : public ::testing::Test {
protected:
  BuildFunctions() {
    X = ops::placeholder(DType::Float32, {-1, 3}, {.name = "X"});
    S = ops::placeholder(DType::Float32, {2, 3}, {.name = "S"});
    U = ops::placeholder(DType::Float32, Shape::unknownRank(), {.name = "U"});
    I = ops::placeholder(DType::Int32, {4}, {.name = "I"});
    B = ops::placeholder(DType::Bool, {2, 3}, {.name = "B"});
    T3 = ops::placeholder(DType::Float32, {2, 3, 4}, {.name = "T3"});
    IMG = ops::placeholder(DType::Float32, {-1, 8, 8, 1}, {.name = "IMG"});
    V = Variable({1.0, 2.0, 3.0}, {.name = "V"});
    R = Variable({{1.0, 2.0}, {3.0, 4.0}}, {.name = "R", .useResource = true});
    setRandomSeed(7);
  }

  /// Calls it in the scope that the recorder called its twin in.
  template <class Function> void in(const std::string &name, Function call) {
    NameScope scope("t_" + name);
    call();
    Status status = graph.takeStatus();
    EXPECT_THAT(status, isOk()) << name;
  }

  /// Operators stand for what they add.
  static void keep(std::initializer_list<Output>) {}

  void addArithmetic();
  void addReductions();
  void addConstants();
  void addArrays();
  void addRandom();
  void addNetworks();
  void addState();

  GraphBuilder graph;
  GraphScope scope{graph};
  Output X, S, U, I, B, T3, IMG;
  Variable V, R;
};

void BuildFunctions::addArithmetic() {
  in("add", [&] { ops::add(X, 2); });
  in("add_number", [&] { ops::add(1.5, X); });
  in("subtract", [&] { ops::subtract(X, {1, 2, 3}); });
  in("multiply", [&] { ops::multiply(2.0, X); });
  in("divide", [&] { ops::divide(X, 3); });
  in("divide_number", [&] { ops::divide(3, X); });
  in("divide_named", [&] { ops::divide(X, 3, {.name = "q"}); });
  in("truediv", [&] { ops::trueDiv(I, 2); });
  in("div", [&] { ops::div(I, 3); });
  in("div_float", [&] { ops::div(X, 3); });
  in("floordiv", [&] { ops::floorDiv(I, 2); });
  in("mod", [&] { ops::mod(I, 3); });
  in("pow", [&] { ops::pow(X, 2); });
  in("abs", [&] { ops::abs(X); });
  in("negative", [&] { ops::negative(X); });
  in("cast", [&] { ops::cast(X, DType::Int32); });
  in("cast_same", [&] { ops::identity(ops::cast(X, DType::Float32)); });
  in("cast_number", [&] { ops::cast(3, DType::Float32); });
  in("add_n", [&] { ops::addN({X, X}); });
  in("add_n_one", [&] { ops::addN({X}, {.name = "one"}); });
  in("clip", [&] { ops::clipByValue(X, -1, 1.0); });
  in("operators", [&] {
    keep({X + 1, 1 + X, X - 1, 1 - X, X * 2, 2 * X, X / 2, 2 / X, X % 2,
          X<1, X >= 1, 1> X, -X});
  });
  in("operators_int", [&] { keep({I / 2, I + I, I % 3}); });
  in("variable_operators", [&] { keep({V + 1, 1 + V, X * V, V * V}); });
  in("resource_operators",
     [&] { keep({R + 1, R * R, ops::matMul(R, R), 2 * R}); });
  in("logical", [&] { keep({ops::logicalAnd(B, true), B & B, B | B, !B}); });
}

void BuildFunctions::addReductions() {
  in("reduce_sum", [&] { ops::reduceSum(X); });
  in("reduce_sum_axis", [&] { ops::reduceSum(X, 1); });
  in("reduce_sum_axes", [&] { ops::reduceSum(X, {0, 1}, {.keepDims = true}); });
  in("reduce_unknown", [&] { ops::reduceMean(U); });
  in("reduce_mean", [&] { ops::reduceMean(T3, {.name = "m"}); });
  in("reduce_max", [&] { ops::reduceMax(X, -1); });
  in("reduce_min", [&] { ops::reduceMin(X); });
  in("reduce_prod", [&] { ops::reduceProd(X); });
  in("reduce_any", [&] { ops::reduceAny(B); });
  in("reduce_all", [&] { ops::reduceAll(B, 0); });
  in("argmax", [&] { ops::argMax(X, 1); });
  in("argmin", [&] { ops::argMin(X, 0, {.outputType = DType::Int32}); });
  in("cumsum", [&] { ops::cumsum(X, 1, {.exclusive = true}); });
  in("cumprod", [&] { ops::cumprod(X, 0, {.reverse = true}); });
  in("matmul", [&] { ops::matMul(X, S, {.transposeB = true}); });
  in("matmul_batch", [&] { ops::matMul(T3, T3, {.transposeA = true}); });
  in("matmul_list", [&] { ops::matMul(S, {{1.0}, {2.0}, {3.0}}); });
  in("range", [&] { ops::range(5); });
  in("range_float", [&] { ops::range(1, 5.0, 0.5); });
  in("range_tensor", [&] { ops::range(ops::size(U)); });
}

void BuildFunctions::addConstants() {
  in("constant_fill", [&] { ops::constant(3, {.shape = Shape{2, 2}}); });
  in("constant_last",
     [&] { ops::constant({1.0, 2.0}, {.shape = Shape{2, 2}}); });
  in("constant_long", [&] { ops::constant(int64_t{1} << 40); });
  in("constant_text", [&] { ops::constant({"a", "bc"}); });
  in("zeros", [&] { ops::zeros({2, 3}); });
  in("zeros_large", [&] { ops::zeros({40, 50}, {.dtype = DType::Int32}); });
  in("zeros_tensor", [&] { ops::zeros(ops::shape(X)); });
  in("zeros_packed", [&] { ops::zeros({ops::shape(X)[0], 3}); });
  in("ones", [&] { ops::ones({3}, {.dtype = DType::Int64}); });
  in("ones_bool", [&] { ops::ones({2}, {.dtype = DType::Bool}); });
  in("zeros_like", [&] { ops::zerosLike(S); });
  in("zeros_like_dynamic", [&] { ops::zerosLike(X); });
  in("zeros_like_cast", [&] { ops::zerosLike(X, {.dtype = DType::Int32}); });
  in("ones_like", [&] { ops::onesLike(S); });
  in("ones_like_dynamic", [&] { ops::onesLike(X); });
  in("fill", [&] { ops::fill({2, 2}, 9.0); });
  in("shape", [&] {
    ops::shape(X), ops::shape(S), ops::shape(S, {.outType = DType::Int64});
  });
  in("size", [&] { ops::size(X), ops::size(S); });
  in("rank", [&] { ops::rank(X), ops::rank(U); });
}

void BuildFunctions::addArrays() {
  in("expand_dims", [&] { ops::expandDims(X, -1); });
  in("squeeze", [&] { ops::squeeze(ops::expandDims(X, 0), {.axis = {0}}); });
  in("concat", [&] { ops::concat({X, X}, 0); });
  in("concat_one", [&] { ops::concat({X}, 0); });
  in("stack", [&] { ops::stack({S, S}); });
  in("stack_axis", [&] { ops::stack({S, S}, {.axis = 1}); });
  in("stack_mixed", [&] { ops::stack({ops::shape(X)[0], 3}); });
  in("stack_constant", [&] { ops::stack({1, 2}); });
  in("unstack", [&] { ops::unstack(S); });
  in("split", [&] { ops::split(S, 3, {.axis = 1}); });
  in("split_sizes", [&] { ops::splitBySizes(S, {1, 2}, {.axis = 1}); });
  in("transpose", [&] { ops::transpose(S); });
  in("transpose_perm", [&] { ops::transpose(T3, {1, 0, 2}); });
  in("transpose_unknown", [&] { ops::transpose(U); });
  in("gather", [&] { ops::gather(X, I); });
  in("gather_axis", [&] { ops::gather(X, I, {.axis = 1}); });
  in("where", [&] { ops::where(B); });
  in("where_select", [&] { ops::where(B, S, S); });
  in("one_hot", [&] { ops::oneHot(I, 5); });
  in("one_hot_values",
     [&] { ops::oneHot(I, 5, {.onValue = 2, .offValue = 1, .axis = 0}); });
  in("one_hot_type", [&] { ops::oneHot(I, 5, {.dtype = DType::Int64}); });
  in("pad", [&] { ops::pad(S, {{1, 1}, {0, 2}}); });
  in("pad_value",
     [&] { ops::pad(S, {{1, 1}, {0, 2}}, {.constantValues = 1.0}); });
  in("pad_mirror", [&] { ops::pad(S, {{1, 1}, {0, 2}}, {.mode = "REFLECT"}); });
  in("slices", [&] {
    S[0];
    S[{sliceAll(), 1}];
    S[{slice(0, 1), ellipsis(), newAxis()}];
    S[{sliceAll(-1)}];
    T3[{ellipsis(), 0}];
    S[{ops::size(B) - 5, 1}];
  });
  in("boolean_mask", [&] { ops::booleanMask(S, B); });
  in("boolean_mask_rows", [&] {
    ops::booleanMask(X, ops::placeholder(DType::Bool, {-1}, {.name = "rows"}));
  });
  in("reshape", [&] { ops::reshape(X, {-1, 1}); });
  in("reshape_mixed", [&] { ops::reshape(X, {ops::size(X), 1}); });
  in("tile", [&] { ops::tile(X, {2, 1}); });
}

void BuildFunctions::addRandom() {
  in("random_uniform", [&] { ops::randomUniform({2, 3}); });
  in("random_uniform_bounds",
     [&] { ops::randomUniform({2}, -1.0, 1.0, {.seed = 3}); });
  in("random_uniform_zero", [&] { ops::randomUniform({2}, 0, 2.0); });
  in("random_uniform_int",
     [&] { ops::randomUniform({2}, 0, 9, {.dtype = DType::Int32}); });
  in("random_normal", [&] { ops::randomNormal({2}, {.stddev = 0.1}); });
  in("truncated_normal",
     [&] { ops::truncatedNormal(ops::shape(X), {.mean = 1.0}); });
  in("random_shuffle", [&] { ops::randomShuffle(I); });
  in("multinomial", [&] { ops::multinomial(S, 4); });
}

void BuildFunctions::addNetworks() {
  in("bias_add", [&] { ops::biasAdd(X, {1.0, 2.0, 3.0}); });
  in("softmax", [&] { ops::softmax(X); });
  in("softmax_named", [&] { ops::softmax(X, {.name = "p"}); });
  in("log_softmax", [&] { ops::logSoftmax(X); });
  in("xent", [&] { ops::softmaxCrossEntropyWithLogits(S, S); });
  in("xent_v2", [&] { ops::softmaxCrossEntropyWithLogitsV2(X, X); });
  in("sparse_xent", [&] {
    ops::sparseSoftmaxCrossEntropyWithLogits(
        ops::cast(X[{sliceAll(), 0}], DType::Int32), X);
  });
  in("sigmoid_xent", [&] { ops::sigmoidCrossEntropyWithLogits(S, S); });
  in("conv2d",
     [&] { ops::conv2D(IMG, ops::ones({3, 3, 1, 2}), {1, 1, 1, 1}, "SAME"); });
  in("max_pool",
     [&] { ops::maxPool(IMG, {1, 2, 2, 1}, {1, 2, 2, 1}, "VALID"); });
  in("avg_pool",
     [&] { ops::avgPool(IMG, {1, 2, 2, 1}, {1, 2, 2, 1}, "SAME"); });
  in("in_top_k", [&] { ops::inTopK(S, {0, 1}, 1); });
  in("dropout", [&] { ops::dropout(X, 0.25); });
  in("dropout_seed", [&] { ops::dropout(S, 0.5, {.seed = 4}); });
  in("dropout_tensor", [&] {
    ops::dropout(X, ops::placeholder(DType::Float32, {}, {.name = "rate"}));
  });
  in("embedding_lookup", [&] { ops::embeddingLookup(V, I); });
  in("embedding_resource", [&] { ops::embeddingLookup(R, I); });
}

void BuildFunctions::addState() {
  in("group", [&] { ops::group({X, S}); });
  in("tuple", [&] { ops::tuple({X, S}); });
  in("assign", [&] {
    ops::assign(V, {1.0, 1.0, 1.0});
    V.assignAdd(V);
    V.assignSub(2 * V, {.useLocking = true});
  });
  in("report", [&] { reportUninitializedVariables(std::vector{V, R}); });
  in("relu", [&] { ops::relu(X); });
  in("sigmoid", [&] { ops::sigmoid(X); });
  in("squared_difference", [&] { ops::squaredDifference(X, 1.0); });
  in("maximum", [&] { ops::maximum(X, 0.0); });
}

TEST_F(BuildFunctions, AddTheNodesOfPythonsFunctions) {
  addArithmetic();
  addReductions();
  addConstants();
  addArrays();
  addRandom();
  addNetworks();
  addState();
  auto written = toGraphDef(*graph.graph());
  ASSERT_THAT(written, isOk());
  auto read = loadGraphDef(*written);
  ASSERT_THAT(read, isOk());
  auto recorded =
      loadGraphDefFile(KILN_SOURCE_DIR "/test/build_graphs/functions.pb");
  ASSERT_THAT(recorded, isOk());
  EXPECT_THAT(graphDifferences(**read, **recorded), ::testing::IsEmpty());
}

} // namespace
} // namespace kiln
