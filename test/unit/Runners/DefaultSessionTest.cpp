// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that are built and run: values, structures of fetches, the default
// session, and the errors of both.
#include "kiln/DefaultSession.h"
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
using ::testing::StartsWith;

class DefaultSession : public ::testing::Test {
protected:
  void SetUp() override {
    auto made = makeSession();
    ASSERT_THAT(made, isOk());
    session = *made;
    current.emplace(session);
  }
  void initialize() { ASSERT_THAT(run(globalVariablesInitializer()), isOk()); }
  template <class T> std::vector<T> elements(const StatusOr<Tensor> &tensor) {
    EXPECT_THAT(tensor, isOk());
    if (!tensor.ok())
      return {};
    auto data = tensor->template data<T>();
    return std::vector<T>(data.begin(), data.end());
  }

  GraphBuilder graph;
  GraphScope scope{graph};
  std::shared_ptr<Session> session;
  std::optional<SessionScope> current;
};

TEST_F(DefaultSession, EvaluatesTheFirstGraph) {
  Variable x(3, {.name = "x"}), y(4, {.name = "y"});
  Output f = x * x * y + y + 2;
  initialize();
  EXPECT_THAT(elements<int32_t>(eval(f)), ElementsAre(42));
  EXPECT_THAT(elements<int32_t>(eval(x)), ElementsAre(3));
}

TEST_F(DefaultSession, FetchesInTheStructureThatWasAsked) {
  Output a = ops::constant(1), b = ops::constant({2, 3});
  Variable v(4.0);
  const Node *nothing = rawOps::noOp();
  initialize();
  auto got = eval(std::tuple(a, std::vector<Output>{b, a}, nothing,
                             std::map<std::string, Variable>{{"v", v}},
                             std::array<Output, 1>{b}));
  ASSERT_THAT(got, isOk());
  auto &[first, list, none, named, array] = *got;
  EXPECT_THAT(first.data<int32_t>(), ElementsAre(1));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_THAT(list[0].data<int32_t>(), ElementsAre(2, 3));
  EXPECT_EQ(none, NoValue());
  EXPECT_THAT(named.at("v").data<float>(), ElementsAre(4.0f));
  EXPECT_THAT(array[0].data<int32_t>(), ElementsAre(2, 3));
}

TEST_F(DefaultSession, GradientsAndSlicesAreFetchedAsTheyAre) {
  Variable table({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}}, {.name = "table"});
  Variable w(2.0);
  Output rows = ops::embeddingLookup(table, {2, 0});
  Output loss = ops::reduceSum(ops::square(rows)) * w;
  std::vector<Gradient> all = gradients({loss}, {table, w});
  ASSERT_TRUE(all[0].isSparse());
  initialize();
  auto got = eval(std::pair(all, all[0].slices()));
  ASSERT_THAT(got, isOk());
  auto &[list, slices] = *got;
  ASSERT_EQ(list.size(), 2u);
  EXPECT_FALSE(list[0].tensor.isValid());
  EXPECT_THAT(list[0].slices.indices.data<int32_t>(), ElementsAre(2, 0));
  EXPECT_THAT(list[0].slices.values.data<float>(), ElementsAre(20, 24, 4, 8));
  EXPECT_THAT(list[1].tensor.data<float>(), ElementsAre(66));
  EXPECT_THAT(slices.values.data<float>(), ElementsAre(20, 24, 4, 8));
  EXPECT_THAT(eval(gradients({loss}, {ops::constant(1.0)})),
              fails(StatusCode::InvalidArgument, HasSubstr("")));
}

TEST_F(DefaultSession, SparseTensorsAndOutputsAreFetchedWhole) {
  ops::SparseTensor sparse{
      ops::constant(Tensor::fromValues<int64_t>({2, 1}, {0, 3}).value()),
      ops::constant({1.5, 2.5}),
      ops::constant(Tensor::fromValues<int64_t>({1}, {5}).value())};
  auto got = eval(
      std::tuple(sparse, Outputs(std::vector{sparse.values, sparse.values})));
  ASSERT_THAT(got, isOk());
  auto &[whole, list] = *got;
  EXPECT_THAT(whole.indices.data<int64_t>(), ElementsAre(0, 3));
  EXPECT_THAT(whole.values.data<float>(), ElementsAre(1.5f, 2.5f));
  EXPECT_THAT(whole.denseShape.data<int64_t>(), ElementsAre(5));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_THAT(list[1].data<float>(), ElementsAre(1.5f, 2.5f));
}

TEST_F(DefaultSession, AnEmptyStructureRunsNothing) {
  ops::constant(1);
  auto got = eval(std::vector<Output>());
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(*got, IsEmpty());
}

