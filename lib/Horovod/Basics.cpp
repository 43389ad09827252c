// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that Horovod's Python calls of its C library (its file
// horovod/common/basics.py), on Kiln's communicator. Numbers of errors and of
// reductions are Horovod's.
#include "kiln/Communicator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

using kiln::Communicator;

namespace {

constexpr int notInitialized = -1, notDynamic = -2, unknownSet = -3,
              foreignSet = -4, hasShutDown = -5, existingSet = -6;

bool isInitialized = false;

void say(const kiln::Status &status) {
  std::fprintf(stderr, "kiln.horovod: %s\n", status.toString().c_str());
}

/// Whether a launcher of MPI, or Slurm, has started this process as one of
/// several.
bool isLaunched() {
  return std::ranges::any_of(
      std::initializer_list<const char *>{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                          "PMIX_RANK", "MPI_LOCALNRANKS"},
      [](const char *name) { return std::getenv(name) != nullptr; });
}

kiln::StatusOr<std::shared_ptr<Communicator>> open() {
  if (!isLaunched())
    return Communicator::alone();
  kiln::CommunicatorOptions options;
  if (const char *seconds = std::getenv("KILN_COLLECTIVE_TIMEOUT"))
    if (double limit = std::atof(seconds); limit > 0 && limit < 1e9)
      options.timeout = std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::duration<double>(limit));
  const char *transport = std::getenv("KILN_TRANSPORT");
  return Communicator::load(transport ? transport : "mpi", options);
}

/// A number of the communicator, or that there is none.
template <class Number> int ask(Number number) {
  return isInitialized ? number(*Communicator::ofProcess()) : notInitialized;
}

kiln::StatusOr<std::vector<int>> ranksOf(int set) {
  return Communicator::ofProcess()->ranksOf(set);
}

} // namespace

#define KILN_C extern "C" [[gnu::visibility("default")]]

KILN_C bool horovod_init(const int *ranks, int numRanks, const int *setRanks,
                         const int *setSizes, int numSets) {
  if (isInitialized)
    return true;
  auto opened = open();
  if (!opened.ok()) {
    say(opened.status());
    return false;
  }
  if (numRanks > 0 && numRanks != (*opened)->size()) {
    say(kiln::unimplementedError("expected all ranks, got some of them"));
    return false;
  }
  for (int set = 0; set < numSets; setRanks += setSizes[set++]) {
    auto made = (*opened)->addGroup(
        {setRanks, static_cast<size_t>(std::max(setSizes[set], 0))});
    if (!made.ok() && made.status().code() != kiln::StatusCode::AlreadyExists) {
      say(made.status());
      return false;
    }
  }
  Communicator::setOfProcess(*std::move(opened));
  return isInitialized = true;
}

KILN_C void horovod_shutdown() {
  if (!isInitialized)
    return;
  isInitialized = false;
  Communicator::setOfProcess(nullptr);
}

KILN_C int horovod_is_initialized() { return isInitialized; }
KILN_C int horovod_start_timeline(const char *, bool) {
  return isInitialized ? 0 : notInitialized;
}
KILN_C int horovod_stop_timeline() {
  return isInitialized ? 0 : notInitialized;
}

KILN_C int horovod_rank() {
  return ask([](const Communicator &all) { return all.rank(); });
}
KILN_C int horovod_size() {
  return ask([](const Communicator &all) { return all.size(); });
}
KILN_C int horovod_local_rank() {
  return ask([](const Communicator &all) { return all.localRank(); });
}
KILN_C int horovod_local_size() {
  return ask([](const Communicator &all) { return all.localSize(); });
}
KILN_C int horovod_cross_rank() {
  return ask([](const Communicator &all) { return all.crossRank(); });
}
KILN_C int horovod_cross_size() {
  return ask([](const Communicator &all) { return all.crossSize(); });
}
KILN_C bool horovod_is_homogeneous() {
  return isInitialized &&
         horovod_local_size() * horovod_cross_size() == horovod_size();
}
KILN_C int horovod_mpi_threads_supported() {
  return isInitialized ? 1 : notInitialized;
}

// What it is built with.
KILN_C bool horovod_mpi_enabled() { return true; }
KILN_C bool horovod_mpi_built() { return true; }
KILN_C bool horovod_gloo_enabled() { return false; }
KILN_C bool horovod_gloo_built() { return false; }
KILN_C int horovod_nccl_built() { return 0; }
KILN_C bool horovod_ddl_built() { return false; }
KILN_C bool horovod_ccl_built() { return false; }
KILN_C bool horovod_cuda_built() { return false; }
KILN_C bool horovod_rocm_built() { return false; }

KILN_C int horovod_reduce_op_average() { return 0; }
KILN_C int horovod_reduce_op_sum() { return 1; }
KILN_C int horovod_reduce_op_adasum() { return 2; }
KILN_C int horovod_reduce_op_min() { return 3; }
KILN_C int horovod_reduce_op_max() { return 4; }
KILN_C int horovod_reduce_op_product() { return 5; }

KILN_C int horovod_add_process_set(const int *ranks, int numRanks) {
  if (!isInitialized)
    return notInitialized;
  if (!std::getenv("HOROVOD_DYNAMIC_PROCESS_SETS"))
    return notDynamic;
  auto made = Communicator::ofProcess()->addGroup(
      {ranks, static_cast<size_t>(std::max(numRanks, 0))});
  if (made.ok())
    return *made;
  if (made.status().code() == kiln::StatusCode::AlreadyExists)
    return existingSet;
  say(made.status());
  return hasShutDown;
}

KILN_C int horovod_remove_process_set(int set) {
  if (!isInitialized)
    return notInitialized;
  if (!std::getenv("HOROVOD_DYNAMIC_PROCESS_SETS"))
    return notDynamic;
  if (!ranksOf(set).ok())
    return unknownSet;
  kiln::Status removed = Communicator::ofProcess()->removeGroup(set);
  if (removed.ok())
    return set;
  say(removed);
  return hasShutDown;
}

KILN_C int horovod_process_set_size(int set) {
  if (!isInitialized)
    return notInitialized;
  auto ranks = ranksOf(set);
  return ranks.ok() ? static_cast<int>(ranks->size()) : unknownSet;
}
KILN_C int horovod_process_set_rank(int set) {
  if (!isInitialized)
    return notInitialized;
  auto ranks = ranksOf(set);
  if (!ranks.ok())
    return unknownSet;
  auto place = std::ranges::find(*ranks, horovod_rank());
  return place == ranks->end() ? foreignSet
                               : static_cast<int>(place - ranks->begin());
}
KILN_C int horovod_process_set_included(int set) {
  const int place = horovod_process_set_rank(set);
  return place == foreignSet ? 0 : place < 0 ? place : 1;
}
KILN_C int horovod_number_of_process_sets() {
  return static_cast<int>(Communicator::ofProcess()->groups().size());
}
KILN_C void horovod_process_set_ids(int *ids) {
  std::ranges::copy(Communicator::ofProcess()->groups(), ids);
}
KILN_C int horovod_process_set_ranks(int set, int *ranks) {
  if (!isInitialized)
    return notInitialized;
  auto found = ranksOf(set);
  if (!found.ok())
    return unknownSet;
  std::ranges::copy(*found, ranks);
  return 0;
}
