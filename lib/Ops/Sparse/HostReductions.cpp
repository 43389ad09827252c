// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, maxima and softmaxes of groups of a sparse tensor's elements.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostNumbers.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kiln::host {
namespace {

/// The elements of a view, ordered by some of their indices' numbers.
struct Ordered {
  SparseView view;
  /// The dimensions that elements of one group agree in, in order.
  std::vector<int> kept;
  std::vector<int64_t> places;

  int64_t number(size_t place, size_t k) const {
    return view.index(places[place])[static_cast<size_t>(kept[k])];
  }
  bool areAlike(size_t a, size_t b) const {
    for (size_t k = 0; k < kept.size(); ++k)
      if (number(a, k) != number(b, k))
        return false;
    return true;
  }
};

/// Orders by `kept`, then by the other dimensions.
Ordered order(const SparseView &view, std::vector<int> kept) {
  std::vector<int> all = kept;
  for (int d = 0; d < view.rank; ++d)
    if (!std::ranges::binary_search(kept, d))
      all.push_back(d);
  Ordered result = {view, std::move(kept), {}};
  result.places.resize(static_cast<size_t>(view.count));
  std::iota(result.places.begin(), result.places.end(), int64_t(0));
  std::ranges::stable_sort(result.places, [&](int64_t a, int64_t b) {
    for (int d : all)
      if (int64_t x = view.index(a)[static_cast<size_t>(d)],
          y = view.index(b)[static_cast<size_t>(d)];
          x != y)
        return x < y;
    return false;
  });
  return result;
}

/// Calls use(begin, end) for each group's places.
template <class Use> Status forGroups(const Ordered &elements, Use use) {
  for (size_t begin = 0; begin < elements.places.size();) {
    size_t end = begin + 1;
    while (end < elements.places.size() && elements.areAlike(begin, end))
      ++end;
    KILN_RETURN_IF_ERROR(use(begin, end));
    begin = end;
  }
  return okStatus();
}

/// Inputs 0 to 3 of a reduction, checked.
struct Reduction {
  Ordered elements;
  /// Extents of the result, and of the dimensions that stay.
  std::vector<int64_t> extents, keptExtents;
  bool keepsDims;
};

StatusOr<Reduction> reductionOf(const HostCall &call) {
  const Tensor &shape = call.inputs[2], &axes = call.inputs[3];
  if (!isVector(shape))
    return invalidArgumentError(
        strCat("Expected input_shape to be a vector; got shape: ",
               shape.shape().toString()));
  if (axes.rank() > 1)
    return invalidArgumentError(
        strCat("Expected reduction_axes to be a scalar or a vector; got "
               "shape: ",
               axes.shape().toString()));
  std::vector<bool> isReduced(static_cast<size_t>(shape.dim(0)));
  for (int32_t axis : axes.data<int32_t>()) {
    if (axis < -shape.dim(0) || axis >= shape.dim(0))
      return invalidArgumentError(strCat("Invalid reduction dimension ", axis,
                                         ", for input with ", shape.dim(0),
                                         " dimensions."));
    isReduced[static_cast<size_t>(axis < 0 ? axis + shape.dim(0) : axis)] =
        true;
  }
  KILN_RETURN_IF_ERROR(checkExtents(shape.data<int64_t>()).status());
  KILN_ASSIGN_OR_RETURN(SparseView view,
                        createView(call.inputs[0], call.inputs[1], shape));
  Reduction reduction;
  reduction.keepsDims = call.node.attrOr<bool>("keep_dims", false);
  std::vector<int> kept;
  for (int d = 0; d < view.rank; ++d) {
    const auto place = static_cast<size_t>(d);
    if (!isReduced[place]) {
      kept.push_back(d);
      reduction.keptExtents.push_back(view.shape[place]);
      reduction.extents.push_back(view.shape[place]);
    } else if (reduction.keepsDims) {
      reduction.extents.push_back(1);
    }
  }
  KILN_RETURN_IF_ERROR(checkExtents(reduction.extents).status());
  reduction.elements = order(view, std::move(kept));
  return reduction;
}

/// NaN is smaller than what comes behind it, and larger than what comes before,
/// as in TensorFlow.
template <class T> T larger(T a, T b) {
  if constexpr (std::is_class_v<T>)
    return static_cast<float>(b) < static_cast<float>(a) ? a : b;
  else
    return b < a ? a : b;
}

template <class T, bool isMax>
T reduceGroup(const Ordered &elements, size_t begin, size_t end) {
  std::span<const T> values = elements.view.values->data<T>();
  T result = values[static_cast<size_t>(elements.places[begin])];
  for (size_t i = begin + 1; i < end; ++i) {
    const T next = values[static_cast<size_t>(elements.places[i])];
    result = isMax ? larger(result, next) : sumOf(result, next);
  }
  return result;
}

template <class T, bool isMax> Status toDense(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Reduction reduction, reductionOf(call));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::zeros(dtypeOf<T>,
                    Shape(std::span<const int64_t>(reduction.extents))));
  std::span<T> out = call.outputs[0].mutableData<T>();
  const std::vector<int64_t> strides = stridesOf(reduction.keptExtents);
  const Ordered &elements = reduction.elements;
  return forGroups(elements, [&](size_t begin, size_t end) {
    CheckedInt64 place = 0;
    for (size_t k = 0; k < strides.size(); ++k)
      place += CheckedInt64(elements.number(begin, k)) * strides[k];
    const int64_t to = place.value().value_or(-1);
    if (to < 0 || to >= static_cast<int64_t>(out.size()))
      return internalError(strCat("Obtained a write index of ", to,
                                  " which is outside of bounds of [0, ",
                                  out.size(), ")"));
    out[static_cast<size_t>(to)] = reduceGroup<T, isMax>(elements, begin, end);
    return okStatus();
  });
}

