// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lookup, one compilation at a time, and eviction.
#include "lib/Compile/CompileCache.h"

#include "lib/Support/StatusMacros.h"
#include "runtime/abi/RunState.h"

#include <algorithm>

namespace kiln {

ProgramPtr CompileCache::find(Entry &entry, std::span<const FeedView> feeds,
                              bool needsNative) {
  for (const ProgramPtr &program : entry.programs) {
    if (!program->matches(feeds))
      continue;
    if (!program->isFinal() &&
        (needsNative || !program->isSoonest(feeds) || !program->claimRun()))
      continue;
    program->lastUse.store(++clock, std::memory_order_relaxed);
    return program;
  }
  return nullptr;
}

StatusOr<FoundProgram> CompileCache::findOrCompile(
    const ProgramKey &key, std::span<const FeedView> feeds, bool needsNative,
    const WaitControl &control, const MakeTask &makeTask) {
  Dropped dropped;
  Lock lock(mutex);
  for (;;) {
    auto it = entries.try_emplace(key).first;
    Entry &entry = it->second;
    if (ProgramPtr program = find(entry, feeds, needsNative)) {
      if (program->isFinal())
        return FoundProgram{std::move(program), true};
      KILN_RETURN_IF_ERROR(attachRecipe(*program, key, makeTask));
      if (!entry.isCompiling() && !isClosed && program->isWorthReplacing() &&
          program->claimReplacement()) {
        auto task = makeTask(true);
        if (task.ok())
          dropped.push_back(beginBehind(lock, key, program, *std::move(task)));
        else // no memory: the program stays
          program->keepBecause(task.status());
      }
      return FoundProgram{std::move(program), true};
    }
    std::shared_ptr<Compilation> compilation = entry.compilation;
    bool isOurs = !entry.isCompiling();
    if (isOurs) {
      bool replaces = std::any_of(
          entry.programs.begin(), entry.programs.end(),
          [&](const ProgramPtr &program) { return program->matches(feeds); });
      Status status = check(control);
      auto task = status.ok() ? makeTask(replaces) : std::move(status);
      if (!task.ok()) {
        if (entry.programs.empty())
          entries.erase(it);
        return task.status();
      }
      compilation = std::make_shared<Compilation>(*std::move(task), needsNative,
                                                  maxCompileTime);
      begin(lock, key, compilation);
    }
    dropped.push_back(compilation);
    KILN_RETURN_IF_ERROR(wait(lock, *compilation, control));
    if (!compilation->result.ok() &&
        (isOurs || (compilation->needsNative == needsNative &&
                    compilation->task->isFor(feeds))))
      return compilation->result.status();
    if (!isOurs)
      continue; // a program for others, perhaps for these feeds, too
    // Taken, since the job may hold its compilation a little longer.
    ProgramPtr program = std::move(*compilation->result);
    dropped.push_back(program);
    if (needsNative || program->claimRun()) {
      KILN_RETURN_IF_ERROR(attachRecipe(*program, key, makeTask));
      return FoundProgram{std::move(program), false};
    }
  }
}

void CompileCache::begin(Lock &lock, const ProgramKey &key,
                         std::shared_ptr<Compilation> compilation) {
  entries.find(key)->second.compilation = compilation;
  lock.unlock();
  auto job = [this, key, compilation, whole = owner.lock()]() mutable {
    finish(key, *compilation, compilation->task->run(compilation->control));
    compilation.reset(); // its programs go before what they run on
  };
  if (!CompileThreads::process().submit(job, compilation->work))
    job();
  lock.lock();
}

std::shared_ptr<CompileCache::Compilation>
CompileCache::beginBehind(Lock &lock, const ProgramKey &key, ProgramPtr program,
                          std::shared_ptr<const CompileTask> task) {
  auto compilation =
      std::make_shared<Compilation>(std::move(task), true, maxCompileTime);
  compilation->behind = std::move(program);
  begin(lock, key, compilation);
  return compilation;
}

Status CompileCache::attachRecipe(const Program &program, const ProgramKey &key,
                                  const MakeTask &makeTask) {
  if (!program.hasBudget() || program.recipe)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<const CompileTask> task,
                        makeTask(true));
  program.recipe =
      std::make_shared<const NativeRecipe>(NativeRecipe{key, std::move(task)});
  return okStatus();
}

bool CompileCache::beginReplacement(const Program &program) {
  Dropped dropped;
  Lock lock(mutex);
  const std::shared_ptr<const NativeRecipe> recipe = program.recipe;
  if (!recipe || isClosed)
    return true;
  auto it = entries.find(recipe->key);
  if (it != entries.end() && it->second.isCompiling())
    return it->second.compilation->behind.get() == &program;
  if (program.claimReplacement()) {
    entries.try_emplace(recipe->key); // it may have been evicted
    dropped.push_back(beginBehind(lock, recipe->key, program.shared_from_this(),
                                  recipe->task));
  }
  return true;
}

