// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every limit from both sides: at the limit all goes well, one more gives an
// error with the facts. (Time has tests of its own.)
#include "kiln/GraphDef.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "test/unit/QueueFixture.h"

#include <filesystem>
#include <unistd.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;
using testing::tensorOf;

constexpr auto tooMuch = StatusCode::ResourceExhausted;
constexpr DType f32 = DType::Float32;

NodeSpec noOp(std::string name) {
  return {.name = std::move(name), .op = "NoOp"};
}

TEST(GraphLimits, Nodes) {
  Graph graph({}, {.maxNodes = 2});
  EXPECT_THAT(graph.addNodes({noOp("a"), noOp("b")}), isOk());
  EXPECT_THAT(graph.addNode(noOp("c")),
              fails(tooMuch,
                    HasSubstr("the graph would have 3 nodes, the limit is 2")));
  EXPECT_EQ(graph.numNodes(), 2);
}

TEST(GraphLimits, NameBytes) {
  Graph graph({}, {.maxNameBytes = 8});
  EXPECT_THAT(graph.addNode(noOp("12345678")), isOk());
  EXPECT_THAT(
      graph.addNode(noOp("123456789")),
      fails(tooMuch, AllOf(HasSubstr("has 9 bytes"), HasSubstr("limit is 8"))));
  Graph usual({});
  EXPECT_THAT(usual.addNode(noOp(std::string(4096, 'a'))), isOk());
  EXPECT_THAT(usual.addNode(noOp(std::string(4097, 'b'))),
              fails(tooMuch, HasSubstr("limit is 4096")));
}

TEST(GraphLimits, RankOfAShape) {
  EXPECT_THAT(Shape::fromDims(std::vector<int64_t>(254, 1)), isOk());
  EXPECT_THAT(Shape::fromDims(std::vector<int64_t>(255, 1)),
              fails(StatusCode::InvalidArgument,
                    AllOf(HasSubstr("254"), HasSubstr("255"))));
}

TEST(GraphLimits, ElementsOfAShape) {
  EXPECT_THAT(Shape({int64_t{1} << 31, int64_t{1} << 31}).numElements(),
              isOk());
  EXPECT_THAT(Shape({int64_t{1} << 32, int64_t{1} << 31}).numElements(),
              fails(StatusCode::InvalidArgument, HasSubstr("2^63 - 1")));
  EXPECT_EQ(*Shape({INT64_MAX}).numElements(), INT64_MAX);
}

