// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the benchmark graphs cost in Kiln: the first call, a step by
// Session::run and by a Callable, compiling by stage, allocations and page
// faults a step; and a training step at each of 100 batch sizes.
//
// One JSON line a figure, in the form of the peers' scripts. A workload that
// does not run gives a line with metric "error". It does not measure loading a
// graph, nor reading data, nor several threads that call at once.
#include "bench/Measure.h"
#include "tools/common/Output.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace kiln::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string folder;
  std::vector<std::string> names;
  MeasureOptions measure;
  bool cold = false;
  /// Set in the process that --cold starts.
  bool firstCallOnly = false;
};

/// The training step whose batch size is changed, and in what range.
constexpr const char *batchSizesName = "shapes100";
constexpr const char *batchSizesGraph = "mlp64sgd";
constexpr int64_t batchSizes = 100;

void emit(const std::string &workload, const std::string &metric, Json value,
          const Json &more = Json::object()) {
  Json line = {{"system", "kiln"},
               {"workload", workload},
               {"metric", metric},
               {"value", std::move(value)}};
  line.update(more);
  // Messages may quote anything.
  std::string text =
      line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

bool emitFailure(const std::string &workload, const Graph *graph,
                 const Failure &failure) {
  if (failure.status.ok())
    return false;
  Json more = {{"error", failure.status.toString()}, {"stage", failure.stage}};
  std::string name(failure.status.node());
  if (!name.empty()) {
    more["node"] = name;
    if (const Node *node = graph ? graph->lookup(name) : nullptr)
      more["op"] = node->op();
  }
  emit(workload, "error", nullptr, more);
  return true;
}

double inSeconds(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

void emitFirstCall(const std::string &workload, const FirstCall &first,
                   bool fresh) {
  emit(workload, "first_call_s", first.seconds,
       {{"process", fresh ? "fresh" : "warm"},
        {"executor",
         first.stats.executor == Executor::Native ? "native" : "evaluator"}});
}

void emitCompile(const std::string &workload, const Figures &figures) {
  const RunStats &stats = figures.compile;
  Json parts = {{"prune", inSeconds(stats.pruneNs)},
                {"import", inSeconds(stats.importNs)},
                {"passes", inSeconds(stats.passesNs)},
                {"llvm", inSeconds(stats.llvmNs)},
                {"link", inSeconds(stats.linkNs)}};
  Json stages = Json::object();
  for (const auto &[stage, time] : stats.stageNs)
    stages[std::string(stage)] = inSeconds(time);
  emit(workload, "compile_s", inSeconds(stats.compileNs),
       {{"parts", parts},
        {"stages", stages},
        {"code_bytes", figures.first.stats.codeBytes},
        {"arena_bytes", figures.first.stats.arenaBytes}});
}

void emitSteady(const Workload &workload, const std::string &way,
                const Steady &steady) {
  auto rate = [&](const std::optional<double> &amount) -> Json {
    return amount ? Json(*amount / steady.least / 1e9) : Json();
  };
  emit(workload.name, way + "_s", steady.least,
       {{"median", steady.median},
        {"gbs", rate(workload.bytes)},
        {"gflops", rate(workload.flops)},
        {"steps", steady.stepsPerRound}});
  if (countsAllocations())
    emit(workload.name, way + "_allocations", steady.allocations);
  emit(workload.name, way + "_page_faults", steady.pageFaults);
}

/// Runs this program again for one workload's first call; its lines, those of
/// errors too, go to the same output. Returns its exit code, -1 for a process
/// that could not start or did not end by itself.
int runFresh(const Options &options, const std::string &workload) {
  std::string seed = std::to_string(options.measure.seed);
  std::string threads = std::to_string(options.measure.session.threads);
  const char *arguments[] = {
      "kiln-bench-graphs",    "--first-call-only", "--seed",
      seed.c_str(),           "--threads",         threads.c_str(),
      options.folder.c_str(), workload.c_str(),    nullptr};
  pid_t child = 0;
  int status = 0;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr,
                  const_cast<char *const *>(arguments), environ) != 0 ||
      waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

/// Returns whether all of it was measured.
bool runWorkload(const Options &options, const Workload &workload) {
  const std::string &name = workload.name;
  StatusOr<std::shared_ptr<Graph>> graph = loadGraph(options.folder, name);
  Failure failure;
  if (!graph.ok()) {
    emitFailure(name, nullptr, {"load", graph.status()});
    return false;
  }
  if (options.firstCallOnly) {
    FirstCall first =
        measureFirstCall(*graph, workload, options.measure, failure);
    if (emitFailure(name, graph->get(), failure))
      return false;
    emitFirstCall(name, first, true);
    return true;
  }
  int fresh = options.cold ? runFresh(options, name) : 0;
  if (fresh < 0)
    emit(name, "error", nullptr,
         {{"error", "the process of the first call did not end by itself"},
          {"stage", "cold first call"}});
  if (fresh != 0)
    return false;
  Figures figures = measure(*graph, workload, options.measure, failure);
  if (figures.first.seconds > 0 && !options.cold)
    emitFirstCall(name, figures.first, false);
  if (emitFailure(name, graph->get(), failure))
    return false;
  emitCompile(name, figures);
  emitSteady(workload, "run", figures.run);
  emitSteady(workload, "callable", figures.callable);
  return true;
}

bool runBatchSizes(const Options &options, const Workload &workload) {
  StatusOr<std::shared_ptr<Graph>> graph =
      loadGraph(options.folder, workload.name);
  if (!graph.ok()) {
    emitFailure(batchSizesName, nullptr, {"load", graph.status()});
    return false;
  }
  Failure failure;
  double seconds =
      measureBatchSizes(*graph, workload, batchSizes, options.measure, failure);
  if (emitFailure(batchSizesName, graph->get(), failure))
    return false;
  emit(batchSizesName, "total_s", seconds);
  return true;
}

int runAll(const Options &options) {
  StatusOr<std::vector<Workload>> workloads = readWorkloads(options.folder);
  if (!workloads.ok()) {
    std::fprintf(stderr, "kiln-bench-graphs: %s\n",
                 workloads.status().toString().c_str());
    return 2;
  }
  auto isNamed = [&](const std::string &name) {
    return options.names.empty() ||
           std::find(options.names.begin(), options.names.end(), name) !=
               options.names.end();
  };
  auto isKnown = [&](const std::string &name) {
    return name == batchSizesName ||
           std::any_of(workloads->begin(), workloads->end(),
                       [&](const Workload &w) { return w.name == name; });
  };
  bool complete = true;
  for (const std::string &name : options.names)
    if (!isKnown(name))
      complete = !emitFailure(name, nullptr,
                              {"load", notFoundError("no workload " + name +
                                                     " in " + options.folder)});
  for (const Workload &workload : *workloads)
    if (isNamed(workload.name))
      complete &= runWorkload(options, workload);
  for (const Workload &workload : *workloads)
    if (workload.name == batchSizesGraph && isNamed(batchSizesName) &&
        !options.firstCallOnly)
      complete &= runBatchSizes(options, workload);
  if (!options.firstCallOnly) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    emit("process", "maxrss_mb", static_cast<double>(usage.ru_maxrss) / 1024);
  }
  return complete ? 0 : 1;
}

} // namespace
} // namespace kiln::bench