TEST_F(DefaultSession, FeedsPlainValues) {
  Output x = ops::placeholder(DType::Float32, {-1, 2});
  Output sum = ops::reduceSum(x, 1);
  EXPECT_THAT(elements<float>(eval(sum, {{x, {{1, 2}, {3, 4}}}})),
              ElementsAre(3.0f, 7.0f));
  Output n = ops::placeholder(DType::Int32, {}, {.name = "n"});
  EXPECT_THAT(eval(n + 1, {{n, int64_t{1} << 40}}),
              fails(StatusCode::InvalidArgument,
                    "Type of feed value 1099511627776 with type <class 'int'> "
                    "is not compatible with Tensor type <class "
                    "'numpy.int32'>. Try explicitly setting the type of the "
                    "feed tensor to a larger type (e.g. int64)."));
  EXPECT_THAT(eval(n, {{n, x}}),
              fails(StatusCode::InvalidArgument,
                    StartsWith("The value of a feed cannot be a tf.Tensor "
                               "object.")));
}

TEST_F(DefaultSession, NeedsASession) {
  Output a = ops::constant(1);
  const Node *nothing = rawOps::noOp();
  current.reset();
  EXPECT_THAT(eval(a), fails(StatusCode::FailedPrecondition,
                             StartsWith("Cannot evaluate tensor using "
                                        "`eval()`: No default session is "
                                        "registered.")));
  EXPECT_THAT(run(nothing),
              fails(StatusCode::FailedPrecondition,
                    StartsWith("Cannot execute operation using `run()`: No "
                               "default session is registered.")));
}

TEST_F(DefaultSession, NeedsTheSessionOfTheGraph) {
  GraphBuilder other;
  GraphScope inside(other);
  EXPECT_THAT(eval(ops::constant(1)),
              fails(StatusCode::FailedPrecondition,
                    StartsWith("Cannot use the default session to evaluate "
                               "tensor: the tensor's graph is different from "
                               "the session's graph.")));
}

TEST_F(DefaultSession, ReportsWhatCouldNotBeBuilt) {
  Output ok = ops::constant(1);
  Output bad = ops::add(ops::zeros({2}), ops::zeros({3}), {.name = "bad"});
  EXPECT_THAT(eval(bad), failsAt("bad"));
  EXPECT_THAT(session->run({}, {ok}), failsAt("bad"));
  EXPECT_THAT(Session::create(graph.graph()), failsAt("bad"));
  EXPECT_THAT(graph.takeStatus(), failsAt("bad"));
  EXPECT_THAT(eval(ok), isOk());
}

TEST_F(DefaultSession, InitializesDependentVariablesInOneRun) {
  Variable a(3.0, {.name = "a"});
  Variable b(a * 2.0, {.name = "b"});
  initialize();
  EXPECT_THAT(elements<float>(eval(b)), ElementsAre(6.0f));
  // What depends on what depends: TensorFlow's 30 runs of 30 ended so.
  Variable c(b + a, {.name = "c"});
  EXPECT_THAT(run(globalVariablesInitializer()), isOk());
  auto other = makeSession();
  ASSERT_THAT(other, isOk());
  EXPECT_THAT(run(**other, globalVariablesInitializer()), failsAt("a/read"));
}

TEST_F(DefaultSession, ReportsUninitializedVariables) {
  Variable a(1.0, {.name = "a"}), b(2.0, {.name = "b"});
  Variable c(3.0, {.name = "c", .useResource = true});
  Output missing = reportUninitializedVariables();
  ASSERT_THAT(run(variablesInitializer({b})), isOk());
  auto names = eval(missing);
  ASSERT_THAT(names, isOk());
  EXPECT_THAT(names->data<String>(), ElementsAre("a", "c"));
}

TEST_F(DefaultSession, HandlesAreReadWhereTheyAreUsed) {
  Variable v(1.0, {.name = "v", .useResource = true});
  Assignment up = v.assignAdd(2.0);
  Output after = up * 10.0;
  initialize();
  EXPECT_THAT(elements<float>(eval(after)), ElementsAre(30.0f));
  EXPECT_THAT(elements<float>(eval(v)), ElementsAre(3.0f));
}

TEST_F(DefaultSession, BranchesAndLoops) {
  Output p = ops::placeholder(DType::Int32, {});
  Variable v(0);
  Outputs branch = ops::cond(
      p > 3, [&] { return v.assignAdd(1) * 2; },
      [&] { return ops::identity(p) - 1; });
  Outputs loop = ops::whileLoop(
      [&](const Outputs &x) { return x[0] < p; },
      [](const Outputs &x) { return Outputs{x[0] + 1, x[1] * 2.0}; }, {0, 1.0});
  initialize();
  EXPECT_THAT(elements<int32_t>(eval(Output(branch), {{p, 5}})),
              ElementsAre(2));
  EXPECT_THAT(elements<int32_t>(eval(Output(branch), {{p, 2}})),
              ElementsAre(1));
  EXPECT_THAT(elements<float>(eval(loop[1], {{p, 10}})), ElementsAre(1024.0f));
  EXPECT_THAT(elements<int32_t>(eval(v)), ElementsAre(1));
}

