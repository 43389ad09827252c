// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of sparse tensors with sparse and dense ones.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostNumbers.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <cmath>
#include <compare>

namespace kiln::host {
namespace {

std::strong_ordering compare(const SparseView &a, int64_t i,
                             const SparseView &b, int64_t j) {
  auto x = a.index(i), y = b.index(j);
  return std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(),
                                                y.end());
}

/// Walks over ordered indices of both: calls use(i, j) with -1 for the one that
/// does not have the index.
template <class Use>
void forUnion(const SparseView &a, const SparseView &b, Use use) {
  int64_t i = 0, j = 0;
  while (i < a.count || j < b.count) {
    const auto order = i == a.count   ? std::strong_ordering::greater
                       : j == b.count ? std::strong_ordering::less
                                      : compare(a, i, b, j);
    use(order <= 0 ? i : -1, order >= 0 ? j : -1);
    i += order <= 0;
    j += order >= 0;
  }
}

/// Collects indices and values.
template <class T> struct Collected {
  std::vector<int64_t> indices;
  std::vector<T> values;

  void add(std::span<const int64_t> index, T value) {
    indices.insert(indices.end(), index.begin(), index.end());
    values.push_back(value);
  }
  Status give(const HostCall &call, int rank) const {
    const auto count = static_cast<int64_t>(values.size());
    KILN_ASSIGN_OR_RETURN(
        call.outputs[0], Tensor::fromValues<int64_t>(
                             {count, rank}, std::span<const int64_t>(indices)));
    KILN_ASSIGN_OR_RETURN(
        call.outputs[1],
        Tensor::fromValues<T>({count}, std::span<const T>(values)));
    return okStatus();
  }
};

Status checkSameShape(const Tensor &a, const Tensor &b) {
  std::span<const int64_t> x = a.data<int64_t>(), y = b.data<int64_t>();
  if (x.size() != y.size())
    return invalidArgumentError(
        strCat("Operands do not have the same ranks; got shapes: ", listText(x),
               " and ", listText(y)));
  for (size_t d = 0; d < x.size(); ++d)
    if (x[d] != y[d])
      return invalidArgumentError(strCat("Operands' shapes do not match: got ",
                                         x[d], " and ", y[d], " for dimension ",
                                         d));
  return okStatus();
}

enum class Operation : uint8_t { Add, Mul, Div };

template <class T> T apply(Operation operation, T a, T b) {
  if constexpr (std::is_class_v<T>) {
    return T(apply(operation, static_cast<float>(a), static_cast<float>(b)));
  } else if constexpr (std::is_integral_v<T>) {
    // As unsigned numbers, which wrap; what divides by -1 is a difference.
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    switch (operation) {
    case Operation::Add:
      return static_cast<T>(x + y);
    case Operation::Mul:
      return static_cast<T>(x * y);
    case Operation::Div:
      if constexpr (std::is_signed_v<T>)
        if (b == -1)
          return static_cast<T>(0 - x);
      return static_cast<T>(a / b);
    }
  } else {
    switch (operation) {
    case Operation::Add:
      return a + b;
    case Operation::Mul:
      return a * b;
    case Operation::Div:
      return a / b;
    }
  }
  return a;
}

/// The dense tensor is broadcast to the shape of the sparse one.
StatusOr<SparseView> denseOperands(const HostCall &call) {
  const Tensor &indices = call.inputs[0], &values = call.inputs[1],
               &shape = call.inputs[2], &dense = call.inputs[3];
  KILN_RETURN_IF_ERROR(checkPartRanks(indices, values, shape));
  if (values.dim(0) != indices.dim(0))
    return invalidArgumentError(
        strCat("The first dimension of values and indices should match. (",
               values.dim(0), " vs. ", indices.dim(0), ")"));
  if (shape.dim(0) != indices.dim(1))
    return invalidArgumentError(strCat(
        "Number of dimensions must match second dimension of indices. Got ",
        shape.dim(0),
        " dimensions, indices shape: ", indices.shape().toString()));
  if (shape.dim(0) == 0)
    return invalidArgumentError(
        "The shape argument requires at least one element.");
  std::span<const int64_t> extents = shape.data<int64_t>(),
                           given = dense.shape().dims();
  KILN_RETURN_IF_ERROR(checkExtents(extents).status());
  bool fits = given.size() <= extents.size();
  for (size_t d = 0; fits && d < given.size(); ++d) {
    const int64_t extent = extents[extents.size() - given.size() + d];
    fits = given[d] == extent || (given[d] == 1 && extent > 0);
  }
  if (!fits)
    return invalidArgumentError(
        strCat("SparseDenseBinaryOpShared broadcasts dense to sparse only; got "
               "incompatible shapes: ",
               listText(extents), " vs. ", listText(given)));
  if (extents.size() > 5)
    return invalidArgumentError(
        strCat("Only tensors with ranks between 1 and 5 are currently "
               "supported.  Tensor rank: ",
               extents.size()));
  return createView(indices, values, shape);
}

template <class T> Status withDense(const HostCall &call, Operation operation) {
  KILN_ASSIGN_OR_RETURN(SparseView view, denseOperands(call));
  const Tensor &dense = call.inputs[3];
  std::span<const int64_t> given = dense.shape().dims();
  const std::vector<int64_t> strides = stridesOf(given);
  const size_t missing = view.shape.size() - given.size();
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::create(dtypeOf<T>, {view.count}));
  std::span<const T> values = view.values->data<T>(), other = dense.data<T>();
  std::span<T> out = call.outputs[0].mutableData<T>();
  for (int64_t i = 0; i < view.count; ++i) {
    std::span<const int64_t> index = view.index(i);
    int64_t place = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      if (index[d] < 0 || index[d] >= view.shape[d])
        return invalidArgumentError("Provided indices are out-of-bounds w.r.t. "
                                    "dense side with broadcasted shape");
      if (d >= missing && given[d - missing] != 1)
        place += index[d] * strides[d - missing];
    }
    const auto to = static_cast<size_t>(i);
    const T number = other[static_cast<size_t>(place)];
    if (operation == Operation::Div && number == T(0))
      return invalidArgumentError("SparseDenseCwiseDiv cannot divide by zero,"
                                  "but input dense tensor contains zero ");
    out[to] = apply(operation, values[to], number);
  }
  return okStatus();
}

