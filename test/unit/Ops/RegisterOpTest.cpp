// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of a user's own: what is refused, and that they run like Kiln's.
#include "kiln/RegisterOp.h"

#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/Together.h"

#include <atomic>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using testing::GraphWriter;
using ::testing::HasSubstr;
using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32;

/// Doubles the rows and adds `k * scale`, or fails at a negative number.
Status computeTwice(OpCall &call) {
  auto x = call.input<float>(0);
  auto y = call.output<float>(0);
  auto added = static_cast<float>(static_cast<double>(call.intAttr(1)) *
                                  call.floatAttr(2));
  for (size_t i = 0; i < y.size(); ++i) {
    float value = x[i % x.size()];
    if (value == -1)
      return failedPreconditionError("expected no -1");
    if (value == -2)
      throw std::runtime_error("threw at -2");
    y[i] = value + added;
  }
  return okStatus();
}
Status shapeTwice(ShapeCall &call) {
  if (call.rank(0) == 0)
    return call.error("expected rows, got a scalar");
  if (call.rank(0) < 0)
    return okStatus();
  std::vector<ShapeDim> dims{call.mul(call.dim(0, 0), 2)};
  for (int i = 1; i < call.rank(0); ++i)
    dims.push_back(call.dim(0, i));
  call.setOutput(0, std::move(dims));
  return okStatus();
}

std::atomic<int> counted;
Status count(OpCall &call) {
  ++counted;
  std::ranges::copy(call.input<float>(0), call.output<float>(0).begin());
  return okStatus();
}

OpRegistration twice(std::string name = "KilnTestTwice") {
  return {.name = std::move(name),
          .inputs = "x: T",
          .outputs = "y: T",
          .attrs = "T: {float32}; k: int >= 0 = 3; scale: float = 0.5",
          .doc = "",
          .shape = shapeTwice,
          .kernel = opKernel<computeTwice>};
}

class RegisterOp : public ::testing::TestWithParam<ExecutionMode> {
protected:
  static void SetUpTestSuite() {
    static const Status once = [] {
      Status status = registerOp(twice());
      return status.ok() ? registerOp({.name = "KilnTestCount",
                                       .inputs = "x: float32",
                                       .outputs = "y: float32",
                                       .attrs = "",
                                       .doc = "",
                                       .kernel = opKernel<count>,
                                       .isStateful = true})
                         : status;
    }();
    ASSERT_THAT(once, isOk());
  }
  static std::unique_ptr<Session> open(std::shared_ptr<Graph> graph) {
    SessionOptions options;
    options.mode = GetParam();
    auto session = Session::create(std::move(graph), options);
    EXPECT_THAT(session, isOk());
    return *std::move(session);
  }
};
INSTANTIATE_TEST_SUITE_P(Modes, RegisterOp,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(RegisterOp, OneCompilationServesAllSizes) {
  GraphWriter writer;
  writer.placeholder("x", f32, {-1, 2});
  writer.add("twice", "KilnTestTwice", {"x"}, {{"T", f32}, {"scale", 2.0f}});
  writer.binary("sum", "Add", "twice", "twice", f32);
  auto session = open(writer.graph);
  auto rows =
      session->run({{"x:0", tensorOf<float>({1, 2}, {1, 2})}}, {"sum:0"});
  ASSERT_THAT(rows, isOk());
  EXPECT_EQ((*rows)[0].shape(), Shape({2, 2}));
  EXPECT_THAT(valuesOf<float>((*rows)[0]), ElementsAre(14, 16, 14, 16));
  const int64_t compilations = session->stats().compilations;
  rows = session->run({{"x:0", tensorOf<float>({3, 2}, {1, 2, 3, 4, 5, 6})}},
                      {"twice:0"});
  ASSERT_THAT(rows, isOk());
  EXPECT_EQ((*rows)[0].shape(), Shape({6, 2}));
  rows =
      session->run({{"x:0", tensorOf<float>({2, 2}, {1, 2, 3, 4})}}, {"sum:0"});
  ASSERT_THAT(rows, isOk());
  EXPECT_EQ((*rows)[0].shape(), Shape({4, 2}));
  EXPECT_EQ(session->stats().compilations, compilations + 1); // of twice:0
}

TEST_P(RegisterOp, ErrorsNameTheNode) {
  GraphWriter writer;
  writer.placeholder("x", f32, {-1});
  writer.add("twice", "KilnTestTwice", {"x"}, {{"T", f32}});
  auto session = open(writer.graph);
  auto run = [&](float value) {
    return session
        ->run({{"x:0", tensorOf<float>({2}, {1, value})}}, {"twice:0"})
        .status();
  };
  EXPECT_THAT(run(-1), fails(StatusCode::FailedPrecondition,
                             HasSubstr("expected no -1")));
  EXPECT_EQ(run(-1).node(), "twice");
  EXPECT_THAT(run(-2), fails(StatusCode::Internal, HasSubstr("threw at -2")));
  EXPECT_THAT(run(0), isOk());
}

TEST_P(RegisterOp, StatefulOpsRunOnceARunThatNeedsThem) {
  GraphWriter writer;
  writer.constant("c", tensorOf<float>({2}, {1, 2}));
  writer.add("count", "KilnTestCount", {"c"});
  writer.add("again", "KilnTestCount", {"c"});
  writer.binary("sum", "Add", "count", "count", f32);
  auto session = open(writer.graph);
  ASSERT_THAT(session->run({}, {"sum:0"}), isOk()); // compiling calls nothing
  counted = 0;
  for (int i = 1; i <= 3; ++i) {
    auto sum = session->run({}, {"sum:0"});
    ASSERT_THAT(sum, isOk());
    EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(2, 4));
    EXPECT_EQ(counted, i);
  }
  counted = 0;
  ASSERT_THAT(session->run({}, {"c:0"}), isOk());
  EXPECT_EQ(counted, 0);
  ASSERT_THAT(session->run({}, {"sum:0"}, {"again"}), isOk());
  counted = 0;
  ASSERT_THAT(session->run({}, {"sum:0"}, {"again"}), isOk());
  EXPECT_EQ(counted, 2);
}

