// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a graph from the command line: loads, feeds, runs, shows.
#include "kiln/GraphDef.h"
#include "kiln/Inspect.h"
#include "kiln/Listing.h"
#include "kiln/MissingOps.h"
#include "kiln/Ops.h"
#include "kiln/Session.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "tools/common/CastTensor.h"
#include "tools/common/Npy.h"
#include "tools/common/Output.h"
#include "tools/common/Progress.h"
#include "tools/compare/Compare.h"
#include "tools/run/Check.h"
#include "tools/run/Options.h"
#include "tools/run/Overview.h"
#include "tools/run/Report.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

namespace kiln::run {
namespace {

using Clock = std::chrono::steady_clock;

/// What the names of the command line stand for.
struct Request {
  std::vector<Feed> feeds;
  std::vector<std::string> fetchNames;
  std::vector<Fetch> fetches;
  std::vector<OperationId> targets;
};

/// "a" is the tensor "a:0" where a tensor is meant.
std::string tensorName(const std::string &name) {
  return name.find(':') == std::string::npos ? name + ":0" : name;
}

/// Gives numbers the type of the tensor that they are fed to, as TensorFlow's
/// Session.run does: Python's numbers are float64, graphs are float32. All else
/// that does not fit is told by the session.
Status castFeed(const Graph &graph, const std::string &path, Feed &feed) {
  const auto &tensor = std::get<std::string>(feed.tensor);
  size_t colon = tensor.rfind(':');
  const Node *node = graph.lookup(std::string_view(tensor).substr(0, colon));
  int index = 0;
  const char *end = tensor.data() + tensor.size();
  auto [rest, error] = std::from_chars(tensor.data() + colon + 1, end, index);
  if (!node || error != std::errc() || rest != end || index < 0 ||
      index >= node->numOutputs())
    return okStatus();
  DType dtype = node->output(index).dtype;
  if (!isCastable(feed.value.dtype()) || !isCastable(dtype))
    return okStatus();
  auto cast = castTensor(feed.value, dtype);
  if (!cast.ok())
    return Status(cast.status().code(),
                  strCat(path, ": ", cast.status().message()), node->name());
  feed.value = *std::move(cast);
  return okStatus();
}

StatusOr<Request> readRequest(const Graph &graph, const Options &options) {
  Request request;
  for (const std::string &feed : options.feeds) {
    size_t equals = feed.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == feed.size())
      return invalidArgumentError(
          strCat("expected --feed NAME=FILE.npy, got ", quote(feed)));
    std::string path = feed.substr(equals + 1);
    Feed read{tensorName(feed.substr(0, equals)), Tensor()};
    KILN_ASSIGN_OR_RETURN(read.value, readNpy(path));
    KILN_RETURN_IF_ERROR(castFeed(graph, path, read));
    request.feeds.push_back(std::move(read));
  }
  for (const std::string &name : options.fetches) {
    // An operation without outputs is fetched as such.
    const Node *node = graph.lookup(name);
    request.fetchNames.push_back(
        node && node->numOutputs() == 0 ? name : tensorName(name));
    request.fetches.emplace_back(request.fetchNames.back());
  }
  request.targets.assign(options.targets.begin(), options.targets.end());
  return request;
}

/// Feeds for the compiler alone: ranks, dimensions that are 1, and values;
/// every placeholder that is not fed is there as the graph describes it.
std::vector<FeedInfo> feedInfos(const Graph &graph, const Request &request) {
  std::vector<FeedInfo> infos;
  std::vector<std::string> fed;
  for (const Feed &feed : request.feeds) {
    Shape shape = Shape::unknownDims(feed.value.rank());
    for (int i = 0; i < shape.rank(); ++i)
      if (feed.value.dim(i) == 1)
        shape.setDim(i, 1);
    infos.push_back({feed.tensor, shape, feed.value});
    fed.push_back(std::get<std::string>(feed.tensor));
  }
  for (const Output &placeholder : listGraph(graph).placeholders)
    if (std::find(fed.begin(), fed.end(), placeholder.name()) == fed.end() &&
        placeholder.shape().hasRank())
      infos.push_back({placeholder});
  return infos;
}

/// Dumps and prints the compiler's stages.
Status explain(Session &session, const Request &request,
               const Options &options) {
  Progress progress("compiling", 0);
  KILN_ASSIGN_OR_RETURN(std::string text,
                        session.explain(feedInfos(*session.graph(), request),
                                        request.fetches, request.targets,
                                        {.dumpDirectory = options.dumpIr,
                                         .stopAfter = options.stopAfter}));
  if (!options.stopAfter.empty())
    std::fputs(text.c_str(), stdout);
  return okStatus();
}

/// Runs of which a trace or a cost report is made; more would be too many to
/// look at.
constexpr int64_t maxInspectedSteps = 1000;

/// Each step through run(), which records regions.
StatusOr<std::vector<Tensor>> inspectSteps(Session &session,
                                           const Request &request,
                                           int64_t steps, RunFigures &figures) {
  Progress progress(steps > 1 ? "step" : "running", steps > 1 ? steps : 0);
  figures.steps = steps;
  std::vector<Tensor> results;
  for (int64_t i = 0; i < steps; ++i) {
    RunStats stats;
    KILN_ASSIGN_OR_RETURN(results, session.run(request.feeds, request.fetches,
                                               request.targets, {}, &stats));
    if (i > 0)
      figures.seconds += static_cast<double>(stats.runNs) * 1e-9;
    if (i < maxInspectedSteps)
      figures.inspected.push_back(std::move(stats));
    progress.advance();
  }
  figures.first = figures.inspected.front();
  figures.compilations = session.stats().compilations;
  return results;
}

/// The first step says what compiling cost; the others go through a callable,
/// which costs next to nothing a call.
StatusOr<std::vector<Tensor>> runSteps(Session &session, const Request &request,
                                       int64_t steps, RunFigures &figures) {
  Progress progress(steps > 1 ? "step" : "running", steps > 1 ? steps : 0);
  figures.steps = steps;
  KILN_ASSIGN_OR_RETURN(std::vector<Tensor> results,
                        session.run(request.feeds, request.fetches,
                                    request.targets, {}, &figures.first));
  progress.advance();
  if (steps > 1) {
    std::vector<TensorId> names;
    std::vector<Tensor> values;
    for (const Feed &feed : request.feeds) {
      names.push_back(feed.tensor);
      values.push_back(feed.value);
    }
    KILN_ASSIGN_OR_RETURN(
        Callable callable,
        session.makeCallable(names, request.fetches, request.targets));
    Clock::time_point start = Clock::now();
    for (int64_t i = 1; i < steps; ++i) {
      KILN_RETURN_IF_ERROR(callable(values, results));
      progress.advance();
    }
    figures.seconds =
        std::chrono::duration<double>(Clock::now() - start).count();
  }
  figures.compilations = session.stats().compilations;
  return results;
}

Status writeOut(const std::string &folder, const Request &request,
                const std::vector<Tensor> &values) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return unknownError(
        strCat("cannot make folder ", folder, ": ", error.message()));
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].isValid())
      KILN_RETURN_IF_ERROR(writeNpy(
          (std::filesystem::path(folder) / npyFileName(request.fetchNames[i]))
              .string(),
          values[i]));
  return okStatus();
}