StatusOr<ProgramPtr>
CompileCache::awaitReplacement(const Program &program,
                               const WaitControl &control) {
  Dropped dropped;
  Lock lock(mutex);
  for (;;) {
    if (auto native = program.replacement.lock())
      return native;
    const std::shared_ptr<const NativeRecipe> recipe = program.recipe;
    if (!program.hasBudget() || !recipe)
      return ProgramPtr();
    KILN_RETURN_IF_ERROR(check(control));
    Entry &entry = entries[recipe->key];
    std::shared_ptr<Compilation> compilation = entry.compilation;
    if (!entry.isCompiling())
      compilation = beginBehind(lock, recipe->key, program.shared_from_this(),
                                recipe->task);
    dropped.push_back(compilation);
    KILN_RETURN_IF_ERROR(wait(lock, *compilation, control));
    if (compilation->behind.get() == &program && compilation->result.ok())
      return *compilation->result;
  }
}

void CompileCache::finish(const ProgramKey &key, Compilation &compilation,
                          StatusOr<ProgramPtr> made) {
  Dropped dropped;
  Lock lock(mutex);
  if (made.ok()) {
    const bool isCompiled = !(*made)->stats.fromDisk;
    numCompilations += isCompiled;
    numNative += isCompiled && (*made)->executor->isNative();
    if (!isClosed) {
      // The entry stays while it is being compiled.
      insert(entries.find(key)->second, *made, compilation.task->feeds(),
             dropped);
      // Callables may have it still where the cache has evicted it.
      if (compilation.behind)
        compilation.behind->supersede(*made);
    }
    // What had to go has gone when the caller goes on.
    lock.unlock();
    dropped.clear();
    // Native code has its temporaries in an arena.
    if (compilation.behind)
      compilation.behind->services.buffers.trim();
    lock.lock();
  } else if (compilation.behind) {
    compilation.behind->keepBecause(made.status());
  }
  auto it = entries.find(key);
  it->second.compilation = nullptr;
  if (it->second.programs.empty())
    entries.erase(it);
  compilation.result = std::move(made);
  compilation.isDone = true;
  // Under the mutex: a waiter may destroy what is notified.
  finished.notify_all();
}

Status CompileCache::check(const WaitControl &control) const {
  return isClosed ? errorStatus(ErrorKind::Cancelled, {}) : control.check();
}

Status CompileCache::wait(Lock &lock, Compilation &compilation,
                          const WaitControl &control) {
  using Clock = WaitControl::Clock;
  // A token wakes runs, and no thread that waits here.
  constexpr std::chrono::milliseconds glance(5);
  lock.unlock();
  CompileThreads::Waiting waiting(compilation.work);
  lock.lock();
  Status status;
  while (!compilation.isDone && (status = check(control)).ok()) {
    if (control.cancel)
      finished.wait_until(lock,
                          std::min(control.deadline, Clock::now() + glance));
    else if (control.deadline != DeadlineScope::noDeadline)
      finished.wait_until(lock, control.deadline);
    else
      finished.wait(lock);
  }
  return status;
}

void CompileCache::insert(Entry &entry, ProgramPtr program,
                          std::span<const FeedView> feeds, Dropped &dropped) {
  // Whatever else matches was not good enough any more.
  std::erase_if(entry.programs, [&](const ProgramPtr &other) {
    if (!other->matches(feeds))
      return false;
    totalBytes -= other->bytes();
    other->supersede(program);
    dropped.push_back(other);
    return true;
  });
  totalBytes += program->bytes();
  program->lastUse.store(++clock, std::memory_order_relaxed);
  entry.programs.push_back(program);
  evict(program, dropped);
  boundArenas();
}

void CompileCache::evict(const ProgramPtr &keep, Dropped &dropped) {
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
        !oldestEntry->second.isCompiling())
      entries.erase(oldestEntry);
  }
}

void CompileCache::close() {
  {
    std::lock_guard lock(mutex);
    isClosed = true;
    for (auto &[key, entry] : entries)
      if (entry.compilation)
        entry.compilation->control.stop();
  }
  finished.notify_all();
}

void CompileCache::clear() {
  std::vector<ProgramPtr> dropped;
  std::lock_guard lock(mutex);
  for (auto it = entries.begin(); it != entries.end();) {
    std::move(it->second.programs.begin(), it->second.programs.end(),
              std::back_inserter(dropped));
    it->second.programs.clear();
    it = it->second.isCompiling() ? std::next(it) : entries.erase(it);
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
    }
}

void CompileCache::fillStats(RunStats &stats) const {
  std::lock_guard lock(mutex);
  stats.cacheBytes = totalBytes;
  stats.compilations = numCompilations;
}

int64_t CompileCache::numWaiting() const {
  std::lock_guard lock(mutex);
  int64_t waiting = 0;
  for (const auto &[key, entry] : entries)
    if (entry.compilation)
      waiting += entry.compilation->work->numWaiting();
  return waiting;
}

} // namespace kiln
