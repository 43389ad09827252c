// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the evaluator takes for an op, an iteration and a first call, and what
// it keeps of a signature.
//
// Evaluator/chain/f32/ELEMENTS: 1000 products and sums in a row; `ns/op`.
// Evaluator/vectors: the same of two tensors each. Evaluator/counter: a loop
// of 100,000 iterations of two additions; `ns/iteration`. Evaluator/first/OPS:
// the first call of a signature of so many ops in a session that has had
// others. Evaluator/kept: 1000 signatures of 10 ops each; `bytes` that each of
// them leaves allocated. All in sessions of the evaluator alone, of one thread.
// They do not measure native code, nor a process's first compilation.
#include "bench/MicroGraph.h"

#include <malloc.h>

namespace kiln::bench {
namespace {

constexpr DType f32 = DType::Float32, i32 = DType::Int32;

SessionOptions evaluatorOnly() {
  SessionOptions options;
  options.mode = ExecutionMode::EvaluatorOnly;
  options.threads = 1;
  options.cacheBytes = int64_t(8) << 30;
  return options;
}

/// `ops` ops from x to "PREFIX" + (ops - 1), by `operand`.
void addChain(GraphWriter &writer, const std::string &prefix,
              const std::string &operand, int64_t ops) {
  std::string last = "x";
  for (int64_t i = 0; i < ops; ++i) {
    std::string name = prefix + std::to_string(i);
    writer.math(name, i % 2 == 0 ? "Mul" : "Add", {last, operand}, f32);
    last = name;
  }
}

void chain(benchmark::State &state, const char *operand) {
  constexpr int64_t ops = 1000;
  GraphWriter writer;
  writer.placeholder("x", f32, {-1});
  writer.placeholder("y", f32, {-1});
  writer.scalar("c", f32, 0.99);
  addChain(writer, "n", operand, ops);
  auto numbers = *makeNumbers(f32, {state.range(0)});
  auto bound = bindSignature(writer, {"x:0", "y:0"}, {numbers, numbers},
                             {"n999:0"}, {}, evaluatorOnly());
  timeSteps(state, bound);
  state.counters["ns/op"] =
      benchmark::Counter(ops, benchmark::Counter::kIsIterationInvariantRate |
                                  benchmark::Counter::kInvert);
}

/// Counts from 0 to "n" by 1, and by 3.
Status addCounter(GraphWriter &writer) {
  std::vector<NodeSpec> specs;
  auto add = [&](std::string name, std::string op,
                 std::vector<NodeInput> inputs, AttrMap attrs) {
    specs.push_back({.name = std::move(name),
                     .op = std::move(op),
                     .inputs = std::move(inputs),
                     .attrs = std::move(attrs)});
  };
  auto enter = [&](std::string name, std::string input, bool isConstant) {
    add(std::move(name), "Enter", {std::move(input)},
        {{"T", i32},
         {"frame_name", std::string("loop")},
         {"is_constant", isConstant}});
  };
  for (int32_t number : {0, 1, 3})
    add("c" + std::to_string(number), "Const", {},
        {{"dtype", i32}, {"value", Tensor::scalar(number)}});
  enter("limit", "n", true);
  for (auto [suffix, step] : {std::pair("_i", "1"), std::pair("_j", "3")}) {
    std::string end = suffix;
    enter("enter" + end, "c0", false);
    enter("by" + end, std::string("c") + step, true);
    add("merge" + end, "Merge", {"enter" + end, "next" + end},
        {{"T", i32}, {"N", 2}});
    add("switch" + end, "Switch", {"merge" + end, "cond"}, {{"T", i32}});
    add("here" + end, "Identity", {"switch" + end + ":1"}, {{"T", i32}});
    add("iteration" + end, "AddV2", {"here" + end, "by" + end}, {{"T", i32}});
    add("next" + end, "NextIteration", {"iteration" + end}, {{"T", i32}});
    add("exit" + end, "Exit", {"switch" + end + ":0"}, {{"T", i32}});
  }
  add("less", "Less", {"merge_i", "limit"}, {{"T", i32}});
  add("cond", "LoopCond", {"less"}, {});
  return writer.graph()->addNodes(std::move(specs));
}

void counter(benchmark::State &state) {
  constexpr int32_t iterations = 100'000;
  GraphWriter writer;
  writer.placeholder("n", i32, {});
  if (Status status = addCounter(writer); !status.ok())
    return state.SkipWithError(status.toString().c_str());
  auto bound = bindSignature(writer, {"n:0"}, {Tensor::scalar(iterations)},
                             {"exit_i:0", "exit_j:0"}, {}, evaluatorOnly());
  timeSteps(state, bound);
  state.counters["ns/iteration"] = benchmark::Counter(
      iterations, benchmark::Counter::kIsIterationInvariantRate |
                      benchmark::Counter::kInvert);
}

/// A session in which "p0_LAST" to "p999_LAST" end chains of their own.
StatusOr<std::unique_ptr<Session>> openChains(int64_t chains, int64_t ops) {
  GraphWriter writer;
  writer.placeholder("x", f32, {-1});
  writer.scalar("c", f32, 0.99);
  for (int64_t i = 0; i < chains; ++i)
    addChain(writer, "p" + std::to_string(i) + "_", "c", ops);
  return writer.status().ok() ? Session::create(writer.graph(), evaluatorOnly())
                              : writer.status();
}

Status runChain(Session &session, int64_t chain, int64_t ops) {
  std::string fetch =
      "p" + std::to_string(chain) + "_" + std::to_string(ops - 1) + ":0";
  Tensor x = *Tensor::zeros(f32, {16});
  return session.run({{"x:0", x}}, {fetch}).status();
}

void firstCalls(benchmark::State &state) {
  const int64_t ops = state.range(0), chains = 64;
  auto session = openChains(chains, ops);
  if (!session.ok())
    return state.SkipWithError(session.status().toString().c_str());
  int64_t next = 0;
  for (auto _ : state) {
    if (next == chains) {
      state.PauseTiming();
      session = openChains(chains, ops);
      next = 0;
      state.ResumeTiming();
    }
    if (Status status = runChain(**session, next++, ops); !status.ok())
      return state.SkipWithError(status.toString().c_str());
  }
}

double allocatedBytes() {
  struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

void kept(benchmark::State &state) {
  constexpr int64_t chains = 1000, ops = 10;
  for (auto _ : state) {
    auto session = openChains(chains + 1, ops);
    if (!session.ok())
      return state.SkipWithError(session.status().toString().c_str());
    Status status = runChain(**session, chains, ops);
    double before = allocatedBytes();
    for (int64_t i = 0; i < chains && status.ok(); ++i)
      status = runChain(**session, i, ops);
    if (!status.ok())
      return state.SkipWithError(status.toString().c_str());
    state.counters["bytes"] = (allocatedBytes() - before) / chains;
  }
}

BENCHMARK_CAPTURE(chain, constants, "c")
    ->Name("Evaluator/chain/f32")
    ->Arg(16)
    ->Arg(4096)
    ->Arg(1 << 18);
BENCHMARK_CAPTURE(chain, vectors, "y")
    ->Name("Evaluator/vectors/f32")
    ->Arg(16)
    ->Arg(4096)
    ->Arg(1 << 18);
BENCHMARK(counter)->Name("Evaluator/counter/i32");
BENCHMARK(firstCalls)
    ->Name("Evaluator/first/f32")
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(kept)->Name("Evaluator/kept/f32")->Iterations(1);

} // namespace
} // namespace kiln::bench
