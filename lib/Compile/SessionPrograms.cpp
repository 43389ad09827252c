// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes keys and tasks of what is asked for.
#include "lib/Compile/SessionPrograms.h"

#include "lib/Compile/DiskCache.h"
#include "lib/Compile/ProgramCompiler.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/ThreadObject.h"

namespace kiln {

SessionPrograms::SessionPrograms(const Graph &graph, SessionServices &services)
    : graph(graph), compiling{services, nullptr},
      cache(services.options.cacheBytes, services.options.limits.maxCompileTime,
            services.arenas) {}

StatusOr<FoundProgram> SessionPrograms::find(const ProgramQuery &query,
                                             const WaitControl &control) {
  // Its memory is used again by the thread's next run.
  ProgramKey &spare = threadObject<ProgramKey>();
  ProgramKey key = std::move(spare);
  key.source = query.source;
  key.regions = query.regions;
  if (query.source == ProgramSource::CutPart)
    key.setPart(query.part->plan, query.part->unit, query.feeds);
  else if (query.source == ProgramSource::Function)
    key.setFunction((*query.function)->number, query.feeds);
  else
    key.setRequest(*query.request, query.feeds);
  const bool needsNative =
      (query.needsNative || query.regions) &&
      compiling.session.options.mode != ExecutionMode::EvaluatorOnly;
  struct {
    const SessionPrograms &programs;
    const ProgramQuery &query;
    bool needsNative;
  } asked{*this, query, needsNative};
  auto found = cache.findOrCompile(
      key, query.feeds, needsNative, control, [&asked](bool replaces) {
        // What is compiled in a program's place is native.
        return asked.programs.makeTask(asked.query,
                                       asked.needsNative || replaces);
      });
  spare = std::move(key);
  return found;
}

StatusOr<std::unique_ptr<CompileTask>>
SessionPrograms::makeTask(const ProgramQuery &query, bool needsNative) const {
  const NativeNeed need{needsNative, query.regions};
  if (query.source == ProgramSource::CutPart)
    return CompileTask::make(
        query.feeds, query.part->block->args,
        [this, part = *query.part, need](std::span<const FeedView> feeds,
                                         const CompileControl &control) {
          return compilePart(*part.block, feeds, need, part.depth, compiling,
                             control);
        });
  if (query.source == ProgramSource::Function)
    return CompileTask::make(
        query.feeds, (*query.function)->request.feeds,
        [this, function = *query.function,
         need](std::span<const FeedView> feeds, const CompileControl &control) {
          return compileFunction(*function, feeds, need, compiling, control);
        });
  const bool isInSteps = query.source == ProgramSource::SteppedRequest;
  return CompileTask::make(
      query.feeds, query.request->feeds,
      [this, request = *query.request, need, isInSteps](
          std::span<const FeedView> feeds, const CompileControl &control) {
        return compileProgram(graph, request, feeds, need, isInSteps, compiling,
                              control);
      });
}

StatusOr<std::string>
SessionPrograms::explain(const RunRequest &request,
                         std::span<const FeedView> feeds,
                         const ExplainOptions &options) const {
  StatusOr<std::string> text = std::string();
  CompileThreads::runAndWait([&] {
    text = explainProgram(graph, request, feeds, compiling, options);
  });
  return text;
}

void SessionPrograms::addStats(SessionStats &stats) const {
  cache.addStats(stats);
  if (!compiling.disk)
    return;
  DiskCache::Counts counts = compiling.disk->counts();
  stats.diskHits = counts.hits;
  stats.diskMisses = counts.misses;
  stats.diskStores = counts.stores;
  stats.diskFailedStores = counts.failedStores;
}

} // namespace kiln
