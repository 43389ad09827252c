// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops over the same number of elements, run together block by
// block.
#ifndef KILN_LIB_EVAL_ELEMENTWISERUN_H
#define KILN_LIB_EVAL_ELEMENTWISERUN_H

#include "lib/Eval/ElementwiseLoops.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Support/InlineVector.h"

#include <array>
#include <vector>

namespace kiln::eval {

/// An op as blocks are run.
struct BlockOp {
  struct Operand {
    ValueId value;
    /// As BlockOp::block, of the op that makes it; -1: the value is bound.
    int64_t block = -1;
  };
  const Op *op = nullptr;
  /// Null for an op that is not elementwise.
  ElementLoop loop = nullptr;
  InlineVector<Operand, 4> operands;
  /// Where the result's present block lies in the memory of makeBlocks(), for
  /// a result that ops of the same run read; -1 for none.
  int64_t block = -1;
  /// Whether the result is bound, to be read by others. One that has a block,
  /// too, is copied to its place past the caches, where nothing soon reads it.
  bool isBound = true;
};

/// With the loop of an elementwise op, and its operands bound.
BlockOp elementwiseOp(const Op &op, const Program &program);

/// Ops that wait to be run over one block after the other, so that a block
/// stays in the first cache from op to op. Results that are bound have their
/// contents after run().
class ElementwiseRun {
public:
  static constexpr int64_t blockElements = 512;
  static constexpr size_t maxElementBytes = 16;

  explicit ElementwiseRun(Interpreter &interpreter)
      : interpreter(interpreter) {}

  /// Makes memory for blocks, before the first op that has one. **Errors**:
  /// RESOURCE_EXHAUSTED.
  Status makeBlocks(int64_t bytes);
  /// Takes an op; runs those before it where it has another number of
  /// elements, or only repeats one. The op stays where it is until run().
  Status add(const BlockOp &op);
  /// The same with its result, and how many elements that has; for one that is
  /// not bound it is the default tensor.
  Status append(const BlockOp &op, bool isSplat, Tensor result,
                int64_t elements);
  /// Runs what waits. **Errors**: that of an element, of the first block that
  /// has one; CANCELLED, DEADLINE_EXCEEDED.
  Status run();

private:
  static constexpr int64_t blocksBetweenPolls = 1024;
  static constexpr size_t maxInputs = 4, numUnrolledCalls = 16;
  static constexpr int64_t lineBytes = 64, maxFetchedLines = 4,
                           minFetchingBlocks = 8;

  /// One element, repeated.
  struct Splat {
    using Element = std::array<uint64_t, maxElementBytes / sizeof(uint64_t)>;
    struct alignas(lineBytes) Line {
      std::array<char, lineBytes> bytes;
    };
    std::vector<Line> lines;
    Element element = {};
  };
  /// Steps are bytes from block to block; 0 where all lie at the same place.
  struct Call {
    const Op *op = nullptr;
    ElementLoop loop = nullptr;
    std::array<const void *, maxInputs> inputs = {};
    std::array<int64_t, maxInputs> inputSteps = {};
    char *out = nullptr;
    int64_t outStep = 0;
    char *streamed = nullptr; ///< where each block of `out` is copied to, too
    int64_t streamedStep = 0;
    const char *fetched = nullptr; ///< lines that later calls read
    int64_t fetchedStep = 0;
  };

  static int64_t blockBytes(DType type) {
    return blockElements * static_cast<int64_t>(dtypeSize(type));
  }
  void planFetches();
  ErrorKind runBlock(Call &call, int64_t block, int64_t length) const;
  template <size_t first>
  ErrorKind runBlocks(int64_t block, int64_t length, size_t &failed);
  const char *splatOf(const Tensor &element);
  void setInput(Call &call, size_t index, const BlockOp::Operand &operand,
                bool isSplat);

  Interpreter &interpreter;
  std::vector<Call> calls;
  int64_t count = 0;        ///< elements of each of them
  int64_t fetchedLines = 0; ///< by each
  BufferRef blocks;
  std::vector<Splat> splats;
  size_t usedSplats = 0; ///< those of `calls`, which come first
};

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_ELEMENTWISERUN_H
