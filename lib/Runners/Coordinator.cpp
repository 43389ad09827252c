// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coordinator: one mutex, and a condition for stops and for ends of
// threads.
#include "kiln/Coordinator.h"

#include "lib/Support/Strings.h"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>

namespace kiln {

/// The mutex guards all of it but the thread objects, which those that join
/// take out of the list first.
struct CoordinatorState {
  struct Member {
    std::string name;
    std::thread thread;
    bool isDone = false;
  };

  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  std::vector<StatusCode> cleanStopCodes;
  bool isStopping = false;
  bool isJoined = false;
  Status error = okStatus();
  std::list<std::shared_ptr<Member>> members;

  bool allDone() const {
    return std::ranges::all_of(members,
                               [](const auto &each) { return each->isDone; });
  }

  void stop(const Status &given) {
    std::lock_guard lock(mutex);
    bool isClean =
        given.ok() ||
        std::ranges::find(cleanStopCodes, given.code()) != cleanStopCodes.end();
    if (isStopping)
      return;
    if (!isClean)
      error = given;
    isStopping = true;
    changed.notify_all();
  }

  /// Takes out the threads that are done, to be joined without the lock.
  std::vector<std::shared_ptr<Member>> takeDone() {
    std::vector<std::shared_ptr<Member>> done;
    std::erase_if(members, [&](const std::shared_ptr<Member> &each) {
      if (each->isDone)
        done.push_back(each);
      return each->isDone;
    });
    return done;
  }
};

Coordinator::Coordinator(std::vector<StatusCode> cleanStopCodes)
    : state(std::make_shared<CoordinatorState>()) {
  state->cleanStopCodes = std::move(cleanStopCodes);
}

Coordinator::~Coordinator() {
  requestStop();
  std::list<std::shared_ptr<CoordinatorState::Member>> left;
  {
    std::lock_guard lock(state->mutex);
    left.swap(state->members);
  }
  for (const auto &member : left)
    member->thread.join();
}

void Coordinator::requestStop(const Status &error) { state->stop(error); }

void Coordinator::clearStop() {
  std::lock_guard lock(state->mutex);
  state->isJoined = false;
  state->isStopping = false;
  state->error = okStatus();
}

bool Coordinator::shouldStop() const {
  std::lock_guard lock(state->mutex);
  return state->isStopping;
}

bool Coordinator::waitForStop(
    std::optional<std::chrono::milliseconds> timeout) const {
  std::unique_lock lock(state->mutex);
  auto isStopping = [this] { return state->isStopping; };
  if (timeout)
    return state->changed.wait_for(lock, *timeout, isStopping);
  state->changed.wait(lock, isStopping);
  return true;
}

Status Coordinator::startThread(std::string name,
                                std::function<Status()> body) {
  auto member = std::make_shared<CoordinatorState::Member>();
  member->name = std::move(name);
  // The lock is held until the thread object stands in the list: no one joins
  // before that.
  std::lock_guard lock(state->mutex);
  try {
    member->thread = std::thread(
        [state = state, member = member.get(), body = std::move(body)] {
          if (Status status = body(); !status.ok())
            state->stop(status);
          std::lock_guard inner(state->mutex);
          member->isDone = true;
          state->changed.notify_all();
        });
  } catch (const std::system_error &failure) {
    return resourceExhaustedError(
        strCat("cannot start a thread: ", failure.what()));
  }
  state->members.push_back(std::move(member));
  return okStatus();
}

Status Coordinator::join(const JoinOptions &options) {
  std::vector<std::shared_ptr<CoordinatorState::Member>> done;
  std::string running;
  Status result = okStatus();
  {
    std::unique_lock lock(state->mutex);
    state->changed.wait(lock,
                        [&] { return state->isStopping || state->allDone(); });
    state->changed.wait_for(lock, options.gracePeriod,
                            [&] { return state->allDone(); });
    done = state->takeDone();
    for (const auto &member : state->members)
      running += strCat(running.empty() ? "" : " ", member->name);
    state->isJoined = true;
    result = state->error;
  }
  for (const auto &member : done)
    member->thread.join();
  if (result.ok() && !running.empty() && !options.ignoreLiveThreads)
    return failedPreconditionError(
        strCat("Coordinator stopped with threads still running: ", running));
  return result;
}

bool Coordinator::joined() const {
  std::lock_guard lock(state->mutex);
  return state->isJoined;
}

Status Coordinator::requestedError() const {
  std::lock_guard lock(state->mutex);
  return state->error;
}

} // namespace kiln
