// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators: made of a transport that a module brings, and the process's.
#include "kiln/Communicator.h"

#include "lib/Collectives/AloneTransport.h"
#include "lib/Collectives/RankGroups.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <dlfcn.h>

namespace kiln {
namespace {

/// A transport without a path lies beside this library.
std::string pathOf(std::string_view transport) {
  if (transport.find('/') != transport.npos)
    return std::string(transport);
  Dl_info info;
  std::string_view library;
  if (dladdr(reinterpret_cast<void *>(&pathOf), &info) != 0)
    library = info.dli_fname;
  return strCat(library.substr(0, library.rfind('/') + 1), "libkiln-",
                transport, ".so");
}

struct ProcessCommunicator {
  std::mutex mutex;
  std::shared_ptr<Communicator> current = Communicator::alone();
};

ProcessCommunicator &processCommunicator() {
  static ProcessCommunicator &communicator = *new ProcessCommunicator;
  return communicator;
}

} // namespace

Communicator::Communicator(std::unique_ptr<RankGroups> groups)
    : all(std::move(groups)) {}
Communicator::~Communicator() = default;

std::shared_ptr<Communicator> RankGroups::open(KilnTransport *transport,
                                               CommunicatorOptions options) {
  return std::shared_ptr<Communicator>(
      new Communicator(std::make_unique<RankGroups>(transport, options)));
}

std::shared_ptr<Communicator> Communicator::alone() {
  return RankGroups::open(makeAloneTransport(), {});
}

StatusOr<std::shared_ptr<Communicator>>
Communicator::over(KilnTransport *transport, CommunicatorOptions options) {
  if (transport->version != kilnTransportVersion)
    return failedPreconditionError(strCat("expected a transport of version ",
                                          kilnTransportVersion, ", got ",
                                          transport->version));
  return RankGroups::open(transport, options);
}

StatusOr<std::shared_ptr<Communicator>>
Communicator::load(std::string_view transport, CommunicatorOptions options) {
  const std::string path = pathOf(transport);
  // The libraries of MPI load parts of their own, which look for its symbols.
  void *module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void *entry = module ? dlsym(module, "kilnOpenTransport") : nullptr;
  if (!entry) {
    const char *reason = dlerror();
    return notFoundError(
        strCat("loading ", path, ": ", reason ? reason : "no transport"));
  }
  const char *text = "";
  KilnTransport *table =
      reinterpret_cast<KilnOpenTransport *>(entry)(kilnTransportVersion, &text);
  if (!table)
    return failedPreconditionError(strCat(path, ": ", text));
  return over(table, options);
}

std::shared_ptr<Communicator> Communicator::ofProcess() {
  ProcessCommunicator &process = processCommunicator();
  std::lock_guard lock(process.mutex);
  return process.current;
}

void Communicator::setOfProcess(std::shared_ptr<Communicator> communicator) {
  ProcessCommunicator &process = processCommunicator();
  if (!communicator)
    communicator = alone();
  std::lock_guard lock(process.mutex);
  process.current.swap(communicator);
  // The old one may wait for its ranks when it goes, behind the lock.
}

int Communicator::rank() const { return all->world().rank(); }
int Communicator::size() const { return all->world().size(); }
int Communicator::localRank() const { return all->world().table().localRank; }
int Communicator::localSize() const { return all->world().table().localSize; }
int Communicator::crossRank() const { return all->world().table().crossRank; }
int Communicator::crossSize() const { return all->world().table().crossSize; }

StatusOr<int> Communicator::addGroup(std::span<const int> ranks) {
  return all->add({ranks.begin(), ranks.end()});
}
Status Communicator::removeGroup(int group) { return all->remove(group); }
std::vector<int> Communicator::groups() const { return all->numbers(); }
StatusOr<std::vector<int>> Communicator::ranksOf(int group) const {
  KILN_ASSIGN_OR_RETURN(NumberedGroup found, all->find(group));
  return found.ranks;
}

} // namespace kiln