TEST_F(DefaultSession, LoopsMayGrowWithAnInvariantAndEndEarly) {
  Outputs grown = ops::whileLoop(
      [](const Outputs &x) { return ops::size(x[0]) < 100; },
      [](const Outputs &x) { return ops::concat({x[0], x[0]}, 0); },
      {ops::constant({1.0})}, {.shapeInvariants = {Shape{-1}}});
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_EQ(elements<float>(eval(grown[0])).size(), 128u);
  // Known whole numbers, whose elements shape functions follow.
  Outputs numbers = ops::whileLoop(
      [](const Outputs &x) { return ops::size(x[0]) < 6; },
      [](const Outputs &x) { return ops::concat({x[0], x[0]}, 0); },
      {ops::constant({1, 2})}, {.shapeInvariants = {Shape{-1}}});
  ASSERT_THAT(graph.status(), isOk());
  EXPECT_EQ(numbers[0].shape(), Shape{-1});
  EXPECT_EQ(elements<int32_t>(eval(numbers[0])).size(), 8u);
  Outputs endless = ops::whileLoop(
      [](const Outputs &) { return ops::constant(true); },
      [](const Outputs &x) { return x[0] + 1; }, {0}, {.maximumIterations = 4});
  EXPECT_THAT(elements<int32_t>(eval(endless[0])), ElementsAre(4));
}

TEST_F(DefaultSession, LoopsRefuseShapesThatChange) {
  ops::whileLoop([](const Outputs &x) { return ops::size(x[0]) < 100; },
                 [](const Outputs &x) { return ops::concat({x[0], x[0]}, 0); },
                 {ops::constant({1.0})});
  EXPECT_THAT(graph.takeStatus(),
              fails(StatusCode::InvalidArgument,
                    StartsWith("Input tensor 'Const:0' enters the loop with "
                               "shape (1,), but has shape (2,) after one "
                               "iteration.")));
}

TEST_F(DefaultSession, BranchesRefuseWhatDiffers) {
  Output p = ops::placeholder(DType::Bool, {});
  ops::cond(
      p, [] { return ops::constant(1); }, [] { return ops::constant(1.0); });
  EXPECT_THAT(graph.takeStatus(),
              fails(StatusCode::InvalidArgument,
                    "Outputs of 'true_fn' and 'false_fn' must have the same "
                    "type(s). Received int32 from 'true_fn' and float32 from "
                    "'false_fn'."));
  ops::cond(
      true, [] { return ops::constant(1); }, [] { return ops::constant(1); });
  EXPECT_THAT(graph.takeStatus(), fails(StatusCode::InvalidArgument,
                                        "'pred' must not be a Python bool."));
}

TEST_F(DefaultSession, InitializersDrawTensorFlowsNumbers) {
  setRandomSeed(1);
  Output uniform = ops::randomUniform({5}, {.seed = 2});
  Output normal = ops::randomNormal({2}, {.seed = 2});
  Output truncated = ops::truncatedNormal({2}, {.seed = 2});
  Output integers =
      ops::randomUniform({5}, 0, 10, {.dtype = DType::Int32, .seed = 2});
  EXPECT_THAT(elements<float>(eval(uniform)),
              ElementsAre(0.406396747f, 0.857599616f, 0.0553958416f,
                          0.0858722925f, 0.412153602f));
  EXPECT_THAT(elements<float>(eval(normal)),
              ElementsAre(::testing::FloatEq(-1.04677927f),
                          ::testing::FloatEq(0.839704573f)));
  EXPECT_THAT(elements<float>(eval(truncated)),
              ElementsAre(::testing::FloatEq(-1.04677927f),
                          ::testing::FloatEq(0.839704573f)));
  EXPECT_THAT(elements<int32_t>(eval(integers)), ElementsAre(9, 5, 2, 9, 1));
}

TEST_F(DefaultSession, OrthogonalInitializersAreOrthogonal) {
  Variable v = getVariable(
      "v", {.shape = {4, 3}, .initializer = orthogonalInitializer(1, 3)});
  Output product = ops::matMul(v, v, {.transposeA = true});
  initialize();
  std::vector<float> got = elements<float>(eval(product));
  ASSERT_EQ(got.size(), 9u);
  for (size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(got[i], i % 4 == 0 ? 1 : 0, 1e-5);
}

} // namespace
} // namespace kiln
