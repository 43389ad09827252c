// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages for linked code: a few large reservations, cut into one area a
// protection, for all executables of the process.
#ifndef KILN_LIB_LOADER_CODEMEMORY_H
#define KILN_LIB_LOADER_CODEMEMORY_H

#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"

#include <atomic>
#include <map>
#include <memory>
#include <vector>

namespace kiln {

/// A JITLink memory manager without a map an executable.
///
/// A region is one reservation with three areas: code (read, execute),
/// constants (read) and data (read, write). Pages of an allocation are writable
/// while it is linked and get their area's protection afterwards, which they
/// keep when they are freed; so a region stays at about seven maps whatever
/// comes and goes. All parts of an allocation lie in one region, where
/// PC-relative references reach.
///
/// Invariants: (1) no page is writable and executable at once; (2) freed code
/// is filled with traps; (3) one empty region is kept, others are unmapped.
/// Thread safety: bytesInUse() any thread; all else the owner's, which has a
/// lock that fork() waits for (OrcSession).
class CodeMemory final : public llvm::jitlink::JITLinkMemoryManager {
public:
  CodeMemory();
  ~CodeMemory() override;

  void allocate(const llvm::jitlink::JITLinkDylib *dylib,
                llvm::jitlink::LinkGraph &graph,
                OnAllocatedFunction onAllocated) override;
  using JITLinkMemoryManager::allocate;
  void deallocate(std::vector<FinalizedAlloc> allocations,
                  OnDeallocatedFunction onDeallocated) override;
  using JITLinkMemoryManager::deallocate;

  /// Bytes of the pages that allocations hold now.
  size_t bytesInUse() const { return used.load(std::memory_order_relaxed); }

private:
  class InFlight;
  struct Region;
  enum Area { Code, Constants, Data, numAreas };
  struct Span {
    char *begin = nullptr;
    size_t size = 0;
  };
  /// What a finalized allocation's address points to.
  struct Allocation {
    Region *region = nullptr;
    Span spans[numAreas];
    std::vector<llvm::orc::shared::WrapperFunctionCall> deallocActions;
    size_t bytes() const;
  };

  llvm::Expected<std::unique_ptr<Allocation>>
  reserve(const size_t (&sizes)[numAreas]);
  llvm::Error protect(const Allocation &allocation);
  /// Fills the code with traps and gives the pages back.
  llvm::Error release(const Allocation &allocation);

  const size_t pageSize;
  std::vector<std::unique_ptr<Region>> regions;
  std::atomic<size_t> used = 0;
};

} // namespace kiln

#endif // KILN_LIB_LOADER_CODEMEMORY_H
