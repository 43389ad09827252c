// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the native tests run on: tensors of random numbers and of edges, of
// every element type.
#include "lib/Support/DTypeDispatch.h"
#include "test/unit/JIT/NativeHarness.h"

#include <limits>
#include <random>

namespace kiln {
namespace {

std::vector<int64_t> numbersOf(const std::vector<Side> &sides) {
  std::vector<int64_t> extents;
  for (const Side &side : sides)
    extents.push_back(side.extent);
  return extents;
}

template <class T> std::vector<T> floatEdges() {
  using Limits = std::numeric_limits<T>;
  T tiny = Limits::denorm_min();
  return {0,
          -T(0),
          1,
          -1,
          Limits::quiet_NaN(),
          Limits::infinity(),
          -Limits::infinity(),
          tiny,
          -tiny,
          Limits::min(),
          -Limits::min(),
          Limits::max(),
          Limits::lowest(),
          T(0.5),
          T(-0.5),
          T(1.5),
          T(2.5),
          -3,
          T(3.25),
          T(1e-3),
          T(-7.75),
          T(88.5),
          T(-104),
          T(127.5),
          T(-129),
          T(255.75),
          T(65504),
          T(65519.99),
          T(65520),
          T(-40000),
          T(6.1e-5),
          T(5.9e-8),
          T(2.98e-8),
          T(4294967296.0),
          T(4294967040.0),
          T(3e9),
          T(2147483648.0),
          T(-2147483648.0),
          T(2147483520.0),
          T(9223372036854775808.0),
          T(-9223372036854775808.0),
          T(1e19),
          T(18446744073709551616.0),
          Limits::min() / 2,
          T(1e10),
          T(-1e5),
          T(2),
          10,
          T(0.1)};
}

template <class T> std::vector<T> integerEdges() {
  using Limits = std::numeric_limits<T>;
  return {0,
          1,
          T(-1),
          Limits::min(),
          Limits::max(),
          2,
          T(-2),
          3,
          T(-3),
          7,
          T(-7),
          T(Limits::min() + 1),
          T(Limits::max() - 1),
          T(Limits::max() / 2 + 1),
          64,
          T(1000003),
          T(-65537),
          31,
          5,
          T(16777217)};
}

/// One element of random bits, or in [-1, 1).
template <class T> T randomElement(std::mt19937 &random) {
  std::uniform_real_distribution<double> real(-1, 1);
  if constexpr (std::is_same_v<T, bool>)
    return random() & 1;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(random() * uint64_t(0x9e3779b97f4a7c15) >>
                          (sizeof(T) < 8 ? 20 : 0));
  else if constexpr (std::is_class_v<T>)
    return T(static_cast<float>(real(random)));
  else
    return static_cast<T>(real(random));
}

template <class T> T edgeElement(std::mt19937 &random) {
  if constexpr (std::is_same_v<T, bool>)
    return random() & 1;
  else if constexpr (std::is_class_v<T>)
    return T::fromBits(static_cast<uint16_t>(random()));
  else {
    std::vector<T> edges;
    if constexpr (std::is_integral_v<T>)
      edges = integerEdges<T>();
    else
      edges = floatEdges<T>();
    return edges[random() % edges.size()];
  }
}

template <class Make>
Tensor filled(const std::string &element, const std::vector<Side> &sides,
              Make make) {
  Tensor tensor = *Tensor::create(dtypeNamed(element), Shape(numbersOf(sides)));
  dispatchElement(tensor.dtype(), [&]<class T>(T kind) {
    for (T &each : tensor.mutableData<T>())
      each = make(kind);
  });
  return tensor;
}

} // namespace

std::string typeOf(const std::vector<Side> &sides, const std::string &element) {
  std::string text = "tensor<", ids;
  for (const Side &side : sides) {
    text += (side.symbol < 0 ? std::to_string(side.extent) : "?") + "x";
    if (side.symbol >= 0)
      ids += (ids.empty() ? "" : ", ") + std::to_string(side.symbol);
  }
  return text + element + (ids.empty() ? ">" : ", #kiln.sym<" + ids + ">>");
}

DType dtypeNamed(const std::string &element) {
  static const std::pair<const char *, DType> names[] = {
      {"f32", DType::Float32}, {"f64", DType::Float64},
      {"f16", DType::Float16}, {"bf16", DType::BFloat16},
      {"i8", DType::Int8},     {"i16", DType::Int16},
      {"i32", DType::Int32},   {"i64", DType::Int64},
      {"ui8", DType::UInt8},   {"ui16", DType::UInt16},
      {"ui32", DType::UInt32}, {"ui64", DType::UInt64}};
  for (const auto &[name, dtype] : names)
    if (element == name)
      return dtype;
  return DType::Bool;
}

bool isInteger(const std::string &element) {
  return isInteger(dtypeNamed(element));
}

bool isNarrowFloat(const std::string &element) {
  return element == "f16" || element == "bf16";
}

Tensor randomTensor(const std::string &element, const std::vector<Side> &sides,
                    unsigned seed) {
  std::mt19937 random(seed);
  return filled(element, sides,
                [&]<class T>(T) { return randomElement<T>(random); });
}

Tensor edgeTensor(const std::string &element, const std::vector<Side> &sides,
                  unsigned seed) {
  std::mt19937 random(seed);
  return filled(element, sides,
                [&]<class T>(T) { return edgeElement<T>(random); });
}

} // namespace kiln
