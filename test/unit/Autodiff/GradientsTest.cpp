// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gradients(): what it returns, what it adds, what it refuses.
#include "kiln/Gradients.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::FloatEq;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

class Gradients : public ::testing::Test {
protected:
  std::vector<float> valueOf(const Output &tensor,
                             const FeedValues &feeds = {}) {
    EXPECT_EQ(graph.status(), okStatus());
    if (!session) {
      auto made = makeSession();
      EXPECT_EQ(made.status(), okStatus());
      session = *made;
      EXPECT_EQ(run(*session, globalVariablesInitializer()), okStatus());
    }
    auto value = fetch(*session, tensor, feeds);
    EXPECT_EQ(value.status(), okStatus());
    if (!value.ok())
      return {};
    auto data = value->data<float>();
    return {data.begin(), data.end()};
  }
  std::string names(const std::vector<Gradient> &all) {
    std::string text;
    for (const Gradient &each : all)
      text +=
          (each.isNone() ? std::string("none") : each.tensor().name()) + " ";
    return text;
  }

  GraphBuilder graph;
  GraphScope scope{graph};
  std::shared_ptr<Session> session;
};

TEST_F(Gradients, NodesHaveTensorFlowsNames) {
  Output x = ops::placeholder(DType::Float32, {-1}, {.name = "x"});
  Output y = ops::sin(x) * x;
  Output z = ops::exp(x) + y;
  auto first = gradients({y}, {x});
  EXPECT_EQ(names(first), "gradients/AddN:0 ");
  EXPECT_EQ(names(gradients({first[0].tensor()}, {x})), "gradients_1/AddN:0 ");
  Output given = ops::onesLike(z) * 3.0;
  EXPECT_EQ(names(gradients({y, z}, {x}, {.gradYs = {x * 2.0, given}})),
            "gradients_2/AddN_1:0 ");
  EXPECT_EQ(names(gradients({z}, {x}, {.stopGradients = {y}})),
            "gradients_3/Exp_grad/mul:0 ");
  EXPECT_THAT(valueOf(first[0].tensor(), {{x, {0.5}}}),
              ElementsAre(FloatNear(0.9182167f, 1e-6f)));
}

// Pools' gradients are linear in the gradient that they take: by a second one
// that goes back, the products with what was taken are the same, and so again
// (but of MaxPoolGradGradV2, of which TensorFlow has none).
TEST_F(Gradients, OfMaximaGoToTheLargestAndBack) {
  Output image = ops::sin(ops::range(0., 96., 1.) * 1.7);
  auto agree = [&](const Output &x, const Output &pool, bool goesOn) {
    Output w = ops::cos(ops::reshape(
        ops::range(0., double(*pool.shape().numElements()), 1.), pool.shape()));
    Output v = ops::sin(x * 5.);
    auto one = [&](const Output &of, const Output &at, const Output &with) {
      return gradients({of}, {at}, {.gradYs = {with}})[0].tensor();
    };
    Output g = one(pool, x, w), back = one(g, w, v),
           again = goesOn ? one(back, v, w) : g;
    auto dot = [&](const Output &a, const Output &b) {
      return valueOf(ops::reduceSum(a * b)).at(0);
    };
    EXPECT_GT(std::abs(dot(g, v)), 0.01);
    EXPECT_NEAR(dot(g, v), dot(back, w), 1e-4);
    EXPECT_NEAR(dot(again, v), dot(back, w), 1e-4);
    session.reset();
  };
  Output flat = ops::reshape(image, {2, 4, 6, 2});
  agree(flat, rawOps::maxPool(flat, {1, 2, 2, 1}, {1, 2, 2, 1}, "VALID"), true);
  agree(flat, rawOps::maxPoolV2(flat, {1, 3, 2, 1}, {1, 1, 2, 1}, "SAME"),
        false);
  Output volume = ops::reshape(image, {1, 4, 4, 6, 1});
  agree(volume,
        rawOps::maxPool3D(volume, {1, 2, 2, 2, 1}, {1, 2, 1, 2, 1}, "SAME"),
        true);
}

