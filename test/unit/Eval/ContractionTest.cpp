// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and convolutions of random shapes against sums written out in the
// CONTRACTION order, bit by bit.
#include "test/unit/Eval/EvaluatorFixture.h"

#include "runtime/arithmetic/ReductionOrder.h"

#include <cmath>
#include <functional>
#include <optional>
#include <random>

namespace kiln {
namespace {

class ContractionTest : public Evaluator {
protected:
  std::mt19937 random{7};

  int64_t choose(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  int64_t chooseOf(std::vector<int64_t> values) {
    return values[static_cast<size_t>(
        choose(0, static_cast<int64_t>(values.size()) - 1))];
  }
  template <class T> Tensor numbers(const Shape &shape) {
    std::vector<T> values(static_cast<size_t>(shape.numElements().value()));
    for (T &value : values)
      if constexpr (std::is_integral_v<T>)
        value = static_cast<T>(random());
      else
        value = std::normal_distribution<T>()(random);
    return tensor<T>(shape, values);
  }
  static std::string typeOf(const Shape &shape, const std::string &element) {
    std::string text = "tensor<";
    for (int64_t dim : shape.dims())
      text += std::to_string(dim) + "x";
    return text + element + ">";
  }
  static std::string list(std::vector<int64_t> numbers) {
    std::string text = "[";
    for (size_t i = 0; i < numbers.size(); ++i)
      text += (i ? ", " : "") + std::to_string(numbers[i]);
    return text + "]";
  }
};

/// Sum over k < depth of product(k) into blocks; `isKept` tells what counts.
template <class T>
T sumOf(int64_t depth, const std::function<bool(int64_t)> &isKept,
        const std::function<T(int64_t)> &left,
        const std::function<T(int64_t)> &right) {
  T total = 0;
  for (int64_t begin = 0; begin < depth; begin += reduction::contractionBlock) {
    T sum = 0;
    for (int64_t k = begin;
         k < std::min(depth, begin + reduction::contractionBlock); ++k)
      if (isKept(k)) {
        if constexpr (std::is_integral_v<T>)
          sum = static_cast<T>(static_cast<uint32_t>(sum) +
                               static_cast<uint32_t>(left(k)) *
                                   static_cast<uint32_t>(right(k)));
        else
          sum = std::fma(left(k), right(k), sum);
      }
    if constexpr (std::is_integral_v<T>)
      total = static_cast<T>(static_cast<uint32_t>(total) +
                             static_cast<uint32_t>(sum));
    else
      total = begin == 0 ? sum : total + sum;
  }
  return total;
}

TEST_F(ContractionTest, ProductsOfAnyShape) {
  auto check = [&]<class T>(T, const std::string &element) {
    for (int i = 0; i < 30; ++i) {
      const int64_t batch = choose(1, 3), rows = chooseOf({1, 3, 8, 17, 140}),
                    columns = chooseOf({1, 7, 16, 33, 70}),
                    depth = chooseOf({0, 1, 30, 256, 600});
      const bool left = choose(0, 1), right = choose(0, 1);
      const Shape a = left ? Shape{batch, depth, rows}
                           : Shape{batch, rows, depth},
                  b = right ? Shape{batch, columns, depth}
                            : Shape{batch, depth, columns},
                  r{batch, rows, columns};
      const std::string types[] = {typeOf(a, element), typeOf(b, element),
                                   typeOf(r, element)};
      const std::string op = std::string("kiln.matmul %a ") +
                             (left ? "transposed" : "") + ", %b " +
                             (right ? "transposed" : "") + " : " + types[0] +
                             ", " + types[1] + " -> " + types[2];
      SCOPED_TRACE(op);
      const Tensor x = numbers<T>(a), y = numbers<T>(b);
      auto got = runOp(op, {types[0], types[1]}, types[2], {x, y});
      ASSERT_TRUE(got.ok()) << got.status().toString();
      const auto result = got->data<T>();
      for (int64_t at = 0; at < batch * rows * columns; ++at) {
        const int64_t n = at / (rows * columns), m = at / columns % rows,
                      c = at % columns;
        T expected = sumOf<T>(
            depth, [](int64_t) { return true; },
            [&](int64_t k) {
              return x.data<T>()[static_cast<size_t>(
                  n * rows * depth + (left ? k * rows + m : m * depth + k))];
            },
            [&](int64_t k) {
              return y.data<T>()[static_cast<size_t>(
                  n * depth * columns +
                  (right ? c * depth + k : k * columns + c))];
            });
        ASSERT_EQ(result[static_cast<size_t>(at)], expected) << at;
      }
    }
  };
  check(float(), "f32");
  check(double(), "f64");
  check(int32_t(), "i32");
}

/// The geometry of a convolution of two dimensions, and its sums written out.
struct Windows {
  int64_t batch, channels, filters;
  int64_t image[2], taps[2], places[2], strides[2], dilations[2];
  std::vector<int64_t> padded; ///< [low, high] of rows, perhaps of columns too