template <class T> bool isLess(T a, T b) {
  if constexpr (std::is_class_v<T>)
    return static_cast<float>(a) < static_cast<float>(b);
  else
    return a < b;
}

template <class T> Status extremes(const HostCall &call, bool isMax) {
  KILN_ASSIGN_OR_RETURN(SparseView a, checkedView(call, 0, Indices::InBounds));
  KILN_ASSIGN_OR_RETURN(SparseView b, checkedView(call, 3, Indices::InBounds));
  if (a.rank == 0)
    return invalidArgumentError("Tensors must not be empty");
  KILN_RETURN_IF_ERROR(checkSameShape(call.inputs[2], call.inputs[5]));
  std::span<const T> valuesA = a.values->data<T>(),
                     valuesB = b.values->data<T>();
  Collected<T> result;
  forUnion(a, b, [&](int64_t i, int64_t j) {
    const T x = i < 0 ? T(0) : valuesA[static_cast<size_t>(i)],
            y = j < 0 ? T(0) : valuesB[static_cast<size_t>(j)];
    const bool takesY = isMax ? isLess(x, y) : isLess(y, x);
    result.add(i < 0 ? b.index(j) : a.index(i), takesY ? y : x);
  });
  return result.give(call, a.rank);
}

/// Inputs 0 to 5 of SparseAdd.
Status checkSum(const HostCall &call) {
  auto both = [&](size_t i) {
    return strCat(call.inputs[i].shape().toString(), " and ",
                  call.inputs[i + 3].shape().toString());
  };
  const Tensor &a = call.inputs[0], &b = call.inputs[3];
  if (!isMatrix(a) || !isMatrix(b))
    return invalidArgumentError(strCat(
        "Input indices should be matrices but received shapes: ", both(0)));
  if (a.dim(1) != b.dim(1))
    return invalidArgumentError(
        strCat("Input indices must have the same dimension, got ", a.dim(1),
               " and ", b.dim(1)));
  if (!isVector(call.inputs[1]) || !isVector(call.inputs[4]))
    return invalidArgumentError(strCat(
        "Input values should be vectors but received shapes: ", both(1)));
  if (call.inputs[1].dim(0) != a.dim(0) || call.inputs[4].dim(0) != b.dim(0))
    return invalidArgumentError(strCat("Expected ", a.dim(0), " and ", b.dim(0),
                                       " non-empty input values, got ",
                                       call.inputs[1].dim(0), " and ",
                                       call.inputs[4].dim(0)));
  if (!isVector(call.inputs[2]) || !isVector(call.inputs[5]))
    return invalidArgumentError(strCat(
        "Input shapes should be a vector but received shapes ", both(2)));
  if (call.inputs[2].dim(0) != a.dim(1))
    return invalidArgumentError(
        strCat("Second dimension of a_indices and length of a_shape must "
               "match, got ",
               a.dim(1), " and ", call.inputs[2].dim(0)));
  if (a.dim(1) == 0)
    return invalidArgumentError("Tensors must not be empty");
  return checkSameShape(call.inputs[2], call.inputs[5]);
}

