// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of a session by key: found, compiled once, dropped when there
// are too many.
#ifndef KILN_LIB_COMPILE_COMPILECACHE_H
#define KILN_LIB_COMPILE_COMPILECACHE_H

#include "lib/Compile/CompileTask.h"
#include "lib/Exec/ProgramFinder.h"
#include "lib/JIT/CompileThreads.h"
#include "runtime/memory/ArenaPool.h"
#include "runtime/threads/Cancel.h"
#include "runtime/threads/ForkMutex.h"
#include "runtime/threads/PerProcess.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <unordered_map>

namespace kiln {

/// What makes native code in the place of a program, and under which key.
struct NativeRecipe {
  ProgramKey key;
  std::shared_ptr<const CompileTask> task;
};

/// Programs under keys; several under one key differ in classes and equalities
/// of extents (SymbolTable::classesMatch) and in fed values.
///
/// Compilations run on the process's compile threads. A caller waits as long as
/// its WaitControl says; a compilation goes on without its callers, and its
/// program is there for the next one. close() stops it at its next step.
///
/// Invariants: (1) one compilation a key at a time: threads that ask meanwhile
/// wait and look again; (2) after an insertion the programs hold at most
/// maxBytes, or are one; the least recently used went first; `arenas` may keep
/// idle what is left of maxBytes. A failure is not kept, but given to all that
/// waited for it with feeds like those it came from.
/// Ownership: shares programs with runs and callables; a compilation holds the
/// owner. Thread safety: all functions but setOwner(); `mutex` guards
/// everything. Nothing is compiled and no program is destroyed under it. In a
/// child of fork() the parent's compilations are not waited for.
class CompileCache {
public:
  /// Told whether it replaces a program of the evaluator.
  using MakeTask =
      std::function<StatusOr<std::unique_ptr<CompileTask>>(bool replaces)>;

  CompileCache(int64_t maxBytes, std::chrono::nanoseconds maxCompileTime,
               ArenaPool &arenas)
      : maxBytes(maxBytes), maxCompileTime(maxCompileTime), arenas(arenas) {
    boundArenas();
  }

  /// Before anything is asked for: what the cache is a part of, and whatever
  /// compilations use, since they outlive their callers.
  void setOwner(std::weak_ptr<void> whole) { owner = std::move(whole); }

  /// Returns a program for the feeds, compiled when there is none. With
  /// needsNative the evaluator's do not count; otherwise one counts as long as
  /// its tier says and its run is the soonest. What does not count any more is
  /// replaced; at the second run of a program that counts until native code is
  /// there, its making begins, and no run waits for it.
  /// **Errors**: the compilation's; DEADLINE_EXCEEDED and CANCELLED when
  /// waiting ends or the cache is closed.
  StatusOr<FoundProgram> findOrCompile(const ProgramKey &key,
                                       std::span<const FeedView> feeds,
                                       bool needsNative,
                                       const WaitControl &control,
                                       const MakeTask &makeTask);

  /// These two as ProgramFinder has them.
  bool beginReplacement(const Program &program);
  StatusOr<ProgramPtr> awaitReplacement(const Program &program,
                                        const WaitControl &control);

  /// Ends waiting and compiling, for good; comes before clear().
  void close();
  /// Drops everything; programs in use live on with their users.
  void clear();
  /// Fills in what the cache knows.
  void addStats(SessionStats &stats) const;
  void fillStats(RunStats &stats) const;
  /// How many threads wait for a compilation.
  int64_t numWaiting() const;

private:
  /// A compilation in progress. Its fields are guarded by the cache's mutex.
  struct Compilation {
    Compilation(std::shared_ptr<const CompileTask> task, bool needsNative,
                std::chrono::nanoseconds limit)
        : task(std::move(task)), needsNative(needsNative), control(limit) {}
    const std::shared_ptr<const CompileTask> task;
    const bool needsNative;
    CompileControl control;
    /// The program that native code is made behind; null where a run waits.
    ProgramPtr behind;
    const int process = processGeneration();
    bool isDone = false;
    /// The program goes to the first thread that asks.
    StatusOr<ProgramPtr> result = ProgramPtr();
    /// Counts the threads that wait for it.
    const std::shared_ptr<CompileWork> work = std::make_shared<CompileWork>();
  };
  struct Entry {
    std::vector<ProgramPtr> programs;
    std::shared_ptr<Compilation> compilation;
    bool isCompiling() const {
      return compilation && compilation->process == processGeneration();
    }
  };
  using Entries = std::unordered_map<ProgramKey, Entry, ProgramKeyHash>;
  using Lock = std::unique_lock<ForkMutex>;
  /// What is destroyed without the mutex: programs have ForkMutexes inside.
  /// Stands before the lock.
  using Dropped = std::vector<std::shared_ptr<const void>>;

  ProgramPtr find(Entry &entry, std::span<const FeedView> feeds,
                  bool needsNative);
  void begin(Lock &lock, const ProgramKey &key,
             std::shared_ptr<Compilation> compilation);
  /// Makes the native code of `task` in the program's place.
  std::shared_ptr<Compilation>
  beginBehind(Lock &lock, const ProgramKey &key, ProgramPtr program,
              std::shared_ptr<const CompileTask> task);
  /// Sees to it that a program with a budget can be replaced in its run.
  static Status attachRecipe(const Program &program, const ProgramKey &key,
                             const MakeTask &makeTask);
  /// Ends a compilation: its program is there, or its failure is known.
  void finish(const ProgramKey &key, Compilation &compilation,
              StatusOr<ProgramPtr> made);
  Status check(const WaitControl &control) const;
  Status wait(Lock &lock, Compilation &compilation, const WaitControl &control);
  void insert(Entry &entry, ProgramPtr program, std::span<const FeedView> feeds,
              Dropped &dropped);
  void evict(const ProgramPtr &keep, Dropped &dropped);
  void boundArenas() {
    arenas.setMaxIdleBytes(
        static_cast<size_t>(std::max(maxBytes - totalBytes, int64_t(0))));
  }

  const int64_t maxBytes;
  const std::chrono::nanoseconds maxCompileTime;
  ArenaPool &arenas;
  std::weak_ptr<void> owner;
  mutable ForkMutex mutex;
  std::condition_variable_any finished; ///< a compilation
  Entries entries;
  bool isClosed = false;
  uint64_t clock = 0;
  int64_t totalBytes = 0;
  int64_t numCompilations = 0;
  int64_t numNative = 0;
  int64_t numEvictions = 0;
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_COMPILECACHE_H
