// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, placeholders, shapes and slices as TensorFlow's Python functions
// add them.
#ifndef KILN_OPS_ARRAYOPS_H
#define KILN_OPS_ARRAYOPS_H

#include "kiln/OpOptions.h"

#include <initializer_list>
#include <optional>
#include <type_traits>

namespace kiln::ops {

struct ConstantOptions {
  DType dtype = DType::Invalid;
  /// The result's shape; the last element stands for those that are missing.
  std::optional<Shape> shape = {};
  std::string name = {};
};
/// **Source**: tf.constant, "Const".
KILN_EXPORT Output constant(const Input &value,
                            const ConstantOptions &options = {});

struct PlaceholderOptions {
  std::string name = {};
};
/// **Source**: tf.placeholder, "Placeholder".
KILN_EXPORT Output placeholder(DType dtype,
                               const Shape &shape = Shape::unknownRank(),
                               const PlaceholderOptions &options = {});

struct FillOptions {
  DType dtype = DType::Float32;
  std::string name = {};
};
/// A Const of fewer than 1,000 elements where the shape is known, otherwise a
/// Fill. **Source**: tf.zeros, "zeros".
KILN_EXPORT Output zeros(const Input &shape, const FillOptions &options = {});
/// **Source**: tf.ones, "ones".
KILN_EXPORT Output ones(const Input &shape, const FillOptions &options = {});
struct LikeOptions {
  /// The tensor's where it is Invalid.
  DType dtype = DType::Invalid;
  /// False: never a constant, even where the shape is known.
  bool optimize = true;
  std::string name = {};
};
/// **Source**: tf.zeros_like, "zeros_like".
KILN_EXPORT Output zerosLike(const Input &tensor,
                             const LikeOptions &options = {});
/// **Source**: tf.ones_like, "ones_like".
KILN_EXPORT Output onesLike(const Input &tensor,
                            const LikeOptions &options = {});
/// **Source**: tf.fill, "Fill".
KILN_EXPORT Output fill(const Input &dims, const Input &value,
                        const OpOptions &options = {});

struct ShapeOptions {
  DType outType = DType::Int32;
  /// A constant where it is known.
  bool optimize = true;
  std::string name = {};
};
/// **Source**: tf.shape, "Shape".
KILN_EXPORT Output shape(const Input &input, const ShapeOptions &options = {});
/// **Source**: tf.size, "Size".
KILN_EXPORT Output size(const Input &input, const ShapeOptions &options = {});
/// **Source**: tf.rank, "Rank".
KILN_EXPORT Output rank(const Input &input, const ShapeOptions &options = {});

/// **Source**: tf.expand_dims, "ExpandDims".
KILN_EXPORT Output expandDims(const Input &input, const Input &axis,
                              const OpOptions &options = {});
struct SqueezeOptions {
  /// All of extent 1 where it is empty.
  std::vector<int64_t> axis = {};
  std::string name = {};
};
/// **Source**: tf.squeeze, "Squeeze".
KILN_EXPORT Output squeeze(const Input &input,
                           const SqueezeOptions &options = {});

/// **Edges**: of one tensor an Identity. **Source**: tf.concat, "concat".
KILN_EXPORT Output concat(const InputList &values, const Input &axis,
                          const OpOptions &options = {});
struct StackOptions {
  int64_t axis = 0;
  std::string name = "stack";
};
/// **Edges**: of constants a constant. **Source**: tf.stack, "stack".
KILN_EXPORT Output stack(const InputList &values,
                         const StackOptions &options = {});
struct UnstackOptions {
  int64_t axis = 0;
  /// The extent of the axis where it is below 0.
  int64_t num = -1;
  std::string name = "unstack";
};
/// **Source**: tf.unstack, "unstack".
KILN_EXPORT std::vector<Output> unstack(const Input &value,
                                        const UnstackOptions &options = {});
struct SplitOptions {
  Input axis = 0;
  std::string name = "split";
};
/// Equal parts. **Source**: tf.split, "split".
KILN_EXPORT std::vector<Output> split(const Input &value, int64_t parts,
                                      const SplitOptions &options = {});
/// Parts of these sizes.
KILN_EXPORT std::vector<Output> splitBySizes(const Input &value,
                                             const Input &sizes,
                                             const SplitOptions &options = {});

/// The axes in reverse order. **Source**: tf.transpose, "transpose".
KILN_EXPORT Output transpose(const Input &a, const OpOptions &options = {});
KILN_EXPORT Output permute(const Input &a, const Input &perm,
                           const OpOptions &options = {});
template <class Perm>
  requires std::is_convertible_v<const Perm &, Input>
Output transpose(const Input &a, const Perm &perm,
                 const OpOptions &options = {}) {
  return permute(a, perm, options);
}
inline Output transpose(const Input &a, std::initializer_list<int64_t> perm,
                        const OpOptions &options = {}) {
  return permute(a, std::vector<int64_t>(perm), options);
}

struct GatherOptions {
  Input axis = 0;
  int64_t batchDims = 0;
  std::string name = {};
};
/// Rows of a resource are read alone. **Source**: tf.gather, "GatherV2",
/// "Gather".
KILN_EXPORT Output gather(const Input &params, const Input &indices,
                          const GatherOptions &options = {});
struct GatherNdOptions {
  /// How many first axes of both are the same.
  int64_t batchDims = 0;
  std::string name = {};
};
/// The slices that tuples of indices name, along the last axis. **Errors** of
/// the graph: INVALID_ARGUMENT for batchDims that are not there. **Source**:
/// tf.gather_nd, "GatherNd".
KILN_EXPORT Output gatherNd(const Input &params, const Input &indices,
                            const GatherNdOptions &options = {});

/// The indices of what is true. **Source**: tf.where, "Where".
KILN_EXPORT Output where(const Input &condition, const OpOptions &options = {});
/// x where the condition holds, otherwise y. **Source**: tf.where, "Select".
KILN_EXPORT Output where(const Input &condition, const Input &x, const Input &y,
                         const OpOptions &options = {});

struct OneHotOptions {
  std::optional<Input> onValue = {};
  std::optional<Input> offValue = {};
  int64_t axis = -1;
  DType dtype = DType::Invalid;
  std::string name = {};
};
/// **Source**: tf.one_hot, "one_hot".
KILN_EXPORT Output oneHot(const Input &indices, const Input &depth,
                          const OneHotOptions &options = {});

struct PadOptions {
  std::string mode = "CONSTANT";
  std::optional<Input> constantValues = {};
  std::string name = {};
};
/// **Source**: tf.pad, "Pad", "PadV2", "MirrorPad".
KILN_EXPORT Output pad(const Input &tensor, const Input &paddings,
                       const PadOptions &options = {});

struct StridedSliceOptions {
  int64_t beginMask = 0;
  int64_t endMask = 0;
  int64_t ellipsisMask = 0;
  int64_t newAxisMask = 0;
  int64_t shrinkAxisMask = 0;
  std::string name = {};
};
/// **Source**: tf.strided_slice, "StridedSlice".
KILN_EXPORT Output stridedSlice(const Input &input, const Input &begin,
                                const Input &end, const Input &strides,
                                const StridedSliceOptions &options = {});

struct BooleanMaskOptions {
  int axis = 0;
  std::string name = "boolean_mask";
};
/// The elements where the mask holds. **Errors** of the graph: INVALID_ARGUMENT
/// for a mask of unknown rank or rank 0. **Source**: tf.boolean_mask.
KILN_EXPORT Output booleanMask(const Input &tensor, const Input &mask,
                               const BooleanMaskOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_ARRAYOPS_H
