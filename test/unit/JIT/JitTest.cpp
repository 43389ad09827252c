// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hand-written loops on buffers through kiln-lower-to-llvm, LLVM and the
// linker, and run.
#include "lib/JIT/Compiler.h"

#include "lib/JIT/backends/cpu/WarmUp.h"
#include "runtime/abi/RunState.h"
#include "runtime/abi/Symbols.h"
#include "test/unit/Sanitizers.h"

#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <atomic>
#include <barrier>
#include <fstream>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

StatusOr<std::unique_ptr<Executable>>
compileLoops(const std::string &source, CompileOptions options = {}) {
  auto context = ContextLease::lease();
  DiagnosticCollector diagnostics(context->mlirContext());
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(source, &context->mlirContext());
  if (!module)
    return diagnostics.status("parsing failed");
  options.startAt = passes::Stage::Llvm;
  return compile(*context, *module, options);
}

/// A run's tables; what was recorded is in `state`.
struct Tables {
  std::vector<void *> buffers;
  std::vector<int64_t> symbols;
  RunContext context = {};
  KilnRunState state = {0, 0, -1, 0, {}, &context};
  std::vector<void *> runtime = {runtimeSymbolTable(),
                                 runtimeSymbolTable() + numRuntimeSymbols};

  void operator()(const Executable &executable) {
    KilnRunArgs args = {buffers.data(), symbols.data(), &state, runtime.data(),
                        executable.kernels()};
    executable.run(args);
  }
};

// y += a * x over s0 elements: an unmasked main loop and a masked tail.
constexpr const char *axpy = R"mlir(
module attributes {kiln.buffer_counts = array<i64: 2, 0, 1, 0>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %n = kiln.symbol 0
    %tail = arith.remui %n, %c16 : index
    %end = arith.subi %n, %tail : index
    scf.for %i = %c0 to %end step %c16 {
      %a = kiln.buffer feed 0 : memref<?xf32>
      %x = kiln.buffer feed 1 : memref<?xf32>
      %y = kiln.buffer variable 0 : memref<?xf32>
      %as = memref.load %a[%c0] : memref<?xf32>
      %av = vector.broadcast %as : f32 to vector<16xf32>
      %xv = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
      %yv = vector.load %y[%i] : memref<?xf32>, vector<16xf32>
      %p = arith.mulf %av, %xv : vector<16xf32>
      %s = arith.addf %yv, %p : vector<16xf32>
      vector.store %s, %y[%i] : memref<?xf32>, vector<16xf32>
    }
    %a = kiln.buffer feed 0 : memref<?xf32>
    %x = kiln.buffer feed 1 : memref<?xf32>
    %y = kiln.buffer variable 0 : memref<?xf32>
    %as = memref.load %a[%c0] : memref<?xf32>
    %av = vector.broadcast %as : f32 to vector<16xf32>
    %mask = vector.create_mask %tail : vector<16xi1>
    %xv = vector.maskedload %x[%end], %mask, %zero : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %yv = vector.maskedload %y[%end], %mask, %zero : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %p = arith.mulf %av, %xv : vector<16xf32>
    %s = arith.addf %yv, %p : vector<16xf32>
    vector.maskedstore %y[%end], %mask, %s : memref<?xf32>, vector<16xi1>, vector<16xf32>
    return
  }
})mlir";

TEST(Jit, WarmingUpCompilesUntilSomebodyElseDoes) {
  CompileControl own;
  Status status = compileToWarmUp(own);
  EXPECT_TRUE(status.ok()) << status.toString();
  EXPECT_TRUE(isCompilerWarm());
  EXPECT_TRUE(compileLoops(axpy).ok());
  EXPECT_EQ(warmUpControl().check("code generation").code(),
            StatusCode::Cancelled);
}

TEST(Jit, VectorLoopWithMaskedTailUpdatesInPlace) {
  auto executable = compileLoops(axpy);
  ASSERT_TRUE(executable.ok()) << executable.status().toString();
  for (int64_t n : {0, 1, 15, 16, 17, 100}) {
    std::vector<float> x(n), y(n + 1, 1.0f);
    std::iota(x.begin(), x.end(), 0.0f);
    float a = 2;
    Tables run{{&a, x.data(), y.data()}, {n}};
    run(**executable);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(y[i], 1.0f + 2.0f * float(i)) << "n = " << n;
    ASSERT_EQ(y[n], 1.0f) << "wrote behind the end";
  }
}

