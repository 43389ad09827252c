// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in order: grids, masks of lengths, repetitions, sorting.
#ifndef KILN_OPS_SEQUENCEOPS_H
#define KILN_OPS_SEQUENCEOPS_H

#include "kiln/OpOptions.h"

#include <optional>
#include <vector>

namespace kiln::ops {

/// As many numbers from start to stop at equal distances. **Shapes**: start and
/// stop broadcast; the numbers lie along a new first axis. **Source**:
/// tf.linspace, "linspace".
KILN_EXPORT Output linspace(const Input &start, const Input &stop,
                            const Input &num, const OpOptions &options = {});

struct MeshgridOptions {
  /// "xy": the first vector along the columns; "ij": along the first axis.
  std::string indexing = "xy";
  std::string name = {};
};
/// Each vector along an axis of its own, over the extents of all. **Errors** of
/// the graph: INVALID_ARGUMENT for another indexing. **Source**: tf.meshgrid,
/// "meshgrid".
KILN_EXPORT std::vector<Output> meshgrid(const InputList &vectors,
                                         const MeshgridOptions &options = {});

struct SequenceMaskOptions {
  /// Nothing: the largest length.
  std::optional<Input> maxLength = {};
  DType dtype = DType::Bool;
  std::string name = {};
};
/// True before the end of each length, along a new last axis. **Errors** of the
/// graph: INVALID_ARGUMENT for a largest length that is no scalar. **Source**:
/// tf.sequence_mask, "SequenceMask".
KILN_EXPORT Output sequenceMask(const Input &lengths,
                                const SequenceMaskOptions &options = {});

struct RepeatOptions {
  /// Nothing: the tensor as a vector.
  std::optional<int64_t> axis = {};
  std::string name = {};
};
/// Each element along the axis as often as is said. **Source**: tf.repeat,
/// "Repeat".
KILN_EXPORT Output repeat(const Input &input, const Input &repeats,
                          const RepeatOptions &options = {});

struct SortOptions {
  int64_t axis = -1;
  /// "ASCENDING" or "DESCENDING".
  std::string direction = "ASCENDING";
  std::string name = {};
};
/// **Errors** of the graph: INVALID_ARGUMENT for another direction. **Source**:
/// tf.sort, "sort".
KILN_EXPORT Output sort(const Input &values, const SortOptions &options = {});
struct ArgsortOptions {
  int64_t axis = -1;
  std::string direction = "ASCENDING";
  /// Equal elements keep their order in any case.
  bool stable = false;
  std::string name = {};
};
/// The indices that sort. **Source**: tf.argsort, "argsort".
KILN_EXPORT Output argsort(const Input &values,
                           const ArgsortOptions &options = {});

struct SearchsortedOptions {
  /// "left": before equal elements; "right": behind them.
  std::string side = "left";
  DType outType = DType::Int32;
  std::string name = {};
};
/// Where each value would stand in its sorted row. **Errors** of the graph:
/// INVALID_ARGUMENT for another side. **Source**: tf.searchsorted.
KILN_EXPORT Output searchsorted(const Input &sortedSequence,
                                const Input &values,
                                const SearchsortedOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_SEQUENCEOPS_H