Status initialize(Session &session, const std::string &name) {
  KILN_ASSIGN_OR_RETURN(std::vector<const Node *> nodes,
                        findInitializers(*session.graph(), name));
  Progress progress("initializing", 0);
  std::vector<OperationId> targets(nodes.begin(), nodes.end());
  return session.run({}, {}, targets).status();
}

/// Sets of feeds: each file a GraphDef of constants, by the names of what they
/// are fed to.
StatusOr<std::vector<std::vector<Feed>>>
readFeedSets(const std::vector<std::string> &paths) {
  std::vector<std::vector<Feed>> sets;
  for (const std::string &path : paths) {
    KILN_ASSIGN_OR_RETURN(std::shared_ptr<Graph> values,
                          loadGraphDefFile(path));
    std::vector<Feed> &set = sets.emplace_back();
    for (int id = 0; id < values->numNodes(); ++id) {
      const Node &node = *values->node(id);
      KILN_ASSIGN_OR_RETURN(Tensor value, node.attr<Tensor>("value"));
      set.push_back({tensorName(node.name()), std::move(value)});
    }
  }
  return sets;
}

/// Runs natively and by the evaluator. **Errors**: ABORTED with the difference,
/// where there is one.
Status compareBoth(const std::shared_ptr<Graph> &graph, const Request &request,
                   const Options &options,
                   const SessionOptions &sessionOptions) {
  auto opener = [&](ExecutionMode mode) {
    SessionOptions own = sessionOptions;
    own.mode = mode;
    return [graph, own] { return Session::create(graph, own); };
  };
  compare::Request asked;
  KILN_ASSIGN_OR_RETURN(asked.feeds, readFeedSets(options.feedSets));
  if (asked.feeds.empty())
    asked.feeds.emplace_back();
  for (std::vector<Feed> &set : asked.feeds)
    set.insert(set.end(), request.feeds.begin(), request.feeds.end());
  asked.fetches = request.fetchNames;
  for (const OperationId &target : request.targets) {
    const auto *name = std::get_if<std::string>(&target);
    asked.targets.push_back(name ? *name
                                 : std::get<const Node *>(target)->name());
  }
  asked.steps = options.steps;
  bool isInitAlone = options.fetches.empty() && options.targets.empty();
  if (options.init && !isInitAlone) {
    KILN_ASSIGN_OR_RETURN(std::vector<const Node *> nodes,
                          findInitializers(*graph, *options.init));
    for (const Node *node : nodes)
      asked.init.push_back(node->name());
  }
  Progress progress("comparing", 0);
  KILN_ASSIGN_OR_RETURN(
      std::optional<compare::Difference> difference,
      compare::compareRuns(*graph, opener(ExecutionMode::NativeOnly),
                           opener(ExecutionMode::EvaluatorOnly), asked));
  if (difference)
    return abortedError(
        strCat("native code and evaluator differ: ", difference->toString()));
  std::printf("native code and evaluator agree: %lld step%s, %zu fetch%s\n",
              static_cast<long long>(options.steps),
              options.steps == 1 ? "" : "s", asked.fetches.size(),
              asked.fetches.size() == 1 ? "" : "es");
  return okStatus();
}