template <class T> bool isAtLeast(T sum, double threshold) {
  if constexpr (std::is_class_v<T>)
    return threshold <= std::abs(static_cast<float>(sum));
  else if constexpr (std::is_unsigned_v<T>)
    return threshold <= static_cast<double>(sum);
  else
    return threshold <= static_cast<double>(std::abs(sum));
}

template <class T> Status sum(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkSum(call));
  const Tensor &threshold = call.inputs[6];
  if (threshold.rank() != 0)
    return invalidArgumentError(
        strCat("The magnitude threshold must be a scalar: got shape ",
               threshold.shape().toString()));
  double least = 0;
  KILN_RETURN_IF_ERROR(withNumber(call.node, "Treal", [&]<class Real>(Real) {
    const Real number = threshold.data<Real>()[0];
    if constexpr (std::is_class_v<Real>)
      least = static_cast<float>(number);
    else
      least = static_cast<double>(number);
    return okStatus();
  }));
  KILN_ASSIGN_OR_RETURN(
      SparseView a, createView(call.inputs[0], call.inputs[1], call.inputs[2]));
  KILN_ASSIGN_OR_RETURN(
      SparseView b, createView(call.inputs[3], call.inputs[4], call.inputs[5]));
  std::span<const T> valuesA = a.values->data<T>(),
                     valuesB = b.values->data<T>();
  Collected<T> result;
  forUnion(a, b, [&](int64_t i, int64_t j) {
    if (i < 0)
      return result.add(b.index(j), valuesB[static_cast<size_t>(j)]);
    if (j < 0)
      return result.add(a.index(i), valuesA[static_cast<size_t>(i)]);
    const T total =
        sumOf(valuesA[static_cast<size_t>(i)], valuesB[static_cast<size_t>(j)]);
    if (isAtLeast(total, least))
      result.add(a.index(i), total);
  });
  call.outputs[2] = call.inputs[2];
  return result.give(call, a.rank);
}

Status checkSumGradient(const HostCall &call) {
  const Tensor &gradient = call.inputs[0], &a = call.inputs[1],
               &b = call.inputs[2], &all = call.inputs[3];
  if (!isMatrix(a) || !isMatrix(b) || !isMatrix(all))
    return invalidArgumentError(
        strCat("Input indices should be matrices but received shapes: ",
               a.shape().toString(), " and ", b.shape().toString(), " and ",
               all.shape().toString()));
  if (!isVector(gradient))
    return invalidArgumentError(
        strCat("Input backprop_val_grad should be a vector but received "
               "shape: ",
               gradient.shape().toString()));
  if (a.dim(1) != b.dim(1) || b.dim(1) != all.dim(1))
    return invalidArgumentError(
        strCat("The densified operands should have the same ndims; for A, B, "
               "sum got: ",
               a.dim(1), b.dim(1), all.dim(1)));
  if (gradient.dim(0) != all.dim(0))
    return invalidArgumentError(
        strCat("# elements of backprop_val_grad and # rows of sum_indices "
               "should match (#nnz of sum): got ",
               gradient.dim(0), " and ", all.dim(0)));
  return okStatus();
}

SparseView indicesOnly(const Tensor &indices) {
  return {indices.data<int64_t>(),
          nullptr,
          {},
          indices.dim(0),
          static_cast<int>(indices.dim(1))};
}

/// The gradient of an operand: where the sum has its index, that of the sum.
struct OperandGradient {
  OperandGradient(const Tensor &gradient, const Tensor &indices, Tensor &out)
      : own(indicesOnly(indices)), copy(gradient, out) {}

  /// Takes the element of the sum where it is the next one of the operand.
  /// Returns whether the operand waits for a later element of the sum.
  bool take(const SparseView &sum, int64_t k) {
    if (next == own.count)
      return true;
    const auto order = compare(own, next, sum, k);
    if (order == 0)
      copy(k, next);
    next += order <= 0;
    return order >= 0;
  }

  SparseView own;
  ElementCopy copy;
  int64_t next = 0;
};