TEST(Jit, BuffersOfAllKindsStandInTheOrderOfTheTable) {
  auto executable = compileLoops(R"mlir(
module attributes {kiln.buffer_counts = array<i64: 1, 1, 2, 1>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i8
    %f = kiln.buffer feed 0 : memref<1xi64>
    %c = kiln.buffer constant 0 : memref<1xi64>
    %v = kiln.buffer variable 1 : memref<1xi64>
    %i = kiln.buffer initialized 1 : memref<1xi8>
    %r = kiln.buffer result 0 : memref<1xi64>
    %t = kiln.buffer temporary 1 : memref<1xi64>
    %fv = memref.load %f[%c0] : memref<1xi64>
    %cv = memref.load %c[%c0] : memref<1xi64>
    %sum = arith.addi %fv, %cv : i64
    memref.store %fv, %v[%c0] : memref<1xi64>
    memref.store %one, %i[%c0] : memref<1xi8>
    memref.store %sum, %r[%c0] : memref<1xi64>
    memref.store %cv, %t[%c0] : memref<1xi64>
    return
  }
})mlir");
  ASSERT_TRUE(executable.ok()) << executable.status().toString();
  int64_t feed = 3, constant = 4, variable = 0, result = 0, temporary = 0;
  char initialized = 0;
  Tables run{{&feed, &constant, nullptr, &variable, nullptr, &initialized,
              &result, nullptr, &temporary},
             {}};
  run(**executable);
  EXPECT_EQ(variable, 3);
  EXPECT_EQ(initialized, 1);
  EXPECT_EQ(result, 7);
  EXPECT_EQ(temporary, 4);
}

// Divides feed 0 by feed 1, or reports division by zero of node "div"; then
// leaves the result alone.
constexpr const char *checkedDivision = R"mlir(
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i64
    %x = kiln.buffer feed 0 : memref<?xi64>
    %y = kiln.buffer feed 1 : memref<?xi64>
    %r = kiln.buffer result 0 : memref<?xi64>
    %xv = memref.load %x[%c0] : memref<?xi64>
    %yv = memref.load %y[%c0] : memref<?xi64>
    %bad = arith.cmpi eq, %yv, %zero : i64
    scf.if %bad {
      kiln.report_error 3 (%xv, %yv) loc("div")
    }
    kiln.poll
    %q = arith.divsi %xv, %yv : i64
    memref.store %q, %r[%c0] : memref<?xi64>
    return
  }
})mlir";

TEST(Jit, ReportedErrorNamesItsNodeAndStops) {
  static_assert(static_cast<int>(ErrorKind::IntegerDivisionByZero) == 3);
  auto executable = compileLoops(checkedDivision);
  ASSERT_TRUE(executable.ok()) << executable.status().toString();
  int64_t x = 12, y = 4, quotient = -1;
  Tables run{{&x, &y, &quotient}, {}};
  run(**executable);
  EXPECT_EQ(quotient, 3);
  EXPECT_EQ(run.state.errorCode, 0);
  y = 0;
  run(**executable);
  EXPECT_EQ(quotient, 3);
  EXPECT_EQ(run.state.errorCode, static_cast<int>(StatusCode::InvalidArgument));
  EXPECT_EQ(run.state.errorKind,
            static_cast<int>(ErrorKind::IntegerDivisionByZero));
  EXPECT_EQ((*executable)->node(run.state.errorNode), "div");
  EXPECT_EQ(run.state.errorValues[0], 12);
}

TEST(Jit, CancelledRunFails) {
  auto executable = compileLoops(checkedDivision);
  ASSERT_TRUE(executable.ok()) << executable.status().toString();
  int64_t x = 12, y = 4, quotient = -1;
  Tables run{{&x, &y, &quotient}, {}};
  run.state.cancel = 1;
  run(**executable);
  EXPECT_EQ(quotient, -1);
}

TEST(Jit, RuntimeCallStopsTheRunWhenItFails) {
  auto executable = compileLoops(R"mlir(
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 2>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %done = arith.constant 1 : i32
    %a = kiln.buffer feed 0 : memref<?xf64>
    %r = kiln.buffer result 0 : memref<?xf64>
    %flag = kiln.buffer result 1 : memref<?xi32>
    kiln.runtime_call "MatrixInverse" ins(%a : memref<?xf64>) outs(%r : memref<?xf64>)
      types [tensor<?x2x2xf64, #kiln.sym<0>>, tensor<?x2x2xf64, #kiln.sym<0>>] {numbers = array<i64: 0>} loc("inverse")
    memref.store %done, %flag[%c0] : memref<?xi32>
    return
  }
})mlir");
  ASSERT_TRUE(executable.ok()) << executable.status().toString();
  std::vector<double> matrix = {2, 0, 0, 4}, inverse(4);
  int32_t done = 0;
  Tables run{{matrix.data(), inverse.data(), &done}, {1}};
  run(**executable);
  EXPECT_THAT(inverse, ElementsAre(0.5, 0, 0, 0.25));
  EXPECT_EQ(done, 1);
  done = 0;
  matrix = {1, 1, 1, 1};
  run(**executable);
  EXPECT_EQ(done, 0);
  EXPECT_EQ((*executable)->node(run.state.errorNode), "inverse");
}

