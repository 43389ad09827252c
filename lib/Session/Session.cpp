// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public face of a session.
#include "kiln/Session.h"

#include "lib/Compile/ProgramCompiler.h"
#include "lib/Compile/StoredCode.h"
#include "lib/Exec/BoundBody.h"
#include "lib/JIT/CodeBackend.h"
#include "lib/JIT/CodeKey.h"
#include "lib/JIT/Compiler.h"
#include "lib/JIT/backends/cpu/WarmUp.h"
#include "lib/Session/SessionCore.h"
#include "lib/Support/FloatState.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/arithmetic/CpuVariants.h"
#include "runtime/arithmetic/FloatEnv.h"
#include "runtime/memory/LastCache.h"

namespace kiln {

/// Errors list them all.
static constexpr int maxCpuDevices = 1024;

Session::Session(std::shared_ptr<SessionCore> core) : core(std::move(core)) {}

Session::~Session() { close(); }

StatusOr<std::unique_ptr<Session>> Session::create(std::shared_ptr<Graph> graph,
                                                   SessionOptions options) {
  if (!graph)
    return invalidArgumentError("expected a graph, got none");
  if (graph->hasConstructionError())
    return graph->constructionError();
  if (options.threads < 0)
    return invalidArgumentError(
        strCat("expected at least 0 threads, got ", options.threads));
  if (options.cacheBytes < 0)
    return invalidArgumentError(
        strCat("expected at least 0 bytes of cache, got ", options.cacheBytes));
  if (options.limits.maxCompileTime.count() < 0)
    return invalidArgumentError(
        strCat("expected a compile time of at least 0 ns, got ",
               options.limits.maxCompileTime.count()));
  const std::pair<std::string_view, int64_t> limits[] = {
      {"nodes", options.limits.maxNodes},
      {"operations", options.limits.maxOps},
      {"bytes of a run", options.limits.maxRunBytes},
      {"bytes of code", options.limits.maxCodeBytes}};
  for (auto [what, limit] : limits)
    if (limit < 0)
      return invalidArgumentError(
          strCat("expected a limit of at least 0 ", what, ", got ", limit));
  if (!(options.tieringShare >= 0))
    return invalidArgumentError(
        strCat("expected a share of compiling of at least 0, got ",
               options.tieringShare));
  if (options.cpuDevices < 1 || options.cpuDevices > maxCpuDevices)
    return invalidArgumentError(strCat("expected 1 to ", maxCpuDevices,
                                       " CPU devices, got ",
                                       options.cpuDevices));
  KILN_RETURN_IF_ERROR(checkCodeOptions(options.code));
  if (options.code.minStreamedBytes == 0)
    options.code.minStreamedBytes = lastCacheBytes();
  if (!options.code.cpu.empty() || !cpuLimit().empty())
    KILN_RETURN_IF_ERROR(codeBackend(options.code).status());
  auto shared = options.resources ? SharedResources::of(*options.resources)
                                  : std::make_shared<SharedResources>();
  if (shared->wasLost())
    return lostResourcesError();
  registerHostBodyKernel();
  auto core = std::make_shared<SessionCore>(std::move(graph), options, shared);
  core->programs.setOwner(core);
  if (options.fileFolders) {
    KILN_ASSIGN_OR_RETURN(core->services.files,
                          FileAccess::below(*options.fileFolders));
    core->services.streams.files = &core->services.files;
  }
  if (!options.diskCache.folder.empty()) {
    auto disk = openDiskCache(options);
    if (!disk.ok() && options.diskCache.isRequired)
      return disk.status();
    if (disk.ok())
      core->programs.setDisk(*std::move(disk));
  }
  shared->add(core);
  // While the evaluator answers the first runs; with a disk cache when it lacks
  // one of them.
  if (options.mode == ExecutionMode::Auto && options.tiering &&
      !core->programs.hasDisk())
    warmUpCompiler();
  return std::unique_ptr<Session>(new Session(std::move(core)));
}

StatusOr<std::vector<Tensor>>
Session::run(const std::vector<Feed> &feeds, const std::vector<Fetch> &fetches,
             const std::vector<OperationId> &targets, const RunOptions &options,
             RunStats *stats) {
  FloatFlagsKeeper keeper;
  std::shared_ptr<SessionCore> held = core; // outlives a ~Session meanwhile
  return held->run(feeds, fetches, targets, options, stats);
}

StatusOr<std::string>
Session::partialRunSetup(const std::vector<TensorId> &feeds,
                         const std::vector<Fetch> &fetches,
                         const std::vector<OperationId> &targets) {
  std::shared_ptr<SessionCore> held = core;
  return held->partialRunSetup(feeds, fetches, targets);
}

StatusOr<std::vector<Tensor>>
Session::partialRun(const std::string &handle, const std::vector<Feed> &feeds,
                    const std::vector<TensorId> &fetches,
                    const RunOptions &options, RunStats *stats) {
  std::shared_ptr<SessionCore> held = core;
  return held->partialRun(handle, feeds, fetches, options, stats);
}

Status Session::prepare(const std::vector<FeedInfo> &feeds,
                        const std::vector<Fetch> &fetches,
                        const std::vector<OperationId> &targets,
                        RunStats *stats, const RunOptions &options) {
  FloatFlagsKeeper keeper;
  std::shared_ptr<SessionCore> held = core;
  return held->withSignature(
      feeds, fetches, targets,
      [&](const RunRequest &request, std::span<const FeedView> views) {
        return held->prepare(request, views, options, stats);
      });
}

StatusOr<std::string> Session::explain(const std::vector<FeedInfo> &feeds,
                                       const std::vector<Fetch> &fetches,
                                       const std::vector<OperationId> &targets,
                                       const ExplainOptions &options) {
  DefaultFloatState floatState;
  std::shared_ptr<SessionCore> held = core;
  std::string text;
  Status status = held->withSignature(
      feeds, fetches, targets,
      [&](const RunRequest &request, std::span<const FeedView> views) {
        KILN_ASSIGN_OR_RETURN(text,
                              held->programs.explain(request, views, options));
        return okStatus();
      });
  if (!status.ok())
    return status;
  return text;
}

std::vector<std::string_view> Session::compileStages() {
  return explainStages();
}

void Session::close() {
  FloatFlagsKeeper keeper;
  core->close();
}

Status Session::reset(ResourceManager &resources,
                      const std::vector<std::string> &containers) {
  FloatFlagsKeeper keeper;
  return SharedResources::of(resources)->reset(containers);
}

bool Session::isClosed() const { return core->services.isClosed.load(); }
const std::shared_ptr<Graph> &Session::graph() const { return core->graph; }
const SessionOptions &Session::options() const {
  return core->services.options;
}
SessionStats Session::stats() const { return core->stats(); }

} // namespace kiln
