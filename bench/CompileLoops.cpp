// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the way from vector loops to running code takes, part by part, and
// what linking alone costs.
//
// Compile/loops/f32/N: N loops of the form y += a * x, each with a masked tail.
// Counters are microseconds a compilation. It does not measure import, the
// stages before `llvm`, nor the first compilation of a process.
#include "lib/JIT/Compiler.h"

#include "mlir/Parser/Parser.h"

#include "benchmark/benchmark.h"

namespace kiln {
namespace {

std::string loops(int64_t count) {
  std::string text =
      "module attributes {kiln.buffer_counts = array<i64: 2, 0, 1, 0>} {\n "
      "func.func @run() {\n"
      "%c0 = arith.constant 0 : index\n%c16 = arith.constant 16 : index\n"
      "%zero = arith.constant dense<0.0> : vector<16xf32>\n%n = kiln.symbol 0\n"
      "%tail = arith.remui %n, %c16 : index\n%end = arith.subi %n, %tail : "
      "index\n"
      "%mask = vector.create_mask %tail : vector<16xi1>\n"
      "%a = kiln.buffer feed 0 : memref<?xf32>\n%x = kiln.buffer feed 1 : "
      "memref<?xf32>\n"
      "%y = kiln.buffer variable 0 : memref<?xf32>\n";
  for (int64_t i = 0; i < count; ++i) {
    std::string s = std::to_string(i);
    text += "scf.for %i = %c0 to %end step %c16 {\n"
            "  %as = memref.load %a[%c0] : memref<?xf32>\n"
            "  %av = vector.broadcast %as : f32 to vector<16xf32>\n"
            "  %xv = vector.load %x[%i] : memref<?xf32>, vector<16xf32>\n"
            "  %yv = vector.load %y[%i] : memref<?xf32>, vector<16xf32>\n"
            "  %p = arith.mulf %av, %xv : vector<16xf32>\n"
            "  %s = arith.addf %yv, %p : vector<16xf32>\n"
            "  vector.store %s, %y[%i] : memref<?xf32>, vector<16xf32>\n}\n"
            "%xv" +
            s +
            " = vector.maskedload %x[%end], %mask, %zero : memref<?xf32>, "
            "vector<16xi1>, vector<16xf32> into vector<16xf32>\n"
            "%yv" +
            s +
            " = vector.maskedload %y[%end], %mask, %zero : memref<?xf32>, "
            "vector<16xi1>, vector<16xf32> into vector<16xf32>\n"
            "%s" +
            s + " = arith.addf %yv" + s + ", %xv" + s +
            " : vector<16xf32>\n"
            "vector.maskedstore %y[%end], %mask, %s" +
            s + " : memref<?xf32>, vector<16xi1>, vector<16xf32>\n";
  }
  return text + "return\n}\n}\n";
}

CompileOptions fromLoops() {
  CompileOptions options;
  options.startAt = passes::Stage::Llvm;
  return options;
}

void compileLoops(benchmark::State &state) {
  std::string source = loops(state.range(0));
  CompileTimes sum;
  int64_t linkNs = 0;
  size_t bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto context = ContextLease::lease();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        source, &context->mlirContext());
    state.ResumeTiming();
    CompileTimes times;
    auto code = compile(*context, *module, fromLoops(), times);
    if (!code.ok())
      return state.SkipWithError(code.status().toString().c_str());
    auto begin = std::chrono::steady_clock::now();
    auto executable = Executable::link(*code);
    if (!executable.ok())
      return state.SkipWithError(executable.status().toString().c_str());
    linkNs += (std::chrono::steady_clock::now() - begin) /
              std::chrono::nanoseconds(1);
    sum.stages[0] += times.passesTotal();
    sum.translate += times.translate;
    sum.optimize += times.optimize;
    sum.codegen += times.codegen;
    bytes = (*executable)->codeBytes();
  }
  auto micros = [&](int64_t nanos) {
    return double(nanos) / 1e3 / double(state.iterations());
  };
  state.counters["mlir_us"] = micros(sum.stages[0]);
  state.counters["translate_us"] = micros(sum.translate);
  state.counters["optimize_us"] = micros(sum.optimize);
  state.counters["codegen_us"] = micros(sum.codegen);
  state.counters["link_us"] = micros(linkNs);
  state.counters["code_bytes"] = double(bytes);
}
BENCHMARK(compileLoops)
    ->Name("Compile/loops/f32")
    ->Arg(1)
    ->Arg(8)
    ->Arg(32)
    ->Unit(benchmark::kMicrosecond);

void createContext(benchmark::State &state) {
  for (auto _ : state) {
    CompilerContext context;
    benchmark::DoNotOptimize(&context.mlirContext());
  }
}
BENCHMARK(createContext)
    ->Name("Compile/context")
    ->Unit(benchmark::kMicrosecond);

void linkAndFree(benchmark::State &state) {
  auto context = ContextLease::lease();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      loops(1), &context->mlirContext());
  CompileTimes times;
  auto code = compile(*context, *module, fromLoops(), times);
  for (auto _ : state)
    benchmark::DoNotOptimize(linkObjects(code->objects, "kiln_entry"));
}
BENCHMARK(linkAndFree)
    ->Name("Compile/link_and_free")
    ->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace kiln