TEST(Jit, ParallelForCallsTheTaskWithItsCaptures) {
  auto executable = compileLoops(R"mlir(
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 1>} {
  func.func private @task(%begin: index, %end: index, %scale: f64, %bias: index) {
    %c1 = arith.constant 1 : index
    %r = kiln.buffer result 0 : memref<?xf64>
    scf.for %i = %begin to %end step %c1 {
      %sum = arith.addi %i, %bias : index
      %int = arith.index_cast %sum : index to i64
      %float = arith.sitofp %int : i64 to f64
      %scaled = arith.mulf %float, %scale : f64
      memref.store %scaled, %r[%i] : memref<?xf64>
    }
    return
  }
  func.func @run() {
    %n = kiln.symbol 0
    %grain = arith.constant 16 : index
    %half = arith.constant 0.5 : f64
    kiln.parallel_for @task(%n, %grain) captures(%half, %n : f64, index)
    return
  }
})mlir");
  ASSERT_TRUE(executable.ok()) << executable.status().toString();
  std::vector<double> result(1000);
  Tables run{{result.data()}, {1000}};
  run(**executable);
  EXPECT_EQ(run.state.errorCode, 0);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(result[i], 0.5 * (i + 1000));
}

TEST(Jit, CallOfAMathFunctionDoesNotLink) {
  auto executable = compileLoops(R"mlir(
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 1>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %r = kiln.buffer result 0 : memref<?xf32>
    %x = memref.load %r[%c0] : memref<?xf32>
    %y = math.exp %x : f32
    memref.store %y, %r[%c0] : memref<?xf32>
    return
  }
})mlir");
  EXPECT_EQ(executable.status().code(), StatusCode::Internal);
  EXPECT_THAT(executable.status().message(), HasSubstr("expf"));
}

TEST(Jit, UnknownKernelIsAnErrorWithItsNode) {
  auto executable = compileLoops(R"mlir(
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 1>} {
  func.func @run() {
    kiln.runtime_call "Nothing" ins() types [] loc("some/node")
    return
  }
})mlir");
  EXPECT_EQ(executable.status().node(), "some/node");
  EXPECT_THAT(executable.status().message(), HasSubstr("got Nothing"));
}

TEST(Jit, ExecutablesLiveBesideEachOtherAndGiveTheirCodeBack) {
  size_t before = linkedBytes();
  {
    auto first = compileLoops(axpy), second = compileLoops(checkedDivision),
         third = compileLoops(axpy);
    ASSERT_TRUE(first.ok() && second.ok() && third.ok());
    EXPECT_GE(linkedBytes(), before + (*first)->codeBytes() +
                                 (*second)->codeBytes() +
                                 (*third)->codeBytes());
    first->reset();
    int64_t x = 12, y = 4, quotient = -1;
    Tables run{{&x, &y, &quotient}, {}};
    run(**second);
    EXPECT_EQ(quotient, 3);
  }
  EXPECT_EQ(linkedBytes(), before);
}

/// Lines of /proc/self/maps, and those with all of the letters in their
/// permissions.
std::pair<int, int> countMaps(std::string_view letters) {
  std::ifstream maps("/proc/self/maps");
  int all = 0, matching = 0;
  for (std::string line; std::getline(maps, line); ++all) {
    std::string_view permissions =
        std::string_view(line).substr(line.find(' ') + 1, 4);
    matching += std::all_of(letters.begin(), letters.end(), [&](char letter) {
      return permissions.find(letter) != std::string_view::npos;
    });
  }
  return {all, matching};
}

std::string objectOf(const std::string &source) {
  auto context = ContextLease::lease();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(source, &context->mlirContext());
  CompileOptions options;
  options.startAt = passes::Stage::Llvm;
  CompileTimes times;
  auto code = compile(*context, *module, options, times);
  EXPECT_TRUE(code.ok()) << code.status().toString();
  return code.ok() ? code->objects.at(0) : std::string();
}

auto linkObject(const std::string &object, std::string_view entry) {
  return linkObjects(std::span(&object, 1), entry);
}

TEST(Linker, ManyLinkCyclesDoNotGrowTheMaps) {
  std::string object = objectOf(axpy);
  std::vector<std::shared_ptr<LinkedCode>> held;
  auto link = [&] {
    auto code = linkObject(object, "kiln_entry");
    ASSERT_TRUE(code.ok()) << code.status().toString();
    held.push_back(*std::move(code));
  };
  link();
  int before = countMaps("").first;
  for (int i = 0; i < 1000; ++i) {
    link();
    if (i % 3 != 0) // holes of different ages
      held.erase(held.begin() + (i * 7919) % held.size());
  }
  EXPECT_LE(countMaps("").first, before + 4);
  EXPECT_EQ(countMaps("wx").second, 0);
  held.clear();
  EXPECT_LE(countMaps("").first, before + 4);
}