TEST_F(Gradients, RowsOfAGatherAreSlices) {
  Variable table(Input({{0., 1.}, {2., 3.}, {4., 5.}}), {.name = "tab"});
  Output rows = ops::gather(table, {1, 1, 2});
  auto found = gradients({ops::reduceSum(rows * rows)}, {table});
  ASSERT_EQ(graph.status(), okStatus());
  ASSERT_TRUE(found[0].isSparse());
  EXPECT_EQ(found[0].slices().values.name(),
            "gradients/GatherV2_grad/Reshape:0");
  EXPECT_EQ(found[0].slices().indices.name(),
            "gradients/GatherV2_grad/Reshape_1:0");
  EXPECT_THAT(valueOf(found[0].toTensor()), ElementsAre(0, 0, 8, 12, 8, 10));
}

TEST_F(Gradients, SlicesOfSeveralUsesAreJoined) {
  Variable table(Input({{1., 2.}, {3., 4.}}));
  Output sum = ops::reduceSum(ops::gather(table, {0})) +
               2.0 * ops::reduceSum(ops::gather(table, {1, 0}));
  auto sparse = gradients({sum}, {table});
  ASSERT_TRUE(sparse[0].isSparse());
  EXPECT_THAT(valueOf(sparse[0].toTensor()), ElementsAre(3, 3, 2, 2));
  auto dense = gradients({sum + ops::reduceSum(table)}, {table});
  ASSERT_FALSE(dense[0].isSparse());
  EXPECT_THAT(valueOf(dense[0].tensor()), ElementsAre(4, 4, 3, 3));
}

/// Rows of rows: slices come to the inner gather as one tensor, and leave it as
/// slices again; beside a dense gradient they are summed.
TEST_F(Gradients, SlicesThroughGathersAndSums) {
  Output x = ops::constant({{1., 2.}, {3., 4.}, {5., 6.}});
  Output inner = ops::gather(x, {2, 0, 2});
  Output outer = ops::gather(inner, {0, 2, 0});
  auto rows = gradients({ops::reduceSum(outer * outer)}, {x});
  ASSERT_TRUE(rows[0].isSparse());
  // Row 2 is read by 0 and 2 of the inner ones, three times in all.
  EXPECT_THAT(valueOf(rows[0].toTensor()), ElementsAre(0, 0, 0, 0, 30, 36));
  Output joined = ops::concat({outer, x}, 0);
  auto sum = gradients({ops::reduceSum(joined * 2.0)}, {x});
  EXPECT_FALSE(sum[0].isSparse());
  EXPECT_THAT(valueOf(sum[0].toTensor()), ElementsAre(2, 2, 2, 2, 8, 8));
}

TEST_F(Gradients, UnconnectedIsNoneOrZeros) {
  Output x = ops::constant({1., 2.}), other = ops::constant({3., 4.});
  Output counts = ops::cast(other, DType::Int32);
  Output y = x * ops::cast(counts, DType::Float32);
  EXPECT_TRUE(gradients({y}, {other})[0].isNone());
  auto zero =
      gradients({y}, {other}, {.unconnected = UnconnectedGradients::Zero});
  EXPECT_THAT(valueOf(zero[0].tensor()), ElementsAre(0, 0));
}

TEST_F(Gradients, StopGradientIsConstant) {
  Output x = ops::constant(3.0);
  auto found = gradients({ops::stopGradient(x) * x}, {x});
  EXPECT_THAT(valueOf(found[0].tensor()), ElementsAre(3));
}

TEST_F(Gradients, OneXBehindAnother) {
  Output x = ops::constant(3.0);
  Output y = x * x;
  Output z = y * y;
  auto found = gradients({z}, {x, y});
  EXPECT_THAT(valueOf(found[0].tensor()), ElementsAre(108));
  EXPECT_THAT(valueOf(found[1].tensor()), ElementsAre(18));
}

TEST_F(Gradients, PairsInATree) {
  Output x = ops::constant(3.0);
  auto found = gradients({x * x + x}, {x},
                         {.aggregation = AggregationMethod::ExperimentalTree});
  ASSERT_EQ(graph.status(), okStatus());
  EXPECT_THAT(found[0].tensor().name(), HasSubstr("Const_gradient_sum/"));
  EXPECT_EQ(AggregationMethod::ExperimentalAccumulateN,
            AggregationMethod::ExperimentalTree);
  EXPECT_THAT(valueOf(found[0].tensor()), ElementsAre(7));
}

