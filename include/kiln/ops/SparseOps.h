// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse tensors as TensorFlow's Python functions make and take them.
#ifndef KILN_OPS_SPARSEOPS_H
#define KILN_OPS_SPARSEOPS_H

#include "kiln/Gradients.h"
#include "kiln/OpOptions.h"
#include "kiln/SparseTensor.h"

#include <optional>
#include <vector>

namespace kiln::ops {

// What makes one, and what makes a dense tensor of it.

struct SparsePlaceholderOptions {
  /// Numbers, of which those below 0 are not known, or a tensor of them;
  /// nothing: the rank is not known.
  std::optional<Input> shape = {};
  std::string name = {};
};
/// **Source**: tf.sparse_placeholder.
KILN_EXPORT SparseTensor
sparsePlaceholder(DType dtype, const SparsePlaceholderOptions &options = {});
/// **Source**: tf.sparse.from_dense, "dense_to_sparse".
KILN_EXPORT SparseTensor sparseFromDense(const Input &tensor,
                                         const OpOptions &options = {});
struct SparseEyeOptions {
  std::optional<Input> numColumns = {};
  DType dtype = DType::Float32;
  std::string name = {};
};
/// **Source**: tf.sparse.eye, "eye".
KILN_EXPORT SparseTensor sparseEye(const Input &numRows,
                                   const SparseEyeOptions &options = {});

struct SparseToDenseOptions {
  /// What all other elements are.
  Input defaultValue = 0;
  bool validateIndices = true;
  std::string name = {};
};
/// **Source**: tf.sparse_to_dense, "SparseToDense".
KILN_EXPORT Output sparseToDense(const Input &sparseIndices,
                                 const Input &outputShape,
                                 const Input &sparseValues,
                                 const SparseToDenseOptions &options = {});
struct SparseTensorToDenseOptions {
  /// Nothing: 0, or an empty text.
  std::optional<Input> defaultValue = {};
  bool validateIndices = true;
  std::string name = {};
};
/// **Source**: tf.sparse_tensor_to_dense, "SparseToDense".
KILN_EXPORT Output sparseTensorToDense(
    const SparseTensor &input, const SparseTensorToDenseOptions &options = {});
/// True where an id is among the values. **Source**: tf.sparse_to_indicator,
/// "SparseToIndicator".
KILN_EXPORT Output sparseToIndicator(const SparseTensor &input,
                                     const Input &vocabSize,
                                     const OpOptions &options = {});

// Rearrangements.

/// In the order of the indices. **Source**: tf.sparse_reorder, "SparseReorder".
KILN_EXPORT SparseTensor sparseReorder(const SparseTensor &input,
                                       const OpOptions &options = {});
/// **Errors** of the graph: INVALID_ARGUMENT for a shape of another number of
/// elements, where it is known. **Source**: tf.sparse_reshape, "SparseReshape".
KILN_EXPORT SparseTensor sparseReshape(const SparseTensor &input,
                                       const Input &shape,
                                       const OpOptions &options = {});
struct SparseTransposeOptions {
  /// Nothing: the axes in reverse order.
  std::optional<Input> perm = {};
  std::string name = {};
};
/// **Source**: tf.sparse_transpose, "SparseTranspose".
KILN_EXPORT SparseTensor sparseTranspose(
    const SparseTensor &input, const SparseTransposeOptions &options = {});
struct SparseExpandDimsOptions {
  Input axis = -1;
  std::string name = {};
};
/// **Source**: tf.sparse.expand_dims, "expand_dims".
KILN_EXPORT SparseTensor sparseExpandDims(
    const SparseTensor &input, const SparseExpandDimsOptions &options = {});
struct SparseConcatOptions {
  std::string name = {};
  /// Whether the other extents may differ; the result has the largest.
  bool expandNonconcatDim = false;
};
/// **Edges**: of one tensor, that tensor. **Source**: tf.sparse_concat,
/// "SparseConcat".
KILN_EXPORT SparseTensor sparseConcat(int64_t axis,
                                      const std::vector<SparseTensor> &inputs,
                                      const SparseConcatOptions &options = {});
/// **Source**: tf.sparse_split, "SparseSplit".
KILN_EXPORT std::vector<SparseTensor>
sparseSplit(const SparseTensor &input, int64_t numSplit, const Input &axis,
            const OpOptions &options = {});
/// **Source**: tf.sparse_slice, "SparseSlice".
KILN_EXPORT SparseTensor sparseSlice(const SparseTensor &input,
                                     const Input &start, const Input &size,
                                     const OpOptions &options = {});
/// The elements for which it is said. **Source**: tf.sparse_retain.
KILN_EXPORT SparseTensor sparseRetain(const SparseTensor &input,
                                      const Input &toRetain);
/// With the smallest shape that holds the elements, or a larger one that is
/// given. **Source**: tf.sparse_reset_shape.
KILN_EXPORT SparseTensor sparseResetShape(
    const SparseTensor &input, const std::optional<Input> &newShape = {});
struct FilledRows {
  SparseTensor output;
  /// Which rows were empty.
  Output emptyRowIndicator;
};
/// With an element in each row that had none. **Source**:
/// tf.sparse_fill_empty_rows, "SparseFillEmptyRows".
KILN_EXPORT FilledRows sparseFillEmptyRows(const SparseTensor &input,
                                           const Input &defaultValue,
                                           const OpOptions &options = {});
struct SparseMergeOptions {
  std::string name = {};
  bool alreadySorted = false;
};
/// Values at the places that ids tell of: each list of ids is a last axis.
/// **Errors** of the graph: INVALID_ARGUMENT for another number of sizes.
/// **Source**: tf.sparse_merge, "SparseMerge".
KILN_EXPORT SparseTensor sparseMerge(const std::vector<SparseTensor> &ids,
                                     const SparseTensor &values,
                                     const InputList &vocabSizes,
                                     const SparseMergeOptions &options = {});
/// The rows of slices but for those of these indices. **Source**:
/// tf.sparse_mask, "sparse_mask".
KILN_EXPORT IndexedSlices sparseMask(const IndexedSlices &a,
                                     const Input &maskIndices,
                                     const OpOptions &options = {});

// Arithmetic.

/// Sums below the threshold are left out. **Source**: tf.sparse_add,
/// "SparseAdd".
KILN_EXPORT SparseTensor sparseAdd(const SparseTensor &a, const SparseTensor &b,
                                   const Input &threshold = 0);
/// **Source**: tf.sparse_add, "SparseTensorDenseAdd".
KILN_EXPORT Output sparseAddDense(const SparseTensor &a, const Input &b);
/// Broadcasts the dense one. **Source**: SparseTensor.__mul__, "mul".
KILN_EXPORT SparseTensor multiplyByDense(const SparseTensor &a, const Input &b);
/// **Source**: SparseTensor.__truediv__, "truediv".
KILN_EXPORT SparseTensor divideByDense(const SparseTensor &a, const Input &b);
struct SparseDenseMatMulOptions {
  bool adjointA = false;
  bool adjointB = false;
  std::string name = {};
};
/// **Source**: tf.sparse_tensor_dense_matmul, "SparseTensorDenseMatMul".
KILN_EXPORT Output
sparseTensorDenseMatMul(const SparseTensor &a, const Input &b,
                        const SparseDenseMatMulOptions &options = {});
/// A dense matrix by a sparse one.
KILN_EXPORT Output
sparseTensorDenseMatMul(const Input &a, const SparseTensor &b,
                        const SparseDenseMatMulOptions &options = {});
/// Of the elements that are there. **Source**: tf.sparse_softmax,
/// "SparseSoftmax".
KILN_EXPORT SparseTensor sparseSoftmax(const SparseTensor &input,
                                       const OpOptions &options = {});
/// **Source**: tf.sparse_maximum, "SparseSparseMaximum".
KILN_EXPORT SparseTensor sparseMaximum(const SparseTensor &a,
                                       const SparseTensor &b,
                                       const OpOptions &options = {});
/// **Source**: tf.sparse_minimum, "SparseSparseMinimum".
KILN_EXPORT SparseTensor sparseMinimum(const SparseTensor &a,
                                       const SparseTensor &b,
                                       const OpOptions &options = {});

struct SparseReduceOptions {
  /// A number or a list of them; nothing: all axes.
  std::optional<Input> axis = {};
  bool keepDims = false;
};
/// **Source**: tf.sparse_reduce_sum, "SparseReduceSum".
KILN_EXPORT Output sparseReduceSum(const SparseTensor &input,
                                   const SparseReduceOptions &options = {});
/// **Source**: tf.sparse_reduce_max, "SparseReduceMax".
KILN_EXPORT Output sparseReduceMax(const SparseTensor &input,
                                   const SparseReduceOptions &options = {});
/// **Source**: tf.sparse_reduce_sum_sparse, "SparseReduceSumSparse".
KILN_EXPORT SparseTensor sparseReduceSumSparse(
    const SparseTensor &input, const SparseReduceOptions &options = {});
/// **Source**: tf.sparse.reduce_max_sparse, "SparseReduceMaxSparse".
KILN_EXPORT SparseTensor sparseReduceMaxSparse(
    const SparseTensor &input, const SparseReduceOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_SPARSEOPS_H
