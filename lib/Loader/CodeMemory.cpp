// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts reservations into spans of pages and moves them between writable and
// final protection.
#include "lib/Loader/CodeMemory.h"

#include "lib/Support/DataMemory.h"

#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/Support/MathExtras.h"

#include <cerrno>
#include <cstring>
#include <numeric>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

using namespace llvm;

namespace kiln {
namespace {

/// Room for several thousand small executables in one reservation; address
/// space alone, until pages are used.
constexpr size_t defaultAreaBytes[] = {size_t(32) << 20, size_t(24) << 20,
                                       size_t(8) << 20};
constexpr int areaProtections[] = {PROT_READ | PROT_EXEC, PROT_READ,
                                   PROT_READ | PROT_WRITE};
constexpr unsigned char trap = 0xCC; // int3

Error lastError(const char *what) {
  return createStringError(std::error_code(errno, std::generic_category()),
                           "%s of code memory failed", what);
}

Error setProtection(char *begin, size_t size, int protection) {
  if (size != 0 && mprotect(begin, size, protection) != 0)
    return lastError("protection");
  return Error::success();
}

} // namespace

struct CodeMemory::Region {
  char *base = nullptr;
  size_t size = 0;
  size_t used = 0;
  std::map<char *, size_t> free[numAreas]; // spans by address, never adjacent

  ~Region() {
    if (base)
      munmap(base, size);
  }

  bool fits(Area area, size_t bytes) const {
    if (bytes == 0)
      return true;
    for (auto &[begin, length] : free[area])
      if (length >= bytes)
        return true;
    return false;
  }

  /// The lowest span that is large enough, so that pages once used are used
  /// again.
  char *take(Area area, size_t bytes) {
    for (auto it = free[area].begin(); it != free[area].end(); ++it) {
      auto [begin, length] = *it;
      if (length < bytes)
        continue;
      free[area].erase(it);
      if (length > bytes)
        free[area].emplace(begin + bytes, length - bytes);
      used += bytes;
      return begin;
    }
    return nullptr;
  }

  void give(Area area, Span span) {
    used -= span.size;
    auto next = free[area].lower_bound(span.begin);
    if (next != free[area].end() && span.begin + span.size == next->first) {
      span.size += next->second;
      next = free[area].erase(next);
    }
    if (next != free[area].begin())
      if (auto previous = std::prev(next);
          previous->first + previous->second == span.begin) {
        previous->second += span.size;
        return;
      }
    free[area].emplace(span.begin, span.size);
  }
};

size_t CodeMemory::Allocation::bytes() const {
  size_t sum = 0;
  for (const Span &span : spans)
    sum += span.size;
  return sum;
}

/// An allocation whose pages are still writable.
class CodeMemory::InFlight final : public InFlightAlloc {
public:
  InFlight(CodeMemory &memory, jitlink::LinkGraph &graph,
           std::unique_ptr<Allocation> allocation)
      : memory(memory), graph(graph), allocation(std::move(allocation)) {}

