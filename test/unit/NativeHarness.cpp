// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles functions, and compares a native run with an evaluated one.
#include "test/unit/NativeHarness.h"

#include "test/unit/NativeExecution.h"

#include "dialect/Types.h"
#include "lib/Support/DTypeDispatch.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

namespace kiln {
namespace {

std::string hexadecimal(double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%a (%.9g)", number, number);
  return text;
}

/// Whether the difference of two floats is one that no op can see.
template <class T> bool areAlike(T a, T b) {
  bool bothZero = std::abs(a) < std::numeric_limits<T>::min() &&
                  std::abs(b) < std::numeric_limits<T>::min() &&
                  std::signbit(a) == std::signbit(b);
  return (std::isnan(a) && std::isnan(b)) || bothZero;
}
bool areAlike(BFloat16 a, BFloat16 b) { return areAlike(float(a), float(b)); }
// A denormal half is no denormal float: it is not flushed.
bool areAlike(Half a, Half b) {
  return std::isnan(float(a)) && std::isnan(float(b));
}

template <class T> std::string textOf(T value) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else
    return hexadecimal(value);
}

bool sameElements(const char *got, const Tensor &want, std::string &where) {
  const char *expected = static_cast<const char *>(want.rawData());
  if (want.byteSize() == 0 || std::memcmp(got, expected, want.byteSize()) == 0)
    return true;
  return dispatchElement(want.dtype(), [&]<class T>(T) {
    for (int64_t i = 0; i < want.numElements(); ++i) {
      T a, b;
      std::memcpy(&a, got + i * sizeof(T), sizeof(T));
      std::memcpy(&b, expected + i * sizeof(T), sizeof(T));
      if (std::memcmp(&a, &b, sizeof(T)) == 0)
        continue;
      if constexpr (!std::is_integral_v<T>)
        if (areAlike(a, b))
          continue;
      where = "element " + std::to_string(i) + ": native " + textOf(a) +
              ", evaluator " + textOf(b);
      return false;
    }
    return true;
  });
}

} // namespace

std::string function(const std::vector<std::string> &inputs,
                     const std::string &body, const std::string &returned,
                     const std::string &types, const std::string &module) {
  std::string text = module + "func.func @run(";
  for (size_t i = 0; i < inputs.size(); ++i)
    text += (i ? ", %x" : "%x") + std::to_string(i) + ": " + inputs[i];
  text += returned.empty() ? ") {\n" : ") -> (" + types + ") {\n";
  return text + body + "\n  return " + returned +
         (returned.empty() ? "" : " : " + types) + "\n}\n";
}

NativeProgram::NativeProgram(std::string text, passes::Stage startAt,
                             const CompileOptions &compileOptions)
    : source(std::move(text)) {
  auto lease = ContextLease::lease();
  if (!lease.ok()) {
    ADD_FAILURE() << lease.status().toString();
    return;
  }
  context.emplace(std::move(*lease));
  DiagnosticCollector diagnostics((*context)->mlirContext());
  module = mlir::parseSourceString<mlir::ModuleOp>(source,
                                                   &(*context)->mlirContext());
  if (!module) {
    ADD_FAILURE() << diagnostics.status("parsing failed").toString() << "\n"
                  << source;
    return;
  }
  CompileOptions options = compileOptions;
  CompileTimes times;
  if (startAt == passes::Stage::Simplify) {
    original = module->clone();
    Status simplification =
        runStages(**context, *module, passes::Stage::Simplify, options, times);
    EXPECT_TRUE(simplification.ok()) << simplification.toString() << "\n"
                                     << source;
    simplified = module->clone();
    options.startAt = passes::Stage::Decompose;
    Status decomposition =
        runStages(**context, *module, passes::Stage::Decompose, options, times);
    EXPECT_TRUE(decomposition.ok()) << decomposition.toString() << "\n"
                                    << source;
    if (!simplification.ok() || !decomposition.ok())
      return;
  }
  options.startAt = passes::Stage::Fuse;
  mlir::OwningOpRef<mlir::ModuleOp> compiledModule = module->clone();
  auto compiled = compile(**context, *compiledModule, options);
  EXPECT_TRUE(compiled.ok()) << compiled.status().toString() << "\n" << source;
  if (!compiled.ok())
    return;
  executable = *std::move(compiled);
  tableConstants =
      (*compiledModule)
          ->getAttrOfType<mlir::DenseI64ArrayAttr>("kiln.buffer_counts")[1];
}

bool NativeProgram::agrees(const NativeInputs &inputs) {
  if (!executable)
    return false;
  Evaluation evaluation(*module, inputs);
  const StatusOr<std::vector<Tensor>> &expected = evaluation.results;
  auto entry = module->lookupSymbol<mlir::func::FuncOp>("run");
  NativeExecution native(*executable, entry, inputs, tableConstants);
  native.run();

  bool same = true;
  auto check = [&](bool holds, const std::string &what) {
    EXPECT_TRUE(holds) << what << "\n" << describe(inputs);
    same &= holds;
  };
  for (size_t i = 0; i < native.memory.size(); ++i)
    check(native.memory[i]->isIntact(),
          "wrote outside of buffer " + std::to_string(i));
  failed = !expected.ok();
  check(native.status().toString() == expected.status().toString(),
        "native: " + native.status().toString() +
            "; evaluator: " + expected.status().toString());
  std::string where;
  if (original) {
    Evaluation before(*original, inputs), after(*simplified, inputs);
    for (size_t i = 0;
         before.results.ok() && after.results.ok() && i < after.results->size();
         ++i)
      check(
          sameElements(static_cast<const char *>((*after.results)[i].rawData()),
                       (*before.results)[i], where),
          "simplify changed result " + std::to_string(i) +
              " (given as native): " + where);
  }
  if (failed || !same)
    return same;
  for (size_t i = 0; i < expected->size(); ++i)
    check(
        sameElements(native.at(native.firstResult + i), (*expected)[i], where),
        "result " + std::to_string(i) + " differs: " + where);
  for (size_t i = 0; i < inputs.variables.size(); ++i) {
    bool flag = *native.at(native.firstFlag + i) != 0;
    check(flag == evaluation.variables.flags[i],
          "flag of variable " + std::to_string(i) + " differs");
    check(sameElements(native.at(native.firstVariable + i),
                       evaluation.variables.values[i], where),
          "variable " + std::to_string(i) + " differs: " + where);
  }
  for (size_t i = 0; i < native.streams.size(); ++i)
    check(native.streams[i]->samplesTaken() ==
              evaluation.streams[i]->samplesTaken(),
          "stream is elsewhere");
  return same;
}

std::string NativeProgram::describe(const NativeInputs &inputs) const {
  std::string text = source + "symbols:";
  for (int64_t value : inputs.symbols)
    text += " " + std::to_string(value);
  return text;
}

} // namespace kiln