template <class T, bool isMax> Status toSparse(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Reduction reduction, reductionOf(call));
  const Ordered &elements = reduction.elements;
  std::vector<int64_t> indices;
  std::vector<T> values;
  KILN_RETURN_IF_ERROR(forGroups(elements, [&](size_t begin, size_t end) {
    size_t k = 0;
    for (size_t d = 0; d < reduction.extents.size(); ++d)
      if (!reduction.keepsDims ||
          std::ranges::binary_search(elements.kept, static_cast<int>(d)))
        indices.push_back(elements.number(begin, k++));
      else
        indices.push_back(0);
    values.push_back(reduceGroup<T, isMax>(elements, begin, end));
    return okStatus();
  }));
  const auto count = static_cast<int64_t>(values.size());
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::fromValues<int64_t>(
          {count, static_cast<int64_t>(reduction.extents.size())},
          std::span<const int64_t>(indices)));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[1],
      Tensor::fromValues<T>({count}, std::span<const T>(values)));
  KILN_ASSIGN_OR_RETURN(call.outputs[2],
                        integers(DType::Int64, reduction.extents));
  return okStatus();
}

/// A number of 16 bits in float32.
template <class T> auto wide(T value) {
  if constexpr (std::is_class_v<T>)
    return static_cast<float>(value);
  else
    return value;
}

template <class T> Status softmax(const HostCall &call, SparseView view) {
  using Wide = decltype(wide(T()));
  std::vector<int> kept(static_cast<size_t>(view.rank - 1));
  std::iota(kept.begin(), kept.end(), 0);
  const Ordered elements = order(view, std::move(kept));
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::create(dtypeOf<T>, {view.count}));
  std::span<const T> values = view.values->data<T>();
  std::span<T> out = call.outputs[0].mutableData<T>();
  std::vector<Wide> powers;
  return forGroups(elements, [&](size_t begin, size_t end) {
    auto valueAt = [&](size_t i) {
      return wide(values[static_cast<size_t>(elements.places[i])]);
    };
    Wide largest = valueAt(begin), sum = 0;
    for (size_t i = begin + 1; i < end; ++i)
      largest = larger(largest, valueAt(i));
    powers.clear();
    for (size_t i = begin; i < end; ++i) {
      powers.push_back(std::exp(valueAt(i) - largest));
      sum += powers.back();
    }
    for (size_t i = begin; i < end; ++i)
      out[i] = T(powers[i - begin] / sum);
    return okStatus();
  });
}

} // namespace

Status sparseReduceSum(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return toDense<T, false>(call); });
}

Status sparseReduceMax(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return toDense<T, true>(call); });
}

Status sparseReduceSumSparse(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return toSparse<T, false>(call); });
}

Status sparseReduceMaxSparse(const HostCall &call) {
  return withNumber(call.node, "T",
                    [&]<class T>(T) { return toSparse<T, true>(call); });
}

Status sparseSoftmax(const HostCall &call) {
  const Tensor &indices = call.inputs[0], &values = call.inputs[1],
               &shape = call.inputs[2];
  KILN_RETURN_IF_ERROR(checkPartRanks(indices, values, shape));
  if (shape.dim(0) < 2)
    return invalidArgumentError(
        strCat("Input should have rank >= 2, but received shape: ",
               listText(shape.data<int64_t>())));
  KILN_RETURN_IF_ERROR(checkExtents(shape.data<int64_t>()).status());
  KILN_ASSIGN_OR_RETURN(SparseView view, createView(indices, values, shape));
  switch (values.dtype()) {
  case DType::Float16:
    return softmax<Half>(call, view);
  case DType::Float32:
    return softmax<float>(call, view);
  default:
    return softmax<double>(call, view);
  }
}

} // namespace kiln::host