TEST_F(Gradients, GatedAndColocated) {
  Output x = ops::constant(3.0), y = ops::constant(5.0);
  auto found = gradients({x * y}, {x, y}, {.colocate = true, .gate = true});
  ASSERT_EQ(graph.status(), okStatus());
  EXPECT_EQ(found[0].tensor().node->name(),
            "gradients/mul_grad/tuple/control_dependency");
  EXPECT_TRUE(found[0].tensor().node->hasAttr("_class"));
  EXPECT_THAT(valueOf(found[0].tensor()), ElementsAre(5));
  EXPECT_THAT(valueOf(found[1].tensor()), ElementsAre(3));
}

TEST_F(Gradients, Conditional) {
  Output x = ops::constant(3.0, {.name = "x"});
  Output pred = ops::placeholder(DType::Bool, {});
  Output y = ops::cond(
      pred, [&] { return ops::BranchResult(x * x); },
      [&] { return ops::BranchResult(ops::negative(x)); });
  auto found = gradients({2.0 * y}, {x});
  ASSERT_EQ(graph.status(), okStatus());
  EXPECT_THAT(valueOf(found[0].tensor(), {{pred, true}}), ElementsAre(12));
  EXPECT_THAT(valueOf(found[0].tensor(), {{pred, false}}), ElementsAre(-2));
}

TEST_F(Gradients, ConditionalThatUsesXInOneBranch) {
  Output x = ops::constant(3.0), z = ops::constant(7.0);
  Output pred = ops::placeholder(DType::Bool, {});
  Output y = ops::cond(
      pred, [&] { return ops::BranchResult(x * x); },
      [&] { return ops::BranchResult(ops::negative(z)); });
  auto found = gradients({y}, {x, z});
  ASSERT_EQ(graph.status(), okStatus());
  EXPECT_THAT(valueOf(found[0].tensor(), {{pred, true}}), ElementsAre(6));
  EXPECT_THAT(valueOf(found[0].tensor(), {{pred, false}}), ElementsAre(0));
  EXPECT_THAT(valueOf(found[1].tensor(), {{pred, false}}), ElementsAre(-1));
}

TEST_F(Gradients, ResourceVariableInBranches) {
  Variable v(3.0f, {.useResource = true});
  Output pred = ops::placeholder(DType::Bool, {});
  Output y = ops::cond(
      pred, [&] { return ops::BranchResult(v * v); },
      [&] { return ops::BranchResult(ops::negative(v)); });
  Outputs turns = ops::whileLoop(
      [](const Outputs &i) { return i[0] < 3; },
      [&](const Outputs &i) {
        return Outputs{i[0] + 1,
                       ops::cond(
                           i[0] > 0,
                           [&] { return ops::BranchResult(i[1] + v * v); },
                           [&] { return ops::BranchResult(2.f * v); })};
      },
      {0, 0.f});
  Output slope = gradients({y}, {v})[0].toTensor();
  Output ofTurns = gradients({turns[1]}, {v})[0].toTensor();
  ASSERT_EQ(graph.status(), okStatus());
  EXPECT_THAT(valueOf(slope, {{pred, true}}), ElementsAre(6));
  EXPECT_THAT(valueOf(slope, {{pred, false}}), ElementsAre(-1));
  EXPECT_THAT(valueOf(ofTurns), ElementsAre(14));
}

TEST_F(Gradients, ResourceVariable) {
  Variable table(Input({{1., 2.}, {3., 4.}}), {.useResource = true});
  Output rows{graph.addOp({.op = "ResourceGather",
                           .inputs = {Input(table.handle()), Input({1})},
                           .attrs = {{"dtype", DType::Float32}}}),
              0};
  auto read = gradients({ops::reduceSum(table * 2.0)}, {table});
  auto gathered = gradients({ops::reduceSum(rows * rows)}, {table});
  ASSERT_EQ(graph.status(), okStatus());
  EXPECT_THAT(valueOf(read[0].toTensor()), ElementsAre(2, 2, 2, 2));
  ASSERT_TRUE(gathered[0].isSparse());
  EXPECT_THAT(valueOf(gathered[0].slices().values), ElementsAre(6, 8));
}

