// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs test functions natively, from two stages on, and by the evaluator, and
// says which of their expectations do not hold.
#include "test/expect/CheckDialect.h"
#include "test/expect/Expectations.h"
#include "test/unit/JIT/NativeExecution.h"

#include "lib/Eval/Evaluator.h"
#include "lib/Support/File.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include "tools/common/Output.h"

#include "mlir/Parser/Parser.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace mlir;

namespace kiln::check {
namespace {

/// What a run left behind.
struct Outcome {
  Status status;
  std::vector<Tensor> results, variables;
};

StatusOr<Outcome> evaluateTest(const TestCase &test) {
  Evaluation evaluation(test.module.get(), test.inputs);
  Outcome outcome;
  outcome.status = evaluation.results.status();
  if (outcome.status.ok())
    outcome.results = *evaluation.results;
  outcome.variables = evaluation.variables.values;
  return outcome;
}

/// A copy of the bytes at `data`, as a tensor like `like`.
StatusOr<Tensor> copyOf(const char *data, const Tensor &like) {
  KILN_ASSIGN_OR_RETURN(Tensor copy,
                        Tensor::create(like.dtype(), like.shape()));
  if (copy.byteSize() > 0)
    std::memcpy(copy.mutableRawData(), data, copy.byteSize());
  return copy;
}

/// From `stage` on; results that are looked at come back with the shapes that
/// are expected, if they have as many bytes.
StatusOr<Outcome> runNatively(CompilerContext &context, const TestCase &test,
                              passes::Stage stage) {
  OwningOpRef<ModuleOp> module = test.module.get().clone();
  CompileOptions options;
  options.startAt = stage;
  KILN_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                        compile(context, *module, options));
  NativeExecution native(*executable,
                         test.module.get().lookupSymbol<func::FuncOp>("run"),
                         test.inputs);
  native.run();
  Outcome outcome;
  outcome.status = native.status();
  for (const auto &memory : native.memory)
    if (!memory->isIntact())
      return internalError("wrote outside of a buffer");
  for (const Expectation &expectation : test.expectations) {
    if (!expectation.result)
      continue;
    size_t i = *expectation.result;
    if (native.resultBytes[i] !=
        static_cast<size_t>(expectation.expected.byteSize()))
      return invalidArgumentError(
          strCat("expected ", expectation.expected.byteSize(), " bytes, got ",
                 native.resultBytes[i]));
    KILN_ASSIGN_OR_RETURN(Tensor copy, copyOf(native.at(native.firstResult + i),
                                              expectation.expected));
    outcome.results.push_back(std::move(copy));
  }
  for (size_t i = 0; i < test.inputs.variables.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(
        Tensor copy,
        copyOf(native.at(native.firstVariable + i), test.inputs.variables[i]));
    outcome.variables.push_back(std::move(copy));
  }
  return outcome;
}

/// Prints what does not hold; true where all does.
bool holds(const TestCase &test, const char *who,
           const StatusOr<Outcome> &outcome) {
  auto fail = [&](const std::string &what) {
    std::printf("%s: %s: %s\n", test.name.c_str(), who, what.c_str());
    return false;
  };
  if (!outcome.ok())
    return fail(outcome.status().toString());
  std::string wanted = test.error.value_or("OK"),
              got = outcome->status.toString();
  if (wanted != got)
    return fail(strCat("expected ", wanted, ", got ", got));
  bool all = true;
  for (const Expectation &expectation : test.expectations) {
    if (expectation.result && !outcome->status.ok())
      continue; // variables keep their values, results have none
    const Tensor &value = expectation.result
                              ? outcome->results[*expectation.result]
                              : outcome->variables[*expectation.variable];
    std::string what = mismatch(value, expectation);
    if (what.empty())
      continue;
    std::string place;
    llvm::raw_string_ostream(place) << expectation.loc;
    all = fail(strCat(place, ": ", what));
  }
  return all;
}

/// Runs the functions of one module; counts those that pass.
Status checkModule(CompilerContext &context, const std::string &text,
                   const std::string &path, int &passed, int &failed) {
  DiagnosticCollector diagnostics(context.mlirContext());
  context.mlirContext().getOrLoadDialect<CheckDialect>();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context.mlirContext(), path);
  if (!module)
    return diagnostics.status("parsing failed");
  for (auto function : module->getOps<func::FuncOp>()) {
    KILN_ASSIGN_OR_RETURN(TestCase test, readTest(function));
    bool good = holds(test, "evaluator", evaluateTest(test));
    good &=
        holds(test, "native", runNatively(context, test, passes::Stage::Fuse));
    good &= holds(test, "native, simplified",
                  runNatively(context, test, passes::Stage::Simplify));
    ++(good ? passed : failed);
  }
  return okStatus();
}

/// Runs all functions of a file; counts as checkModule().
Status checkText(const std::string &path, int &passed, int &failed) {
  KILN_ASSIGN_OR_RETURN(FileBytes bytes, readFile(path, size_t(1) << 24));
  ContextLease lease = ContextLease::lease();
  const std::string text(bytes.view());
  constexpr std::string_view separator = "// -----\n";
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(separator, begin), text.size());
    // Behind as many empty lines as there are lines before, for locations.
    auto lines = std::count(text.begin(),
                            text.begin() + static_cast<int64_t>(begin), '\n');
    KILN_RETURN_IF_ERROR(
        checkModule(*lease,
                    std::string(static_cast<size_t>(lines), '\n') +
                        text.substr(begin, end - begin),
                    path, passed, failed));
    begin = end + separator.size();
  }
  return okStatus();
}

int checkFile(const std::string &path) {
  int passed = 0, failed = 0;
  Status status = checkText(path, passed, failed);
  if (!status.ok()) {
    std::printf("%s: %s\n", path.c_str(), status.toString().c_str());
    return 1;
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

} // namespace
} // namespace kiln::check

int main(int argc, char **argv) {
  CLI::App app("Runs functions of the kiln dialect and checks what they say "
               "that they give.");
  std::string path;
  app.add_option("FILE", path, "MLIR with check ops; // ----- splits it")
      ->required();
  CLI11_PARSE(app, argc, argv);
  return kiln::finishOutput("kiln-check", kiln::check::checkFile(path));
}
