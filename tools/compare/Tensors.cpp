// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two tensors, and says how they differ.
#include "tools/compare/Tensors.h"

#include "kiln/String.h"
#include "lib/Support/Hash.h"
#include "lib/Support/Strings.h"
#include "tools/common/ComplexParts.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace kiln::compare {
namespace {

/// Bits as a number that rises with the float.
template <class Bits> int64_t rank(Bits bits) {
  constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  auto magnitude = static_cast<int64_t>(bits & ~sign);
  return bits & sign ? -magnitude : magnitude;
}

template <class Bits> Bits bitsAt(const Tensor &tensor, int64_t i) {
  Bits bits;
  std::memcpy(&bits,
              static_cast<const char *>(tensor.rawData()) +
                  i * static_cast<int64_t>(sizeof(Bits)),
              sizeof(Bits));
  return bits;
}

/// NaN by exponent and mantissa, for 1 + exponent + mantissa bits.
template <class Bits> bool isNan(Bits bits, int mantissaBits) {
  constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  Bits infinity = static_cast<Bits>((~Bits(0) << mantissaBits) & Bits(~sign));
  return static_cast<Bits>(bits & Bits(~sign)) > infinity;
}

/// 0 for what is no float.
int mantissaBitsOf(DType dtype) {
  switch (dtype) {
  case DType::Float32:
    return 23;
  case DType::Float64:
    return 52;
  case DType::Float16:
    return 10;
  case DType::BFloat16:
    return 7;
  default:
    return 0;
  }
}

std::string valueText(const Tensor &tensor, int64_t i) {
  char text[80];
  if (tensor.dtype() == DType::Float32) {
    auto value = static_cast<double>(tensor.data<float>()[size_t(i)]);
    std::snprintf(text, sizeof text, "%.9g (%a)", value, value);
  } else if (tensor.dtype() == DType::Float64) {
    double value = tensor.data<double>()[size_t(i)];
    std::snprintf(text, sizeof text, "%.17g (%a)", value, value);
  } else {
    uint64_t bits = 0;
    auto size = dtypeSize(tensor.dtype());
    std::memcpy(&bits,
                static_cast<const char *>(tensor.rawData()) + size_t(i) * size,
                size);
    int shift = 64 - 8 * static_cast<int>(size);
    bool isFloat = mantissaBitsOf(tensor.dtype()) != 0;
    if (isFloat)
      std::snprintf(text, sizeof text, "0x%llx",
                    static_cast<unsigned long long>(bits));
    else
      std::snprintf(text, sizeof text, "%lld",
                    static_cast<long long>(bits << shift) >> shift);
  }
  return text;
}

template <class Bits>
std::optional<TensorDifference>
compareBits(const Tensor &first, const Tensor &second, int mantissaBits) {
  std::optional<TensorDifference> found;
  for (int64_t i = 0; i < first.numElements(); ++i) {
    Bits a = bitsAt<Bits>(first, i), b = bitsAt<Bits>(second, i);
    if (a == b ||
        (mantissaBits && isNan(a, mantissaBits) && isNan(b, mantissaBits)))
      continue;
    if (!found) {
      found.emplace();
      found->element = i;
      found->first = valueText(first, i);
      found->second = valueText(second, i);
      if (mantissaBits)
        found->ulps = static_cast<uint64_t>(std::abs(rank(a) - rank(b)));
    }
    ++found->count;
  }
  return found;
}

std::optional<TensorDifference> compareTexts(const Tensor &first,
                                             const Tensor &second) {
  std::optional<TensorDifference> found;
  auto a = first.data<String>(), b = second.data<String>();
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i])
      continue;
    if (!found)
      found = TensorDifference{.element = static_cast<int64_t>(i),
                               .first = quote(a[i]),
                               .second = quote(b[i])};
    ++found->count;
  }
  return found;
}

template <class Bits>
uint64_t hashBits(const Tensor &tensor, int mantissaBits, uint64_t hash) {
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    Bits bits = bitsAt<Bits>(tensor, i);
    if (mantissaBits && isNan(bits, mantissaBits))
      bits = static_cast<Bits>(~Bits(0));
    hash = hashCombine(hash, bits);
  }
  return hash;
}

} // namespace

std::optional<TensorDifference> compareTensors(const Tensor &first,
                                               const Tensor &second) {
  auto describe = [](const Tensor &tensor) {
    return strCat(dtypeName(tensor.dtype()), " ", tensor.shape().toString());
  };
  if (first.dtype() != second.dtype() || first.shape() != second.shape()) {
    TensorDifference difference;
    difference.element = -1;
    difference.first = describe(first);
    difference.second = describe(second);
    return difference;
  }
  if (first.dtype() == DType::String)
    return compareTexts(first, second);
  if (isComplex(first.dtype())) {
    StatusOr<Tensor> a = partsOf(first), b = partsOf(second);
    if (a.ok() && b.ok()) {
      auto found = compareTensors(*a, *b);
      if (found)
        found->element /= 2;
      return found;
    }
  }
  int mantissaBits = mantissaBitsOf(first.dtype());
  switch (dtypeSize(first.dtype())) {
  case 1:
    return compareBits<uint8_t>(first, second, mantissaBits);
  case 2:
    return compareBits<uint16_t>(first, second, mantissaBits);
  case 4:
    return compareBits<uint32_t>(first, second, mantissaBits);
  default:
    return compareBits<uint64_t>(first, second, mantissaBits);
  }
}

uint64_t hashTensor(const Tensor &tensor, uint64_t seed) {
  uint64_t hash = hashCombine(seed, static_cast<uint64_t>(tensor.dtype()));
  for (int64_t dim : tensor.shape().dims())
    hash = hashCombine(hash, static_cast<uint64_t>(dim));
  if (tensor.dtype() == DType::String) {
    for (const String &text : tensor.data<String>())
      hash = hashString(text, hash);
    return hash;
  }
  if (isComplex(tensor.dtype()))
    if (StatusOr<Tensor> parts = partsOf(tensor); parts.ok())
      return hashTensor(*parts, hash);
  int mantissaBits = mantissaBitsOf(tensor.dtype());
  switch (dtypeSize(tensor.dtype())) {
  case 1:
    return hashBits<uint8_t>(tensor, mantissaBits, hash);
  case 2:
    return hashBits<uint16_t>(tensor, mantissaBits, hash);
  case 4:
    return hashBits<uint32_t>(tensor, mantissaBits, hash);
  default:
    return hashBits<uint64_t>(tensor, mantissaBits, hash);
  }
}

} // namespace kiln::compare
