// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All of it in double, but for what Horovod computes in float.
#include "lib/Collectives/Scale.h"

#include "kiln/Float16.h"
#include "lib/Support/IntegerOfFloat.h"

#include <vector>

namespace kiln {
namespace {

template <class T> void scaleIntegers(Tensor &tensor, double factor) {
  constexpr int bits = sizeof(T) * 8;
  for (T &element : tensor.mutableData<T>())
    element = static_cast<T>(integers::fromFloat<bits, std::is_unsigned_v<T>>(
        integers::ScalarFloats<double>(), factor * double(element)));
}

double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

double numberOf(Half half) { return static_cast<float>(half); }
double numberOf(double number) { return number; }
template <class T> T elementOf(double number) {
  if constexpr (std::is_same_v<T, Half>)
    return Half(static_cast<float>(number));
  else
    return static_cast<T>(number);
}

template <class T>
void addAdaptively(const Tensor &all, int64_t place, Tensor &sum) {
  const auto ranks = static_cast<size_t>(all.dim(0));
  const auto stride = static_cast<size_t>(all.dim(1));
  const auto count = static_cast<size_t>(sum.numElements());
  std::span<const T> elements = all.data<T>();
  std::vector<std::vector<double>> level;
  for (size_t rank = 0; rank < ranks; ++rank) {
    std::vector<double> &row = level.emplace_back();
    for (size_t i = 0; i < count; ++i)
      row.push_back(numberOf(elements[rank * stride + size_t(place) + i]));
  }
  for (; level.size() > 1; level.resize(level.size() / 2))
    for (size_t pair = 0; pair < level.size() / 2; ++pair) {
      const std::vector<double> &a = level[2 * pair], &b = level[2 * pair + 1];
      const double both = dot(a, b), aa = dot(a, a), bb = dot(b, b);
      const double ofA = aa == 0 ? 1 : 1 - both / (2 * aa);
      const double ofB = bb == 0 ? 1 : 1 - both / (2 * bb);
      std::vector<double> row(count);
      for (size_t i = 0; i < count; ++i)
        row[i] = ofA * a[i] + ofB * b[i];
      level[pair] = std::move(row);
    }
  for (size_t i = 0; i < count; ++i)
    sum.mutableData<T>()[i] = elementOf<T>(level[0][i]);
}

} // namespace

void scale(Tensor &tensor, double factor) {
  if (factor == 1)
    return;
  switch (tensor.dtype()) {
  case DType::Float32:
    for (float &element : tensor.mutableData<float>())
      element *= static_cast<float>(factor);
    return;
  case DType::Float64:
    for (double &element : tensor.mutableData<double>())
      element *= factor;
    return;
  case DType::Float16:
    for (Half &element : tensor.mutableData<Half>())
      element = Half(static_cast<float>(factor) * static_cast<float>(element));
    return;
  case DType::UInt8:
    return scaleIntegers<uint8_t>(tensor, factor);
  case DType::Int8:
    return scaleIntegers<int8_t>(tensor, factor);
  case DType::Int32:
    return scaleIntegers<int32_t>(tensor, factor);
  case DType::Int64:
    return scaleIntegers<int64_t>(tensor, factor);
  default:
    return; // no reduction takes another type
  }
}

void adasum(const Tensor &all, int64_t place, Tensor &sum) {
  if (all.dtype() == DType::Float16)
    addAdaptively<Half>(all, place, sum);
  else if (all.dtype() == DType::Float64)
    addAdaptively<double>(all, place, sum);
  else
    addAdaptively<float>(all, place, sum);
}

} // namespace kiln
