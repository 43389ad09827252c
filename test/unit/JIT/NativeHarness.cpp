// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles functions, and compares a native run with an evaluated one.
#include "test/unit/JIT/NativeHarness.h"

#include "test/unit/JIT/NativeExecution.h"

#include "lib/Support/DTypeDispatch.h"
#include "runtime/arithmetic/ReductionOps.h"
#include "tools/compare/Tensors.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

namespace kiln {
namespace {

bool sameElements(const void *got, const Tensor &want, std::string &where) {
  auto tensor = Tensor::borrow(want.dtype(), want.shape(), got, [] {});
  EXPECT_TRUE(tensor.ok()) << tensor.status().toString();
  auto difference = compare::compareTensors(*tensor, want);
  if (difference)
    where = "element " + std::to_string(difference->element) + ": native " +
            difference->first + ", evaluator " + difference->second;
  return !difference;
}

/// The values with denormal floats as the zeros of their sign.
Tensor flush(const Tensor &value) {
  Tensor copy = *value.clone();
  dispatchElement(value.dtype(), [&]<class T>(T) {
    if constexpr (std::is_same_v<T, BFloat16> || std::is_floating_point_v<T>)
      for (T &x : copy.mutableData<T>())
        x = T(reduction::flushed(
            std::conditional_t<std::is_same_v<T, double>, double, float>(x)));
    return true;
  });
  return copy;
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
  context.emplace(ContextLease::lease());
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
  mlir::OwningOpRef<mlir::ModuleOp> copy(module->clone());
  // Inputs of all sizes are to come.
  if (options.code.minStreamedBytes != CompileOptions().code.minStreamedBytes)
    copy.get()->setAttr(
        passes::sizesName,
        mlir::DenseI64ArrayAttr::get(copy->getContext(), {1000, 1000, 1000}));
  auto compiled = compile(**context, *copy, options);
  EXPECT_TRUE(compiled.ok()) << compiled.status().toString() << "\n" << source;
  if (!compiled.ok())
    return;
  executable = *std::move(compiled);
}

bool NativeProgram::agrees(const NativeInputs &inputs) {
  if (!executable)
    return false;
  Evaluation evaluation(*module, inputs);
  const StatusOr<std::vector<Tensor>> &expected = evaluation.results;
  auto entry = module->lookupSymbol<mlir::func::FuncOp>("run");
  NativeExecution native(*executable, entry, inputs);
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
      check(sameElements(flush((*after.results)[i]).rawData(),
                         flush((*before.results)[i]), where),
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
