// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lookup, single flight and eviction.
#include "lib/Compile/CompileCache.h"

#include "lib/Exec/SessionServices.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/abi/RunState.h"

#include <algorithm>

namespace kiln {

CompileCache::ProgramPtr CompileCache::find(Entry &entry,
                                            std::span<const FeedView> feeds,
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

StatusOr<CompileCache::Found>
CompileCache::findOrCompile(const SignatureKey &key,
                            std::span<const FeedView> feeds, bool needsNative,
                            const Patience &patience, const MakeTask &makeTask,
                            std::shared_ptr<void> owner) {
  Lock lock(mutex);
  for (;;) {
    auto it = entries.try_emplace(key).first;
    Entry &entry = it->second;
    if (ProgramPtr program = find(entry, feeds, needsNative)) {
      if (program->isFinal())
        return Found{std::move(program), true};
      KILN_RETURN_IF_ERROR(equip(*program, key, makeTask));
      if (!entry.isCompiling() && !isClosed && program->claimReplacement()) {
        auto task = makeTask(true);
        if (task.ok())
          beginBehind(lock, key, program, *std::move(task), owner);
        else // no memory: the program stays
          program->keepBecause(task.status());
      }
      return Found{std::move(program), true};
    }
    std::shared_ptr<Flight> flight = entry.flight;
    bool isOurs = !entry.isCompiling();
    if (isOurs) {
      bool replaces = std::any_of(
          entry.programs.begin(), entry.programs.end(),
          [&](const ProgramPtr &program) { return program->matches(feeds); });
      Status status = check(patience);
      auto task = status.ok() ? makeTask(replaces) : std::move(status);
      if (!task.ok()) {
        if (entry.programs.empty())
          entries.erase(it);
        return task.status();
      }
      flight = std::make_shared<Flight>(*std::move(task), needsNative,
                                        maxCompileTime);
      begin(lock, key, flight, owner);
    }
    KILN_RETURN_IF_ERROR(wait(lock, *flight, patience));
    if (!flight->result.ok() &&
        (isOurs ||
         (flight->needsNative == needsNative && flight->task->isFor(feeds))))
      return flight->result.status();
    if (!isOurs)
      continue; // a program for others, perhaps for these feeds, too
    // Taken, since the job may hold its flight a little longer.
    ProgramPtr program = std::move(*flight->result);
    if (needsNative || program->claimRun()) {
      KILN_RETURN_IF_ERROR(equip(*program, key, makeTask));
      return Found{std::move(program), false};
    }
  }
}

void CompileCache::begin(Lock &lock, const SignatureKey &key,
                         std::shared_ptr<Flight> flight,
                         std::shared_ptr<void> owner) {
  entries.find(key)->second.flight = flight;
  lock.unlock();
  auto job = [this, key, flight, owner = std::move(owner)]() mutable {
    land(key, *flight, flight->task->run(flight->control));
    flight.reset(); // its programs go before what they run on
  };
  if (!CompileThreads::process().submit(job, flight->work))
    job();
  lock.lock();
}

std::shared_ptr<CompileCache::Flight> CompileCache::beginBehind(
    Lock &lock, const SignatureKey &key, ProgramPtr program,
    std::shared_ptr<const CompileTask> task, std::shared_ptr<void> owner) {
  auto flight = std::make_shared<Flight>(std::move(task), true, maxCompileTime);
  flight->behind = std::move(program);
  begin(lock, key, flight, std::move(owner));
  return flight;
}

Status CompileCache::equip(const Program &program, const SignatureKey &key,
                           const MakeTask &makeTask) {
  if (!program.hasBudget() || program.nativeTask)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(program.nativeTask, makeTask(true));
  program.signature = key;
  return okStatus();
}

void CompileCache::beginReplacement(const Program &program) {
  Lock lock(mutex);
  auto it = entries.find(program.signature);
  if (it != entries.end() && !it->second.isCompiling() && !isClosed &&
      program.claimReplacement())
    beginBehind(lock, program.signature, program.shared_from_this(),
                program.nativeTask, program.services.owner.lock());
}

StatusOr<CompileCache::ProgramPtr>
CompileCache::awaitReplacement(const Program &program,
                               const Patience &patience) {
  Lock lock(mutex);
  for (;;) {
    if (auto native = program.replacement.lock())
      return native;
    if (!program.hasBudget())
      return ProgramPtr();
    KILN_RETURN_IF_ERROR(check(patience));
    Entry &entry = entries[program.signature];
    std::shared_ptr<Flight> flight = entry.flight;
    if (!entry.isCompiling())
      flight = beginBehind(lock, program.signature, program.shared_from_this(),
                           program.nativeTask, program.services.owner.lock());
    KILN_RETURN_IF_ERROR(wait(lock, *flight, patience));
    if (flight->behind.get() == &program && flight->result.ok())
      return *flight->result;
  }
}

void CompileCache::land(const SignatureKey &key, Flight &flight,
                        StatusOr<ProgramPtr> made) {
  std::vector<ProgramPtr> dropped;
  Lock lock(mutex);
  auto it = entries.find(key); // stays while it is being compiled
  if (made.ok()) {
    const bool isCompiled = !(*made)->stats.fromDisk;
    numCompilations += isCompiled;
    numNative += isCompiled && (*made)->executor->isNative();
    if (!isClosed)
      insert(it->second, *made, flight.task->feeds(), dropped);
    // What had to go has gone when the caller goes on.
    lock.unlock();
    dropped.clear();
    lock.lock();
  } else if (flight.behind) {
    flight.behind->keepBecause(made.status());
  }
  it->second.flight = nullptr;
  if (it->second.programs.empty())
    entries.erase(it);
  flight.result = std::move(made);
  flight.isDone = true;
  lock.unlock();
  landed.notify_all();
}

Status CompileCache::check(const Patience &patience) const {
  if (isClosed || (patience.cancel && patience.cancel->isCancelled()))
    return errorStatus(ErrorKind::Cancelled, {});
  if (patience.deadline <= CompileControl::Clock::now())
    return errorStatus(ErrorKind::DeadlineExceeded, {});
  return okStatus();
}

Status CompileCache::wait(Lock &lock, Flight &flight,
                          const Patience &patience) {
  using Clock = CompileControl::Clock;
  // A token cannot wake anybody.
  constexpr std::chrono::milliseconds glance(5);
  lock.unlock();
  CompileThreads::Waiting waiting(flight.work);
  lock.lock();
  Status status;
  while (!flight.isDone && (status = check(patience)).ok()) {
    if (patience.cancel)
      landed.wait_until(lock,
                        std::min(patience.deadline, Clock::now() + glance));
    else if (patience.deadline != Clock::time_point::max())
      landed.wait_until(lock, patience.deadline);
    else
      landed.wait(lock);
  }
  return status;
}

void CompileCache::insert(Entry &entry, ProgramPtr program,
                          std::span<const FeedView> feeds,
                          std::vector<ProgramPtr> &dropped) {
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
        !oldestEntry->second.isCompiling())
      entries.erase(oldestEntry);
  }
}

void CompileCache::close() {
  {
    std::lock_guard lock(mutex);
    isClosed = true;
    for (auto &[key, entry] : entries)
      if (entry.flight)
        entry.flight->control.stop();
  }
  landed.notify_all();
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

int64_t CompileCache::compilations() const {
  std::lock_guard lock(mutex);
  return numCompilations;
}

int64_t CompileCache::bytes() const {
  std::lock_guard lock(mutex);
  return totalBytes;
}

int64_t CompileCache::numWaiting() const {
  std::lock_guard lock(mutex);
  int64_t waiting = 0;
  for (const auto &[key, entry] : entries)
    if (entry.flight)
      waiting += entry.flight->work->numWaiting();
  return waiting;
}

} // namespace kiln
