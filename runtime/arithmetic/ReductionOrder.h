// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one order in which Kiln adds up: the evaluator uses these templates,
// generated code gives the same bits.
//
// combine(a, b) below is a + b, a * b, max, min, and, or; `neutral` is 0, 1,
// -inf (lowest), +inf (highest), true, false.
//
// BINARY COUNTER. Completed blocks come as values v0, v1, ... ; stack[level]
// holds the value of 2^level blocks. Block b:
//     v = vb; level = 0
//     while (b & 1) { v = combine(stack[level], v); b >>= 1; ++level; }
//     stack[level] = v
// The older value is the left operand. In the end, with the block count's bits
// from low to high:
//     total = stack[lowest set level]
//     for each higher set level: total = combine(stack[level], total)
// No block at all: total = neutral. One block: its value, untouched.
//
// INNERMOST (elements contiguous in the reduced range; several innermost axes
// are one linear index). 16 lanes, element i belongs to lane i mod 16. A block
// is 256 consecutive elements: each lane starts from neutral and takes its 16
// elements in order, acc = combine(acc, x). The last block may be partial: an
// element touches its own lane only, the other lanes keep what they have
// (padding with neutral gives the same bits). The counter combines whole blocks
// lane by lane, all 16. Then lanes by halves: r[i] = combine(r[i], r[i + 8])
// for i < 8, then 4, 2, 1. The result is r[0].
//
// OUTER (every other axis; several are one linear index). One lane for each
// output element. A block is 32 consecutive elements: acc = neutral, then acc =
// combine(acc, x) in order. The counter combines blocks.
//
// CONTRACTION (matmul, convolve): K in blocks of 256; a block is one chain acc
// = fma(a[k], b[k], acc) from 0 in k order; blocks are added in order: total =
// block 0; total = total + block j. K = 0: 0. The chain is fused also for
// float64. What a convolution leaves out as padding (kiln.convolve) is passed
// over; the blocks stay what they are.
//
// PRODUCT WITH A VECTOR (M x K times K x 1, 1 x K times K x N): no contraction
// but a sum of products, x[k] = a[k] * b[k] rounded before it is added;
// INNERMOST where the matrix's elements along K are contiguous, OUTER where
// they are not. kiln-decompose makes it so, and a larger loop can take it in.
//
// A denormal float that comes out is the zero of its sign.
//
// Nothing here depends on the number of threads: a range is split at block
// boundaries only, and the counter sees the blocks in order.
#ifndef KILN_RUNTIME_ARITHMETIC_REDUCTIONORDER_H
#define KILN_RUNTIME_ARITHMETIC_REDUCTIONORDER_H

#include "runtime/arithmetic/ReductionOps.h"

#include <array>
#include <bit>
#include <cstddef>