template <class T> Status ontoDense(const HostCall &call) {
  const Tensor &indices = call.inputs[0], &values = call.inputs[1],
               &shape = call.inputs[2], &dense = call.inputs[3];
  if (!isMatrix(indices))
    return invalidArgumentError(
        strCat("Input a_indices should be a matrix but received shape: ",
               indices.shape().toString()));
  if (!isVector(values) || !isVector(shape))
    return invalidArgumentError(
        strCat("Inputs a_values and a_shape should be vectors but received "
               "shapes: ",
               values.shape().toString(), " and ", shape.shape().toString()));
  const int64_t count = indices.dim(0), rank = indices.dim(1);
  if (values.dim(0) != count)
    return invalidArgumentError(strCat("Dimensions ", count, " and ",
                                       values.dim(0), " are not compatible"));
  if (shape.dim(0) != rank)
    return invalidArgumentError(strCat("Dimensions ", rank, " and ",
                                       shape.dim(0), " are not compatible"));
  if (rank != dense.rank())
    return invalidArgumentError(
        strCat("Two operands have different ranks; received: ", rank, " and ",
               dense.rank()));
  for (int d = 0; d < dense.rank(); ++d)
    if (integerAt(shape, d) != dense.dim(d))
      return invalidArgumentError(
          strCat("Dimension ", d,
                 " does not equal (no broadcasting is supported): sparse side ",
                 integerAt(shape, d), " vs dense side ", dense.dim(d)));
  for (int64_t i = 0; i < count; ++i)
    for (int d = 0; d < dense.rank(); ++d)
      if (int64_t index = integerAt(indices, i * rank + d);
          index < 0 || index >= dense.dim(d))
        return invalidArgumentError(
            strCat("Sparse tensor has an invalid index on dimension ", d,
                   ": a_indices(", i, ",", d, ") = ", index,
                   ", dense tensor shape: ", dense.shape().toString()));
  if (rank < 1 || rank > 5)
    return invalidArgumentError(
        strCat("Only tensors with ranks between 1 and 5 are currently "
               "supported.  Tensor rank: ",
               rank));
  KILN_ASSIGN_OR_RETURN(call.outputs[0], dense.clone());
  const std::vector<int64_t> strides = stridesOf(dense.shape().dims());
  std::span<T> out = call.outputs[0].mutableData<T>();
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = 0;
    for (int64_t d = 0; d < rank; ++d)
      place +=
          integerAt(indices, i * rank + d) * strides[static_cast<size_t>(d)];
    T &to = out[static_cast<size_t>(place)];
    to = sumOf(to, values.data<T>()[static_cast<size_t>(i)]);
  }
  return okStatus();
}

template <Operation operation> Status cwise(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return withDense<T>(call, operation); });
}

} // namespace

Status sparseDenseCwiseAdd(const HostCall &call) {
  return cwise<Operation::Add>(call);
}
Status sparseDenseCwiseMul(const HostCall &call) {
  return cwise<Operation::Mul>(call);
}
Status sparseDenseCwiseDiv(const HostCall &call) {
  return cwise<Operation::Div>(call);
}

Status sparseSparseMaximum(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return extremes<T>(call, true); });
}

Status sparseSparseMinimum(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return extremes<T>(call, false); });
}

Status sparseAdd(const HostCall &call) {
  return withNumber(call.node, "T", [&]<class T>(T) { return sum<T>(call); });
}

/// As TensorFlow's kernel walks through the three lists, whatever their order:
/// indices that are not sorted, or there twice, have their gradients too.
Status sparseAddGrad(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkSumGradient(call));
  const Tensor &gradient = call.inputs[0];
  for (size_t i : {size_t(0), size_t(1)}) {
    KILN_ASSIGN_OR_RETURN(
        call.outputs[i],
        Tensor::zeros(gradient.dtype(), {call.inputs[i + 1].dim(0)}));
  }
  OperandGradient a(gradient, call.inputs[1], call.outputs[0]),
      b(gradient, call.inputs[2], call.outputs[1]);
  const SparseView sum = indicesOnly(call.inputs[3]);
  for (int64_t k = 0;
       k < sum.count && (a.next < a.own.count || b.next < b.own.count);) {
    const bool isAhead = a.take(sum, k) & b.take(sum, k);
    k += isAhead;
  }
  return okStatus();
}

Status sparseTensorDenseAdd(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return ontoDense<T>(call); });
}

} // namespace kiln::host
