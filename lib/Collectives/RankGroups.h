// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All groups of a communicator, by number.
#ifndef KILN_LIB_COLLECTIVES_RANKGROUPS_H
#define KILN_LIB_COLLECTIVES_RANKGROUPS_H

#include "lib/Collectives/RankGroup.h"

#include <map>
#include <memory>
#include <mutex>

namespace kiln {

/// A group that this rank may be in.
struct NumberedGroup {
  std::vector<int> ranks;           ///< ascending
  std::shared_ptr<RankGroup> group; ///< null where this rank is none of them
};

/// **Thread safety**: all functions; `mutex` guards `groups` and `next`.
class RankGroups {
public:
  /// Takes the transport of all ranks.
  RankGroups(KilnTransport *transport, const CommunicatorOptions &options);
  /// Waits until all ranks end.
  ~RankGroups();

  static RankGroups &of(const Communicator &communicator) {
    return *communicator.all;
  }
  static std::shared_ptr<Communicator> open(KilnTransport *transport,
                                            CommunicatorOptions options);

  RankGroup &world() const { return *theWorld; }
  StatusOr<int> add(std::vector<int> ranks);
  Status remove(int number);
  std::vector<int> numbers() const;
  /// **Errors**: NOT_FOUND.
  StatusOr<NumberedGroup> find(int number) const;

private:
  CollectiveTurns turns; ///< outlives the groups
  const std::shared_ptr<RankGroup> theWorld;
  mutable std::mutex mutex;
  std::map<int, NumberedGroup> groups;
  int next = 1;
};

} // namespace kiln

#endif // KILN_LIB_COLLECTIVES_RANKGROUPS_H