  void finalize(OnFinalizedFunction onFinalized) override {
    if (Error error = memory.protect(*allocation))
      return onFinalized(std::move(error));
    auto actions = orc::shared::runFinalizeActions(graph.allocActions());
    if (!actions)
      return onFinalized(actions.takeError());
    allocation->deallocActions = std::move(*actions);
    onFinalized(
        FinalizedAlloc(orc::ExecutorAddr::fromPtr(allocation.release())));
  }
  void abandon(OnAbandonedFunction onAbandoned) override {
    onAbandoned(memory.release(*allocation));
  }

private:
  CodeMemory &memory;
  jitlink::LinkGraph &graph;
  std::unique_ptr<Allocation> allocation;
};

CodeMemory::CodeMemory()
    : pageSize(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {}
CodeMemory::~CodeMemory() = default;

void CodeMemory::allocate(const jitlink::JITLinkDylib *,
                          jitlink::LinkGraph &graph,
                          OnAllocatedFunction onAllocated) {
  jitlink::BasicLayout layout(graph);
  auto areaOf = [](orc::MemProt protection) {
    if ((protection & orc::MemProt::Exec) != orc::MemProt::None)
      return Code;
    return (protection & orc::MemProt::Write) != orc::MemProt::None ? Data
                                                                    : Constants;
  };
  size_t sizes[numAreas] = {};
  for (auto &[group, segment] : layout.segments()) {
    if (group.getMemLifetime() == orc::MemLifetime::Finalize ||
        segment.Alignment.value() > pageSize)
      return onAllocated(
          createStringError("expected an object with plain sections"));
    size_t &size = sizes[areaOf(group.getMemProt())];
    size = llvm::alignTo(size, segment.Alignment) + segment.ContentSize +
           segment.ZeroFillSize;
  }
  for (size_t &size : sizes)
    size = llvm::alignTo(size, pageSize);
  auto allocation = reserve(sizes);
  if (!allocation)
    return onAllocated(allocation.takeError());

  size_t offsets[numAreas] = {};
  for (auto &[group, segment] : layout.segments()) {
    Area area = areaOf(group.getMemProt());
    offsets[area] = llvm::alignTo(offsets[area], segment.Alignment);
    char *begin = (*allocation)->spans[area].begin + offsets[area];
    segment.Addr = orc::ExecutorAddr::fromPtr(begin);
    segment.WorkingMem = begin;
    std::memset(begin + segment.ContentSize, 0, segment.ZeroFillSize);
    offsets[area] += segment.ContentSize + segment.ZeroFillSize;
  }
  if (Error error = layout.apply())
    return onAllocated(joinErrors(std::move(error), release(**allocation)));
  onAllocated(std::make_unique<InFlight>(*this, graph, std::move(*allocation)));
}

Expected<std::unique_ptr<CodeMemory::Allocation>>
CodeMemory::reserve(const size_t (&sizes)[numAreas]) {
  if (!mayAllocateData(
          std::accumulate(std::begin(sizes), std::end(sizes), size_t(0)))) {
    errno = ENOMEM;
    return lastError("reservation");
  }
  Region *region = nullptr;
  for (auto &candidate : regions)
    if (candidate->fits(Code, sizes[Code]) &&
        candidate->fits(Constants, sizes[Constants]) &&
        candidate->fits(Data, sizes[Data])) {
      region = candidate.get();
      break;
    }
  if (!region) {
    auto added = std::make_unique<Region>();
    size_t areas[numAreas];
    for (int area = 0; area < numAreas; ++area)
      added->size += areas[area] =
          std::max(defaultAreaBytes[area], sizes[area]);
    void *base = mmap(nullptr, added->size, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
      return lastError("reservation");
    char *begin = added->base = static_cast<char *>(base);
    for (int area = 0; area < numAreas; begin += areas[area++])
      added->free[area].emplace(begin, areas[area]);
    region = regions.emplace_back(std::move(added)).get();
  }
  auto allocation = std::make_unique<Allocation>();
  allocation->region = region;
  for (int area = 0; area < numAreas; ++area)
    if (sizes[area] != 0)
      allocation->spans[area] = {
          region->take(static_cast<Area>(area), sizes[area]), sizes[area]};
  used += allocation->bytes();
  for (const Span &span : allocation->spans)
    if (Error error =
            setProtection(span.begin, span.size, PROT_READ | PROT_WRITE))
      return joinErrors(std::move(error), release(*allocation));
  return allocation;
}

Error CodeMemory::protect(const Allocation &allocation) {
  Error error = Error::success();
  for (int area = 0; area < numAreas; ++area)
    error =
        joinErrors(std::move(error), setProtection(allocation.spans[area].begin,
                                                   allocation.spans[area].size,
                                                   areaProtections[area]));
  return error;
}

Error CodeMemory::release(const Allocation &allocation) {
  const Span &code = allocation.spans[Code];
  Error error = setProtection(code.begin, code.size, PROT_READ | PROT_WRITE);
  if (!error && code.size != 0)
    std::memset(code.begin, trap, code.size);
  error = joinErrors(std::move(error), protect(allocation));

  Region *region = allocation.region;
  for (int area = 0; area < numAreas; ++area)
    if (allocation.spans[area].size != 0)
      region->give(static_cast<Area>(area), allocation.spans[area]);
  used -= allocation.bytes();
  if (region->used == 0 && regions.size() > 1)
    std::erase_if(regions,
                  [&](auto &candidate) { return candidate.get() == region; });
  return error;
}

void CodeMemory::deallocate(std::vector<FinalizedAlloc> allocations,
                            OnDeallocatedFunction onDeallocated) {
  Error error = Error::success();
  for (FinalizedAlloc &finalized : llvm::reverse(allocations)) {
    std::unique_ptr<Allocation> allocation(
        finalized.release().toPtr<Allocation *>());
    error =
        joinErrors(std::move(error),
                   orc::shared::runDeallocActions(allocation->deallocActions));
    error = joinErrors(std::move(error), release(*allocation));
  }
  onDeallocated(std::move(error));
}

} // namespace kiln
