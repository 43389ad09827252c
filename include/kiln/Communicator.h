// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes, called ranks, that train one model together.
#ifndef KILN_COMMUNICATOR_H
#define KILN_COMMUNICATOR_H

#include "kiln/CollectiveTransport.h"
#include "kiln/Export.h"
#include "kiln/Status.h"

#include <chrono>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kiln {

class RankGroup;
class RankGroups;

struct CommunicatorOptions {
  /// How long a collective waits for a rank that does not come to it, and for
  /// one that stops in the middle of it (there a second more for each
  /// megabyte): DEADLINE_EXCEEDED.
  std::chrono::nanoseconds timeout = std::chrono::seconds(60);
};

/// What the ops of Horovod (HorovodAllreduce ...) in a session's graph
/// communicate through. All ranks run the same graphs in the same order; each
/// collective first compares what the ranks are about to do, and where that is
/// not the same it is FAILED_PRECONDITION on all of them.
///
/// **Thread safety**: all functions. Runs of several threads whose collectives
/// are not in the same order on all ranks are that error, or wait for each
/// other until the timeout.
class KILN_EXPORT Communicator {
public:
  /// One rank, which communicates with nobody.
  static std::shared_ptr<Communicator> alone();
  /// Loads a transport: "mpi" is libkiln-mpi.so beside Kiln's own library, a
  /// name with a slash is a path. A process loads one once.
  /// **Errors**: NOT_FOUND, with the loader's text; FAILED_PRECONDITION with
  /// the module's, and for one that another version of Kiln was built with.
  static StatusOr<std::shared_ptr<Communicator>>
  load(std::string_view transport, CommunicatorOptions options = {});
  /// Takes a transport that the program has made. **Errors**:
  /// FAILED_PRECONDITION for one of another version.
  static StatusOr<std::shared_ptr<Communicator>>
  over(KilnTransport *transport, CommunicatorOptions options = {});

  /// What sessions use that were made without one: alone() at first.
  static std::shared_ptr<Communicator> ofProcess();
  static void setOfProcess(std::shared_ptr<Communicator> communicator);

  /// Waits for the collective that is under way.
  ~Communicator();
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  int rank() const;
  int size() const;
  int localRank() const; ///< among the ranks of this machine
  int localSize() const;
  int crossRank() const; ///< the machine's number
  int crossSize() const; ///< how many machines

  /// Makes a group of some ranks, and returns its number, by which ops name it
  /// (process_set_id); 0 is all ranks. Called by all ranks, with the same
  /// ranks, in any order of them.
  /// **Errors**: INVALID_ARGUMENT for ranks that do not exist or stand twice;
  /// ALREADY_EXISTS for a group of these ranks; those of a collective.
  StatusOr<int> addGroup(std::span<const int> ranks);
  /// **Errors**: NOT_FOUND; INVALID_ARGUMENT for group 0.
  Status removeGroup(int group);
  /// All groups, in ascending order.
  std::vector<int> groups() const;
  /// A group's ranks, in ascending order. **Errors**: NOT_FOUND.
  StatusOr<std::vector<int>> ranksOf(int group) const;

private:
  friend class RankGroups;
  explicit Communicator(std::unique_ptr<RankGroups> groups);

  std::unique_ptr<RankGroups> all;
};

} // namespace kiln

#endif // KILN_COMMUNICATOR_H
