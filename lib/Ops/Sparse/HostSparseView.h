// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse tensor as three tensors: what is checked of them, and walks over
// their elements.
#ifndef KILN_LIB_OPS_SPARSE_HOSTSPARSEVIEW_H
#define KILN_LIB_OPS_SPARSE_HOSTSPARSEVIEW_H

#include "lib/HostKernels/HostCall.h"
#include "lib/Support/SparseIndices.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln::host {

/// Indices [count, rank], values [count] and shape [rank]. Borrows the tensors.
struct SparseView {
  std::span<const int64_t> indices;
  const Tensor *values = nullptr;
  std::span<const int64_t> shape;
  int64_t count = 0;
  int rank = 0;

  std::span<const int64_t> index(int64_t i) const {
    return indices.subspan(static_cast<size_t>(i * rank),
                           static_cast<size_t>(rank));
  }
};

/// What indices must be.
enum class Indices : uint8_t { Any, InBounds, Ordered };

/// The three inputs from `first` on. **Errors**: with the texts of
/// TensorFlow's sparse_utils::ValidateSparseTensor.
StatusOr<SparseView> checkedView(const HostCall &call, size_t first,
                                 Indices indices);
/// The same of tensors that do not follow each other.
StatusOr<SparseView> checkedView(const Tensor &indices, const Tensor &values,
                                 const Tensor &shape, Indices demand);
/// The same, as TensorFlow's SparseTensor::Create says it: indices are not
/// looked at.
StatusOr<SparseView> createView(const Tensor &indices, const Tensor &values,
                                const Tensor &shape);
/// Indices are in bounds, ordered and no two alike. **Errors**: with the texts
/// of SparseTensor::IndicesValid.
inline Status checkOrdered(const SparseView &view) {
  return checkOrderedIndices(view.indices, view.shape);
}

/// Runs of elements whose indices begin alike. Ordered views have each once.
class Groups {
public:
  /// The first `dims` numbers of an index name the group.
  Groups(const SparseView &view, int dims) : view(view), dims(dims) {
    advance(0);
  }
  bool done() const { return begin == view.count; }
  void next() { advance(end); }
  std::span<const int64_t> key() const {
    return view.index(begin).first(static_cast<size_t>(dims));
  }
  /// The elements' places.
  int64_t first() const { return begin; }
  int64_t last() const { return end; }
  int64_t size() const { return end - begin; }

private:
  void advance(int64_t to);

  const SparseView &view;
  int dims;
  int64_t begin = 0, end = 0;
};

/// That indices are a matrix, values and shape vectors, in the words of the ops
/// that name their operands sp_indices, sp_values, sp_shape.
Status checkPartRanks(const Tensor &indices, const Tensor &values,
                      const Tensor &shape);
/// That the splits of `count` values, of which there are some, begin with 0 and
/// end with `count`.
Status checkSplitEnds(const Tensor &splits, int64_t count);

/// Copies elements between tensors of one dtype, whatever that is.
class ElementCopy {
public:
  ElementCopy(const Tensor &from, Tensor &to);
  void operator()(int64_t from, int64_t to, int64_t count = 1) const;

private:
  const char *source = nullptr;
  char *target = nullptr;
  size_t size = 0;
  bool isString = false;
};

/// Row-major steps between elements; the extents' product fits.
std::vector<int64_t> stridesOf(std::span<const int64_t> extents);
/// An element of a tensor of int32 or int64.
inline int64_t integerAt(const Tensor &tensor, int64_t i) {
  const auto place = static_cast<size_t>(i);
  return tensor.dtype() == DType::Int32 ? tensor.data<int32_t>()[place]
                                        : tensor.data<int64_t>()[place];
}
/// A vector of int32 or int64.
StatusOr<Tensor> integers(DType dtype, std::span<const int64_t> numbers);

inline bool isVector(const Tensor &tensor) { return tensor.rank() == 1; }
inline bool isMatrix(const Tensor &tensor) { return tensor.rank() == 2; }

} // namespace kiln::host

#endif // KILN_LIB_OPS_SPARSE_HOSTSPARSEVIEW_H
