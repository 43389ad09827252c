// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The collectives of one group of ranks, on whole tensors: each compares what
// the ranks are about to do, then moves the data.
#ifndef KILN_LIB_COLLECTIVES_RANKGROUP_H
#define KILN_LIB_COLLECTIVES_RANKGROUP_H

#include "kiln/Communicator.h"
#include "kiln/Tensor.h"
#include "lib/Collectives/CallHeader.h"

#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace kiln {

/// Who calls a collective. Borrows the texts.
struct CollectiveSite {
  std::string_view op;
  /// What must be the same on all ranks.
  std::string_view name;
  /// Asked while it waits: Ok, or the code to end with (Cancelled,
  /// DeadlineExceeded). May be empty.
  std::function<StatusCode()> stopCode = {};
};

/// What all groups of a communicator share: one collective at a time, and how
/// the first that failed did. `mutex` guards `failure`.
struct CollectiveTurns {
  std::timed_mutex mutex;
  Status failure;
};

/// **Ownership**: owns its transport, borrows the turns. **Thread safety**: all
/// functions. **Errors** of all collectives: those of compareCalls(), the same
/// on all ranks; the site's stop code; DEADLINE_EXCEEDED with the ranks that
/// did not come; ABORTED with the transport's text. After the last three no
/// group communicates any more: FAILED_PRECONDITION with the first of them.
class RankGroup {
public:
  using Tensors = StatusOr<std::vector<Tensor>>;

  /// `ranks`: the communicator's numbers of the group's, ascending.
  RankGroup(KilnTransport *transport, std::vector<int> ranks,
            CollectiveTurns &turns, std::chrono::nanoseconds timeout);
  ~RankGroup();
  RankGroup(const RankGroup &) = delete;
  RankGroup &operator=(const RankGroup &) = delete;

  int rank() const { return transport->rank; }
  int size() const { return transport->size; }
  const KilnTransport &table() const { return *transport; }
  const std::vector<int> &ranks() const { return worldRanks; }

  /// Of tensors of one dtype, all at once. **Errors**: also INVALID_ARGUMENT
  /// for Adasum of integers or on another number of ranks than a power of two.
  Tensors allreduce(const CollectiveSite &site, std::span<const Tensor> tensors,
                    ReduceOp op, double prescale, double postscale);
  /// Each becomes the concatenation along axis 0.
  Tensors allgather(const CollectiveSite &site,
                    std::span<const Tensor> tensors);
  StatusOr<Tensor> broadcast(const CollectiveSite &site, const Tensor &tensor,
                             int root);
  /// Each gets its part along axis 0, the first ranks one row more where it
  /// cannot be even.
  Tensors reduceScatter(const CollectiveSite &site,
                        std::span<const Tensor> tensors, ReduceOp op,
                        double prescale, double postscale);
  /// The tensor that comes together, and how many rows came of each rank.
  Tensors alltoall(const CollectiveSite &site, const Tensor &tensor,
                   std::span<const int32_t> rows);
  /// Takes part with zeros in what others do until all have joined; the rank
  /// that did so last.
  StatusOr<int> join(const CollectiveSite &site);
  /// Makes a group of some of these ranks; null for a rank that is none.
  StatusOr<std::unique_ptr<RankGroup>> makeGroup(const CollectiveSite &site,
                                                 std::vector<int> ranks);
  Status barrier(const CollectiveSite &site);
  /// Waits, for as long as it takes, until all ranks end; false where one does
  /// something else, or has failed.
  bool shutdown();

private:
  /// The right to communicate, while it lives.
  struct [[nodiscard]] Turn {
    std::unique_lock<std::timed_mutex> lock;
  };
  using Transfer = std::function<int32_t(KilnTransportWait)>;

  StatusOr<Turn> begin(const CollectiveSite &site);
  StatusOr<std::vector<CallHeader>> meet(const CollectiveSite &site,
                                         CallHeader mine,
                                         std::chrono::nanoseconds limit);
  StatusOr<std::vector<CallHeader>> meet(const CollectiveSite &site,
                                         CallHeader mine) {
    return meet(site, std::move(mine), timeout);
  }
  Status transfer(const CollectiveSite &site, int64_t bytes,
                  const Transfer &call);
  Status wait(const CollectiveSite &site, std::chrono::nanoseconds limit,
              const Transfer &call);
  std::string lateRanks() const;
  Tensors addAdaptively(const CollectiveSite &site,
                        std::vector<Tensor> tensors);
  StatusOr<std::vector<int64_t>> rowsOfAll(const CollectiveSite &site,
                                           std::span<const int64_t> mine);
  Status addZeros(const CollectiveSite &site, const CallHeader &call);

  KilnTransport *const transport;
  const std::vector<int> worldRanks;
  CollectiveTurns &turns;
  const std::chrono::nanoseconds timeout;
};

} // namespace kiln

#endif // KILN_LIB_COLLECTIVES_RANKGROUP_H