class LoadLimits : public ::testing::Test {
protected:
  /// Two constants of 40 bytes each.
  std::string bytes = [] {
    testing::GraphWriter writer;
    writer.constant("a",
                    tensorOf<float>({10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    writer.constant("b",
                    tensorOf<float>({10}, {0, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    return *toGraphDef(*writer.graph);
  }();
};

TEST_F(LoadLimits, NodesOfAFile) {
  EXPECT_THAT(loadGraphDef(bytes, {.limits = {.maxNodes = 2}}), isOk());
  EXPECT_THAT(
      loadGraphDef(bytes, {.limits = {.maxNodes = 1}}),
      fails(tooMuch, AllOf(HasSubstr("2 nodes"), HasSubstr("limit is 1"))));
}

TEST_F(LoadLimits, NodesOfAText) {
  std::string text =
      "node { name: 'a' op: 'NoOp' } node { name: 'b' op: 'NoOp' }";
  EXPECT_THAT(loadGraphDef(text, {.limits = {.maxNodes = 2}}), isOk());
  EXPECT_THAT(loadGraphDef(text, {.limits = {.maxNodes = 1}}),
              fails(tooMuch, HasSubstr("limit is 1")));
}

TEST_F(LoadLimits, BytesOfConstants) {
  EXPECT_THAT(loadGraphDef(bytes, {.maxConstantBytes = 80}), isOk());
  auto more = loadGraphDef(bytes, {.maxConstantBytes = 79});
  EXPECT_THAT(more, fails(tooMuch, AllOf(HasSubstr("limit of 79"),
                                         HasSubstr("40 used, 40 more"))));
  EXPECT_THAT(more, failsAt("b"));
}

TEST_F(LoadLimits, BytesOfAString) {
  EXPECT_THAT(loadGraphDef(bytes, {.maxFileBytes = bytes.size()}), isOk());
  EXPECT_THAT(loadGraphDef(bytes, {.maxFileBytes = bytes.size() - 1}),
              fails(tooMuch, HasSubstr("bytes, the limit is")));
}

TEST_F(LoadLimits, BytesOfAFile) {
  std::string path = std::filesystem::path(::testing::TempDir()) /
                     ("kiln-limits-" + std::to_string(::getpid()));
  ASSERT_THAT(saveGraphDefFile(**loadGraphDef(bytes), path), isOk());
  auto size = static_cast<size_t>(std::filesystem::file_size(path));
  EXPECT_THAT(loadGraphDefFile(path, {.maxFileBytes = size}), isOk());
  EXPECT_THAT(loadGraphDefFile(path, {.maxFileBytes = size - 1}),
              fails(tooMuch, AllOf(HasSubstr(path), HasSubstr("limit is"))));
  std::filesystem::remove(path);
}

/// Messages below the GraphDef: a node, an entry of its attributes, the
/// attribute, a function, an entry …
std::string nestedFile(int functions) {
  proto::GraphDef message;
  proto::NodeDef &node = *message.add_node();
  node.set_name("n");
  node.set_op("NoOp");
  proto::AttrValue *value = &(*node.mutable_attr())["a"];
  for (int i = 0; i < functions; ++i) {
    value->mutable_func()->set_name("f");
    value = &(*value->mutable_func()->mutable_attr())["a"];
  }
  value->set_i(1);
  return message.SerializeAsString();
}

TEST_F(LoadLimits, DepthOfMessages) {
  // A node, its entry and its value are 3 levels, each function 3 more.
  EXPECT_THAT(loadGraphDef(nestedFile(2), {.maxDepth = 9}), isOk());
  EXPECT_THAT(loadGraphDef(nestedFile(2), {.maxDepth = 8}),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("nested deeper than 8 messages")));
  EXPECT_THAT(loadGraphDef(nestedFile(32)), isOk());
  EXPECT_THAT(loadGraphDef(nestedFile(33)),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("nested deeper than 100 messages")));
}

/// y = exp(exp(… x)), `length` times.
std::unique_ptr<Session> chain(int length, SessionLimits limits) {
  testing::GraphWriter writer;
  writer.placeholder("x", f32, {-1});
  for (int i = 1; i <= length; ++i)
    writer.add(i == length ? "y" : "n" + std::to_string(i), "Exp",
               {i == 1 ? "x" : "n" + std::to_string(i - 1)}, {{"T", f32}});
  SessionOptions options;
  options.mode = ExecutionMode::NativeOnly;
  options.limits = limits;
  return *Session::create(writer.graph, options);
}

Status runChain(Session &session) {
  return session.run({{"x:0", tensorOf<float>({2}, {0, 1})}}, {"y:0"}).status();
}

TEST(RunLimits, Nodes) {
  EXPECT_THAT(runChain(*chain(5, {.maxNodes = 5})), isOk());
  EXPECT_THAT(
      runChain(*chain(6, {.maxNodes = 5})),
      fails(tooMuch, AllOf(HasSubstr("at most 5 nodes"), HasSubstr("got 6"))));
}

/// A graph that calls a function of three nodes twice; a node of it has this
/// name.
static StatusOr<std::shared_ptr<Graph>> loadCalls(const std::string &name,
                                                  GraphLimits limits = {}) {
  return loadGraphDef(
      "node { name: 'x' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT "
      "} } attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { "
      "} float_val: 3 } } } } node { name: 'a' op: 'twice' input: 'x' } node { "
      "name: 'b' op: 'twice' input: 'a' } library { function { signature { "
      "name: 'twice' input_arg { name: 'v' type: DT_FLOAT } output_arg { name: "
      "'r' type: DT_FLOAT } } node_def { name: 'neg' op: 'Neg' input: 'v' attr "
      "{ key: 'T' value { type: DT_FLOAT } } } node_def { name: 'same' op: "
      "'Neg' input: 'neg:y:0' attr { key: 'T' value { type: DT_FLOAT } } } "
      "node_def { name: '" +
          name +
          "' op: 'AddV2' input: 'v' input: 'same:y:0' attr { key: 'T' value { "
          "type: DT_FLOAT } } } ret { key: 'r' value: '" +
          name + ":z:0' } } }",
      {.limits = limits});
}

static Status runCalls(StatusOr<std::shared_ptr<Graph>> graph,
                       SessionLimits limits = {}) {
  if (!graph.ok())
    return graph.status();
  SessionOptions options;
  options.limits = limits;
  return (*Session::create(*graph, options))->run({}, {"b:0"}).status();
}

// With those of the functions that they call: x, two calls, three nodes each.
TEST(RunLimits, NodesOfCalledFunctions) {
  EXPECT_THAT(runCalls(loadCalls("sum"), {.maxNodes = 9}), isOk());
  EXPECT_THAT(runCalls(loadCalls("sum"), {.maxNodes = 8}),
              fails(tooMuch, HasSubstr("expected at most 8 nodes with those of "
                                       "called functions, got more")));
}

// A function's nodes are under the limits that its graph was loaded with.
TEST(RunLimits, NamesInFunctions) {
  std::string name(5000, 'a');
  EXPECT_THAT(runCalls(loadCalls(name)),
              fails(tooMuch, HasSubstr("limit is 4096")));
  EXPECT_THAT(runCalls(loadCalls(name, {.maxNameBytes = 5000})), isOk());
}

TEST(RunLimits, Operations) {
  // The module, the function and its return come on top.
  EXPECT_THAT(runChain(*chain(5, {.maxOps = 8})), isOk());
  EXPECT_THAT(runChain(*chain(6, {.maxOps = 8})),
              fails(tooMuch, AllOf(HasSubstr("at most 8 operations"),
                                   HasSubstr("got 9"))));
}

/// "expected …, got N bytes"
int64_t bytesAskedFor(const Status &refused) {
  std::string message(refused.message());
  return std::stoll(message.substr(message.rfind("got ") + 4));
}

/// Each axis comes out of the sum over the one before.
TEST(RunLimits, CutsInsideOfEachOther) {
  constexpr DType i32 = DType::Int32;
  testing::GraphWriter writer;
  writer.placeholder("x", f32, {1, 1});
  writer.placeholder("s0", f32, {});
  std::string last = "s0";
  for (int i = 1; i <= 65; ++i) {
    std::string n = std::to_string(i);
    writer.add("axis" + n, "Cast", {last}, {{"SrcT", f32}, {"DstT", i32}});
    writer.add("sum" + n, "Sum", {"x", "axis" + n},
               {{"T", f32}, {"Tidx", i32}});
    writer.add("s" + n, "Max", {"sum" + n, "axis" + n},
               {{"T", f32}, {"Tidx", i32}});
    last = "s" + n;
  }
  SessionOptions options;
  options.mode = ExecutionMode::EvaluatorOnly;
  auto session = *Session::create(writer.graph, options);
  auto run = [&](const char *fetch) {
    return session->run(
        {{"x:0", *Tensor::zeros(f32, {1, 1})}, {"s0:0", Tensor::scalar(0.0f)}},
        {fetch});
  };
  EXPECT_THAT(run("s64:0"), isOk());
  EXPECT_THAT(run("s65:0"),
              AllOf(fails(StatusCode::Unimplemented,
                          HasSubstr("to be known before the run")),
                    failsAt("sum65")));
}

TEST(RunLimits, BytesOfCode) {
  Status refused = runChain(*chain(3, {.maxCodeBytes = 100}));
  ASSERT_THAT(refused, fails(tooMuch, HasSubstr("at most 100 bytes of code")));
  int64_t bytes = bytesAskedFor(refused);
  EXPECT_THAT(runChain(*chain(3, {.maxCodeBytes = bytes})), isOk());
  EXPECT_THAT(runChain(*chain(3, {.maxCodeBytes = bytes - 1})),
              fails(tooMuch, HasSubstr(std::to_string(bytes))));
}

TEST(RunLimits, NegativeOnesAreRefused) {
  auto graph = std::make_shared<Graph>(makeNodeChecker());
  auto create = [&](SessionLimits limits) {
    SessionOptions options;
    options.limits = limits;
    return Session::create(graph, options).status();
  };
  auto isRefused = [](std::string_view what) {
    return fails(StatusCode::InvalidArgument,
                 AllOf(HasSubstr(std::string(what)), HasSubstr("got -1")));
  };
  EXPECT_THAT(create({.maxNodes = -1}), isRefused("0 nodes"));
  EXPECT_THAT(create({.maxOps = -1}), isRefused("0 operations"));
  EXPECT_THAT(create({.maxRunBytes = -1}), isRefused("0 bytes of a run"));
  EXPECT_THAT(create({.maxCompileTime = std::chrono::nanoseconds(-1)}),
              isRefused("0 ns"));
  EXPECT_THAT(create({.maxCodeBytes = -1}), isRefused("0 bytes of code"));
  EXPECT_THAT(create({.maxNodes = 0,
                      .maxOps = 0,
                      .maxRunBytes = 0,
                      .maxCompileTime = {},
                      .maxCodeBytes = 0}),
              isOk());
}

TEST(RunLimits, NegativeThreadsAndCacheAreRefused) {
  auto graph = std::make_shared<Graph>(makeNodeChecker());
  EXPECT_THAT(Session::create(graph, {.threads = -1}),
              fails(StatusCode::InvalidArgument, HasSubstr("threads, got -1")));
  EXPECT_THAT(Session::create(graph, {.cacheBytes = -1}),
              fails(StatusCode::InvalidArgument, HasSubstr("cache, got -1")));
  EXPECT_THAT(Session::create(graph, {.threads = 0, .cacheBytes = 0}), isOk());
}

class RunByteLimits : public ::testing::TestWithParam<ExecutionMode> {};

INSTANTIATE_TEST_SUITE_P(Modes, RunByteLimits,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

/// The result of 4 * rows bytes, which has no temporaries.
TEST_P(RunByteLimits, OfResults) {
  testing::GraphWriter writer;
  writer.placeholder("x", f32, {-1});
  writer.add("y", "Exp", {"x"}, {{"T", f32}});
  SessionOptions options;
  options.mode = GetParam();
  options.limits.maxRunBytes = 4096;
  auto session = *Session::create(writer.graph, options);
  auto run = [&](int64_t rows) {
    return session->run({{"x:0", *Tensor::zeros(f32, {rows})}}, {"y:0"});
  };
  EXPECT_THAT(run(1024), isOk());
  EXPECT_THAT(run(1025),
              fails(tooMuch, HasSubstr("a run of at most 4096 bytes, "
                                       "got 4100 bytes of results")));
  EXPECT_THAT(run(1025), failsAt("y"));
  EXPECT_THAT(run(1024), isOk());
}

/// A queue cuts the run; what is constant is made when its code is.
TEST_P(RunByteLimits, OfConstantsBesideQueues) {
  testing::QueueWriter writer;
  writer.queue("q", 2, {f32}, {});
  writer.size("size", "q");
  for (int64_t rows : {1024, 1025})
    writer.add("c" + std::to_string(rows), "Const", {},
               {{"dtype", f32},
                {"value", TensorConstant(Tensor::scalar(1.5f), {rows})}});
  SessionOptions options;
  options.mode = GetParam();
  options.limits.maxRunBytes = 4096;
  auto session = *Session::create(writer.graph, options);
  EXPECT_THAT(session->run({}, {"size:0", "c1024:0"}), isOk());
  auto refused = session->run({}, {"size:0", "c1025:0"});
  EXPECT_THAT(refused,
              fails(tooMuch, HasSubstr("a run of at most 4096 bytes, "
                                       "got 4100 bytes of constants")));
  EXPECT_THAT(refused, failsAt("c1025"));
}

/// y = (x x^T) x, whose temporary value is x x^T, 100 by 100 floats.
TEST_P(RunByteLimits, OfTemporaries) {
  testing::GraphWriter writer;
  writer.placeholder("x", f32, {-1, 3});
  writer.add("t", "MatMul", {"x", "x"},
             {{"T", f32}, {"transpose_a", false}, {"transpose_b", true}});
  writer.binary("y", "MatMul", "t", "x", f32);
  auto run = [&](int64_t limit) {
    SessionOptions options;
    options.mode = GetParam();
    options.limits.maxRunBytes = limit;
    auto session = *Session::create(writer.graph, options);
    return session->run({{"x:0", *Tensor::zeros(f32, {100, 3})}}, {"y:0"});
  };
  // What a refused run asks for is enough to come to the next value.
  int64_t bytes = 0;
  StatusOr<std::vector<Tensor>> result = run(bytes);
  for (int i = 0; i < 10 && !result.ok(); ++i, result = run(bytes))
    bytes = bytesAskedFor(result.status());
  ASSERT_THAT(result, isOk());
  EXPECT_GE(bytes, 100 * 100 * 4);
  auto refused = run(bytes - 1);
  EXPECT_THAT(refused, fails(tooMuch, AllOf(HasSubstr(std::to_string(bytes)),
                                            HasSubstr("temporary values"))));
  bool isNative = GetParam() == ExecutionMode::NativeOnly;
  EXPECT_THAT(refused, failsAt(isNative ? "t" : "y"));
}

} // namespace
} // namespace kiln
