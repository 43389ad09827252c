// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes a new compilation and what does not: batch sizes, classes of
// dimensions, fed values, dtypes and ranks.
#include "kiln/GraphDef.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <cmath>
#include <random>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using testing::countingMatrix;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using testing::GraphWriter;
using ::testing::HasSubstr;
using testing::isOk;
using testing::scaledRows;
using testing::tensorOf;
using testing::valuesOf;

class Signature : public testing::SessionTest {};

INSTANTIATE_TEST_SUITE_P(Modes, Signature,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(Signature, BatchSizesShareOneCompilation) {
  auto session = openInitialized();
  int64_t before = session->stats().compilations;
  for (int64_t batch : {100, 42, 1, 0, 7, 1000, 100}) {
    Tensor x = countingMatrix(batch, 3);
    RunStats stats;
    auto got = session->run({{"x:0", x}}, {"rows:0"}, {}, {}, &stats);
    ASSERT_THAT(got, isOk()) << batch;
    EXPECT_EQ(valuesOf<float>((*got)[0]), scaledRows(x, {1, 2, 3})) << batch;
    EXPECT_EQ(stats.compilations, before + 1) << batch;
  }
}

// x[x[:, 0] > 0] * w, and its sum: as many rows as the run finds.
TEST_P(Signature, SizesThatTheRunFindsOutShareOneCompilation) {
  testing::GraphWriter writer;
  constexpr DType f32 = DType::Float32, i64 = DType::Int64;
  writer.placeholder("x", f32, {-1, 2});
  writer.constant("zero", Tensor::scalar(0.0f));
  writer.constant("axis", Tensor::scalar<int32_t>(0));
  writer.constant("one", tensorOf<int32_t>({1}, {1}));
  writer.constant("w", tensorOf<float>({2, 1}, {1, 10}));
  writer.add("first", "Sum", {"x", "one"},
             {{"T", f32}, {"Tidx", DType::Int32}});
  writer.binary("mask", "Greater", "first", "zero", f32);
  writer.add("where", "Where", {"mask"}, {{"T", DType::Bool}});
  writer.add("places", "Squeeze", {"where"},
             {{"T", i64}, {"squeeze_dims", std::vector<int64_t>{1}}});
  writer.add("rows", "GatherV2", {"x", "places", "axis"},
             {{"Tparams", f32}, {"Tindices", i64}, {"Taxis", DType::Int32}});
  writer.binary("product", "MatMul", "rows", "w", f32);
  writer.add("total", "Sum", {"product", "axis"},
             {{"T", f32}, {"Tidx", DType::Int32}});
  auto session = open(writer.graph);
  for (int64_t n : {5, 1, 0, 300, 5}) {
    std::vector<float> x, products;
    float total = 0;
    for (int64_t i = 0; i < n; ++i) {
      float sign = i % 3 == 1 ? -1 : 1, number = static_cast<float>(i + 1);
      x.insert(x.end(), {sign * number, sign});
      if (sign > 0)
        products.push_back(number + 10);
      total += sign > 0 ? number + 10 : 0;
    }
    auto got = session->run({{"x:0", tensorOf<float>({n, 2}, x)}},
                            {"product:0", "total:0"});
    ASSERT_THAT(got, isOk()) << n;
    EXPECT_EQ(valuesOf<float>((*got)[0]), products) << n;
    EXPECT_THAT(valuesOf<float>((*got)[1]), ElementsAre(total)) << n;
    EXPECT_EQ(session->stats().compilations, 1) << n;
  }
}

// n times x = concat(x, x): each iteration has another size.
TEST_P(Signature, SizesThatIterationsChangeShareOneCompilation) {
  testing::GraphWriter writer;
  constexpr DType f32 = DType::Float32, i32 = DType::Int32;
  writer.placeholder("x", f32, {-1});
  writer.placeholder("n", i32, {});
  writer.constant("zero", Tensor::scalar<int32_t>(0));
  writer.constant("one", Tensor::scalar<int32_t>(1));
  auto enter = [&](const std::string &name, const std::string &input,
                   DType dtype, bool isConstant) {
    writer.add(name, "Enter", {input},
               {{"T", dtype},
                {"frame_name", std::string("loop")},
                {"is_constant", isConstant}});
  };
  enter("enter_i", "zero", i32, false);
  enter("enter_a", "x", f32, false);
  enter("limit", "n", i32, true);
  enter("step", "one", i32, true);
  enter("axis", "zero", i32, true);
  std::vector<NodeSpec> specs;
  auto add = [&](std::string name, std::string op,
                 std::vector<NodeInput> inputs, AttrMap attrs) {
    specs.push_back({.name = std::move(name),
                     .op = std::move(op),
                     .inputs = std::move(inputs),
                     .attrs = std::move(attrs)});
  };
  for (auto [suffix, dtype] : {std::pair("_i", i32), std::pair("_a", f32)}) {
    std::string end = suffix;
    add("merge" + end, "Merge", {"enter" + end, "next" + end},
        {{"T", dtype}, {"N", 2}});
    add("switch" + end, "Switch", {"merge" + end, "cond"}, {{"T", dtype}});
    add("next" + end, "NextIteration", {"iteration" + end}, {{"T", dtype}});
    add("exit" + end, "Exit", {"switch" + end + ":0"}, {{"T", dtype}});
  }
  add("less", "Less", {"merge_i", "limit"}, {{"T", i32}});
  add("cond", "LoopCond", {"less"}, {});
  add("iteration_i", "AddV2", {"switch_i:1", "step"}, {{"T", i32}});
  add("iteration_a", "ConcatV2", {"switch_a:1", "switch_a:1", "axis"},
      {{"T", f32}, {"N", 2}, {"Tidx", i32}});
  ASSERT_THAT(writer.graph->addNodes(std::move(specs)), isOk());
  writer.add("total", "Sum", {"exit_a", "zero"}, {{"T", f32}, {"Tidx", i32}});
  auto session = open(writer.graph);
  for (auto [size, iterations] :
       {std::pair(3, 2), std::pair(1, 0), std::pair(0, 4), std::pair(700, 6),
        std::pair(3, 2)}) {
    std::vector<float> x(static_cast<size_t>(size), 0.5f), expected = x;
    expected.resize(static_cast<size_t>(size) << iterations, 0.5f);
    auto got = session->run({{"x:0", tensorOf<float>({size}, x)},
                             {"n:0", Tensor::scalar<int32_t>(iterations)}},
                            {"exit_a:0", "total:0"});
    ASSERT_THAT(got, isOk()) << size;
    EXPECT_EQ(valuesOf<float>((*got)[0]), expected) << size;
    EXPECT_THAT(valuesOf<float>((*got)[1]),
                ElementsAre(0.5f * static_cast<float>(expected.size())));
    EXPECT_EQ(session->stats().compilations, 1) << size;
  }
}

/// One step of linear regression in double: w -= rate * 2 / n * x' (x w - y).
void trainStep(std::vector<double> &w, std::span<const float> x,
               std::span<const float> y, double rate) {
  size_t n = y.size(), k = w.size();
  std::vector<double> gradient(k);
  for (size_t i = 0; i < n; ++i) {
    double error = -y[i];
    for (size_t j = 0; j < k; ++j)
      error += x[i * k + j] * w[j];
    for (size_t j = 0; j < k; ++j)
      gradient[j] += 2 * error * x[i * k + j] / static_cast<double>(n);
  }
  for (size_t j = 0; j < k; ++j)
    w[j] -= rate * gradient[j];
}

TEST_P(Signature, MinibatchTrainsWithAnyBatchSizeAndOneCompilation) {
  auto graph = loadGraphDefFile(std::string(KILN_SOURCE_DIR) +
                                    "/bench/graphs/minibatch.pb",
                                {.checker = makeNodeChecker()});
  ASSERT_THAT(graph, isOk());
  auto session = open(*graph);
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  auto start = session->run({}, {"Variable:0"});
  ASSERT_THAT(start, isOk());
  std::vector<double> w;
  for (float value : (*start)[0].data<float>())
    w.push_back(value);
  float rate = 0;
  const Node *update =
      (*graph)->lookup("GradientDescent/update_Variable/ApplyGradientDescent");
  ASSERT_NE(update, nullptr);
  auto alpha = update->input(1).node->attr<Tensor>("value");
  ASSERT_THAT(alpha, isOk());
  rate = alpha->data<float>()[0];

  int64_t before = session->stats().compilations;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (int64_t batch : {1, 100, 42, 2, 17, 100, 5, 1, 256, 3}) {
    std::vector<float> x(static_cast<size_t>(batch) * w.size()),
        y(static_cast<size_t>(batch));
    for (auto *values : {&x, &y})
      for (float &value : *values)
        value = normal(random);
    auto columns = static_cast<int64_t>(w.size());
    ASSERT_THAT(
        session->run({{"Placeholder:0", tensorOf<float>({batch, columns}, x)},
                      {"Placeholder_1:0", tensorOf<float>({batch, 1}, y)}},
                     {}, {"GradientDescent"}),
        isOk());
    trainStep(w, x, y, rate);
  }
  EXPECT_EQ(session->stats().compilations, before + 1);
  auto end = session->run({}, {"Variable:0"});
  auto got = (*end)[0].data<float>();
  for (size_t i = 0; i < w.size(); ++i)
    EXPECT_NEAR(got[i], w[i], 1e-4 * (1 + std::abs(w[i])));
}

TEST_P(Signature, MinibatchGivesWhatTheEvaluatorGives) {
  auto graph = loadGraphDefFile(std::string(KILN_SOURCE_DIR) +
                                "/bench/graphs/minibatch.pb");
  ASSERT_THAT(graph, isOk());
  auto session = open(*graph);
  auto reference = testing::openSession(*graph, ExecutionMode::EvaluatorOnly);
  std::vector<std::vector<float>> ends;
  for (Session *each : {session.get(), reference.get()}) {
    ASSERT_THAT(each->run({}, {}, {"init"}), isOk());
    int64_t before = each->stats().compilations;
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    auto &seen = ends.emplace_back();
    for (int64_t batch : {1, 2, 7, 100, 1, 333}) {
      std::vector<float> x(static_cast<size_t>(batch) * 9),
          y(static_cast<size_t>(batch));
      for (auto *values : {&x, &y})
        for (float &value : *values)
          value = normal(random);
      auto got =
          each->run({{"Placeholder:0", tensorOf<float>({batch, 9}, x)},
                     {"Placeholder_1:0", tensorOf<float>({batch, 1}, y)}},
                    {"Mean:0", "sub:0"}, {"GradientDescent"});
      ASSERT_THAT(got, isOk());
      for (const Tensor &tensor : *got)
        for (float value : tensor.data<float>())
          seen.push_back(value);
      EXPECT_EQ(each->stats().compilations, before + 1) << batch;
    }
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST_P(Signature, FeedsThatDisagreeFailBesideTheCodeThatStays) {
  auto graph = loadGraphDefFile(std::string(KILN_SOURCE_DIR) +
                                "/bench/graphs/minibatch.pb");
  ASSERT_THAT(graph, isOk());
  auto session = open(*graph);
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  int64_t before = session->stats().compilations;
  auto run = [&](int64_t rows, int64_t labels) {
    return session->run({{"Placeholder:0", countingMatrix(rows, 9)},
                         {"Placeholder_1:0", countingMatrix(labels, 1)}},
                        {"sub:0"});
  };
  for (int64_t round = 0; round < 3; ++round) {
    ASSERT_THAT(run(100, 100), isOk());
    EXPECT_THAT(run(100, 64),
                fails(StatusCode::InvalidArgument,
                      HasSubstr("Incompatible shapes: [100,1] vs. [64,1]")));
    EXPECT_THAT(run(64, 100),
                fails(StatusCode::InvalidArgument,
                      HasSubstr("Incompatible shapes: [64,1] vs. [100,1]")));
    auto wide = run(1, 64); // a real broadcast
    ASSERT_THAT(wide, isOk());
    EXPECT_EQ((*wide)[0].shape(), Shape({64, 1}));
    ASSERT_THAT(run(1, 1), isOk());
  }
  EXPECT_EQ(session->stats().compilations, before + 3);
}

TEST_P(Signature, PreparedForOpenBatchesServesEveryEqualOne) {
  GraphWriter writer;
  writer.placeholder("a", DType::Float32, {-1});
  writer.placeholder("b", DType::Float32, {-1});
  writer.binary("sum", "AddV2", "a", "b", DType::Float32);
  auto session = open(writer.graph);
  ASSERT_THAT(session->prepare({{"a:0", {-1}}, {"b:0", {-1}}}, {"sum:0"}),
              isOk());
  for (float value : {1.f, 2.f}) {
    std::vector<float> values(static_cast<size_t>(value), value);
    Tensor fed = tensorOf<float>({static_cast<int64_t>(value)}, values);
    RunStats stats;
    auto got =
        session->run({{"a:0", fed}, {"b:0", fed}}, {"sum:0"}, {}, {}, &stats);
    ASSERT_THAT(got, isOk());
    EXPECT_TRUE(stats.cacheHit);
    EXPECT_EQ(valuesOf<float>((*got)[0])[0], 2 * value);
  }
}

TEST_P(Signature, ADimensionOfOneIsAClassWhereABroadcastDependsOnIt) {
  GraphWriter writer;
  writer.placeholder("a", DType::Float32, {-1});
  writer.placeholder("b", DType::Float32, {-1});
  writer.binary("sum", "AddV2", "a", "b", DType::Float32);
  auto session = open(writer.graph);
  auto run = [&](std::vector<float> a, std::vector<float> b) {
    Shape aShape{static_cast<int64_t>(a.size())};
    Shape bShape{static_cast<int64_t>(b.size())};
    auto got = session->run({{"a:0", tensorOf<float>(aShape, a)},
                             {"b:0", tensorOf<float>(bShape, b)}},
                            {"sum:0"});
    EXPECT_THAT(got, isOk());
    return got.ok() ? valuesOf<float>((*got)[0]) : std::vector<float>();
  };
  EXPECT_THAT(run({1, 2}, {10, 20}), ElementsAre(11, 22));
  EXPECT_THAT(run({1, 2, 3}, {10, 20, 30}), ElementsAre(11, 22, 33));
  EXPECT_EQ(session->stats().compilations, 1);
  EXPECT_THAT(run({1, 2, 3}, {10}), ElementsAre(11, 12, 13));
  EXPECT_EQ(session->stats().compilations, 2);
  EXPECT_THAT(run({1}, {10, 20}), ElementsAre(11, 21));
  EXPECT_EQ(session->stats().compilations, 3);
  // Equal extents are one signature whatever they are.
  EXPECT_THAT(run({1}, {10}), ElementsAre(11));
  constexpr int64_t all = 3;
  EXPECT_THAT(run({1, 2}, {10, 20}), ElementsAre(11, 22));
  EXPECT_THAT(run({1, 2}, {30}), ElementsAre(31, 32));
  EXPECT_EQ(session->stats().compilations, all);
}

TEST_P(Signature, AFedAxisIsPartOfIt) {
  auto session = openInitialized();
  Tensor x = countingMatrix(2, 3);
  auto run = [&](int32_t axis) {
    return session->run(
        {{"x:0", x}, {"axis:0", tensorOf<int32_t>({1}, {axis})}}, {"rows:0"});
  };
  auto byRow = run(1);
  ASSERT_THAT(byRow, isOk());
  EXPECT_THAT(valuesOf<float>((*byRow)[0]), ElementsAre(8, 26));
  int64_t before = session->stats().compilations;
  auto byColumn = run(0);
  ASSERT_THAT(byColumn, isOk());
  EXPECT_THAT(valuesOf<float>((*byColumn)[0]), ElementsAre(3, 10, 21));
  EXPECT_EQ(session->stats().compilations, before + 1);
  ASSERT_THAT(run(1), isOk());
  ASSERT_THAT(run(0), isOk());
  EXPECT_EQ(session->stats().compilations, before + 1);
}

// The run is cut behind the axis; what uses it is compiled once an axis.
TEST_P(Signature, AnAxisThatTheRunComputesIsPartOfItsPartAlone) {
  constexpr DType f32 = DType::Float32, i32 = DType::Int32;
  GraphWriter writer;
  writer.placeholder("x", f32, {-1, 3});
  writer.placeholder("a", f32, {});
  writer.add("axis", "Cast", {"a"}, {{"SrcT", f32}, {"DstT", i32}});
  writer.add("sum", "Sum", {"x", "axis"}, {{"T", f32}, {"Tidx", i32}});
  writer.binary("both", "AddV2", "sum", "a", f32);
  auto session = open(writer.graph);
  auto run = [&](int64_t rows, float axis) {
    return session->run(
        {{"x:0", countingMatrix(rows, 3)}, {"a:0", Tensor::scalar(axis)}},
        {"both:0"});
  };
  EXPECT_THAT(session->prepare({{"x:0", {-1, 3}}, {"a:0"}}, {"both:0"}),
              isOk());
  auto byRow = run(2, 1);
  ASSERT_THAT(byRow, isOk());
  EXPECT_THAT(valuesOf<float>((*byRow)[0]), ElementsAre(4, 13));
  int64_t before = session->stats().compilations;
  ASSERT_THAT(run(5, 1), isOk());
  EXPECT_EQ(session->stats().compilations, before);
  auto byColumn = run(2, 0);
  ASSERT_THAT(byColumn, isOk());
  EXPECT_THAT(valuesOf<float>((*byColumn)[0]), ElementsAre(3, 5, 7));
  EXPECT_EQ(session->stats().compilations, before + 1);
  EXPECT_THAT(run(2, 2), AllOf(fails(StatusCode::InvalidArgument,
                                     HasSubstr("dimension (2")),
                               failsAt("sum")));
  EXPECT_EQ(valuesOf<float>((*run(2, 1))[0]), valuesOf<float>((*byRow)[0]));
}

// x[:, i * 2:(i + 1) * 2], as a loader of text slices by a step counter; a part
// of fed begin and size; paddings of which only the number is in the signature.
TEST_P(Signature, FedPlacesAndBordersAreNot) {
  constexpr DType f32 = DType::Float32, i32 = DType::Int32;
  GraphWriter writer;
  writer.placeholder("x", f32, {2, 8});
  writer.placeholder("i", i32, {});
  writer.placeholder("pairs", i32, Shape::unknownRank());
  for (int32_t n : {0, 1, 2})
    writer.constant(std::to_string(n), Tensor::scalar(n));
  writer.constant("ones", tensorOf<int32_t>({2}, {1, 1}));
  writer.binary("next", "AddV2", "i", "1", i32);
  writer.binary("from", "Mul", "i", "2", i32);
  writer.binary("to", "Mul", "next", "2", i32);
  for (auto [name, first, second] :
       {std::tuple("begin", "0", "from"), std::tuple("end", "2", "to"),
        std::tuple("size", "2", "next")})
    writer.add(name, "Pack", {first, second}, {{"N", 2}, {"T", i32}});
  writer.add("rows", "StridedSlice", {"x", "begin", "end", "ones"},
             {{"T", f32}, {"Index", i32}});
  writer.add("part", "Slice", {"x", "begin", "size"},
             {{"T", f32}, {"Index", i32}});
  writer.add("padded", "Pad", {"x", "pairs"}, {{"T", f32}, {"Tpaddings", i32}});
  auto session = open(writer.graph);
  Tensor x = countingMatrix(2, 8);
  auto at = [&](int64_t row, int64_t column) {
    return x.data<float>()[static_cast<size_t>(row * 8 + column)];
  };
  for (int32_t i : {0, 1, 2, 1, 3}) {
    auto got =
        session->run({{"x:0", x},
                      {"i:0", Tensor::scalar(i)},
                      {"pairs:0", tensorOf<int32_t>({2, 2}, {i, 0, 0, i})}},
                     {"rows:0", "padded:0"});
    ASSERT_THAT(got, isOk()) << i;
    EXPECT_THAT(valuesOf<float>((*got)[0]),
                ElementsAre(at(0, 2 * i), at(0, 2 * i + 1), at(1, 2 * i),
                            at(1, 2 * i + 1)));
    EXPECT_EQ((*got)[1].shape(), Shape({2 + i, 8 + i}));
    EXPECT_EQ(session->stats().compilations, 1) << i;
  }
  for (int32_t i : {0, 1, 2}) {
    auto got =
        session->run({{"x:0", x}, {"i:0", Tensor::scalar(i)}}, {"part:0"});
    ASSERT_THAT(got, isOk()) << i;
    EXPECT_EQ((*got)[0].shape(), Shape({2, i + 1}));
    EXPECT_EQ((*got)[0].data<float>()[0], at(0, 2 * i));
    EXPECT_EQ(session->stats().compilations, 2) << i;
  }
}

TEST_P(Signature, AFedArgumentOfTheWrongShapeIsAnError) {
  constexpr DType f32 = DType::Float32, i32 = DType::Int32;
  GraphWriter writer;
  writer.placeholder("x", f32, {2, 3});
  writer.placeholder("a", i32, Shape::unknownRank());
  AttrMap paddings = {{"T", f32}, {"Tpaddings", i32}};
  writer.add("pad", "Pad", {"x", "a"}, paddings);
  writer.add("tile", "Tile", {"x", "a"}, {{"T", f32}, {"Tmultiples", i32}});
  writer.add("transpose", "Transpose", {"x", "a"},
             {{"T", f32}, {"Tperm", i32}});
  writer.add("broadcast", "BroadcastTo", {"x", "a"},
             {{"T", f32}, {"Tidx", i32}});
  writer.add("reverse", "ReverseV2", {"x", "a"}, {{"T", f32}, {"Tidx", i32}});
  writer.add("arg", "ArgMax", {"x", "a"},
             {{"T", f32}, {"Tidx", i32}, {"output_type", DType::Int64}});
  writer.add("concat", "ConcatV2", {"x", "x", "a"},
             {{"N", 2}, {"T", f32}, {"Tidx", i32}});
  writer.add("split", "Split", {"a", "x"}, {{"num_split", 1}, {"T", f32}});
  auto session = open(writer.graph);
  Tensor vector = tensorOf<int32_t>({2}, {1, 0}), scalar = Tensor::scalar(1),
         row = tensorOf<int32_t>({1, 2}, {1, 0}),
         columns = tensorOf<int32_t>({2, 1}, {1, 0});
  const std::vector<std::pair<std::string, std::vector<Tensor>>> cases = {
      {"pad", {scalar, vector, row, columns}},
      {"tile", {scalar, row, columns}},
      {"transpose", {scalar, row, columns}},
      {"broadcast", {scalar, row, columns}},
      {"reverse", {scalar, row, columns}},
      {"arg", {vector, row}},
      {"concat", {vector, row}},
      {"split", {vector, row}}};
  for (const auto &[node, arguments] : cases)
    for (const Tensor &argument : arguments) {
      auto got = session->run(
          {{"x:0", countingMatrix(2, 3)}, {"a:0", argument}}, {node + ":0"});
      EXPECT_THAT(got, fails(StatusCode::InvalidArgument,
                             AnyOf(HasSubstr("rank"), HasSubstr("scalar"),
                                   HasSubstr("1-D"))))
          << argument.shape().toString();
      EXPECT_EQ(got.status().node(), node);
    }
  auto joined = session->run(
      {{"x:0", countingMatrix(2, 3)}, {"a:0", tensorOf<int32_t>({1}, {1})}},
      {"concat:0"});
  ASSERT_THAT(joined, isOk());
  EXPECT_EQ((*joined)[0].shape(), Shape({2, 6}));
}

TEST_P(Signature, OrderOfTargetsIsNot) {
  auto session = openInitialized();
  ASSERT_THAT(session->run({}, {}, {"bump", "increment"}), isOk());
  RunStats stats;
  ASSERT_THAT(session->run({}, {}, {"increment", "bump", "bump"}, {}, &stats),
              isOk());
  EXPECT_TRUE(stats.cacheHit);
}

TEST_P(Signature, PreparedIsNotCompiledAgain) {
  auto session = openInitialized();
  RunStats stats;
  ASSERT_THAT(session->prepare({{"x:0"}}, {"rows:0"}, {}, &stats), isOk());
  EXPECT_FALSE(stats.cacheHit);
  ASSERT_THAT(
      session->run({{"x:0", countingMatrix(4, 3)}}, {"rows:0"}, {}, {}, &stats),
      isOk());
  EXPECT_TRUE(stats.cacheHit);
  EXPECT_EQ(stats.compileNs, 0);
  EXPECT_THAT(session->prepare({{"x:0", {-1, 4}}}, {"rows:0"}),
              fails(StatusCode::InvalidArgument, HasSubstr("[?,4]")));
}

} // namespace
} // namespace kiln
