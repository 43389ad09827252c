// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native code as an executor, and its frames: buffer table and arena.
#ifndef KILN_LIB_EXEC_NATIVEFRAME_H
#define KILN_LIB_EXEC_NATIVEFRAME_H

#include "lib/Compiled/LinkedCode.h"
#include "lib/Exec/ArenaLayout.h"
#include "lib/Exec/Frame.h"
#include "lib/Exec/ProgramExecutor.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kiln {

/// Machine code of a program. **Ownership**: holds the code; every run that may
/// be inside it holds the program.
class NativeExecutor : public ProgramExecutor {
public:
  /// **Errors**: bindKernels()'s.
  static StatusOr<std::unique_ptr<NativeExecutor>>
  make(std::shared_ptr<const LinkedCode> code, const CodeLayout &layout);

  std::unique_ptr<Frame> makeFrame(const Program &program) const override;
  int64_t bytes() const override { return codeBytes(); }
  int64_t codeBytes() const override {
    return static_cast<int64_t>(code->bytes());
  }
  bool isNative() const override { return true; }

  void call(const KilnRunArgs &args) const { entry(&args); }
  /// The kernels that it calls.
  const KilnKernelFn *kernels() const { return kernelTable.data(); }

private:
  explicit NativeExecutor(std::shared_ptr<const LinkedCode> code);

  const std::shared_ptr<const LinkedCode> code;
  const KilnEntryFn entry;
  std::vector<KilnKernelFn> kernelTable;
};

/// A final program of code that was read, with the constants of its buffer
/// table. **Errors**: those of bindFunction(); RESOURCE_EXHAUSTED.
StatusOr<std::shared_ptr<Program>>
makeNativeProgram(CompiledFunction function, std::vector<Tensor> constants,
                  std::unique_ptr<NativeExecutor> executor,
                  SessionServices &services);

/// After bind() the buffer table is that of the bound shapes, too, and only the
/// pointers of feeds and results change from run to run.
class NativeFrame : public Frame {
public:
  NativeFrame(const Program &program, const NativeExecutor &code);
  ~NativeFrame() override;

  void releaseArena() override {
    arena = Arena();
    Frame::releaseArena();
  }
  void fillStats(RunStats &stats) const override;

private:
  Status bindMemory(bool isChanged) override;
  Status execute(std::span<const Tensor> feeds, std::span<const int> places,
                 std::span<Tensor> results, const RunControl &control) override;
  Status failure() override;

  const CodeLayout &codeLayout() const { return owner.function.code.layout; }
  void sizeTemporaries();
  Status layOutArena();
  Status takeArena();
  /// Leaves so many more optional temporaries, the largest, out of the arena:
  /// the code takes memory for them where it needs them. False where there are
  /// none.
  bool leaveOut(size_t more);
  /// Whether a temporary lies in the tail.
  bool isLate(size_t temporary) const;
  std::string_view largestTemporary() const;
  Status bindFeedPointers(std::span<const Tensor> feeds);
  Status alignFeed(size_t index, const Tensor &feed);
  /// True when the tensor stands on a feed's memory, which then outlives it.
  bool isFeed(const Tensor &result);
  StatusOr<Tensor> allocateResult(size_t number) const;
  Status bindResultPointers(std::span<const int> places,
                            std::span<Tensor> results);
  /// Makes `given` a tensor for result number `place`.
  Status placeResult(size_t place, Tensor &given);
  /// Copies what the run made in its tail.
  Status takeLateResults(std::span<const int> places,
                         std::span<Tensor> results);
  Status call(std::span<const int> places, std::span<Tensor> results);
  /// Has the regions of the coming run timed, where the code can tell them.
  void watchRegions();
  void fillRegions(RunStats &stats) const;

  const NativeExecutor &code;
  /// Times of the regions' marks; empty while no run asks.
  std::vector<int64_t> regionMarks;
  std::vector<void *> buffers;
  size_t firstVariable = 0, firstResult = 0, firstTemporary = 0;

  std::vector<ArenaTenant> tenants;
  ArenaLayout layout;
  Arena arena;
  std::vector<size_t> lateTemporaries;
  std::vector<size_t> leftOut; ///< optional temporaries, for the bound shapes
  /// Whether the buffer table has the layout in the arena at arenaStart.
  bool isPlaced = false;
  void *arenaStart = nullptr;
  std::vector<BufferRef> aligned; ///< copies of feeds; empty until needed
  std::vector<BufferRef> kept;    ///< feeds whose tensors became results
};

} // namespace kiln

#endif // KILN_LIB_EXEC_NATIVEFRAME_H