StatusOr<std::shared_ptr<Graph>> loadGraph(const Options &options) {
  return loadGraphDefFile(options.graph, {.checker = makeNodeChecker()});
}

/// Says what Kiln lacks for the graph, and whether that is nothing.
StatusOr<bool> checkGraph(const Options &options) {
  if (!options.asksForListing())
    return invalidArgumentError("expected --check with a graph alone: it looks "
                                "at the whole graph and runs nothing");
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<Graph> graph, loadGraph(options));
  std::vector<MissingOp> missing = findMissingOps(*graph);
  std::fputs(checkText(missing, options.graph, graph->numNodes()).c_str(),
             stdout);
  return missing.empty();
}

Status runGraph(const Options &options) {
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<Graph> graph, loadGraph(options));
  if (options.asksForListing()) {
    std::fputs(overviewText(*graph, options.graph).c_str(), stdout);
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(Request request, readRequest(*graph, options));
  SessionOptions sessionOptions;
  sessionOptions.threads = options.threads;
  sessionOptions.code.cpu = options.cpu;
  sessionOptions.code.foldScales = options.foldScales;
  sessionOptions.softPlacement = options.softPlacement;
  if (options.cache.empty())
    sessionOptions.diskCache = DiskCacheOptions::ofUser();
  else if (options.cache != "off")
    sessionOptions.diskCache.folder = options.cache;
  sessionOptions.inspect = {.regions = options.cost || !options.trace.empty(),
                            .perfMap = options.perfMap,
                            .gdb = options.gdb};
  sessionOptions.tiering = options.tiering;
  if (options.evaluator)
    sessionOptions.mode = ExecutionMode::EvaluatorOnly;
  KILN_ASSIGN_OR_RETURN(std::unique_ptr<Session> session,
                        Session::create(graph, sessionOptions));

  bool runs = !request.fetches.empty() || !request.targets.empty();
  if (!runs && !options.init)
    return invalidArgumentError(
        "expected something to run: --fetch, --target or --init");
  if (!runs) {
    // Initializing is all there is to do, or to look at.
    KILN_ASSIGN_OR_RETURN(std::vector<const Node *> nodes,
                          findInitializers(*graph, *options.init));
    request.targets.assign(nodes.begin(), nodes.end());
  }
  if (!options.stopAfter.empty() || !options.dumpIr.empty())
    KILN_RETURN_IF_ERROR(explain(*session, request, options));
  if (!options.stopAfter.empty())
    return okStatus();

  if (options.compare)
    return compareBoth(graph, request, options, sessionOptions);
  if (runs && options.init)
    KILN_RETURN_IF_ERROR(initialize(*session, *options.init));
  RunFigures figures;
  auto runAll = sessionOptions.inspect.regions ? inspectSteps : runSteps;
  KILN_ASSIGN_OR_RETURN(std::vector<Tensor> values,
                        runAll(*session, request, options.steps, figures));
  for (size_t i = 0; i < values.size(); ++i)
    std::fputs(tensorReport(request.fetchNames[i], values[i]).c_str(), stdout);
  if (!options.out.empty())
    KILN_RETURN_IF_ERROR(writeOut(options.out, request, values));
  if (options.cost)
    std::fputs(costReport(figures.inspected,
                          {options.peakGflops * 1e9, options.peakGbs * 1e9})
                   .c_str(),
               stdout);
  if (!options.trace.empty())
    KILN_RETURN_IF_ERROR(saveChromeTrace(figures.inspected, options.trace));
  if (options.printStats)
    std::fputs(figuresReport(figures).c_str(), stdout);
  return okStatus();
}

} // namespace
} // namespace kiln::run

int main(int argc, char **argv) {
  int exitCode = 0;
  auto options = kiln::run::parseOptions(argc, argv, exitCode);
  if (!options)
    return kiln::finishOutput("kiln-run", exitCode);
  kiln::Status status;
  if (options->check) {
    kiln::StatusOr<bool> isComplete = kiln::run::checkGraph(*options);
    status = isComplete.status();
    exitCode = isComplete.ok() && !*isComplete ? 2 : 0;
  } else {
    status = kiln::run::runGraph(*options);
  }
  exitCode = kiln::finishOutput("kiln-run", exitCode);
  if (!status.ok()) {
    std::fprintf(stderr, "kiln-run: %s\n", status.toString().c_str());
    return 1;
  }
  return exitCode;
}
