// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out the buffers of a run; counts what parallelFor is asked for.
#include "test/unit/JIT/NativeExecution.h"

#include "dialect/Kiln.h"
#include "dialect/Types.h"
#include "lib/Support/Hash.h"
#include "runtime/abi/Symbols.h"
#include "tools/compare/Tensors.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace kiln {
namespace {

/// An offset for each temporary: those that live at one time (both ends
/// included) do not overlap, others may.
std::vector<int64_t> packTemporaries(std::span<const Temporary> temporaries,
                                     std::span<const int64_t> bytes) {
  std::vector<int64_t> offsets;
  for (size_t own = 0; own < temporaries.size(); ++own) {
    int64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t other = 0; other < own; ++other) {
        bool together = temporaries[other].last >= temporaries[own].first &&
                        temporaries[own].last >= temporaries[other].first;
        if (!together || offsets[other] >= offset + bytes[own] ||
            offset >= offsets[other] + bytes[other])
          continue;
        offset = (offsets[other] + bytes[other] + 63) / 64 * 64;
        moved = true;
      }
    }
    offsets.push_back(offset);
  }
  return offsets;
}

std::atomic<int64_t> loopsShared, chunksRun;

/// A kilnParallelFor, counting.
template <auto parallelFor>
int32_t countingParallelFor(KilnParallelBody body, void *context, int64_t n,
                            int64_t grain, KilnRunState *state) noexcept {
  struct Counted {
    KilnParallelBody body;
    void *context;
  } counted{body, context};
  ++loopsShared;
  return parallelFor(
      [](void *inner, int64_t begin, int64_t end) {
        auto *counted = static_cast<Counted *>(inner);
        ++chunksRun;
        counted->body(counted->context, begin, end);
      },
      &counted, n, grain, state);
}

uint64_t hashElements(const void *data, mlir::RankedTensorType type,
                      size_t bytes, uint64_t hash) {
  std::string element;
  llvm::raw_string_ostream(element) << type.getElementType();
  DType dtype = dtypeNamed(element);
  auto count = static_cast<int64_t>(bytes / dtypeSize(dtype));
  return compare::hashTensor(
      *Tensor::borrow(dtype, Shape({count}), data, [] {}), hash);
}

} // namespace

std::vector<std::unique_ptr<RandomStream>> makeStreams(int64_t count) {
  std::vector<std::unique_ptr<RandomStream>> streams;
  for (int64_t i = 0; i < count; ++i)
    streams.push_back(std::make_unique<RandomStream>(77 + i, 5 * i + 1));
  return streams;
}

