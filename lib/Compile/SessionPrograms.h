// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A session's programs: the one place where its runs find their code.
#ifndef KILN_LIB_COMPILE_SESSIONPROGRAMS_H
#define KILN_LIB_COMPILE_SESSIONPROGRAMS_H

#include "lib/Compile/CompileCache.h"
#include "lib/Compile/CompileServices.h"

#include <memory>
#include <string>

namespace kiln {

/// Finds programs in the cache, or compiles them from the session's graph and
/// from parts of runs that are cut.
///
/// **Ownership**: borrows graph and services, which its owner holds. Thread
/// safety: all functions but setOwner() and setDisk().
class SessionPrograms final : public ProgramFinder {
public:
  SessionPrograms(const Graph &graph, SessionServices &services);

  /// These two before anything is asked for.
  void setOwner(std::weak_ptr<void> owner) { cache.setOwner(std::move(owner)); }
  void setDisk(std::shared_ptr<DiskCache> disk) {
    compiling.disk = std::move(disk);
  }

  StatusOr<FoundProgram> find(const ProgramQuery &query,
                              const WaitControl &control) override;
  bool beginReplacement(const Program &program) override {
    return cache.beginReplacement(program);
  }
  StatusOr<ProgramPtr> awaitReplacement(const Program &program,
                                        const WaitControl &control) override {
    return cache.awaitReplacement(program, control);
  }
  void fillStats(RunStats &stats) const override { cache.fillStats(stats); }

  /// As explainProgram(). **Cost**: a compilation, on a compile thread.
  StatusOr<std::string> explain(const RunRequest &request,
                                std::span<const FeedView> feeds,
                                const ExplainOptions &options) const;

  /// As CompileCache's.
  void close() { cache.close(); }
  void clear() { cache.clear(); }
  void addStats(SessionStats &stats) const;
  bool hasDisk() const { return compiling.disk != nullptr; }

private:
  StatusOr<std::unique_ptr<CompileTask>> makeTask(const ProgramQuery &query,
                                                  bool needsNative) const;

  const Graph &graph;
  CompileServices compiling;
  CompileCache cache;
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_SESSIONPROGRAMS_H