TEST_F(Gradients, SecondGradientOfAPool) {
  Output x = ops::constant({{{{1.}, {4.}}, {{3.}, {2.}}}});
  Output y = ops::maxPool(x, {1, 2, 2, 1}, {1, 1, 1, 1}, "VALID");
  auto first = gradients({y * y}, {x});
  auto second = gradients({first[0].tensor()}, {x});
  EXPECT_THAT(valueOf(first[0].tensor()), ElementsAre(0, 8, 0, 0));
  EXPECT_THAT(valueOf(second[0].tensor()), ElementsAre(0, 2, 0, 0));
  auto third = gradients({second[0].tensor() * x}, {x});
  EXPECT_THAT(valueOf(third[0].tensor()), ElementsAre(0, 2, 0, 0));
}

TEST_F(Gradients, NothingFlowsToEmptySegments) {
  Output x = ops::constant({1., 3., 2.});
  auto segments = [&](const char *op) {
    return Output{
        graph.addOp(
            {.op = op, .inputs = {Input(x), Input({2, 0, 2}), Input(3)}}),
        0};
  };
  auto gradient = [&](const char *op) {
    return gradients({segments(op)}, {x})[0].tensor();
  };
  Output most = gradient("UnsortedSegmentMax"),
         least = gradient("UnsortedSegmentMin"),
         product = gradient("UnsortedSegmentProd");
  EXPECT_THAT(valueOf(most), ElementsAre(0, 1, 1));
  EXPECT_THAT(valueOf(least), ElementsAre(1, 1, 0));
  EXPECT_THAT(valueOf(product), ElementsAre(2, 1, 1));
}

TEST_F(Gradients, AFunctionOfOnesOwn) {
  ASSERT_EQ(registerGradient("TestTenfold",
                             [](const Node &, const std::vector<Gradient> &dy)
                                 -> std::vector<Gradient> {
                               return {10.0 * dy[0].toTensor()};
                             }),
            okStatus());
  EXPECT_THAT(registerGradient("TestTenfold", {}),
              fails(StatusCode::AlreadyExists, HasSubstr("TestTenfold")));
  Output x = ops::constant(3.0), y, z;
  {
    GradientOverrideScope overrides({{"Square", "TestTenfold"}});
    y = ops::square(x);
  }
  {
    AttributeScope attrs({{"_gradient_op_type", "TestTenfold"}});
    z = ops::identity(x);
  }
  EXPECT_THAT(valueOf(gradients({y}, {x})[0].tensor()), ElementsAre(10));
  EXPECT_THAT(valueOf(gradients({z}, {x})[0].tensor()), ElementsAre(10));
}

/// log(1 + e^x) with a gradient that no large x makes NaN, as in TensorFlow's
/// manual; and a second output.
TEST_F(Gradients, OfOneCall) {
  Output x = ops::placeholder(DType::Float32, {2}, {.name = "x"});
  Output w = ops::placeholder(DType::Float32, {2}, {.name = "w"});
  auto softplus = [](const std::vector<Output> &in) -> CustomResult {
    Output e = ops::exp(in[0]), b = in[1];
    return {{ops::log(1.0 + e), in[0] * b},
            [e, b](const std::vector<Gradient> &dy) -> std::vector<Gradient> {
              return {dy[0].toTensor() * (1.0 - 1.0 / (1.0 + e)),
                      dy[1].toTensor() * b * 3.0};
            }};
  };
  std::vector<Output> y = customGradient(softplus, {x * 2.0, w});
  ASSERT_EQ(y.size(), 2u);
  EXPECT_EQ(y[1].name(), "IdentityN:1");
  EXPECT_EQ(y[0].node->numInputs(), 4);
  EXPECT_EQ(y[0].node->attrOr<std::string>("_gradient_op_type", ""),
            "CustomGradient-0");
  auto found = gradients({y[0] + y[1]}, {x, w});
  FeedValues feeds = {{x, {0.0f, 100.0f}}, {w, {1.0f, -2.0f}}};
  EXPECT_THAT(valueOf(found[0].toTensor(), feeds), ElementsAre(1.0f, 2.0f));
  EXPECT_THAT(valueOf(found[1].toTensor(), feeds), ElementsAre(3.0f, -6.0f));
  // Each call has its own; the second one ignores its first result.
  auto constant = [](const std::vector<Output> &in) -> CustomResult {
    return {{ops::exp(in[0])}, [](const std::vector<Gradient> &dy) {
              return std::vector<Gradient>{dy[0].toTensor() * 7.0};
            }};
  };
  Output z = customGradient(constant, {x})[0];
  EXPECT_THAT(valueOf(gradients({z + y[0]}, {x})[0].toTensor(), feeds),
              ElementsAre(8.0f, 9.0f));
}