TEST_P(RegisterOp, ShapeFunctionsRefuseNodes) {
  auto graph = std::make_shared<Graph>(makeNodeChecker());
  GraphWriter writer;
  writer.placeholder("scalar", f32, Shape());
  auto made = writer.graph->addNode({.name = "twice",
                                     .op = "KilnTestTwice",
                                     .inputs = {"scalar"},
                                     .attrs = {{"T", f32}}});
  EXPECT_THAT(made.status(), fails(StatusCode::InvalidArgument,
                                   HasSubstr("expected rows, got a scalar")));
  EXPECT_EQ(made.status().node(), "twice");
}

/// [n] -> [n - 3, 12 / n]
Status shapeLess(ShapeCall &call) {
  if (call.rank(0) == 1)
    call.setOutput(
        0, {call.sub(call.dim(0, 0), 3), call.floorDiv(12, call.dim(0, 0))});
  return okStatus();
}
Status fill(OpCall &call) {
  std::ranges::fill(call.output<float>(0), 1.0f);
  return okStatus();
}

TEST_P(RegisterOp, SizesThatCannotBeAreErrors) {
  static const Status registered = registerOp({.name = "KilnTestLess",
                                               .inputs = "x: float32",
                                               .outputs = "y: float32",
                                               .attrs = "",
                                               .doc = "",
                                               .shape = shapeLess,
                                               .kernel = opKernel<fill>});
  ASSERT_THAT(registered, isOk());
  GraphWriter writer;
  writer.placeholder("x", f32, {-1});
  writer.add("less", "KilnTestLess", {"x"});
  auto session = open(writer.graph);
  auto run = [&](int64_t size) {
    return session->run({{"x:0", *Tensor::zeros(f32, {size})}}, {"less:0"});
  };
  auto four = run(4);
  ASSERT_THAT(four, isOk());
  EXPECT_EQ((*four)[0].shape(), Shape({1, 3}));
  EXPECT_THAT(run(2), fails(StatusCode::InvalidArgument,
                            HasSubstr("expected extents of at least 0 of "
                                      "output 0, got -1")));
  EXPECT_EQ(run(2).status().node(), "less");
  EXPECT_THAT(run(0), fails(StatusCode::InvalidArgument, HasSubstr("got ")));
  writer.placeholder("two", f32, {2});
  auto made = writer.graph->addNode(
      {.name = "never", .op = "KilnTestLess", .inputs = {"two"}});
  EXPECT_THAT(made, fails(StatusCode::InvalidArgument, HasSubstr("got -1")));
}

std::barrier<> &meeting() {
  static std::barrier<> both(2);
  return both;
}
Status meet(OpCall &call) {
  meeting().arrive_and_wait();
  std::ranges::copy(call.input<float>(0), call.output<float>(0).begin());
  return okStatus();
}

