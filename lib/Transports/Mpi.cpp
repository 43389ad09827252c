// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transport over MPI. A module of its own, because a process has one MPI, and
// its libraries differ in their binary interface: it is compiled for the one
// that the machine has.
//
// All calls that may wait for other ranks are begun, and then tested until they
// end, so that a caller can give up. Who is late is told by notices: a rank
// that waits for a second tells all others at which call it is.
#include "lib/Transports/MpiTypes.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <deque>
#include <memory>
#include <numeric>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

namespace kiln {
namespace {

using Clock = std::chrono::steady_clock;

/// How many groups of all ranks are in use, and whether one has failed: then
/// MPI cannot be finalized, which would wait for the others.
int openWorlds = 0;
bool hasFailed = false;
bool isOurs = false; ///< who begins MPI ends it

struct Notice {
  int64_t call;
  MPI_Request request;
};

struct Group {
  MPI_Comm data = MPI_COMM_NULL, notices = MPI_COMM_NULL;
  bool isWorld = false;
  int rank = 0, size = 0;
  int64_t call = 0;                ///< counts, alike on all ranks
  std::vector<int64_t> callOfRank; ///< as far as notices told
  std::deque<Notice> sent;
  std::string text;

  int32_t fail(int code) {
    char message[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, message, &length);
    text.assign(message, static_cast<size_t>(length));
    return kilnTransportFailed;
  }
  int32_t refuse(const char *why) {
    text = why;
    return kilnTransportFailed;
  }

  void takeNotices() {
    int isThere = 0;
    MPI_Status from;
    while (MPI_Iprobe(MPI_ANY_SOURCE, 0, notices, &isThere, &from) ==
               MPI_SUCCESS &&
           isThere) {
      int64_t call = 0;
      MPI_Recv(&call, 1, MPI_INT64_T, from.MPI_SOURCE, 0, notices,
               MPI_STATUS_IGNORE);
      callOfRank[static_cast<size_t>(from.MPI_SOURCE)] = call;
    }
    int hasEnded = 1;
    while (!sent.empty() && hasEnded) {
      MPI_Test(&sent.front().request, &hasEnded, MPI_STATUS_IGNORE);
      if (hasEnded)
        sent.pop_front();
    }
  }
  void tellOthers() {
    for (int other = 0; other < size; ++other) {
      if (other == rank)
        continue;
      Notice &notice = sent.emplace_back(Notice{call, MPI_REQUEST_NULL});
      MPI_Isend(&notice.call, 1, MPI_INT64_T, other, 0, notices,
                &notice.request);
    }
  }

