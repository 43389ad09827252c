// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over axes that the run finds out.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace kiln {
namespace {

/// A complex number.
template <class T> struct Pair {
  T real, imag;
  Pair &operator+=(const Pair &other) {
    real += other.real;
    imag += other.imag;
    return *this;
  }
};

/// What elements of a type are summed in: rounded once, integers wrap.
template <class T> struct SumType {
  using type = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;
};
template <class T> struct SumType<Pair<T>> {
  using type = Pair<double>;
};
template <class T> using SumOf = typename SumType<T>::type;

template <class T> SumOf<T> toSum(T value) noexcept {
  if constexpr (std::is_same_v<SumOf<T>, Pair<double>>)
    return {static_cast<double>(value.real), static_cast<double>(value.imag)};
  else if constexpr (std::is_class_v<T>) // 16 bits
    return static_cast<double>(static_cast<float>(value));
  else
    return static_cast<SumOf<T>>(value);
}
template <class T> T fromSum(SumOf<T> sum) noexcept {
  if constexpr (std::is_same_v<SumOf<T>, Pair<double>>)
    return {static_cast<decltype(T::real)>(sum.real),
            static_cast<decltype(T::imag)>(sum.imag)};
  else if constexpr (std::is_class_v<T>)
    return T(static_cast<float>(sum));
  else
    return static_cast<T>(sum);
}

/// Which dimensions of input 0 are summed over. **Errors**: TensorFlow's.
template <class Index>
Status readAxes(const KernelCall &call, std::vector<bool> &isSummed) {
  auto rank = static_cast<int64_t>(isSummed.size());
  for (int64_t i = 0; i < call.inputElements(1); ++i) {
    auto axis = static_cast<int64_t>(call.input<Index>(1)[i]);
    if (axis < -rank || axis >= rank)
      return invalidArgumentError(strCat("Invalid reduction dimension (", axis,
                                         " for input with ", rank,
                                         " dimension(s)"));
    auto place = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    if (isSummed[place])
      return invalidArgumentError(strCat(
          "Invalid reduction arguments: Axes contains duplicate dimension: ",
          place));
    isSummed[place] = true;
  }
  return okStatus();
}

/// Adds the rows of x to those of `sums` that they belong to. False where the
/// run is to stop.
template <class T>
bool addRows(const KernelCall &call, const std::vector<bool> &isSummed,
             SumOf<T> *sums) {
  std::span<const int64_t> dims = call.inputDims(0);
  size_t rank = dims.size();
  int64_t width = dims[rank - 1], stride = 1;
  std::vector<int64_t> strides(rank), index(rank);
  for (size_t d = rank; d-- > 0;)
    if (!isSummed[d]) {
      strides[d] = stride;
      stride *= dims[d];
    }
  const T *x = call.input<T>(0), *end = x + call.inputElements(0);
  for (int64_t row = 0; x != end; x += width, ++row) {
    if (row % 64 == 0 && mustStop(call.state()))
      return false;
    SumOf<T> *to = sums;
    for (size_t d = 0; d + 1 < rank; ++d)
      to += index[d] * strides[d];
    for (int64_t j = 0; j < width; ++j)
      to[j * strides[rank - 1]] += toSum(x[j]);
    for (size_t d = rank - 1; d-- > 0;) {
      if (++index[d] < dims[d])
        break;
      index[d] = 0;
    }
  }
  return true;
}

template <class T> int32_t sum(const KernelCall &call) noexcept {
  std::span<const int64_t> dims = call.inputDims(0);
  std::vector<bool> isSummed(dims.size());
  Status read = call.inputDType(1) == DType::Int32
                    ? readAxes<int32_t>(call, isSummed)
                    : readAxes<int64_t>(call, isSummed);
  if (!read.ok())
    return !call.fail(std::move(read));
  bool changes = false;
  int64_t count = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t extent = isSummed[d] ? 1 : dims[d];
    changes |= extent != dims[d];
    count *= extent;
    call.bind(static_cast<int>(d), extent);
  }
  T *out = call.allocateOutput<T>(0);
  if (!out)
    return 1;
  if (!changes) {
    std::memcpy(static_cast<void *>(out), call.input<T>(0),
                static_cast<size_t>(count) * sizeof(T));
    return 0;
  }
  std::unique_ptr<SumOf<T>[]> sums(new (std::nothrow)
                                       SumOf<T>[static_cast<size_t>(count)]());
  if (!sums)
    return !call.fail(ErrorKind::OutOfMemory,
                      count * static_cast<int64_t>(sizeof(SumOf<T>)));
  if (!addRows<T>(call, isSummed, sums.get()))
    return 1;
  for (int64_t i = 0; i < count; ++i)
    out[i] = fromSum<T>(sums[static_cast<size_t>(i)]);
  return mustStop(call.state());
}

/// x, axes -> the sum over the axes, all dimensions kept; finds out its dims
/// (TensorFlow's Sum with keep_dims).
int32_t sumOverAxes(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.inputDType(0),
                         [&]<class T>(T) { return sum<T>(call); });
}

/// The same of complex numbers, which come as integers of their size.
int32_t complexSumOverAxes(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.inputDType(0) == DType::Int64 ? sum<Pair<float>>(call)
                                            : sum<Pair<double>>(call);
}

} // namespace

std::vector<Kernel> sumOverAxesKernels() {
  return {{"ComplexSumOverAxes", complexSumOverAxes},
          {"SumOverAxes", sumOverAxes}};
}

} // namespace kiln
