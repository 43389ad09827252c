// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The evaluator's program: a function after decompose as one plain value.
#ifndef KILN_LIB_EVAL_PROGRAM_H
#define KILN_LIB_EVAL_PROGRAM_H

#include "kiln/Tensor.h"
#include "lib/Eval/Ops.h"
#include "lib/Shape/Dim.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::eval {

/// A tensor type.
struct Type {
  Range dims;            ///< of Program::dims; known ones and symbols
  int64_t elements = -1; ///< -1 where a symbol decides
  DType dtype = DType::Invalid;
};

/// Ops in the order in which they run.
struct Block {
  Range arguments, results;
  Range ops; ///< of Program::ops
  /// The arguments, and those results that are the block's own: what is to be
  /// forgotten behind it.
  Range own;
  /// Each result is the block's own, and there once.
  bool givesOwn = false;
};

/// The records of a function, made by translate()
/// (lib/Translate/Translation.h).
///
/// Invariants: (1) values are numbered from 0, each has one definition: an op's
/// result or a block's argument; (2) the ops of a block follow each other in
/// `ops`; (3) Ranges of values are of `ids`. Nothing refers to memory of others
/// but the kernels, which are the process's. Thread safety: constant once made.
struct Program {
  std::vector<Type> types;
  std::vector<uint32_t> values; ///< by number: the type, of `types`
  std::vector<Op> ops;
  std::vector<Block> blocks;
  uint32_t entry = 0; ///< of `blocks`: the function's own
  std::vector<ValueId> ids;
  std::vector<int64_t> numbers;
  std::vector<Dim> dims;
  std::vector<Tensor> constants; ///< of splats the one element
  std::string names;
  std::vector<Range> resultNodes; ///< of `names`, by the function's results

  std::span<const ValueId> idsOf(Range range) const {
    return {ids.data() + range.begin, range.size};
  }
  std::span<const int64_t> numbersOf(Range range) const {
    return {numbers.data() + range.begin, range.size};
  }
  std::span<const Dim> dimsOf(Range range) const {
    return {dims.data() + range.begin, range.size};
  }
  std::span<const Op> opsOf(const Block &block) const {
    return {ops.data() + block.ops.begin, block.ops.size};
  }
  std::string_view nameOf(Range range) const {
    return {names.data() + range.begin, range.size};
  }
  const Type &typeOf(ValueId value) const { return types[values[value]]; }
  DType dtypeOf(ValueId value) const { return typeOf(value).dtype; }
  std::span<const Dim> dimsOf(ValueId value) const {
    return dimsOf(typeOf(value).dims);
  }

  /// What it takes in memory.
  int64_t bytes() const;
  /// Gives back the room that no list needs.
  void trim();
};

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_PROGRAM_H