  /// Tests a request that was begun until it ends. `isShort`: little data, so
  /// that what it waits for is a rank; after a moment it lets others have the
  /// processor.
  int32_t await(int begun, MPI_Request &request, bool isShort,
                KilnTransportWait wait) {
    if (begun != MPI_SUCCESS)
      return fail(begun);
    const Clock::time_point begin = Clock::now();
    bool hasTold = false;
    for (int tests = 0;; ++tests) {
      int hasEnded = 0;
      if (int code = MPI_Test(&request, &hasEnded, MPI_STATUS_IGNORE))
        return fail(code);
      if (hasEnded)
        return kilnTransportOk;
      if (tests % 64 != 63) {
        sched_yield();
        continue;
      }
      if (wait.mustStop(wait.context))
        return kilnTransportStopped;
      const auto passed = Clock::now() - begin;
      if (!hasTold && passed > std::chrono::seconds(1)) {
        hasTold = true;
        tellOthers();
      }
      if (hasTold)
        takeNotices();
      if (isShort && passed > std::chrono::milliseconds(1))
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }
};

Group &groupOf(void *self) { return *static_cast<Group *>(self); }

constexpr int64_t shortBytes = 1 << 16;
/// What one call of MPI moves at most: its counts are ints.
constexpr int64_t mostElements = INT64_C(1) << 30;

/// Counts and places of parts that lie one behind the other; false where they
/// are no ints.
bool placeParts(const int64_t *sizes, int count, std::vector<int> &counts,
                std::vector<int> &places) {
  int64_t place = 0;
  for (int i = 0; i < count; ++i) {
    if (sizes[i] > INT_MAX || place > INT_MAX)
      return false;
    counts.push_back(static_cast<int>(sizes[i]));
    places.push_back(static_cast<int>(place));
    place += sizes[i];
  }
  return true;
}

int32_t allgather(void *self, const void *in, void *out, int64_t bytes,
                  KilnTransportWait wait) {
  Group &group = groupOf(self);
  if (bytes > INT_MAX / group.size)
    return group.refuse("expected at most 2 GiB together");
  ++group.call;
  group.takeNotices();
  MPI_Request request;
  const int count = static_cast<int>(bytes);
  const int begun = MPI_Iallgather(in, count, MPI_BYTE, out, count, MPI_BYTE,
                                   group.data, &request);
  return group.await(begun, request, bytes * group.size <= shortBytes, wait);
}

int32_t broadcast(void *self, void *data, int64_t bytes, int32_t root,
                  KilnTransportWait wait) {
  Group &group = groupOf(self);
  ++group.call;
  for (int64_t begin = 0; begin < bytes; begin += mostElements) {
    const int count = static_cast<int>(std::min(mostElements, bytes - begin));
    MPI_Request request;
    const int begun = MPI_Ibcast(static_cast<char *>(data) + begin, count,
                                 MPI_BYTE, root, group.data, &request);
    if (int32_t ended = group.await(begun, request, bytes <= shortBytes, wait))
      return ended;
  }
  return kilnTransportOk;
}

int32_t allgatherv(void *self, const void *in, void *out, const int64_t *bytes,
                   KilnTransportWait wait) {
  Group &group = groupOf(self);
  std::vector<int> counts, places;
  if (!placeParts(bytes, group.size, counts, places)) {
    char *place = static_cast<char *>(out);
    for (int rank = 0; rank < group.size; place += bytes[rank++]) {
      if (rank == group.rank)
        std::copy_n(static_cast<const char *>(in), bytes[rank], place);
      if (int32_t ended = broadcast(self, place, bytes[rank], rank, wait))
        return ended;
    }
    return kilnTransportOk;
  }
  ++group.call;
  MPI_Request request;
  const int begun = MPI_Iallgatherv(in, counts[static_cast<size_t>(group.rank)],
                                    MPI_BYTE, out, counts.data(), places.data(),
                                    MPI_BYTE, group.data, &request);
  return group.await(begun, request, false, wait);
}

int32_t allreduce(void *self, void *data, int64_t count, int32_t dtype,
                  int32_t reduction, KilnTransportWait wait) {
  Group &group = groupOf(self);
  const MpiType type = mpiTypeOf(dtype);
  if (type.bytes == 0)
    return group.refuse("expected elements that MPI reduces");
  ++group.call;
  for (int64_t begin = 0; begin < count; begin += mostElements) {
    const int part = static_cast<int>(std::min(mostElements, count - begin));
    MPI_Request request;
    const int begun = MPI_Iallreduce(
        MPI_IN_PLACE, static_cast<char *>(data) + begin * type.bytes, part,
        type.type, mpiOpOf(dtype, reduction), group.data, &request);
    if (int32_t ended =
            group.await(begun, request, part * type.bytes <= shortBytes, wait))
      return ended;
  }
  return kilnTransportOk;
}

int32_t reduceScatter(void *self, const void *in, void *out,
                      const int64_t *counts, int32_t dtype, int32_t reduction,
                      KilnTransportWait wait) {
  Group &group = groupOf(self);
  const MpiType type = mpiTypeOf(dtype);
  std::vector<int> parts, places;
  if (type.bytes == 0 || !placeParts(counts, group.size, parts, places))
    return group.refuse("expected at most 2^31 elements that MPI reduces");
  ++group.call;
  MPI_Request request;
  const int begun =
      MPI_Ireduce_scatter(in, out, parts.data(), type.type,
                          mpiOpOf(dtype, reduction), group.data, &request);
  return group.await(begun, request, false, wait);
}

int32_t alltoallv(void *self, const void *in, const int64_t *sent, void *out,
                  const int64_t *received, KilnTransportWait wait) {
  Group &group = groupOf(self);
  std::vector<int> sendCounts, sendPlaces, takeCounts, takePlaces;
  if (!placeParts(sent, group.size, sendCounts, sendPlaces) ||
      !placeParts(received, group.size, takeCounts, takePlaces))
    return group.refuse("expected at most 2 GiB of a rank");
  ++group.call;
  MPI_Request request;
  const int begun = MPI_Ialltoallv(
      in, sendCounts.data(), sendPlaces.data(), MPI_BYTE, out,
      takeCounts.data(), takePlaces.data(), MPI_BYTE, group.data, &request);
  return group.await(begun, request, false, wait);
}

void whoIsHere(void *self, uint8_t *isHere) {
  Group &group = groupOf(self);
  group.takeNotices();
  for (int rank = 0; rank < group.size; ++rank)
    isHere[rank] = group.callOfRank[static_cast<size_t>(rank)] == group.call;
}

void close(KilnTransport *transport, int32_t failed) {
  std::unique_ptr<Group> group(&groupOf(transport->self));
  delete transport;
  hasFailed |= failed != 0;
  openWorlds -= group->isWorld;
  if (failed)
    return;
  group->takeNotices();
  MPI_Comm_free(&group->notices);
  MPI_Comm_free(&group->data);
}

/// The table of one group; takes the communicator.
KilnTransport *makeTable(MPI_Comm comm, bool isWorld);

int32_t makeGroup(void *self, const int32_t *ranks, int32_t count,
                  KilnTransport **made, KilnTransportWait) {
  Group &group = groupOf(self);
  const bool isIn =
      std::find(ranks, ranks + count, group.rank) != ranks + count;
  MPI_Comm comm = MPI_COMM_NULL;
  if (int code = MPI_Comm_split(group.data, isIn ? 0 : MPI_UNDEFINED,
                                group.rank, &comm))
    return group.fail(code);
  *made = isIn ? makeTable(comm, false) : nullptr;
  return kilnTransportOk;
}

struct Place {
  int rank = 0, size = 1;
};
Place placeIn(MPI_Comm comm) {
  Place place;
  MPI_Comm_rank(comm, &place.rank);
  MPI_Comm_size(comm, &place.size);
  return place;
}

KilnTransport *makeTable(MPI_Comm comm, bool isWorld) {
  auto *group = new Group;
  group->data = comm;
  group->isWorld = isWorld;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_dup(comm, &group->notices);
  const Place all = placeIn(comm);
  group->rank = all.rank;
  group->size = all.size;
  group->callOfRank.assign(static_cast<size_t>(all.size), 0);
  MPI_Comm machine, across;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, all.rank, MPI_INFO_NULL,
                      &machine);
  const Place local = placeIn(machine);
  MPI_Comm_split(comm, local.rank, all.rank, &across);
  const Place cross = placeIn(across);
  MPI_Comm_free(&machine);
  MPI_Comm_free(&across);
  return new KilnTransport{
      .version = kilnTransportVersion,
      .rank = all.rank,
      .size = all.size,
      .localRank = local.rank,
      .localSize = local.size,
      .crossRank = cross.rank,
      .crossSize = cross.size,
      .self = group,
      .allgather = allgather,
      .allgatherv = allgatherv,
      .allreduce = allreduce,
      .broadcast = broadcast,
      .reduceScatter = reduceScatter,
      .alltoallv = alltoallv,
      .whoIsHere = whoIsHere,
      .makeGroup = makeGroup,
      .text = [](void *self) { return groupOf(self).text.c_str(); },
      .close = close,
  };
}

/// Where a rank ends without it, the launcher ends the others: what is wanted
/// of one that has failed.
void finalizeAtExit() {
  int isFinalized = 0;
  MPI_Finalized(&isFinalized);
  if (isOurs && !isFinalized && openWorlds == 0 && !hasFailed)
    MPI_Finalize();
}

} // namespace
} // namespace kiln

extern "C" [[gnu::visibility("default")]] KilnTransport *
kilnOpenTransport(int32_t version, const char **text) {
  using namespace kiln;
  int isThere = 0, isFinalized = 0, threads = MPI_THREAD_SINGLE;
  MPI_Finalized(&isFinalized);
  MPI_Initialized(&isThere);
  if (version != kilnTransportVersion) {
    *text = "made for another version of Kiln";
  } else if (isFinalized) {
    *text = "MPI has been finalized";
  } else if (openWorlds > 0) {
    *text = "the process communicates over MPI already";
  } else {
    if (isThere)
      MPI_Query_thread(&threads);
    else if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &threads) ==
             MPI_SUCCESS) {
      isOurs = true;
      std::atexit(finalizeAtExit);
    }
    if (threads >= MPI_THREAD_SERIALIZED) {
      MPI_Comm world;
      MPI_Comm_dup(MPI_COMM_WORLD, &world);
      ++openWorlds;
      return makeTable(world, true);
    }
    *text = "MPI does not let any thread call it (MPI_THREAD_SERIALIZED)";
  }
  return nullptr;
}