TEST(Linker, ThreadsLinkAtOnce) {
  std::string object = objectOf(checkedDivision);
  size_t before = linkedBytes();
  std::barrier start(4);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      for (int i = 0; i < 100; ++i) {
        auto code = linkObject(object, "kiln_entry");
        ASSERT_TRUE(code.ok());
        int64_t x = 12 + t, y = 1, quotient = 0;
        Tables run{{&x, &y, &quotient}, {}};
        KilnRunArgs args = {run.buffers.data(), nullptr, &run.state,
                            run.runtime.data(), nullptr};
        reinterpret_cast<KilnEntryFn>((*code)->entry())(&args);
        ASSERT_EQ(quotient, x);
      }
    });
  threads.clear();
  EXPECT_EQ(linkedBytes(), before);
}

#if !KILN_THREAD_SANITIZER // which has no threads after a fork
TEST(Linker, ChildrenOfForkLinkWhateverOtherThreadsWereAt) {
  std::string object = objectOf(axpy);
  std::atomic<bool> isDone = false;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!isDone)
        ASSERT_TRUE(linkObject(object, "kiln_entry").ok());
    });
  auto kept = linkObject(object, "kiln_entry");
  ASSERT_TRUE(kept.ok());
  for (int i = 0; i < 50; ++i) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      kept->reset();
      _exit(linkObject(object, "kiln_entry").ok() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  isDone = true;
}
#endif

TEST(LinkerDeathTest, FreedCodeTraps) {
  auto code = linkObject(objectOf(checkedDivision), "kiln_entry");
  ASSERT_TRUE(code.ok());
  auto entry = reinterpret_cast<KilnEntryFn>((*code)->entry());
  code->reset();
  EXPECT_DEATH(entry(nullptr), "");
}

TEST(Linker, WhatDoesNotLinkIsAnErrorAndLeavesNothing) {
  std::string object = objectOf(axpy);
  size_t before = linkedBytes();
  EXPECT_EQ(linkObject("no object", "kiln_entry").status().code(),
            StatusCode::Internal);
  Status missing = linkObject(object, "other").status();
  EXPECT_EQ(missing.code(), StatusCode::Internal);
  EXPECT_THAT(missing.message(), HasSubstr("other"));
  for (size_t length : {object.size() / 4, object.size() / 2})
    EXPECT_EQ(
        linkObject(object.substr(0, length), "kiln_entry").status().code(),
        StatusCode::Internal);
  EXPECT_EQ(linkedBytes(), before);
  EXPECT_TRUE(linkObject(object, "kiln_entry").ok());
}

TEST(Compiler, DumpsEveryStageThatItRunsAndStops) {
  CompileOptions options;
  options.dumpDirectory = ::testing::TempDir() + "/kiln_jit_dump";
  auto executable = compileLoops(axpy, options);
  ASSERT_TRUE(executable.ok()) << executable.status().toString();
  auto isThere = [&](const std::string &name) {
    return std::ifstream(options.dumpDirectory + "/" + name).good();
  };
  for (const char *name : {"07-llvm.mlir", "08-llvm-ir.ll", "09-assembly.s"})
    EXPECT_TRUE(isThere(name)) << name;
  // These begin as loops.
  EXPECT_FALSE(isThere("00-import.mlir"));
  options.stopAfter = "llvm-ir";
  auto stopped = compileLoops(axpy, options);
  ASSERT_TRUE(stopped.ok());
  EXPECT_EQ(*stopped, nullptr);
  options.stopAfter = "nothing";
  EXPECT_EQ(compileLoops(axpy, options).status().code(),
            StatusCode::InvalidArgument);
}

TEST(Compiler, ReadsTheTemporariesOfBufferize) {
  auto executable = compileLoops(R"mlir(
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 0>, kiln.temporaries = [
    {symbols = array<i64: 3, -1>, values = array<i64: 0, 9>, bytes = 4, first = 1, last = 2}]} {
  func.func @run() {
    return
  }
})mlir");
  ASSERT_TRUE(executable.ok()) << executable.status().toString();
  ASSERT_EQ((*executable)->layout().temporaries.size(), 1u);
  const Temporary &temporary = (*executable)->layout().temporaries[0];
  EXPECT_EQ(temporary.extents[0].symbol, 3);
  EXPECT_EQ(temporary.extents[1].value, 9);
  EXPECT_EQ(temporary.elementBytes, 4);
  EXPECT_EQ(temporary.last, 2);
}

} // namespace
} // namespace kiln
