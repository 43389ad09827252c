// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The special kernels, compiled and run, against the evaluator, bit for bit.
#include "test/unit/JIT/NativeHarness.h"

#include "lib/JIT/backends/cpu/Target.h"

#include "gtest/gtest.h"

#include <array>
#include <cmath>

namespace kiln {
namespace {

//===--- Matmul -----------------------------------------------------------===//

struct Product {
  std::string element;
  bool transposeLhs, transposeRhs, isBatched = false;
  int64_t batch = 1, rows, depth, columns;
  bool isDynamic = false;

  Side side(int64_t extent, int symbol) const {
    return {extent, isDynamic ? symbol : -1};
  }
  std::vector<Side> shape(Side a, Side b) const {
    std::vector<Side> sides = {a, b};
    if (isBatched)
      sides.insert(sides.begin(), side(batch, 3));
    return sides;
  }
  std::vector<Side> lhs() const {
    Side m = side(rows, 0), k = side(depth, 1);
    return transposeLhs ? shape(k, m) : shape(m, k);
  }
  std::vector<Side> rhs() const {
    Side k = side(depth, 1), n = side(columns, 2);
    return transposeRhs ? shape(n, k) : shape(k, n);
  }
  std::string source() const {
    std::string left = typeOf(lhs(), element), right = typeOf(rhs(), element);
    std::string result =
        typeOf(shape(side(rows, 0), side(columns, 2)), element);
    return function({left, right},
                    std::string("  %r = kiln.matmul %x0") +
                        (transposeLhs ? " transposed" : "") + ", %x1" +
                        (transposeRhs ? " transposed" : "") + " : " + left +
                        ", " + right + " -> " + result,
                    "%r", result);
  }
  bool agrees(NativeProgram &program) const {
    return program.agrees(
        {randomTensor(element, lhs(), 1), randomTensor(element, rhs(), 2)},
        {rows, depth, columns, batch});
  }
};

class MatmulKernel
    : public ::testing::TestWithParam<std::tuple<const char *, bool, bool>> {};

TEST_P(MatmulKernel, DynamicSizesGiveTheBitsOfTheEvaluator) {
  auto [element, transposeLhs, transposeRhs] = GetParam();
  Product product{element, transposeLhs, transposeRhs, true, 1, 1, 1, 1, true};
  NativeProgram program(product.source());
  const int64_t sizes[][4] = {
      {1, 1, 1, 1},     {2, 7, 3, 5},     {1, 6, 256, 64}, {3, 13, 257, 65},
      {1, 12, 0, 9},    {2, 0, 4, 4},     {2, 4, 4, 0},    {0, 4, 4, 4},
      {1, 250, 40, 17}, {1, 5, 600, 130}, {2, 193, 31, 70}};
  for (auto [batch, rows, depth, columns] : sizes) {
    product.batch = batch, product.rows = rows, product.depth = depth,
    product.columns = columns;
    ASSERT_TRUE(product.agrees(program));
  }
}

TEST_P(MatmulKernel, StaticSizesGiveTheBitsOfTheEvaluator) {
  auto [element, transposeLhs, transposeRhs] = GetParam();
  const int64_t sizes[][3] = {{3, 5, 2},      {12, 64, 64}, {50, 300, 10},
                              {7, 513, 40},   {49, 20, 16}, {8, 9, 150},
                              {60, 256, 128}, {4, 0, 70}};
  for (auto [rows, depth, columns] : sizes) {
    Product product{element, transposeLhs, transposeRhs, false,
                    1,       rows,         depth,        columns};
    NativeProgram program(product.source());
    ASSERT_TRUE(product.agrees(program));
  }
}

/// Code whose tiles are narrow and pack their rows of the left factor: AVX2's,
/// or this processor's where it has less.
CompileOptions narrowTiles() {
  CompileOptions options;
  if (HostTarget::create("x86-64-v3").ok())
    options.code.cpu = "x86-64-v3";
  return options;
}

// Neighbouring rows, and those that lie 2 KB or a multiple of that apart.
TEST_P(MatmulKernel, PackedRowsGiveTheBitsOfTheEvaluator) {
  const CompileOptions options = narrowTiles();
  auto [element, transposeLhs, transposeRhs] = GetParam();
  // Rows and columns of several items, and parts of tiles; one block of K and
  // a part of the next.
  const int64_t sizes[][3] = {{25, 512, 256}, {400, 512, 300},  {61, 300, 264},
                              {512, 40, 130}, {230, 1024, 272}, {1, 512, 600}};
  for (auto [rows, depth, columns] : sizes) {
    Product product{element, transposeLhs, transposeRhs, false,
                    1,       rows,         depth,        columns};
    NativeProgram program(product.source(), passes::Stage::Fuse, options);
    ASSERT_TRUE(product.agrees(program));
  }
  Product product{element, transposeLhs, transposeRhs, true, 1, 1, 1, 1, true};
  NativeProgram program(product.source(), passes::Stage::Fuse, options);
  for (auto [batch, rows, depth, columns] :
       {std::array<int64_t, 4>{2, 400, 300, 290}, {1, 5, 512, 130}}) {
    product.batch = batch, product.rows = rows, product.depth = depth,
    product.columns = columns;
    ASSERT_TRUE(product.agrees(program));
  }
}

TEST(MatmulKernelResults, OfPackedRowsMeetWhatFollowsThem) {
  const CompileOptions options = narrowTiles();
  const std::string left = "tensor<300x211xf32>", right = "tensor<300x290xf32>",
                    result = "tensor<211x290xf32>";
  // A short epilogue, in the tiles, and a long one, behind them.
  for (const std::string name : {"neg", "tanh"}) {
    NativeProgram program(
        function({left, right},
                 "  %product = kiln.matmul %x0 transposed, %x1 : " + left +
                     ", " + right + " -> " + result + "\n  %r = kiln." + name +
                     " %product : " + result,
                 "%r", result),
        passes::Stage::Fuse, options);
    EXPECT_TRUE(program.agrees({randomTensor("f32", {{300}, {211}}, 1),
                                randomTensor("f32", {{300}, {290}}, 2)},
                               {}));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MatmulKernel,
    ::testing::Combine(::testing::Values("f32", "f64", "i32", "i64"),
                       ::testing::Bool(), ::testing::Bool()));

TEST(MatmulKernelResults, AreStoredInEveryDestination) {
  std::string type = "tensor<5x5xf32>";
  NativeProgram program(function({type, type},
                                 "  %r = kiln.matmul %x0, %x1 : " + type +
                                     ", " + type + " -> " + type,
                                 "%r, %r", type + ", " + type));
  std::vector<Side> sides = {{5}, {5}};
  EXPECT_TRUE(program.agrees(
      {randomTensor("f32", sides, 1), randomTensor("f32", sides, 2)}, {}));
}

//===--- Moves ------------------------------------------------------------===//

class MoveKernel : public ::testing::TestWithParam<const char *> {};

TEST_P(MoveKernel, CopiesAFeedThatIsReturned) {
  std::string element = GetParam(), type = typeOf({{0, 0}, {3}}, element);
  NativeProgram program(function({type}, "", "%x0, %x0", type + ", " + type));
  for (int64_t n : {0, 1, 5, 7, 100, 20000})
    ASSERT_TRUE(program.agrees({randomTensor(element, {{n}, {3}}, 3)}, {n}));
}

TEST_P(MoveKernel, ConcatenatesAlongEachAxis) {
  std::string element = GetParam();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Side> a = {{2}, {0, 0}, {5}}, b = a, joined = a;
    a[axis] = {0, 1}, b[axis] = {4}, joined[axis] = {0, 2};
    std::string left = typeOf(a, element), right = typeOf(b, element),
                result = typeOf(joined, element);
    NativeProgram program(function(
        {left, right},
        "  %r = kiln.concat %x0, %x1, %x0 axis " + std::to_string(axis) +
            " : " + left + ", " + right + ", " + left + " -> " + result,
        "%r", result));
    for (int64_t n : {0, 1, 3, 21}) {
      for (auto *sides : {&a, &b})
        for (int i = 0; i < 3; ++i)
          if ((*sides)[i].symbol == 0)
            (*sides)[i].extent = 6;
          else if ((*sides)[i].symbol == 1)
            (*sides)[i].extent = n;
      ASSERT_TRUE(program.agrees(
          {randomTensor(element, a, 4), randomTensor(element, b, 5)},
          {6, n, 2 * n + 4}));
    }
  }
}

TEST_P(MoveKernel, PadsAnyDimensions) {
  std::string element = GetParam();
  const int64_t paddings[][6] = {{1, 2, 3, 4, 0, 5},
                                 {0, 1, 0, 0, 0, 0},
                                 {2, 0, 1, 1, 0, 0},
                                 {0, 0, 0, 0, 0, 0}};
  for (const auto &p : paddings) {
    std::vector<Side> from = {{3}, {4}, {19, 0}}, to = {{3 + p[0] + p[1]},
                                                        {4 + p[2] + p[3]},
                                                        {19 + p[4] + p[5], 1}};
    if (p[4] + p[5] == 0)
      to[2] = from[2];
    std::string operand = typeOf(from, element),
                scalar = "tensor<" + element + ">",
                result = typeOf(to, element);
    NativeProgram program(
        function({operand, scalar},
                 "  %r = kiln.pad %x0, %x1 low [" + std::to_string(p[0]) +
                     ", " + std::to_string(p[2]) + ", " + std::to_string(p[4]) +
                     "] : " + operand + ", " + scalar + " -> " + result,
                 "%r", result));
    ASSERT_TRUE(program.agrees(
        {randomTensor(element, from, 6), randomTensor(element, {}, 7)},
        {19, to[2].extent}));
  }
}

// Rows that threads share, whose first two indices may be padding.
TEST_P(MoveKernel, PadsRowsOfImages) {
  std::string element = GetParam();
  const int64_t paddings[][8] = {{0, 0, 1, 1, 1, 1, 0, 0},
                                 {0, 0, 2, 0, 0, 0, 0, 0},
                                 {0, 0, 0, 0, 0, 3, 0, 0},
                                 {1, 2, 0, 1, 2, 0, 0, 1},
                                 {3, 0, 0, 0, 0, 0, 0, 0}};
  for (const auto &p : paddings)
    for (int64_t images : {0, 1, 3}) {
      std::vector<Side> from = {{images, 0}, {5}, {6}, {21}}, to;
      std::string low;
      for (size_t i = 0; i < from.size(); ++i) {
        to.push_back({from[i].extent + p[2 * i] + p[2 * i + 1]});
        low += (i ? ", " : "") + std::to_string(p[2 * i]);
      }
      to[0].symbol = p[0] + p[1] == 0 ? 0 : 1;
      std::string operand = typeOf(from, element),
                  scalar = "tensor<" + element + ">",
                  result = typeOf(to, element);
      NativeProgram program(function({operand, scalar},
                                     "  %r = kiln.pad %x0, %x1 low [" + low +
                                         "] : " + operand + ", " + scalar +
                                         " -> " + result,
                                     "%r", result));
      ASSERT_TRUE(program.agrees(
          {randomTensor(element, from, 6), randomTensor(element, {}, 7)},
          {images, to[0].extent}));
    }
}

INSTANTIATE_TEST_SUITE_P(All, MoveKernel,
                         ::testing::Values("f32", "f64", "i32", "i64", "i1"));

TEST(SliceKernel, FromComputedStartsChecksItsBounds) {
  std::string operand = "tensor<6x?xf32, #kiln.sym<0>>",
              starts = "tensor<2xi32>", result = "tensor<2x3xf32>";
  for (const char *strides : {"[1, 1]", "[2, -1]", "[-1, 2]"}) {
    NativeProgram program(
        function({operand, starts},
                 "  %r = kiln.slice %x0 at %x1 starts [1, 0] strides " +
                     std::string(strides) + " : " + operand + ", " + starts +
                     " -> " + result,
                 "%r", result));
    for (int32_t row = -2; row < 6; ++row)
      for (int32_t column = -1; column < 11; ++column)
        ASSERT_TRUE(program.agrees(
            {randomTensor("f32", {{6}, {10}}, 8),
             *Tensor::fromValues<int32_t>(Shape{2}, {row, column})},
            {10}));
  }
}

TEST(ConstantKernel, WritesSmallConstantsAndDimensions) {
  NativeProgram program(
      function({"tensor<?xf32, #kiln.sym<0>>"},
               "  %c = kiln.constant dense<[1, 2, 3, -4, 5]> : tensor<5xi64> : "
               "tensor<5xi64>\n"
               "  %b = kiln.constant dense<[[true, false, true]]> : "
               "tensor<1x3xi1> : tensor<1x3xi1>\n"
               "  %d = kiln.dims [s0, 9] : tensor<2xi32>",
               "%c, %b, %d", "tensor<5xi64>, tensor<1x3xi1>, tensor<2xi32>"));
  EXPECT_TRUE(program.agrees({randomTensor("f32", {{7}}, 9)}, {7}));
}

//===--- Arg reductions ---------------------------------------------------===//

class ArgReduceKernel : public ::testing::TestWithParam<
                            std::tuple<const char *, const char *, bool>> {};

TEST_P(ArgReduceKernel, FindsTheFirstBestAlongEachAxis) {
  auto [element, index, smallest] = GetParam();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Side> sides = {{3}, {0, 0}, {20}}, kept = sides;
    if (axis == 1)
      sides[2] = kept[2] = {20, 1};
    kept.erase(kept.begin() + axis);
    std::string operand = typeOf(sides, element), result = typeOf(kept, index);
    NativeProgram program(
        function({operand},
                 "  %r = kiln.arg_reduce %x0 axis " + std::to_string(axis) +
                     " {smallest = " + (smallest ? "true" : "false") +
                     "} : " + operand + " -> " + result,
                 "%r", result));
    for (int64_t n : {1, 2, 33}) {
      sides[1].extent = n;
      Tensor tensor = randomTensor(element, sides, 10);
      if (std::string(element) == "f32") {
        auto *values = static_cast<float *>(tensor.mutableRawData());
        for (int64_t i = 0; i < tensor.numElements(); ++i)
          values[i] = i % 5 == 0 ? std::nanf("")
                      : i < 20   ? -INFINITY
                                 : std::floor(values[i] * 4);
      }
      ASSERT_TRUE(program.agrees({tensor}, {n, 20}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ArgReduceKernel,
    ::testing::Combine(::testing::Values("f32", "f64", "i32", "i64", "i1"),
                       ::testing::Values("i32", "i64"), ::testing::Bool()));

} // namespace
} // namespace kiln
