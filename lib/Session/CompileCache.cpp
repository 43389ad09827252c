// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lookup, single flight and eviction.
#include "lib/Session/CompileCache.h"

#include <algorithm>

namespace kiln {

CompileCache::ProgramPtr CompileCache::find(Entry &entry,
                                            std::span<const FeedView> feeds,
                                            bool needsNative) {
  for (const ProgramPtr &program : entry.programs) {
    if ((needsNative && !program->isNative()) || !program->matches(feeds) ||
        (!needsNative && !program->claimRun()))
      continue;
    program->lastUse.store(++clock, std::memory_order_relaxed);
    return program;
  }
  return nullptr;
}

StatusOr<CompileCache::Found>
CompileCache::findOrCompile(const SignatureKey &key,
                            std::span<const FeedView> feeds, bool needsNative,
                            const Compile &compile) {
  std::vector<ProgramPtr> dropped; // destroyed after the lock
  std::unique_lock lock(mutex);
  Entries::iterator it = entries.find(key);
  for (;;) {
    if (it == entries.end())
      it = entries.try_emplace(key).first;
    if (ProgramPtr program = find(it->second, feeds, needsNative))
      return Found{std::move(program), true};
    if (!it->second.isCompiling)
      break;
    compiled.wait(lock);
    it = entries.find(key);
  }
  // The entry stays while isCompiling.
  Entry &entry = it->second;
  entry.isCompiling = true;
  bool replaces = std::any_of(
      entry.programs.begin(), entry.programs.end(),
      [&](const ProgramPtr &program) { return program->matches(feeds); });
  lock.unlock();
  auto made = compile(replaces);
  lock.lock();
  entry.isCompiling = false;
  if (made.ok()) {
    ++numCompilations;
    numNative += (*made)->native != nullptr;
    if (!needsNative)
      (void)(*made)->claimRun();
    insert(entry, *made, feeds, dropped);
  } else if (entry.programs.empty()) {
    entries.erase(key);
  }
  lock.unlock();
  compiled.notify_all();
  if (!made.ok())
    return made.status();
  return Found{*std::move(made), false};
}

void CompileCache::insert(Entry &entry, ProgramPtr program,
                          std::span<const FeedView> feeds,
                          std::vector<ProgramPtr> &dropped) {
  // Whatever else matches was not good enough any more.
  std::erase_if(entry.programs, [&](const ProgramPtr &other) {
    if (!other->matches(feeds))
      return false;
    totalBytes -= other->bytes();
    dropped.push_back(other);
    return true;
  });
  totalBytes += program->bytes();
  program->lastUse.store(++clock, std::memory_order_relaxed);
  entry.programs.push_back(program);
  evict(program, dropped);
}

void CompileCache::evict(const ProgramPtr &keep,
                         std::vector<ProgramPtr> &dropped) {
  // A walk over all programs is nothing beside the compilation that led here.
  while (totalBytes > maxBytes) {
    Entries::iterator oldestEntry = entries.end();
    ProgramPtr oldest;
    for (auto it = entries.begin(); it != entries.end(); ++it)
      for (const ProgramPtr &program : it->second.programs)
        if (program != keep &&
            (!oldest || program->lastUse < oldest->lastUse)) {
          oldest = program;
          oldestEntry = it;
        }
    if (!oldest)
      return;
    totalBytes -= oldest->bytes();
    ++numEvictions;
    std::erase(oldestEntry->second.programs, oldest);
    dropped.push_back(std::move(oldest));
    if (oldestEntry->second.programs.empty() &&
        !oldestEntry->second.isCompiling)
      entries.erase(oldestEntry);
  }
}

void CompileCache::clear() {
  std::vector<ProgramPtr> dropped;
  std::lock_guard lock(mutex);
  for (auto it = entries.begin(); it != entries.end();) {
    std::move(it->second.programs.begin(), it->second.programs.end(),
              std::back_inserter(dropped));
    it->second.programs.clear();
    it = it->second.isCompiling ? std::next(it) : entries.erase(it);
  }
  totalBytes = 0;
}

void CompileCache::addStats(SessionStats &stats) const {
  std::lock_guard lock(mutex);
  stats.compilations = numCompilations;
  stats.nativeCompilations = numNative;
  stats.cacheBytes = totalBytes;
  stats.evictions = numEvictions;
  for (const auto &[key, entry] : entries)
    for (const ProgramPtr &program : entry.programs) {
      ++stats.cacheEntries;
      stats.codeBytes += program->codeBytes();
      stats.arenaBytes += static_cast<int64_t>(program->arenas.totalBytes());
    }
}

int64_t CompileCache::compilations() const {
  std::lock_guard lock(mutex);
  return numCompilations;
}

int64_t CompileCache::bytes() const {
  std::lock_guard lock(mutex);
  return totalBytes;
}

} // namespace kiln