  int64_t at(int dim, int64_t place, int64_t tap) const {
    const int64_t step = dilations[dim];
    return place * strides[dim] +
           (step < 0 ? (taps[dim] - 1 - tap) * -step : tap * step);
  }
  bool isKept(int64_t y, int64_t x) const {
    return (padded.empty() || (y >= padded[0] && y < image[0] - padded[1])) &&
           (padded.size() < 4 || (x >= padded[2] && x < image[1] - padded[3]));
  }
  /// An element of the image, by place, window and channel; none if left out.
  std::optional<float> element(const Tensor &image, int64_t place,
                               int64_t window) const {
    const int64_t b = place / (places[0] * places[1]);
    const int64_t y = at(0, place / places[1] % places[0],
                         window / channels / taps[1]),
                  x = at(1, place % places[1], window / channels % taps[1]);
    if (!isKept(y, x))
      return std::nullopt;
    return image.data<float>()[static_cast<size_t>(
        ((b * this->image[0] + y) * this->image[1] + x) * channels +
        window % channels)];
  }
};

TEST_F(ContractionTest, ConvolutionsOfAnyGeometry) {
  for (int i = 0; i < 100; ++i) {
    Windows of{.batch = choose(1, 3),
               .channels = chooseOf({1, 3, 8, 24}),
               .filters = chooseOf({1, 5, 16, 40})};
    const bool transposed = choose(0, 1);
    if (choose(0, 2))
      of.padded = {choose(0, 2), choose(0, 2)};
    if (!of.padded.empty() && transposed && choose(0, 1))
      of.padded.insert(of.padded.end(), {choose(0, 2), choose(0, 2)});
    for (int dim = 0; dim < 2; ++dim) {
      of.taps[dim] = choose(1, 5);
      of.places[dim] = chooseOf({1, 2, 7, 8, 16});
      of.strides[dim] = choose(1, 2);
      of.dilations[dim] = chooseOf({-2, -1, 1, 1, 2});
      of.image[dim] = (of.places[dim] - 1) * of.strides[dim] +
                      (of.taps[dim] - 1) * std::abs(of.dilations[dim]) + 1 +
                      choose(0, 1);
      const auto first = static_cast<size_t>(2 * dim);
      if (of.padded.size() > first) // at least two dimensions lie between
        of.image[dim] = std::max(of.image[dim],
                                 of.padded[first] + of.padded[first + 1] + 1);
    }
    const Shape image{of.batch, of.image[0], of.image[1], of.channels},
        filter{of.taps[0], of.taps[1], of.channels, of.filters},
        places{of.batch, of.places[0], of.places[1], of.filters};
    const Shape &right = transposed ? places : filter,
                &result = transposed ? filter : places;
    std::string op = "kiln.convolve %a ";
    op += std::string(transposed ? "transposed " : "") + ", %b strides " +
          list({of.strides[0], of.strides[1]}) + " dilations " +
          list({of.dilations[0], of.dilations[1]}) +
          (of.padded.empty() ? "" : " padded " + list(of.padded)) + " : " +
          typeOf(image, "f32") + ", " + typeOf(right, "f32") + " -> " +
          typeOf(result, "f32");
    SCOPED_TRACE(op);
    const Tensor x = numbers<float>(image), y = numbers<float>(right);
    auto got = runOp(op, {typeOf(image, "f32"), typeOf(right, "f32")},
                     typeOf(result, "f32"), {x, y});
    ASSERT_TRUE(got.ok()) << got.status().toString();
    const int64_t windows = of.taps[0] * of.taps[1] * of.channels,
                  numPlaces = of.batch * of.places[0] * of.places[1],
                  rows = transposed ? windows : numPlaces,
                  depth = transposed ? numPlaces : windows;
    for (int64_t row = 0; row < rows; ++row) {
      auto left = [&](int64_t k) {
        return transposed ? of.element(x, k, row) : of.element(x, row, k);
      };
      for (int64_t column = 0; column < of.filters; ++column) {
        float expected = sumOf<float>(
            depth, [&](int64_t k) { return left(k).has_value(); },
            [&](int64_t k) { return *left(k); },
            [&](int64_t k) {
              return y
                  .data<float>()[static_cast<size_t>(k * of.filters + column)];
            });
        ASSERT_EQ(
            got->data<float>()[static_cast<size_t>(row * of.filters + column)],
            expected)
            << row << ", " << column;
      }
    }
  }
}

} // namespace
} // namespace kiln
