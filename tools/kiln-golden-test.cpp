// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs golden cases through the public API and says which pass.
#include "lib/Support/Strings.h"
#include "tools/common/Output.h"
#include "tools/golden/Case.h"
#include "tools/golden/KnownFailures.h"
#include "tools/golden/Runner.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace kiln::golden {
namespace {

struct OpCounts {
  int64_t native = 0, runtime = 0, evaluator = 0, folded = 0;
};

OpCounts countOps(const CaseResult &result) {
  OpCounts counts;
  for (const StepResult &step : result.steps) {
    counts.native += step.stats.opsNative;
    counts.runtime += step.stats.opsRuntime;
    counts.evaluator += step.stats.opsEvaluator;
    counts.folded += step.stats.opsFolded;
  }
  return counts;
}

void report(const std::string &name, const CaseResult &result, int known) {
  OpCounts counts = countOps(result);
  std::string knownText = known ? strCat(", ", known, " known to fail") : "";
  std::printf("%s %s: %zu steps%s; ops: %lld native, %lld runtime, "
              "%lld evaluator, %lld folded\n",
              result.passed() ? "pass" : "FAIL", name.c_str(),
              result.steps.size(), knownText.c_str(),
              static_cast<long long>(counts.native),
              static_cast<long long>(counts.runtime),
              static_cast<long long>(counts.evaluator),
              static_cast<long long>(counts.folded));
  if (!result.failure.empty())
    std::printf("  %s\n", result.failure.c_str());
  for (size_t i = 0; i < result.steps.size(); ++i)
    if (!result.steps[i].failure.empty())
      std::printf("  step %zu: %s\n", i, result.steps[i].failure.c_str());
}

/// Other ways to run a case that must give the same bits: the evaluator, and
/// threads that share every loop that can be shared, in code for this processor
/// and, where that has more, for AVX2. Of the numbers of threads 1, 2, 3 and 8
/// all or one for each processor: a way costs compiling the case again. The odd
/// ones store past the caches what is not small.
std::vector<std::pair<std::string, SessionOptions>> otherWays(bool all) {
  std::vector<std::pair<std::string, SessionOptions>> ways(1);
  ways[0].first = "the evaluator";
  ways[0].second.mode = ExecutionMode::EvaluatorOnly;
  auto add = [&](const char *cpu, int threads) {
    SessionOptions options;
    options.mode = ExecutionMode::NativeOnly;
    options.threads = threads;
    options.code = {.cpu = cpu,
                    .minSharedOps = 1,
                    .minChunkOps = 512,
                    .minStreamedBytes = threads % 2 == 0 ? 0 : 256};
    if (Session::create(std::make_shared<Graph>(), options).ok())
      ways.emplace_back(strCat(threads, " threads", *cpu ? " for " : "", cpu),
                        options);
  };
  for (int threads : {1, 2, 3, 8}) {
    if (all || threads == 8)
      add("", threads);
    if (all || threads == 3)
      add("x86-64-v3", threads);
  }
  return ways;
}

std::string firstFailure(const CaseResult &result) {
  if (!result.failure.empty())
    return result.failure;
  for (size_t i = 0; i < result.steps.size(); ++i)
    if (!result.steps[i].failure.empty())
      return strCat("step ", i, ": ", result.steps[i].failure);
  return {};
}

/// What is wrong with the case when it runs in other ways: against what is
/// recorded, and against native code.
std::string compareWays(const Case &golden, const CaseResult &native,
                        const KnownFailures &knownFailures, bool all) {
  std::string failures;
  auto add = [&](const std::string &what, const std::string &failure) {
    if (!failure.empty())
      failures += (failures.empty() ? "" : "\n  ") + what + ": " + failure;
  };
  for (const auto &[name, options] : otherWays(all)) {
    CaseResult other = runCase(golden, options);
    knownFailures.judge(golden.name, options.mode, other);
    add(name, firstFailure(other));
    add("native code against " + name, compareBits(native, other));
  }
  return failures;
}

struct Options {
  std::vector<std::string> paths;
  ExecutionMode mode = ExecutionMode::NativeOnly;
  std::string out, knownFailures;
  bool bits = false, allBits = false;
};

int reportMistake(const Status &status) {
  std::fprintf(stderr, "kiln-golden-test: %s\n", status.toString().c_str());
  return 1;
}

int runAll(const Options &options) {
  StatusOr<std::vector<std::filesystem::path>> folders =
      findCases(options.paths);
  if (!folders.ok())
    return reportMistake(folders.status());
  StatusOr<KnownFailures> knownFailures =
      options.knownFailures.empty()
          ? KnownFailures()
          : KnownFailures::read(options.knownFailures);
  if (!knownFailures.ok())
    return reportMistake(knownFailures.status());
  int passed = 0, failed = 0;
  for (const std::filesystem::path &folder : *folders) {
    StatusOr<Case> golden = readCase(folder);
    CaseResult result;
    int known = 0;
    if (golden.ok()) {
      result = runCase(*golden, {.mode = options.mode});
      known = knownFailures->judge(golden->name, options.mode, result);
    } else {
      result.failure = golden.status().toString();
    }
    if (golden.ok() && (options.bits || options.allBits) &&
        result.failure.empty())
      result.failure =
          compareWays(*golden, result, *knownFailures, options.allBits);
    if (golden.ok() && !options.out.empty()) {
      Status written = writeResults(result, std::filesystem::path(options.out) /
                                                golden->name);
      if (!written.ok())
        result.failure = written.toString();
    }
    report(golden.ok() ? golden->name : folder.string(), result, known);
    // A case that takes the process down must not take the report with it.
    std::fflush(stdout);
    ++(result.passed() ? passed : failed);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

} // namespace
} // namespace kiln::golden

int main(int argc, char **argv) {
  CLI::App app("Runs golden cases: graphs with the feeds, values and errors "
               "that TensorFlow gave.\nPrints each failing step with got and "
               "expected, and how many ops ran in which way.");
  kiln::golden::Options options;
  bool evaluator = false;
  app.add_option("CASE", options.paths,
                 "Cases: archives or folders, or folders of them")
      ->required();
  app.add_flag("--evaluator", evaluator,
               "Run everything in the evaluator; native code by default");
  app.add_flag("--bits", options.bits,
               "Run each case also by the evaluator, by several threads and in "
               "code for AVX2: all must pass, with the same bits")
      ->excludes("--evaluator");
  app.add_flag("--all-bits", options.allBits,
               "As --bits, by 1, 2, 3 and 8 threads for each processor")
      ->excludes("--evaluator");
  app.add_option("--known-failures", options.knownFailures,
                 "List of steps that fail, each with a part of what it says: "
                 "one that passes, or says something else, is a failure");
  app.add_option("--out", options.out,
                 "Folder for what each step gave: CASE/STEP/K.npy for the K-th "
                 "fetch and CASE/results.json");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // CLI11 has numbers of its own.
    return kiln::finishOutput("kiln-golden-test", app.exit(error) == 0 ? 0 : 1);
  }
  if (evaluator)
    options.mode = kiln::ExecutionMode::EvaluatorOnly;
  return kiln::finishOutput("kiln-golden-test", kiln::golden::runAll(options));
}