// Runs of one program do not wait for each other: these two meet inside.
TEST_P(RegisterOp, RunsOfOneProgramMeet) {
  static const Status registered = registerOp({.name = "KilnTestMeet",
                                               .inputs = "x: float32",
                                               .outputs = "y: float32",
                                               .attrs = "",
                                               .doc = "",
                                               .kernel = opKernel<meet>});
  ASSERT_THAT(registered, isOk());
  GraphWriter writer;
  writer.placeholder("x", f32, {-1});
  writer.variable("w", tensorOf<float>({2}, {1, 2}));
  writer.binary("product", "Mul", "x", "w/read", f32);
  writer.add("meet", "KilnTestMeet", {"product"});
  writer.binary("sum", "Add", "meet", "meet", f32);
  auto session = open(writer.graph);
  ASSERT_THAT(session->run({}, {}, {"w/Assign"}), isOk());
  testing::together(2, [&](int thread) {
    float x = static_cast<float>(thread);
    auto sum = session->run({{"x:0", tensorOf<float>({2}, {x, 1})}}, {"sum:0"});
    ASSERT_THAT(sum, isOk());
    EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(2 * x, 4));
  });
}

TEST(RegisterOpTest, CodeWithThemIsNotKeptOnDisk) {
  (void)registerOp(twice("KilnTestNotKept"));
  std::string folder = ::testing::TempDir() + "kiln_ops_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  GraphWriter writer;
  writer.placeholder("x", f32, {-1});
  writer.add("twice", "KilnTestNotKept", {"x"}, {{"T", f32}});
  writer.binary("sum", "Add", "x", "x", f32);
  SessionOptions options;
  options.mode = ExecutionMode::NativeOnly;
  options.diskCache.folder = folder;
  auto session = Session::create(writer.graph, options);
  ASSERT_THAT(session, isOk());
  auto entries = [&] {
    return std::distance(std::filesystem::directory_iterator(folder), {});
  };
  std::vector<Feed> feeds = {{"x:0", tensorOf<float>({1}, {1})}};
  ASSERT_THAT((*session)->run(feeds, {"twice:0"}), isOk());
  const auto before = entries();
  ASSERT_THAT((*session)->run(feeds, {"sum:0"}), isOk());
  EXPECT_EQ(entries(), before + 1);
  std::filesystem::remove_all(folder);
}

TEST(RegisterOpTest, RefusesWhatCannotRun) {
  EXPECT_THAT(registerOp(twice("MatMul")),
              fails(StatusCode::AlreadyExists, HasSubstr("MatMul")));
  EXPECT_THAT(registerOp(twice("KilnTestOnce")), isOk());
  EXPECT_THAT(registerOp(twice("KilnTestOnce")),
              fails(StatusCode::AlreadyExists, HasSubstr("KilnTestOnce")));
  for (const char *name : {"", "lower", "With space", "1st"})
    EXPECT_THAT(registerOp(twice(name)),
                fails(StatusCode::InvalidArgument, HasSubstr(name)));
  auto refused = [](auto change) {
    OpRegistration op = twice("KilnTestRefused");
    change(op);
    return registerOp(op);
  };
  EXPECT_THAT(refused([](auto &op) { op.kernel = nullptr; }),
              fails(StatusCode::InvalidArgument, HasSubstr("kernel")));
  EXPECT_THAT(refused([](auto &op) { op.inputs = "x: U"; }),
              fails(StatusCode::InvalidArgument, HasSubstr("x: U")));
  EXPECT_THAT(refused([](auto &op) { op.attrs = "T: {float32, what}"; }),
              fails(StatusCode::InvalidArgument, HasSubstr("what")));
  EXPECT_THAT(refused([](auto &op) { op.inputs = "x: string"; }),
              fails(StatusCode::Unimplemented, HasSubstr("string")));
  EXPECT_THAT(refused([](auto &op) { op.inputs = "x: Ref(T)"; }),
              fails(StatusCode::Unimplemented, HasSubstr("reference")));
  EXPECT_THAT(refused([](auto &op) { op.attrs += "; t: tensor"; }),
              fails(StatusCode::Unimplemented, HasSubstr("attribute t")));
  EXPECT_THAT(refused([](auto &op) { op.outputs = ""; }),
              fails(StatusCode::Unimplemented, HasSubstr("output")));
}

} // namespace
} // namespace kiln