namespace kiln::reduction {

inline constexpr int64_t lanes = 16;
inline constexpr int64_t innermostDepth = 16;
inline constexpr int64_t innermostBlock = lanes * innermostDepth;
inline constexpr int64_t outerBlock = 32;
inline constexpr int64_t contractionBlock = 256;

/// Sixteen lanes that are combined lane by lane.
template <class T> using LaneVector = std::array<T, lanes>;

/// The combination `Op` on single values and, lane by lane, on lane vectors.
template <class Op, class T> constexpr T combine(T a, T b) {
  return Op::template combine<T>(a, b);
}
template <class Op, class T>
constexpr LaneVector<T> combine(const LaneVector<T> &a,
                                const LaneVector<T> &b) {
  LaneVector<T> result;
  for (size_t lane = 0; lane < lanes; ++lane)
    result[lane] = Op::template combine<T>(a[lane], b[lane]);
  return result;
}

/// The binary counter of the file comment. Value is T or LaneVector<T>.
///
/// Invariant: bit `level` of `count` is set exactly when stack[level] holds a
/// value.
template <class Op, class Value> class BlockCounter {
public:
  void push(Value value) {
    size_t level = 0;
    for (uint64_t b = count; b & 1; b >>= 1)
      value = combine<Op>(stack[level++], value);
    stack[level] = value;
    ++count;
  }
  /// The total; `neutral` when no block was pushed.
  Value finish(const Value &neutral) const {
    if (count == 0)
      return neutral;
    size_t level = static_cast<size_t>(std::countr_zero(count));
    Value total = stack[level];
    for (uint64_t rest = count >> level >> 1; rest != 0; rest >>= 1) {
      ++level;
      if (rest & 1)
        total = combine<Op>(stack[level], total);
    }
    return total;
  }

  /// The total where fewer blocks than each pushed value stands for come behind
  /// them, whose total is `rest`.
  Value finishBefore(Value rest) const {
    size_t level = 0;
    for (uint64_t left = count; left != 0; left >>= 1, ++level)
      if (left & 1)
        rest = combine<Op>(stack[level], rest);
    return rest;
  }

private:
  // 2^40 blocks of at least 32 elements are beyond any memory.
  std::array<Value, 41> stack;
  uint64_t count = 0;
};

template <class Op, class T> constexpr LaneVector<T> neutralLanes() {
  LaneVector<T> result{};
  result.fill(Op::template neutral<T>());
  return result;
}

/// Combines lanes by halves: 8 + 8, 4 + 4, 2 + 2, 1 + 1.
template <class Op, class T> constexpr T combineLanes(LaneVector<T> r) {
  for (size_t half = lanes / 2; half != 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      r[i] = Op::template combine<T>(r[i], r[i + half]);
  return r[0];
}

/// The lanes of load(0) .. load(n - 1) in the INNERMOST order. **Edges**: n = 0
/// gives neutral.
template <class T, class Op, class Load>
[[gnu::always_inline]] inline LaneVector<T> lanesOfInnermost(int64_t n,
                                                             Load &&load) {
  BlockCounter<Op, LaneVector<T>> counter;
  for (int64_t begin = 0; begin < n; begin += innermostBlock) {
    LaneVector<T> acc = neutralLanes<Op, T>();
    if (n - begin >= innermostBlock) {
      for (int64_t row = begin; row < begin + innermostBlock; row += lanes)
        for (int64_t lane = 0; lane < lanes; ++lane)
          acc[static_cast<size_t>(lane)] =
              combine<Op, T>(acc[static_cast<size_t>(lane)], load(row + lane));
    } else {
      for (int64_t i = begin; i < n; ++i) {
        size_t lane = static_cast<size_t>(i % lanes);
        acc[lane] = combine<Op, T>(acc[lane], load(i));
      }
    }
    counter.push(acc);
  }
  return counter.finish(neutralLanes<Op, T>());
}

/// Reduces load(0) .. load(n - 1) in the INNERMOST order. **Edges**: as
/// lanesOfInnermost().
template <class T, class Op, class Load>
T reduceInnermost(int64_t n, Load &&load) {
  return combineLanes<Op, T>(lanesOfInnermost<T, Op>(n, load));
}

/// Reduces load(0) .. load(n - 1) in the OUTER order. **Edges**: n = 0 gives
/// neutral.
template <class T, class Op, class Load> T reduceOuter(int64_t n, Load &&load) {
  BlockCounter<Op, T> counter;
  for (int64_t begin = 0; begin < n; begin += outerBlock) {
    int64_t end = n - begin < outerBlock ? n : begin + outerBlock;
    T acc = Op::template neutral<T>();
    for (int64_t i = begin; i < end; ++i)
      acc = combine<Op, T>(acc, load(i));
    counter.push(acc);
  }
  return counter.finish(Op::template neutral<T>());
}

/// One multiplication and addition of a contraction: fused for floats, wrapping
/// for integers.
template <class T> T multiplyAdd(T a, T b, T acc) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fma(a, b, acc);
  else
    return Sum::combine<T>(acc, Prod::combine<T>(a, b));
}

/// Sum of a(k) * b(k) in the CONTRACTION order. **Edges**: K = 0 gives 0.
template <class T, class LoadA, class LoadB>
T contract(int64_t depth, LoadA &&a, LoadB &&b) {
  T total = T(0);
  for (int64_t begin = 0; begin < depth; begin += contractionBlock) {
    int64_t end =
        depth - begin < contractionBlock ? depth : begin + contractionBlock;
    T acc = T(0);
    for (int64_t k = begin; k < end; ++k)
      acc = multiplyAdd<T>(a(k), b(k), acc);
    total = begin == 0 ? acc : Sum::combine<T>(total, acc);
  }
  return total;
}

} // namespace kiln::reduction

#endif // KILN_RUNTIME_ARITHMETIC_REDUCTIONORDER_H
