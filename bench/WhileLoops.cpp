// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iteration of a while loop costs.
//
// While/counter/i32/N: N iterations of i = i + 1 until i is what is fed; the
// limit is 5 ns an iteration.
// While/body/f32/128x128: 1,000 iterations of x = |x - z| 0.999, and as many
// calls of a function that is the body alone; `ratio`, of the fastest of each,
// may be 1.1. It does not measure the session's part of a call.
#include "lib/JIT/Compiler.h"
#include "runtime/abi/RunState.h"
#include "runtime/abi/Symbols.h"
#include "runtime/arithmetic/FloatEnv.h"

#include "mlir/Parser/Parser.h"

#include "benchmark/benchmark.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace kiln {
namespace {

/// A compiled function and the buffers of its table: feeds, constants,
/// variables with their flags, results and temporaries, `bytes` each.
class Code {
public:
  Code(const std::string &source, size_t buffers, size_t bytes) {
    auto context = ContextLease::lease();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        source, &context->mlirContext());
    CompileOptions options;
    auto compiled = compile(*context, *module, options);
    if (!compiled.ok()) {
      error = compiled.status().toString();
      return;
    }
    executable = *std::move(compiled);
    for (size_t i = 0; i < buffers + executable->layout().temporaries.size();
         ++i) {
      memory.emplace_back(std::aligned_alloc(64, bytes), &std::free);
      std::fill_n(static_cast<char *>(memory.back().get()), bytes, '\0');
      table.push_back(memory.back().get());
    }
  }
  template <class T> T *buffer(size_t i) { return static_cast<T *>(table[i]); }
  void run() {
    RunContext context;
    KilnRunState state = makeRunState(&context);
    KilnRunArgs args{table.data(), nullptr, &state, runtimeSymbolTable(),
                     executable->kernels()};
    executable->run(args);
  }

  std::string error;

private:
  std::unique_ptr<Executable> executable;
  std::vector<std::unique_ptr<void, decltype(&std::free)>> memory;
  std::vector<void *> table;
};

/// From 0 to %n by 1, with an array that `iteration` makes %y of, of %b.
std::string loop(const std::string &type, const std::string &iteration) {
  return "func.func @run(%n: tensor<i32>, %x: " + type + ", %z: " + type +
         ") -> (tensor<i32>, " + type + R"() {
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %r:2 = kiln.while (%i: tensor<i32> = %zero, %a: )" +
         type + " = %x) -> (tensor<i32>, " + type + R"() {
    %c = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a : tensor<i32>, )" +
         type + "\n  } do (%j: tensor<i32>, %b: " + type + ") {\n" + iteration +
         R"(    %k = kiln.add %j, %one : tensor<i32>
    kiln.yield %k, %y : tensor<i32>, )" +
         type + "\n  }\n  return %r#0, %r#1 : tensor<i32>, " + type + "\n}\n";
}

constexpr const char *matrix = "tensor<128x128xf32>";
constexpr size_t matrixBytes = 128 * 128 * sizeof(float);
constexpr int32_t iterations = 1000;

std::string bodyOf(const std::string &from, const std::string &type) {
  return "    %d = kiln.sub " + from + ", %z : " + type +
         "\n    %e = kiln.abs %d : " + type +
         "\n    %f = kiln.constant dense<0.999> : tensor<f32> : " + type +
         "\n    %y = kiln.mul %e, %f : " + type + "\n";
}

/// The body alone: a variable is its own next value.
std::string bodyAlone() {
  std::string type = matrix;
  return "kiln.variable @x index 0 : " + type + "\nfunc.func @run(%z: " + type +
         ") {\n    %b = kiln.var_read @x : " + type + "\n" +
         bodyOf("%b", type) + "    kiln.var_write @x, %y : " + type +
         "\n  return\n}\n";
}

void counter(benchmark::State &state) {
  Code code(loop("tensor<i32>", "    %y = kiln.add %b, %z : tensor<i32>\n"), 5,
            64);
  if (!code.error.empty())
    return state.SkipWithError(code.error.c_str());
  *code.buffer<int32_t>(0) = static_cast<int32_t>(state.range(0));
  for (auto _ : state)
    code.run();
  state.counters["ns/iteration"] =
      benchmark::Counter(static_cast<double>(state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

double secondsOf(Code &code, int calls) {
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i)
    code.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

void body(benchmark::State &state) {
  Code inLoop(loop(matrix, bodyOf("%b", matrix)), 5, matrixBytes);
  Code alone(bodyAlone(), 3, matrixBytes);
  for (const Code *code : {&inLoop, &alone})
    if (!code->error.empty())
      return state.SkipWithError(code->error.c_str());
  *inLoop.buffer<int32_t>(0) = iterations;
  FloatEnv floatEnv;
  double best = 1e9, bestAlone = 1e9;
  for (auto _ : state) {
    best = std::min(best, secondsOf(inLoop, 1));
    bestAlone = std::min(bestAlone, secondsOf(alone, iterations));
  }
  state.counters["us/iteration"] = best * 1e6 / iterations;
  state.counters["us/iteration alone"] = bestAlone * 1e6 / iterations;
  state.counters["ratio"] = best / bestAlone;
}

BENCHMARK(counter)->Name("While/counter/i32")->Arg(1'000'000);
BENCHMARK(body)->Name("While/body/f32/128x128");

} // namespace
} // namespace kiln
