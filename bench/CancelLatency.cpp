// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long after Cancellation::cancel() does run() return, in what takes
// seconds: contractions, elementwise chains, reductions, inverses, the
// evaluator, a compilation, an update of a variable of 1 GiB? The bound is
// 200 ms. Each case is cancelled 100 ms after it began (the update, which runs
// to its end, after 10 ms), on one thread and on all; a case that had ended by
// then says so. Not measured: blocking ops.
#include "kiln/Session.h"
#include "lib/OpDefs/Inference.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <future>
#include <numeric>
#include <thread>

using namespace kiln;

namespace {

using Clock = std::chrono::steady_clock;
constexpr DType f32 = DType::Float32;

struct Builder {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(makeNodeChecker());
  std::string add(std::string name, std::string op,
                  std::vector<NodeInput> inputs, AttrMap attrs) {
    auto made = graph->addNode({.name = name,
                                .op = std::move(op),
                                .inputs = std::move(inputs),
                                .attrs = std::move(attrs)});
    if (!made.ok())
      std::fprintf(stderr, "%s\n", made.status().toString().c_str());
    return name;
  }
  std::string placeholder(std::string name, Shape shape) {
    return add(std::move(name), "Placeholder", {},
               {{"dtype", f32}, {"shape", shape}});
  }
  std::string numbers(std::string name, std::vector<int32_t> values) {
    auto count = static_cast<int64_t>(values.size());
    auto tensor = Tensor::fromValues<int32_t>(Shape({count}),
                                              std::span<const int32_t>(values));
    return add(std::move(name), "Const", {},
               {{"dtype", DType::Int32}, {"value", *tensor}});
  }
};

struct Case {
  const char *name;
  std::shared_ptr<Graph> graph;
  std::vector<Shape> feeds; ///< of x0, x1 …
  ExecutionMode mode = ExecutionMode::NativeOnly;
  bool isCompiled = true; ///< before it is run
  /// The target of a step, where `init` sets a variable before it; otherwise
  /// `y` is fetched.
  const char *target = nullptr;
  std::chrono::milliseconds runsFor{100}; ///< before it is cancelled
};

Case matmul(const char *name, int64_t m, int64_t k, int64_t n, bool dynamic,
            ExecutionMode mode = ExecutionMode::NativeOnly) {
  Builder builder;
  builder.placeholder("x0", dynamic ? Shape{-1, -1} : Shape{m, k});
  builder.placeholder("x1", dynamic ? Shape{-1, -1} : Shape{k, n});
  builder.add("y", "MatMul", {"x0", "x1"},
              {{"T", f32}, {"transpose_a", false}, {"transpose_b", false}});
  return {name, builder.graph, {{m, k}, {k, n}}, mode};
}

Case unary(const char *name, const char *op, int length, Shape declared,
           Shape actual, bool isCompiled = true,
           ExecutionMode mode = ExecutionMode::NativeOnly) {
  Builder builder;
  std::string last = builder.placeholder("x0", declared);
  for (int i = 0; i < length; ++i)
    last = builder.add(i + 1 == length ? "y" : "n" + std::to_string(i), op,
                       {last}, {{"T", f32}});
  return {name, builder.graph, {actual}, mode, isCompiled};
}

Case reduction(const char *name, Shape shape, std::vector<int32_t> axes,
               ExecutionMode mode = ExecutionMode::NativeOnly) {
  Builder builder;
  std::string x = builder.placeholder("x0", Shape::unknownDims(shape.rank()));
  for (int i = 0; i < 30; ++i)
    x = builder.add("n" + std::to_string(i), "Sin", {x}, {{"T", f32}});
  builder.numbers("axes", std::move(axes));
  builder.add("y", "Sum", {x, "axes"},
              {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
  return {name, builder.graph, {shape}, mode};
}

/// A variable updated by `length` functions of itself, or by an addition.
Case update(const char *name, int64_t elements, int length) {
  Builder builder;
  builder.placeholder("x0", {});
  builder.numbers("extents", {static_cast<int32_t>(elements)});
  std::string v = builder.add("v", "VariableV2", {},
                              {{"dtype", f32}, {"shape", Shape{elements}}});
  std::string zeros = builder.add("zeros", "Fill", {"extents", "x0"},
                                  {{"T", f32}, {"index_type", DType::Int32}});
  builder.add("init", "Assign", {v, zeros}, {{"T", f32}});
  std::string value = v;
  for (int i = 0; i < length; ++i)
    value = builder.add("n" + std::to_string(i), "Sin", {value}, {{"T", f32}});
  builder.add("y", length ? "Assign" : "AssignAdd", {v, length ? value : zeros},
              {{"T", f32}});
  return {name,
          builder.graph,
          {{}},
          ExecutionMode::NativeOnly,
          true,
          "y",
          std::chrono::milliseconds(10)};
}

/// A variable set to a draw of normals.
Case drawn(const char *name, int64_t elements) {
  Case each = update(name, elements, 0);
  Builder builder{each.graph};
  builder.add("draw", "RandomStandardNormal", {"extents"},
              {{"dtype", f32}, {"T", DType::Int32}});
  builder.add("z", "Assign", {"v", "draw"}, {{"T", f32}});
  each.target = "z";
  return each;
}

void measure(const Case &each, int threads) {
  SessionOptions options;
  options.mode = each.mode;
  options.threads = threads;
  auto session = Session::create(each.graph, options);
  std::vector<Feed> feeds;
  std::vector<FeedInfo> infos;
  for (size_t i = 0; i < each.feeds.size(); ++i) {
    auto tensor = Tensor::create(f32, each.feeds[i]);
    if (!tensor.ok())
      return;
    auto elements = tensor->mutableData<float>();
    for (size_t j = 0; j < elements.size(); ++j)
      elements[j] = static_cast<float>(j % 31) * 0.03125f;
    // Diagonally dominant, for inverses.
    if (each.feeds[i].rank() == 2 &&
        each.feeds[i].dim(0) == each.feeds[i].dim(1))
      for (int64_t j = 0, n = each.feeds[i].dim(0); j < n; ++j)
        elements[static_cast<size_t>(j * n + j)] += static_cast<float>(n);
    feeds.push_back({"x" + std::to_string(i) + ":0", *tensor});
    infos.push_back({feeds.back().tensor, each.feeds[i]});
  }
  std::vector<Fetch> fetches;
  std::vector<OperationId> targets;
  if (each.target) {
    (void)(*session)->run(feeds, {}, {"init"});
    targets = {each.target};
  } else {
    fetches = {"y:0"};
  }
  if (each.isCompiled && each.mode == ExecutionMode::NativeOnly)
    (void)(*session)->prepare(infos, fetches, targets);
  Cancellation cancel;
  Clock::time_point end;
  auto begin = Clock::now();
  auto run = std::async(std::launch::async, [&] {
    Status status =
        (*session)->run(feeds, fetches, targets, {.cancel = &cancel}).status();
    end = Clock::now();
    return status;
  });
  std::this_thread::sleep_until(begin + each.runsFor);
  auto asked = Clock::now();
  cancel.cancel();
  Status status = run.get();
  auto ms = [](auto duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
  };
  if (end < asked)
    std::printf("%-28s %d threads: ended by itself after %.1f ms: %s\n",
                each.name, threads, ms(end - begin), status.toString().c_str());
  else
    std::printf("%-28s %d threads: %7.2f ms, %s\n", each.name, threads,
                ms(end - asked), status.toString().c_str());
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("measures how soon a cancelled run returns");
  int scale = 0;
  std::string only;
  app.add_option("--halve", scale, "halve the elements so often");
  app.add_option("--only", only, "cases whose name contains this");
  CLI11_PARSE(app, argc, argv);
  int64_t elements = (int64_t(1) << 28) >> scale;
  constexpr auto evaluator = ExecutionMode::EvaluatorOnly;
  const Case cases[] = {
      matmul("matmul/4096", 4096, 4096, 4096, false),
      matmul("matmul/4096/dynamic", 4096, 4096, 4096, true),
      matmul("matmul/deep", 64, elements / 64, 64, true),
      unary("chain/static", "Sin", 40, {elements}, {elements}),
      unary("chain/dynamic", "Sin", 40, {-1}, {elements}),
      unary("chain/rows", "Sin", 40, {-1, -1}, {elements / 8, 8}),
      reduction("sum/all", {elements}, {0}),
      reduction("sum/rows", {16, elements / 16}, {1}),
      reduction("sum/columns", {elements / 16, 16}, {0}),
      unary("softmax/wide", "Softmax", 4, {-1, -1}, {4, elements / 4}),
      unary("inverse/4096", "MatrixInverse", 1, {-1, -1}, {4096, 4096}),
      matmul("evaluator/matmul", 4096, 4096, 4096, false, evaluator),
      reduction("evaluator/sum", {elements}, {0}, evaluator),
      update("update/add", elements, 0),
      update("update/functions", elements, 40),
      drawn("update/random", elements),
      unary("compile/20000", "Sin", 20000, {16}, {16}, false),
  };
  for (const Case &each : cases)
    if (std::string(each.name).find(only) != std::string::npos)
      for (int threads : {1, 2})
        measure(each, threads);
  return 0;
}
