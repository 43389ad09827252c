// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How ranks meet and wait: one collective at a time, each begun by an exchange
// of headers. That costs one more small message, and none of the state that a
// coordinator would keep; what would be a hang, or data of the wrong size, is
// an error of all ranks.
#include "lib/Collectives/RankGroup.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

namespace {

/// What a transport asks while it waits.
class Patience {
public:
  Patience(const CollectiveSite &site, nanoseconds limit)
      : site(site), limit(limit), begin(Clock::now()) {}

  bool hasEnded() {
    if (site.stopCode && site.stopCode() != StatusCode::Ok)
      reason = site.stopCode();
    else if (Clock::now() - begin > limit)
      isLate = true;
    return isLate || reason != StatusCode::Ok;
  }
  KilnTransportWait forTransport() {
    return {[](void *self) -> int32_t {
              return static_cast<Patience *>(self)->hasEnded();
            },
            this};
  }
  Status error(std::string_view what) const {
    std::string place = strCat(site.op, " ", quote(site.name), " ", what);
    if (!isLate)
      return Status(reason, strCat("The run was ended while ", place));
    const double seconds = std::chrono::duration<double>(limit).count();
    return deadlineExceededError(strCat(place, " for ", seconds, " seconds"));
  }

private:
  const CollectiveSite &site;
  const nanoseconds limit;
  const Clock::time_point begin;
  StatusCode reason = StatusCode::Ok;
  bool isLate = false;
};

} // namespace

RankGroup::RankGroup(KilnTransport *transport, std::vector<int> ranks,
                     CollectiveTurns &turns, nanoseconds timeout)
    : transport(transport), worldRanks(std::move(ranks)), turns(turns),
      timeout(timeout) {}

RankGroup::~RankGroup() {
  std::lock_guard lock(turns.mutex);
  transport->close(transport, !turns.failure.ok());
}

StatusOr<RankGroup::Turn> RankGroup::begin(const CollectiveSite &site) {
  constexpr auto poll = std::chrono::milliseconds(10);
  Patience patience(site, timeout);
  Turn turn{std::unique_lock(turns.mutex, std::defer_lock)};
  while (!turn.lock.try_lock_for(poll))
    if (patience.hasEnded())
      return patience.error("waited for a collective of another thread");
  if (!turns.failure.ok())
    return failedPreconditionError(strCat(
        "the ranks do not communicate any more: ", turns.failure.message()));
  return turn;
}

std::string RankGroup::lateRanks() const {
  std::vector<uint8_t> isHere(static_cast<size_t>(size()));
  transport->whoIsHere(transport->self, isHere.data());
  std::vector<int> late;
  for (size_t i = 0; i < isHere.size(); ++i)
    if (!isHere[i] && static_cast<int>(i) != rank())
      late.push_back(worldRanks[i]);
  if (late.empty())
    return "on another rank";
  return strCat(late.size() == 1 ? "rank " : "ranks ", strJoin(late, ", "));
}

Status RankGroup::wait(const CollectiveSite &site, nanoseconds limit,
                       const Transfer &call) {
  Patience patience(site, limit);
  const int32_t result = call(patience.forTransport());
  if (result == kilnTransportOk)
    return okStatus();
  if (result == kilnTransportStopped)
    turns.failure = patience.error(
        strCat("on rank ", worldRanks[static_cast<size_t>(rank())],
               " waited for ", lateRanks()));
  else
    turns.failure =
        abortedError(strCat(site.op, " ", quote(site.name), " on rank ",
                            worldRanks[static_cast<size_t>(rank())], ": ",
                            transport->text(transport->self)));
  return turns.failure;
}

Status RankGroup::transfer(const CollectiveSite &site, int64_t bytes,
                           const Transfer &call) {
  return wait(site, timeout + std::chrono::microseconds(bytes), call);
}

StatusOr<std::vector<CallHeader>> RankGroup::meet(const CollectiveSite &site,
                                                  CallHeader mine,
                                                  nanoseconds limit) {
  mine.setName(site.op, site.name);
  std::vector<CallHeader> calls(static_cast<size_t>(size()));
  KILN_RETURN_IF_ERROR(wait(site, limit, [&](KilnTransportWait waiter) {
    return transport->allgather(transport->self, &mine, calls.data(),
                                sizeof mine, waiter);
  }));
  Status status = compareCalls(calls);
  if (!status.ok()) {
    // Who has ended does not come again.
    if (status.code() == StatusCode::Unknown)
      turns.failure = status;
    return status;
  }
  return calls;
}

Status RankGroup::barrier(const CollectiveSite &site) {
  KILN_ASSIGN_OR_RETURN(Turn turn, begin(site));
  return meet(site, {.kind = CallHeader::Kind::Barrier}).status();
}

bool RankGroup::shutdown() {
  const CollectiveSite site{"the end of", "the communicator"};
  auto turn = begin(site);
  if (!turn.ok())
    return false;
  auto met =
      meet(site, {.kind = CallHeader::Kind::Shutdown}, nanoseconds::max());
  if (!met.ok())
    turns.failure = met.status();
  return met.ok();
}

StatusOr<std::unique_ptr<RankGroup>>
RankGroup::makeGroup(const CollectiveSite &site, std::vector<int> ranks) {
  KILN_ASSIGN_OR_RETURN(Turn turn, begin(site));
  KILN_RETURN_IF_ERROR(
      meet(site, {.kind = CallHeader::Kind::Barrier}).status());
  std::vector<int32_t> numbers(ranks.begin(), ranks.end());
  KilnTransport *made = nullptr;
  KILN_RETURN_IF_ERROR(transfer(site, 0, [&](KilnTransportWait waiter) {
    return transport->makeGroup(transport->self, numbers.data(),
                                static_cast<int32_t>(numbers.size()), &made,
                                waiter);
  }));
  return made ? std::make_unique<RankGroup>(made, std::move(ranks), turns,
                                            timeout)
              : nullptr;
}

StatusOr<int> RankGroup::join(const CollectiveSite &site) {
  using Kind = CallHeader::Kind;
  KILN_ASSIGN_OR_RETURN(Turn turn, begin(site));
  for (int64_t calls = 0;; ++calls) {
    auto met = meet(site, {.kind = Kind::Join, .joinedCalls = calls});
    if (!met.ok() && met.status().code() == StatusCode::FailedPrecondition)
      continue; // an error of the others
    KILN_RETURN_IF_ERROR(met.status());
    auto other = std::ranges::find_if(
        *met, [](const CallHeader &call) { return call.kind != Kind::Join; });
    if (other == met->end()) {
      auto last = std::ranges::min_element(
          met->rbegin(), met->rend(), {},
          [](const CallHeader &call) { return call.joinedCalls; });
      return static_cast<int>(met->rend() - last) - 1;
    }
    if (other->kind == Kind::Allreduce)
      KILN_RETURN_IF_ERROR(addZeros(site, *other));
  }
}

} // namespace kiln
