// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of a session by signature: found, compiled once, dropped when
// there are too many.
#ifndef KILN_LIB_SESSION_COMPILECACHE_H
#define KILN_LIB_SESSION_COMPILECACHE_H

#include "lib/Session/Program.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace kiln {

/// Programs under keys; several under one key differ in classes and equalities
/// of extents (SymbolTable::classesMatch) and in fed values.
///
/// Invariants: (1) one compilation a key at a time: who comes meanwhile waits
/// and looks again; (2) after an insertion the programs hold at most maxBytes,
/// or are one; the least recently used went first. A failure is not kept.
/// Ownership: shares programs with runs and callables. Thread safety: all
/// functions; `mutex` guards everything. Nothing is compiled and no program is
/// destroyed under it.
class CompileCache {
public:
  using ProgramPtr = std::shared_ptr<const Program>;
  /// Told whether it replaces a program that matches but does not count.
  using Compile = std::function<StatusOr<ProgramPtr>(bool replaces)>;

  explicit CompileCache(int64_t maxBytes) : maxBytes(maxBytes) {}

  struct Found {
    ProgramPtr program;
    bool isHit = false;
  };
  /// Returns a program for the feeds, compiled by `compile` when there is none.
  /// With needsNative the evaluator's do not count; otherwise a program that
  /// runs once counts once. What does not count any more is replaced.
  StatusOr<Found> findOrCompile(const SignatureKey &key,
                                std::span<const FeedView> feeds,
                                bool needsNative, const Compile &compile);

  /// Drops everything; programs in use live on with their users.
  void clear();
  /// Fills in what the cache knows.
  void addStats(SessionStats &stats) const;
  int64_t compilations() const;
  int64_t bytes() const;

private:
  struct Entry {
    std::vector<ProgramPtr> programs;
    bool isCompiling = false;
  };
  using Entries = std::unordered_map<SignatureKey, Entry, SignatureKeyHash>;

  ProgramPtr find(Entry &entry, std::span<const FeedView> feeds,
                  bool needsNative);
  void insert(Entry &entry, ProgramPtr program, std::span<const FeedView> feeds,
              std::vector<ProgramPtr> &dropped);
  void evict(const ProgramPtr &keep, std::vector<ProgramPtr> &dropped);

  const int64_t maxBytes;
  mutable std::mutex mutex;
  std::condition_variable compiled;
  Entries entries;
  uint64_t clock = 0;
  int64_t totalBytes = 0;
  int64_t numCompilations = 0;
  int64_t numNative = 0;
  int64_t numEvictions = 0;
};

} // namespace kiln

#endif // KILN_LIB_SESSION_COMPILECACHE_H
