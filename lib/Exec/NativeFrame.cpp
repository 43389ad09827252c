// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out what native code works on: the buffer table and the arena for the
// bound shapes; tells errors and figures by the code's own records.
#include "lib/Exec/NativeFrame.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>

namespace kiln {

NativeExecutor::NativeExecutor(std::shared_ptr<const LinkedCode> linked)
    : code(std::move(linked)),
      entry(reinterpret_cast<KilnEntryFn>(code->entry())) {}

StatusOr<std::unique_ptr<NativeExecutor>>
NativeExecutor::make(std::shared_ptr<const LinkedCode> code,
                     const CodeLayout &layout) {
  std::unique_ptr<NativeExecutor> made(new NativeExecutor(std::move(code)));
  KILN_RETURN_IF_ERROR(bindKernels(layout, made->kernelTable));
  return made;
}

std::unique_ptr<Frame> NativeExecutor::makeFrame(const Program &program) const {
  return std::make_unique<NativeFrame>(program, *this);
}

StatusOr<std::shared_ptr<Program>>
makeNativeProgram(CompiledFunction function, std::vector<Tensor> constants,
                  std::unique_ptr<NativeExecutor> executor,
                  SessionServices &services) {
  auto program = std::make_shared<Program>(services);
  KILN_ASSIGN_OR_RETURN(program->binding,
                        bindFunction(function.interface, services));
  KILN_RETURN_IF_ERROR(
      alignConstants(constants, [](uint64_t) { return std::string(); }));
  program->binding.constants = std::move(constants);
  program->function = std::move(function);
  program->function.code.objects.clear();
  program->function.ownConstants.clear();
  setOpCounters(program->stats, program->function.ops);
  program->executor = std::move(executor);
  return program;
}

NativeFrame::NativeFrame(const Program &program, const NativeExecutor &code)
    : Frame(program), code(code) {
  // The order of runtime/abi/Abi.h.
  buffers.resize(program.interface().feeds.size());
  // The last ones may not be used.
  const CodeLayout &table = codeLayout();
  auto tableConstants = static_cast<size_t>(table.counts.constants);
  for (size_t i = 0; i < tableConstants; ++i)
    buffers.push_back(
        const_cast<void *>(program.binding.constants[i].rawData()));
  firstVariable = buffers.size();
  for (VariableSlot *slot : program.binding.slots)
    buffers.push_back(slot->data());
  for (VariableSlot *slot : program.binding.slots)
    buffers.push_back(slot->initializedByte());
  firstResult = buffers.size();
  firstTemporary = firstResult + results.size();
  size_t temporaries = table.temporaries.size();
  buffers.resize(firstTemporary + temporaries);
  tenants.resize(temporaries);
  for (size_t i = 0; i < temporaries; ++i)
    if (isLate(i))
      lateTemporaries.push_back(i);
}

NativeFrame::~NativeFrame() = default;

/// -1, a size that overflows, is the largest.
static bool isSmaller(const ArenaTenant &a, const ArenaTenant &b) {
  return static_cast<uint64_t>(a.bytes) < static_cast<uint64_t>(b.bytes);
}

/// The node to blame where the arena is too large.
std::string_view NativeFrame::largestTemporary() const {
  auto largest = std::max_element(tenants.begin(), tenants.end(), isSmaller);
  return codeLayout()
      .temporaries[static_cast<size_t>(largest - tenants.begin())]
      .node;
}

bool NativeFrame::isLate(size_t temporary) const {
  for (const Temporary::Extent &extent :
       codeLayout().temporaries[temporary].extents)
    if (extent.symbol >= 0 &&
        owner.interface()
            .symbols.defs[static_cast<size_t>(extent.symbol)]
            .inRun)
      return true;
  return false;
}

Status NativeFrame::bindMemory(bool isChanged) {
  if (isChanged)
    sizeTemporaries();
  for (size_t more = 1; true; more *= 2) {
    Status status = isChanged ? layOutArena() : okStatus();
    if (status.ok())
      status = takeArena();
    if (status.ok() || !leaveOut(more))
      return status;
    isChanged = true;
  }
}

void NativeFrame::sizeTemporaries() {
  leftOut.clear();
  const auto &temporaries = codeLayout().temporaries;
  for (size_t i = 0; i < tenants.size(); ++i) {
    // What the run finds out lies in the tail. A negative extent has a guard,
    // which stands in the branch where one may be: a run that comes there fails
    // by it before anything is written, and one that does not needs no memory.
    CheckedInt64 bytes = isLate(i) ? 0 : temporaries[i].elementBytes;
    for (const Temporary::Extent &extent : temporaries[i].extents)
      bytes *= extent.symbol < 0
                   ? extent.value
                   : std::max(symbols[static_cast<size_t>(extent.symbol)],
                              int64_t(0));
    tenants[i] = {bytes.value().value_or(-1), temporaries[i].first,
                  temporaries[i].last};
  }
}

bool NativeFrame::leaveOut(size_t more) {
  const auto &temporaries = codeLayout().temporaries;
  std::vector<size_t> candidates;
  for (size_t i = 0; i < tenants.size(); ++i)
    if (temporaries[i].isOptional && tenants[i].bytes != 0)
      candidates.push_back(i);
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [&](size_t a, size_t b) { return isSmaller(tenants[b], tenants[a]); });
  int64_t limit = owner.services.options.limits.maxRunBytes;
  size_t count = 0;
  for (size_t i : candidates) {
    // What is too large alone goes at once.
    bool fits = tenants[i].bytes >= 0 && tenants[i].bytes <= limit;
    if (fits && count >= more)
      break;
    tenants[i].bytes = 0;
    leftOut.push_back(i);
    ++count;
  }
  return count != 0;
}