/// The values are TensorFlow's.
TEST_F(Gradients, OfSwish) {
  Output x = ops::placeholder(DType::Float32, {3});
  Output beta = ops::placeholder(DType::Float32, {});
  Output y = ops::swish(x, beta);
  ASSERT_NE(y.node, nullptr);
  EXPECT_EQ(y.node->op(), "IdentityN");
  auto found = gradients({y}, {x, beta});
  FeedValues feeds = {{x, {-1.0f, 0.0f, 2.0f}}, {beta, 1.5f}};
  auto near = [](float value) { return ::testing::FloatNear(value, 1e-6f); };
  EXPECT_THAT(valueOf(y, feeds),
              ElementsAre(near(-0.18242553f), near(0.0f), near(1.9051483f)));
  EXPECT_THAT(valueOf(found[0].toTensor(), feeds),
              ElementsAre(near(-0.04129416f), near(0.5f), near(1.0881041f)));
  EXPECT_THAT(valueOf(found[1].toTensor(), feeds),
              ElementsAre(near(0.32985306f)));
}

TEST_F(Gradients, OfOneCallWithAnotherNumber) {
  Output x = ops::placeholder(DType::Float32, {2});
  auto two = [](const std::vector<Output> &in) -> CustomResult {
    return {{ops::exp(in[0])}, [](const std::vector<Gradient> &dy) {
              return std::vector<Gradient>{dy[0], dy[0]};
            }};
  };
  gradients({customGradient(two, {x})[0]}, {x});
  EXPECT_THAT(graph.takeStatus(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Num gradients 3 generated for op IdentityN do "
                              "not match num inputs 2")));
}

TEST_F(Gradients, OfOneCallThatReadsAVariable) {
  Variable v(2.0f, {.name = "v", .useResource = true});
  auto product = [&](const std::vector<Output> &in) -> CustomResult {
    return {{in[0] * v}, [](const std::vector<Gradient> &dy) { return dy; }};
  };
  customGradient(product, {ops::placeholder(DType::Float32, {2})});
  EXPECT_THAT(
      graph.takeStatus(),
      fails(StatusCode::InvalidArgument,
            HasSubstr("must accept keyword argument 'variables', since "
                      "function uses variables: [<tf.Variable 'v:0' ")));
}

TEST_F(Gradients, OpsWithoutOne) {
  Output x = ops::constant({1., 2.}, {.name = "x"});
  EXPECT_TRUE(
      gradients({ops::cast(ops::argMax(x), DType::Float32)}, {x})[0].isNone());
  Output y{graph.addOp({.op = "SparseSegmentSumGrad",
                        .name = "odd",
                        .inputs = {Input(ops::expandDims(x, 1)), Input({0, 1}),
                                   Input({0, 1}), Input(2)}}),
           0};
  ASSERT_EQ(graph.status(), okStatus());
  gradients({y}, {x});
  EXPECT_THAT(graph.status(),
              fails(StatusCode::NotFound,
                    HasSubstr("No gradient defined for operation'odd' (op "
                              "type: SparseSegmentSumGrad). In general every "
                              "operation must have an associated")));
}

TEST_F(Gradients, PreventGradient) {
  Output x = ops::constant(1.0);
  Output y{graph.addOp({.op = "PreventGradient",
                        .inputs = {Input(x)},
                        .attrs = {{"message", "no"}}}),
           0};
  gradients({y}, {x});
  EXPECT_THAT(graph.status(),
              fails(StatusCode::NotFound,
                    HasSubstr("Gradient explicitly disabled. Reason: no")));
}

TEST_F(Gradients, GivenGradientsMustFit) {
  Output x = ops::constant(1.0);
  gradients({x * x}, {x}, {.gradYs = {x, x}});
  EXPECT_THAT(graph.status(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Length mismatch. Passed 2 grad_ys for 1 ys")));
}

TEST_F(Gradients, LongChainsNeedNoStack) {
  Output x = ops::constant(1.0), y = x;
  for (int i = 0; i < 20000; ++i)
    y = Output{graph.addOp({.op = "Identity", .inputs = {Input(y)}}), 0};
  auto found = gradients({y}, {x});
  EXPECT_EQ(graph.status(), okStatus());
  EXPECT_FALSE(found[0].isNone());
}

} // namespace
} // namespace kiln
