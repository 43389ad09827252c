// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function is: show what there is, meet, take of the others, meet again.
#include "test/unit/Collectives/ThreadWorld.h"

#include "kiln/Tensor.h"
#include "lib/Support/DTypeDispatch.h"
#include "test/unit/Together.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>

namespace kiln::testing {
namespace {

/// Where the ranks of a group meet. `mutex` guards all.
struct Meeting {
  explicit Meeting(int size)
      : size(size), data(size_t(size)), sizes(size_t(size)),
        isHere(size_t(size)) {}

  const int size;
  std::mutex mutex;
  std::condition_variable changed;
  int arrived = 0;
  uint64_t generation = 0;
  std::vector<const void *> data;     ///< what ranks show
  std::vector<const int64_t *> sizes; ///< of what goes where
  std::vector<uint8_t> isHere;
  std::map<std::vector<int>, std::shared_ptr<Meeting>> groups;

  /// False: the rank has given up.
  bool meet(int rank, KilnTransportWait wait) {
    std::unique_lock lock(mutex);
    isHere[size_t(rank)] = 1;
    const uint64_t mine = generation;
    if (++arrived == size) {
      arrived = 0;
      ++generation;
      std::ranges::fill(isHere, 0);
      changed.notify_all();
      return true;
    }
    while (generation == mine) {
      changed.wait_for(lock, std::chrono::milliseconds(1));
      if (generation == mine && wait.mustStop(wait.context))
        return false;
    }
    return true;
  }
};

struct End {
  std::shared_ptr<Meeting> meeting;
  int rank;
};

End &endOf(void *self) { return *static_cast<End *>(self); }

template <class Take>
int32_t exchange(void *self, const void *data, const int64_t *sizes,
                 KilnTransportWait wait, Take take) {
  End &end = endOf(self);
  {
    std::lock_guard lock(end.meeting->mutex);
    end.meeting->data[size_t(end.rank)] = data;
    end.meeting->sizes[size_t(end.rank)] = sizes;
  }
  if (!end.meeting->meet(end.rank, wait))
    return kilnTransportStopped;
  take(*end.meeting, size_t(end.rank));
  return end.meeting->meet(end.rank, wait) ? kilnTransportOk
                                           : kilnTransportStopped;
}

void copy(char *&to, const void *from, int64_t bytes) {
  if (bytes > 0)
    std::memcpy(to, from, size_t(bytes));
  to += bytes;
}

template <class T> T combine(int32_t reduction, T a, T b) {
  if (reduction == kilnReductionMin)
    return b < a ? b : a;
  if (reduction == kilnReductionMax)
    return a < b ? b : a;
  return static_cast<T>(reduction == kilnReductionSum ? a + b : a * b);
}
Half combine(int32_t reduction, Half a, Half b) {
  return Half(combine(reduction, static_cast<float>(a), static_cast<float>(b)));
}

/// Elements [begin, begin + count) of all, in the order of ranks.
std::vector<char> reduced(const Meeting &meeting, int64_t begin, int64_t count,
                          int32_t dtype, int32_t reduction) {
  const auto type = static_cast<DType>(dtype);
  std::vector<char> result(size_t(count) * dtypeSize(type));
  dispatchElement(type, [&]<class T>(T) {
    if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, BFloat16>) {
      auto *to = reinterpret_cast<T *>(result.data());
      for (size_t rank = 0; rank < meeting.data.size(); ++rank) {
        const T *from = static_cast<const T *>(meeting.data[rank]) + begin;
        for (int64_t i = 0; i < count; ++i)
          to[i] = rank == 0 ? from[i] : combine(reduction, to[i], from[i]);
      }
    }
    return 0;
  });
  return result;
}

KilnTransport *makeEnd(std::shared_ptr<Meeting> meeting, int rank);

int32_t makeGroup(void *self, const int32_t *ranks, int32_t count,
                  KilnTransport **made, KilnTransportWait wait) {
  End &end = endOf(self);
  const std::vector<int> wanted(ranks, ranks + count);
  auto place = std::ranges::find(wanted, end.rank);
  *made = nullptr;
  if (place != wanted.end()) {
    std::lock_guard lock(end.meeting->mutex);
    std::shared_ptr<Meeting> &group = end.meeting->groups[wanted];
    group = group ? group : std::make_shared<Meeting>(count);
    *made = makeEnd(group, static_cast<int>(place - wanted.begin()));
  }
  return exchange(self, nullptr, nullptr, wait, [&](Meeting &, size_t rank) {
    if (rank != 0)
      return;
    std::lock_guard lock(end.meeting->mutex);
    end.meeting->groups.clear();
  });
}

void close(KilnTransport *transport, int32_t) {
  delete static_cast<End *>(transport->self);
  delete transport;
}

void whoIsHere(void *self, uint8_t *isHere) {
  End &end = endOf(self);
  std::lock_guard lock(end.meeting->mutex);
  std::ranges::copy(end.meeting->isHere, isHere);
}

int32_t allreduce(void *self, void *data, int64_t count, int32_t dtype,
                  int32_t reduction, KilnTransportWait wait) {
  std::vector<char> result;
  int32_t ended = exchange(self, data, nullptr, wait, [&](Meeting &m, size_t) {
    result = reduced(m, 0, count, dtype, reduction);
  });
  if (ended == kilnTransportOk && !result.empty())
    std::memcpy(data, result.data(), result.size());
  return ended;
}

KilnTransport *makeEnd(std::shared_ptr<Meeting> meeting, int rank) {
  const int size = meeting->size;
  return new KilnTransport{
      .version = kilnTransportVersion,
      .rank = rank,
      .size = size,
      .localRank = rank,
      .localSize = size,
      .crossRank = 0,
      .crossSize = 1,
      .self = new End{std::move(meeting), rank},
      .allgather =
          [](void *self, const void *in, void *out, int64_t bytes,
             KilnTransportWait wait) {
            return exchange(self, in, nullptr, wait, [&](Meeting &m, size_t) {
              char *to = static_cast<char *>(out);
              for (const void *from : m.data)
                copy(to, from, bytes);
            });
          },
      .allgatherv =
          [](void *self, const void *in, void *out, const int64_t *bytes,
             KilnTransportWait wait) {
            return exchange(self, in, nullptr, wait, [&](Meeting &m, size_t) {
              char *to = static_cast<char *>(out);
              for (size_t r = 0; r < m.data.size(); ++r)
                copy(to, m.data[r], bytes[r]);
            });
          },
      .allreduce = allreduce,
      .broadcast =
          [](void *self, void *data, int64_t bytes, int32_t root,
             KilnTransportWait wait) {
            return exchange(self, data, nullptr, wait,
                            [&](Meeting &m, size_t rank) {
                              char *to = static_cast<char *>(data);
                              if (rank != size_t(root))
                                copy(to, m.data[size_t(root)], bytes);
                            });
          },
      .reduceScatter =
          [](void *self, const void *in, void *out, const int64_t *counts,
             int32_t dtype, int32_t reduction, KilnTransportWait wait) {
            return exchange(
                self, in, nullptr, wait, [&](Meeting &m, size_t rank) {
                  std::vector<char> part = reduced(
                      m, std::accumulate(counts, counts + rank, int64_t(0)),
                      counts[rank], dtype, reduction);
                  char *to = static_cast<char *>(out);
                  copy(to, part.data(), static_cast<int64_t>(part.size()));
                });
          },
      .alltoallv =
          [](void *self, const void *in, const int64_t *sent, void *out,
             const int64_t *received, KilnTransportWait wait) {
            return exchange(self, in, sent, wait, [&](Meeting &m, size_t rank) {
              char *to = static_cast<char *>(out);
              for (size_t r = 0; r < m.data.size(); ++r)
                copy(to,
                     static_cast<const char *>(m.data[r]) +
                         std::accumulate(m.sizes[r], m.sizes[r] + rank,
                                         int64_t(0)),
                     received[r]);
            });
          },
      .whoIsHere = whoIsHere,
      .makeGroup = makeGroup,
      .text = [](void *) { return "a thread has failed"; },
      .close = close,
  };
}

} // namespace

std::vector<KilnTransport *> makeThreadWorld(int size) {
  auto meeting = std::make_shared<Meeting>(size);
  std::vector<KilnTransport *> ends;
  for (int rank = 0; rank < size; ++rank)
    ends.push_back(makeEnd(meeting, rank));
  return ends;
}

void asRanks(
    int size, CommunicatorOptions options,
    const std::function<void(int, std::shared_ptr<Communicator>)> &fn) {
  std::vector<KilnTransport *> ends = makeThreadWorld(size);
  together(size, [&](int rank) {
    fn(rank, *Communicator::over(ends[size_t(rank)], options));
  });
}

} // namespace kiln::testing
