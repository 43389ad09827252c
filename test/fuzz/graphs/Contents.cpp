// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements by type: small numbers, large ones, and those that hurt.
#include "test/fuzz/graphs/Contents.h"

#include "lib/Support/DTypeDispatch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kiln::fuzz {
namespace {

/// Sets element after element to what `next` gives, as the tensor's type.
template <class Next> void setAll(Tensor &tensor, Next next) {
  if (isComplex(tensor.dtype())) {
    auto fill = [&](auto *parts) {
      using Part = std::remove_pointer_t<decltype(parts)>;
      for (int64_t i = 0; i < 2 * tensor.numElements(); ++i)
        parts[i] = static_cast<Part>(next());
    };
    void *parts = tensor.mutableRawData();
    return tensor.dtype() == DType::Complex64
               ? fill(static_cast<float *>(parts))
               : fill(static_cast<double *>(parts));
  }
  dispatchElement(tensor.dtype(), [&]<class T>(T) {
    for (T &element : tensor.mutableData<T>()) {
      auto value = next();
      if constexpr (std::is_class_v<T>)
        element = T(static_cast<float>(value));
      else if constexpr (std::is_integral_v<T> &&
                         std::is_floating_point_v<decltype(value)>)
        element = static_cast<T>(static_cast<int64_t>(value)); // wraps
      else
        element = static_cast<T>(value);
    }
    return 0;
  });
}

double specialFloat(Random &random, DType dtype) {
  bool isDouble = dtype == DType::Float64 || dtype == DType::Complex128;
  using F = std::numeric_limits<float>;
  using D = std::numeric_limits<double>;
  switch (random.below(13)) {
  case 0:
  case 1:
    return F::quiet_NaN();
  case 2:
    return F::infinity();
  case 3:
    return -F::infinity();
  case 4:
  case 5:
    return -0.0;
  case 6:
    return 0.0;
  case 7: // a denormal
    return isDouble ? D::denorm_min() : F::denorm_min();
  case 8:
    return isDouble ? -D::min() / 2 : -F::min() / 2;
  case 9:
    return isDouble ? D::max() : F::max();
  case 10:
    return isDouble ? D::lowest() : F::lowest();
  case 11:
    return isDouble ? D::min() : F::min();
  default:
    return 1.0;
  }
}

void writeFloats(Tensor &tensor, Random &random) {
  int style = random.below(100);
  setAll(tensor, [&]() -> double {
    if (style >= 75 && random.chance(20))
      return specialFloat(random, tensor.dtype());
    if (style < 25 || style >= 90)
      return random.between(-4, 4);
    double value = static_cast<double>(random.between(-4096, 4096)) / 1024;
    if (style < 65)
      return value;
    return std::ldexp(value, static_cast<int>(random.between(-12, 12)));
  });
}

template <class T> T hardInteger(Random &random) {
  using Limits = std::numeric_limits<T>;
  switch (random.below(6)) {
  case 0:
    return Limits::min();
  case 1:
    return Limits::max();
  case 2:
    return static_cast<T>(Limits::max() - 1);
  case 3:
    return static_cast<T>(-1);
  default:
    return static_cast<T>(random.wide());
  }
}

void writeIntegers(Tensor &tensor, Random &random) {
  bool isHard = random.chance(25);
  dispatchInteger(tensor.dtype(), [&]<class T>(T) {
    for (T &element : tensor.mutableData<T>())
      element =
          isHard && random.chance(40)
              ? hardInteger<T>(random)
              : static_cast<T>(random.between(std::is_signed_v<T> ? -6 : 0, 9));
    return 0;
  });
}

void writeTexts(Tensor &tensor, Random &random,
                std::span<const std::string> list) {
  for (String &text : tensor.mutableData<String>())
    text = *String::create(list[size_t(random.below(int(list.size())))]);
}

const std::string usualTexts[] = {
    "",      "a",   "b",        "kiln",      "Kiln 22",
    " x ",   "-12", "3.5",      "1e3",       "\xc3\xa9t\xc3\xa9",
    "a,b;c", "abc", "kiln/run", "AbCdEfGhI", std::string("a\0b", 3)};

void writeAnything(Tensor &tensor, size_t, Random &random) {
  DType dtype = tensor.dtype();
  if (dtype == DType::String)
    return writeTexts(tensor, random, usualTexts);
  if (dtype == DType::Bool)
    return setAll(tensor, [&] { return random.below(2); });
  if (isFloating(dtype) || isComplex(dtype))
    return writeFloats(tensor, random);
  if (isSupported(dtype))
    return writeIntegers(tensor, random);
  // Quantized numbers are moved alone.
  auto *bytes = static_cast<uint8_t *>(tensor.mutableRawData());
  for (size_t i = 0; i < tensor.byteSize(); ++i)
    bytes[i] = static_cast<uint8_t>(random.below(60));
}

} // namespace

bool isFixed(const Extents &dims) {
  return std::ranges::all_of(dims, [](const Extent &d) { return d.isFixed(); });
}