Status NativeFrame::layOutArena() {
  if (tenants.empty())
    return okStatus();
  if (Status placed = layout.place(tenants); !placed.ok())
    return placed.withNode(largestTemporary());
  int64_t limit = owner.services.options.limits.maxRunBytes;
  if (static_cast<int64_t>(layout.bytes()) > limit)
    return tooManyBytesInRun("temporary values",
                             static_cast<int64_t>(layout.bytes()), limit)
        .withNode(largestTemporary());
  isPlaced = false;
  return okStatus();
}

Status NativeFrame::takeArena() {
  if (arena.size() < layout.bytes()) {
    arena = Arena(); // first given back: the pool may be able to enlarge it
    auto taken = owner.services.arenas.take(layout.bytes());
    if (!taken.ok())
      return taken.status().withNode(largestTemporary());
    arena = *std::move(taken);
  }
  if (isPlaced && arena.data() == arenaStart)
    return okStatus();
  isPlaced = true;
  arenaStart = arena.data();
  for (size_t i = 0; i < tenants.size(); ++i)
    buffers[firstTemporary + i] =
        static_cast<char *>(arenaStart) + layout.offsets()[i];
  return okStatus();
}

Status NativeFrame::failure() {
  if (state.errorCode == 0)
    return Frame::failure();
  int64_t number = state.errorValues[0];
  const std::vector<Guard> &guards = owner.interface().symbols.guards;
  if (static_cast<ErrorKind>(state.errorKind) == ErrorKind::GuardFailed &&
      number >= 0 && static_cast<uint64_t>(number) < guards.size())
    return guardError(guards[static_cast<size_t>(number)], symbols);
  return runStatus(state, codeLayout().nodes);
}

void NativeFrame::fillStats(RunStats &stats) const {
  Frame::fillStats(stats);
  stats.arenaBytes = static_cast<int64_t>(layout.bytes());
}

void NativeFrame::watchRegions() {
  if (codeLayout().regions.empty())
    return;
  regionMarks.assign(2 * codeLayout().regions.size(), 0);
  context.regionMarks = regionMarks.data();
}

void NativeFrame::fillRegions(RunStats &stats) const {
  for (size_t i = 0; 2 * i < regionMarks.size(); ++i) {
    const CodeRegion &region = codeLayout().regions[i];
    int64_t begin = regionMarks[2 * i], end = regionMarks[2 * i + 1];
    if (end != 0) // reached
      stats.regions.push_back({region.name, region.nodes, begin, end - begin,
                               region.flops.evaluate(symbols),
                               region.bytesRead.evaluate(symbols),
                               region.bytesWritten.evaluate(symbols)});
  }
}

} // namespace kiln