int main(int argc, char **argv) {
  CLI::App app("Measures benchmark graphs; one JSON line a figure.\n"
               "Exit code 1: a workload did not run (its line says why).");
  kiln::bench::Options options;
  app.add_option("DIR", options.folder, "The graphs and workloads.json")
      ->required();
  app.add_option("NAME", options.names,
                 "Workloads; all, and shapes100, if none is given");
  app.add_flag("--cold", options.cold,
               "Take the first call in a process of its own");
  app.add_flag("--first-call-only", options.firstCallOnly,
               "What the process of --cold does");
  app.add_option("--seconds", options.measure.seconds,
                 "Time for each way to run a step")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--rounds", options.measure.rounds,
                 "Rounds that the time is cut into")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", options.measure.seed, "Seed of the feeds")
      ->capture_default_str();
  app.add_flag_callback(
      "--evaluator",
      [&] {
        options.measure.session.mode = kiln::ExecutionMode::EvaluatorOnly;
      },
      "Run in the evaluator alone");
  app.add_flag("!--no-tiering", options.measure.session.tiering,
               "Make native code before the first call");
  app.add_option("--threads", options.measure.session.threads,
                 "Threads that a loop may use; 0: all")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, argc, argv);
  return kiln::finishOutput("kiln-bench-graphs", kiln::bench::runAll(options));
}