Extents only(const Extents &dims, size_t set) {
  Extents list;
  for (const Extent &dim : dims)
    list.emplace_back(dim.of[set]);
  return list;
}

Shape shapeOf(const Extents &dims, size_t set) {
  std::vector<int64_t> list;
  for (const Extent &dim : dims)
    list.push_back(dim.of[set]);
  auto shape = Shape::fromDims(list);
  return shape.ok() ? *shape : Shape::unknownRank();
}

Extent numElements(const Extents &dims) {
  Extent count = 1;
  for (const Extent &dim : dims)
    count = count * dim;
  return count;
}

int64_t mostElements(const Extents &dims) {
  Extent count = numElements(dims);
  return std::max(count.of[0], count.of[1]);
}

Fill only(const Fill &fill, size_t set) {
  return {[=, write = fill.write](Tensor &tensor, size_t, Random &random) {
    write(tensor, set, random);
  }};
}

Fill either(const Sets &sets, const Fill &first, const Fill &second) {
  return {[=](Tensor &tensor, size_t set, Random &random) {
            (sets[set] ? first : second).write(tensor, set, random);
          },
          /*isFixed=*/false};
}

Fill anything() { return {writeAnything}; }

Fill between(double low, double high) {
  return {[=](Tensor &tensor, size_t, Random &random) {
    bool isFloat = isFloating(tensor.dtype());
    auto first = static_cast<int64_t>(std::ceil(low)),
         last = static_cast<int64_t>(std::floor(high));
    setAll(tensor, [&]() -> double {
      if (isFloat)
        return low + (high - low) * random.below(1025) / 1024;
      return static_cast<double>(random.between(first, last));
    });
  }};
}

Fill indicesBelow(const Extent &limit) {
  return {[=](Tensor &tensor, size_t set, Random &random) {
            int64_t end = std::max<int64_t>(limit.of[set], 1);
            setAll(tensor, [&] { return random.between(0, end - 1); });
          },
          limit.isFixed()};
}

Fill sortedBelow(const Extent &limit) {
  return {[=](Tensor &tensor, size_t set, Random &random) {
            int64_t end = std::max<int64_t>(limit.of[set], 1);
            std::vector<int64_t> values(size_t(tensor.numElements()));
            for (int64_t &value : values)
              value = random.between(0, end - 1);
            std::ranges::sort(values);
            size_t next = 0;
            setAll(tensor, [&] { return values[next++]; });
          },
          limit.isFixed()};
}

Fill distinctBelow(const Extent &limit) {
  return {[=](Tensor &tensor, size_t set, Random &random) {
            auto end = size_t(std::max<int64_t>(limit.of[set], 1));
            std::vector<int64_t> values(end);
            std::iota(values.begin(), values.end(), 0);
            std::ranges::shuffle(values, random.engine);
            size_t next = 0;
            setAll(tensor, [&] { return values[next++ % end]; });
          },
          limit.isFixed()};
}

Fill permutation() {
  return {[](Tensor &tensor, size_t, Random &random) {
    std::vector<int64_t> values(size_t(tensor.numElements()));
    std::iota(values.begin(), values.end(), 0);
    std::ranges::shuffle(values, random.engine);
    size_t next = 0;
    setAll(tensor, [&] { return values[next++]; });
  }};
}

Fill exactly(const Extents &numbers) {
  return {[=](Tensor &tensor, size_t set, Random &) {
            size_t next = 0;
            setAll(tensor, [&] { return numbers[next++].of[set]; });
          },
          isFixed(numbers)};
}

Fill hostileIndices(const Extent &limit) {
  return {[=](Tensor &tensor, size_t set, Random &random) {
            indicesBelow(limit).write(tensor, set, random);
            if (tensor.numElements() == 0)
              return;
            bool isWide = tensor.dtype() == DType::Int64;
            int64_t low = isWide ? INT64_MIN : INT32_MIN,
                    high = isWide ? INT64_MAX : INT32_MAX,
                    beyond = isWide ? (int64_t(1) << 32) + 1 : limit.of[set];
            int64_t bad = random.among<int64_t>(
                {-1, limit.of[set], beyond, limit.of[set] + 7, low, high});
            auto at = size_t(random.below(int(tensor.numElements())));
            dispatchInteger(tensor.dtype(), [&]<class T>(T) {
              tensor.mutableData<T>()[at] = static_cast<T>(bad);
              return 0;
            });
          },
          limit.isFixed()};
}

Fill texts(std::vector<std::string> list) {
  return {[list = std::move(list)](Tensor &tensor, size_t, Random &random) {
    writeTexts(tensor, random, list);
  }};
}

Tensor makeTensor(DType dtype, const Shape &shape, const Fill &fill, size_t set,
                  Random &random) {
  auto tensor = Tensor::zeros(dtype, shape);
  if (!tensor.ok())
    return {};
  fill.write(*tensor, set, random);
  return *std::move(tensor);
}

} // namespace kiln::fuzz