NativeExecution::NativeExecution(const Executable &executable,
                                 mlir::func::FuncOp entry,
                                 const NativeInputs &inputs)
    : executable(executable), symbols(inputs.symbols),
      nativeStreams(makeStreams(inputs.numStreams)) {
  auto allocate = [&](int64_t bytes, const void *contents = nullptr,
                      size_t shift = 0) {
    auto size = static_cast<size_t>(bytes);
    memory.push_back(std::make_unique<GuardedMemory>(size, shift));
    if (contents && size)
      std::memcpy(memory.back()->data(), contents, size);
    return memory.back()->data();
  };
  // -1 for what only the run knows.
  auto bytesOf = [&](mlir::RankedTensorType type) {
    int64_t bytes = ir::storageBytes(type.getElementType());
    for (const ir::Extent &extent : ir::extentsOf(type)) {
      int64_t value = extent.isKnown()
                          ? extent.value
                          : inputs.symbols[static_cast<size_t>(extent.symbol)];
      if (value < 0)
        return int64_t(-1);
      bytes *= value;
    }
    return bytes;
  };
  for (const Tensor &feed :
       inputs.feeds) // feeds may lie at any multiple of their element's size
    buffers.push_back(allocate(feed.byteSize(), feed.rawData(),
                               buffers.size() % 2 * dtypeSize(feed.dtype())));
  for (const Tensor &constant :
       std::span(inputs.constants)
           .first(static_cast<size_t>(executable.layout().counts.constants)))
    buffers.push_back(allocate(constant.byteSize(), constant.rawData()));
  firstVariable = buffers.size();
  for (const Tensor &value : inputs.variables)
    buffers.push_back(allocate(value.byteSize(), value.rawData()));
  firstFlag = buffers.size();
  for (size_t i = 0; i < inputs.variables.size(); ++i) {
    char flag = inputs.initialized.empty() || inputs.initialized[i];
    buffers.push_back(allocate(1, &flag));
  }
  firstResult = buffers.size();
  for (mlir::Type type : entry.getResultTypes()) {
    int64_t bytes = bytesOf(llvm::cast<mlir::RankedTensorType>(type));
    resultBytes.push_back(static_cast<size_t>(std::max<int64_t>(bytes, 0)));
    buffers.push_back(bytes < 0 ? nullptr : allocate(bytes));
  }
  std::vector<int64_t> tenants;
  std::vector<bool> isLate; // lies in the tail
  for (const Temporary &temporary : executable.layout().temporaries) {
    tenants.push_back(temporary.elementBytes);
    isLate.push_back(false);
    for (const auto &extent : temporary.extents) {
      int64_t value = extent.symbol < 0
                          ? extent.value
                          : inputs.symbols[static_cast<size_t>(extent.symbol)];
      tenants.back() *= value;
      isLate.back() = isLate.back() || value < 0;
    }
    if (isLate.back())
      tenants.back() = 0;
  }
  std::vector<int64_t> offsets =
      packTemporaries(executable.layout().temporaries, tenants);
  int64_t arenaBytes = 0;
  for (size_t i = 0; i < tenants.size(); ++i)
    arenaBytes = std::max(arenaBytes, offsets[i] + tenants[i]);
  char *arena = allocate(arenaBytes);
  for (size_t i = 0; i < offsets.size(); ++i)
    buffers.push_back(isLate[i] ? nullptr : arena + offsets[i]);
  for (auto &stream : nativeStreams)
    streams.push_back(stream.get());
  runContext.streams = streams;
  runContext.tail = &tail;
  runContext.strings = &strings;
  runContext.slots = &slots;
  runtime = {runtimeSymbolTable(), runtimeSymbolTable() + numRuntimeSymbols};
}

Fingerprint NativeProgram::fingerprint(const NativeInputs &inputs,
                                       int threads) {
  auto entry = module->lookupSymbol<mlir::func::FuncOp>("run");
  NativeExecution native(*executable, entry, inputs);
  native.runContext.maxThreads = threads;
  native.runtime[static_cast<size_t>(RuntimeSymbol::ParallelFor)] =
      reinterpret_cast<void *>(&countingParallelFor<kilnParallelFor>);
  native.runtime[static_cast<size_t>(RuntimeSymbol::ParallelForToTheEnd)] =
      reinterpret_cast<void *>(&countingParallelFor<kilnParallelForToTheEnd>);
  loopsShared = chunksRun = 0;
  native.run();

  Fingerprint print{0, loopsShared, chunksRun};
  // Which chunk meets an error first is open; that there is one is not.
  if (native.state.errorCode != 0) {
    print.hash = hashString(native.status().toString());
    return print;
  }
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
    print.hash = hashElements(native.at(native.firstResult + i),
                              llvm::cast<mlir::RankedTensorType>(type),
                              native.resultBytes[i], print.hash);
  for (auto variable : module->getOps<ir::VariableOp>()) {
    auto i = static_cast<size_t>(variable.getIndex());
    auto type = llvm::cast<mlir::RankedTensorType>(variable.getType());
    print.hash = hashElements(native.at(native.firstVariable + i), type,
                              inputs.variables[i].byteSize(), print.hash);
    print.hash = hashBytes(native.at(native.firstFlag + i), 1, print.hash);
  }
  for (RandomStream *stream : native.streams)
    print.hash = hashCombine(print.hash, stream->samplesTaken());
  return print;
}

} // namespace kiln
