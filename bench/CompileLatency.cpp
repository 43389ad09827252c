// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long compiling takes by stage and by size of the graph.
//
// Compile/GRAPH/f32/NODES/1: from a session without anything compiled to code
// that is ready to run (Session::prepare); counters are milliseconds a
// compilation by stage, and the code's bytes. chain: elementwise ops in a row,
// alternately a product and a sum; functions: the same with tanh for the sums;
// wide: sums over rows of products that have nothing in common; layers: MatMul,
// BiasAdd, Relu in turns; recurrent: ConcatV2, MatMul, Tanh, Sum; sum, concat
// and pack: an AddN, a ConcatV2 or a Pack of different products. It does not
// measure building the graph, running, nor the first compilation of a process.
#include "bench/MicroGraph.h"

#include <map>

namespace kiln::bench {
namespace {

constexpr DType f32 = DType::Float32;

struct Request {
  GraphWriter writer;
  std::vector<FeedInfo> feeds;
  std::vector<Fetch> fetches;
};

/// \p op, of one or two inputs, takes turns with a product.
Request chainOf(const char *op, bool isBinary, int64_t nodes) {
  Request request;
  GraphWriter &writer = request.writer;
  writer.placeholder("x", f32, {-1});
  writer.scalar("c", f32, 0.99);
  std::string last = "x";
  for (int64_t i = 0; i < nodes; ++i) {
    std::string name = "n" + std::to_string(i);
    if (i % 2 == 0)
      writer.math(name, "Mul", {last, "c"}, f32);
    else if (isBinary)
      writer.math(name, op, {last, "c"}, f32);
    else
      writer.math(name, op, {last}, f32);
    last = name;
  }
  request.feeds = {{"x:0", {-1}}};
  request.fetches = {last + ":0"};
  return request;
}

Request chain(int64_t nodes) { return chainOf("Add", true, nodes); }

Request functions(int64_t nodes) { return chainOf("Tanh", false, nodes); }

Request wide(int64_t nodes) {
  Request request;
  GraphWriter &writer = request.writer;
  writer.placeholder("x", f32, {-1, 16});
  writer.vector("axis", {1});
  for (int64_t i = 0; i < nodes / 2; ++i) {
    std::string number = std::to_string(i);
    writer.scalar("c" + number, f32, 1 + static_cast<double>(i));
    writer.math("mul" + number, "Mul", {"x", "c" + number}, f32);
    writer.add("sum" + number, "Sum", {"mul" + number, "axis"},
               {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
    request.fetches.emplace_back("sum" + number + ":0");
  }
  request.feeds = {{"x:0", {-1, 16}}};
  return request;
}

Request layers(int64_t nodes) {
  Request request;
  GraphWriter &writer = request.writer;
  writer.placeholder("x", f32, {-1, 64});
  writer.placeholder("weights", f32, {64, 64});
  writer.placeholder("bias", f32, {64});
  std::string last = "x";
  for (int64_t i = 0; i < nodes; i += 3) {
    std::string number = std::to_string(i);
    writer.add("matmul" + number, "MatMul", {last, "weights"},
               {{"T", f32}, {"transpose_a", false}, {"transpose_b", false}});
    writer.math("bias" + number, "BiasAdd", {"matmul" + number, "bias"}, f32);
    last = "relu" + number;
    writer.math(last, "Relu", {"bias" + number}, f32);
  }
  request.feeds = {
      {"x:0", {-1, 64}}, {"weights:0", {64, 64}}, {"bias:0", {64}}};
  request.fetches = {last + ":0"};
  return request;
}

/// Steps of a recurrent network, unrolled: of what they have in common code is
/// to be made once.
Request recurrent(int64_t nodes) {
  Request request;
  GraphWriter &writer = request.writer;
  writer.placeholder("x", f32, {-1, 16});
  writer.placeholder("state", f32, {-1, 64});
  writer.placeholder("weights", f32, {80, 64});
  writer.add("axis", "Const", {},
             {{"dtype", DType::Int32}, {"value", Tensor::scalar<int32_t>(1)}});
  writer.vector("rows", {0});
  std::string last = "state";
  for (int64_t i = 0; i < nodes; i += 4) {
    std::string number = std::to_string(i);
    writer.add("concat" + number, "ConcatV2", {"x", last, "axis"},
               {{"T", f32}, {"Tidx", DType::Int32}, {"N", int64_t(2)}});
    writer.add("matmul" + number, "MatMul", {"concat" + number, "weights"},
               {{"T", f32}, {"transpose_a", false}, {"transpose_b", false}});
    last = "tanh" + number;
    writer.math(last, "Tanh", {"matmul" + number}, f32);
    writer.add("sum" + number, "Sum", {last, "rows"},
               {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
    request.fetches.emplace_back("sum" + number + ":0");
  }
  request.feeds = {
      {"x:0", {-1, 16}}, {"state:0", {-1, 64}}, {"weights:0", {80, 64}}};
  return request;
}

/// One \p op of nodes / 2 products of x and a constant of their own.
Request joined(const char *op, bool hasAxis, int64_t nodes) {
  Request request;
  GraphWriter &writer = request.writer;
  writer.placeholder("x", f32, {-1, 16});
  std::vector<NodeInput> inputs;
  for (int64_t i = 0; i < nodes / 2; ++i) {
    std::string number = std::to_string(i);
    writer.scalar("c" + number, f32, 1 + static_cast<double>(i));
    writer.math("mul" + number, "Mul", {"x", "c" + number}, f32);
    inputs.push_back("mul" + number);
  }
  AttrMap attrs = {{"T", f32}, {"N", nodes / 2}};
  if (hasAxis) {
    writer.add(
        "axis", "Const", {},
        {{"dtype", DType::Int32}, {"value", Tensor::scalar<int32_t>(0)}});
    inputs.push_back("axis");
    attrs.set("Tidx", DType::Int32);
  }
  writer.add("joined", op, std::move(inputs), std::move(attrs));
  request.feeds = {{"x:0", {-1, 16}}};
  request.fetches = {"joined:0"};
  return request;
}

Request sum(int64_t nodes) { return joined("AddN", false, nodes); }
Request concat(int64_t nodes) { return joined("ConcatV2", true, nodes); }
Request pack(int64_t nodes) { return joined("Pack", false, nodes); }

void compileGraph(benchmark::State &state, Request (*make)(int64_t)) {
  const Request request = make(state.range(0));
  if (!request.writer.status().ok())
    return state.SkipWithError(request.writer.status().toString().c_str());
  std::map<std::string, int64_t> nanoseconds;
  for (auto _ : state) {
    state.PauseTiming();
    // The process keeps kernels for who asks for the same code.
    static int64_t compilations = 0;
    SessionOptions options;
    options.code.minChunkOps += ++compilations;
    auto session = Session::create(request.writer.graph(), options);
    if (!session.ok())
      return state.SkipWithError(session.status().toString().c_str());
    RunStats stats;
    state.ResumeTiming();
    Status status =
        (*session)->prepare(request.feeds, request.fetches, {}, &stats);
    state.PauseTiming();
    if (!status.ok())
      return state.SkipWithError(status.toString().c_str());
    nanoseconds["prune"] += stats.pruneNs;
    nanoseconds["import"] += stats.importNs;
    nanoseconds["code_gen"] += stats.llvmNs;
    nanoseconds["link"] += stats.linkNs;
    for (const auto &[stage, time] : stats.stageNs)
      nanoseconds[std::string(stage)] += time;
    state.counters["code_bytes"] =
        static_cast<double>((*session)->stats().codeBytes);
    session->reset();
    state.ResumeTiming();
  }
  for (const auto &[part, time] : nanoseconds)
    state.counters[part + "_ms"] = static_cast<double>(time) / 1e6 /
                                   static_cast<double>(state.iterations());
}

template <int64_t Most>
void sizesUpTo(benchmark::internal::Benchmark *benchmark) {
  for (int64_t nodes : {10, 100, 1000, 5000, 20000})
    if (nodes <= Most)
      benchmark->Args({nodes, 1});
  benchmark->Unit(benchmark::kMillisecond);
}
// Where nodes become much code, more of them take minutes of a whole run.
BENCHMARK_CAPTURE(compileGraph, chain, chain)
    ->Name("Compile/chain/f32")
    ->Apply(sizesUpTo<20000>);
BENCHMARK_CAPTURE(compileGraph, functions, functions)
    ->Name("Compile/functions/f32")
    ->Apply(sizesUpTo<20000>);
BENCHMARK_CAPTURE(compileGraph, wide, wide)
    ->Name("Compile/wide/f32")
    ->Apply(sizesUpTo<5000>);
// 3 steps, and 100 that share their code.
BENCHMARK_CAPTURE(compileGraph, recurrent, recurrent)
    ->Name("Compile/recurrent/f32")
    ->Args({12, 1})
    ->Args({400, 1})
    ->Unit(benchmark::kMillisecond);
// One layer, and 33 that share its code.
BENCHMARK_CAPTURE(compileGraph, layers, layers)
    ->Name("Compile/layers/f32")
    ->Args({3, 1})
    ->Args({99, 1})
    ->Apply(sizesUpTo<1000>);
BENCHMARK_CAPTURE(compileGraph, sum, sum)
    ->Name("Compile/sum/f32")
    ->Apply(sizesUpTo<20000>);
BENCHMARK_CAPTURE(compileGraph, concat, concat)
    ->Name("Compile/concat/f32")
    ->Apply(sizesUpTo<5000>);
BENCHMARK_CAPTURE(compileGraph, pack, pack)
    ->Name("Compile/pack/f32")
    ->Apply(sizesUpTo<5000>);

} // namespace
} // namespace kiln::bench
