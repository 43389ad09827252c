// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop nests (reductions, broadcasts, moves and what programs make of them)
// against the evaluator, bit for bit.
#include "test/unit/JIT/NativeHarness.h"

#include "gtest/gtest.h"

namespace kiln {
namespace {

/// Values whose sums round: reductions in another order differ.
Tensor feedOf(const std::string &element, const std::vector<Side> &sides,
              unsigned seed) {
  return randomTensor(element, sides, seed);
}

//===--- Reductions -------------------------------------------------------===//

struct Reduction {
  std::string kind, element;

  std::string source(const std::vector<Side> &sides,
                     const std::vector<int> &axes) const {
    std::vector<Side> kept;
    std::string list;
    for (int i = 0; i < static_cast<int>(sides.size()); ++i)
      if (std::find(axes.begin(), axes.end(), i) == axes.end())
        kept.push_back(sides[static_cast<size_t>(i)]);
      else
        list += (list.empty() ? "" : ", ") + std::to_string(i);
    std::string from = typeOf(sides, element), to = typeOf(kept, element);
    return function({from},
                    "  %r = kiln.reduce " + kind + " %x0 axes [" + list +
                        "] : " + from + " -> " + to,
                    "%r", to);
  }
};

std::vector<Reduction> reductions() {
  std::vector<Reduction> all;
  for (const char *kind : {"sum", "prod", "max", "min"})
    for (const char *element : {"f32", "f64", "i32", "i64"})
      all.push_back({kind, element});
  all.push_back({"all", "i1"});
  all.push_back({"any", "i1"});
  return all;
}

std::string reductionName(const ::testing::TestParamInfo<Reduction> &info) {
  return info.param.kind + "_" + info.param.element;
}

/// Every set of axes that kiln-decompose leaves: at the end or in one run.
std::vector<std::vector<int>> axisSets(int rank) {
  std::vector<std::vector<int>> sets;
  for (int first = 0; first < rank; ++first)
    for (int last = first; last < rank; ++last) {
      sets.emplace_back();
      for (int axis = first; axis <= last; ++axis)
        sets.back().push_back(axis);
    }
  return sets;
}

class ReductionNest : public ::testing::TestWithParam<Reduction> {};

TEST_P(ReductionNest, OfDynamicShapesGivesTheBitsOfTheEvaluator) {
  const std::vector<std::vector<int64_t>> shapes[] = {{{0},
                                                       {1},
                                                       {15},
                                                       {16},
                                                       {17},
                                                       {255},
                                                       {256},
                                                       {257},
                                                       {1023},
                                                       {1024},
                                                       {1025},
                                                       {1300},
                                                       {5000},
                                                       {70001}},
                                                      {{0, 5},
                                                       {5, 0},
                                                       {1, 1},
                                                       {3, 17},
                                                       {33, 63},
                                                       {65, 257},
                                                       {1025, 3},
                                                       {4, 1030},
                                                       {32, 64},
                                                       {97, 130},
                                                       {9001, 20},
                                                       {5000, 1}},
                                                      {{2, 0, 3},
                                                       {3, 5, 7},
                                                       {33, 2, 65},
                                                       {2, 300, 20},
                                                       {4, 70, 1},
                                                       {1, 1, 300}},
                                                      {{2, 3, 4, 5},
                                                       {3, 1, 40, 17},
                                                       {1, 33, 2, 70},
                                                       {2, 2, 0, 3},
                                                       {5, 4, 6, 257}}};
  for (int rank = 1; rank <= 4; ++rank)
    for (const auto &axes : axisSets(rank)) {
      std::vector<Side> sides;
      for (int i = 0; i < rank; ++i)
        sides.push_back({0, i});
      NativeProgram program(GetParam().source(sides, axes));
      for (const auto &extents : shapes[rank - 1]) {
        for (size_t i = 0; i < sides.size(); ++i)
          sides[i].extent = extents[i];
        ASSERT_TRUE(
            program.agrees({feedOf(GetParam().element, sides, 1)}, extents));
      }
    }
}

TEST_P(ReductionNest, OfStaticShapesGivesTheBitsOfTheEvaluator) {
  const std::vector<int64_t> shapes[] = {
      {1},        {7},        {16},      {33},       {64},       {65},
      {256},      {257},      {1025},    {0},        {5, 9},     {33, 64},
      {100, 65},  {32, 1},    {1, 100},  {0, 3},     {3, 0},     {70, 16},
      {700, 100}, {300, 260}, {3, 5, 7}, {2, 40, 9}, {2, 33, 70}};
  for (const auto &extents : shapes)
    for (const auto &axes : axisSets(static_cast<int>(extents.size()))) {
      std::vector<Side> sides;
      for (int64_t extent : extents)
        sides.push_back({extent});
      NativeProgram program(GetParam().source(sides, axes));
      ASSERT_TRUE(program.agrees({feedOf(GetParam().element, sides, 2)}, {}));
    }
}

TEST_P(ReductionNest, KeepsEdgeValues) {
  if (GetParam().element[0] != 'f')
    return;
  std::vector<Side> sides = {{0, 0}, {0, 1}};
  for (const auto &axes : axisSets(2)) {
    NativeProgram program(GetParam().source(sides, axes));
    for (unsigned seed = 0; seed < 4; ++seed)
      for (const auto &extents :
           std::vector<std::vector<int64_t>>{{3, 5}, {40, 20}, {2, 300}}) {
        sides[0].extent = extents[0], sides[1].extent = extents[1];
        ASSERT_TRUE(program.agrees(
            {edgeTensor(GetParam().element, sides, seed)}, extents));
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReductionNest, ::testing::ValuesIn(reductions()),
                         reductionName);

//===--- Programs ---------------------------------------------------------===//

// Types that the programs below share.
const std::string f = "tensor<f32>", a = "tensor<?xf32, #kiln.sym<0>>",
                  b = "tensor<?xf32, #kiln.sym<1>>",
                  ab = "tensor<?x?xf32, #kiln.sym<0, 1>>",
                  ba = "tensor<?x?xf32, #kiln.sym<1, 0>>";

/// A body with $a, $b, $ab, $ba, $f for those types.
std::string expand(std::string text) {
  for (const auto &[name, type] :
       std::vector<std::pair<std::string, std::string>>{
           {"$ab", ab}, {"$ba", ba}, {"$a", a}, {"$b", b}, {"$f", f}})
    for (size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + type.size()))
      text.replace(at, name.size(), type);
  return text;
}

/// Code that stores nearly all results past the caches.
CompileOptions streaming() {
  CompileOptions options;
  options.code.minStreamedBytes = 64;
  return options;
}

/// Runs a program over x0: [s0, s1] f32, x1: [s0], x2: [s1], x3: [] for sizes
/// of all kinds.
void expectAgreement(const std::string &body, const std::string &returned,
                     const std::string &types, const std::string &module = "",
                     const CompileOptions &options = {}) {
  NativeProgram program(function({ab, a, b, f}, expand(body), returned,
                                 expand(types), expand(module)),
                        passes::Stage::Fuse, options);
  const int64_t sizes[][2] = {{1, 1},    {3, 5},    {7, 16},   {5, 0},
                              {0, 5},    {1, 70},   {70, 1},   {33, 64},
                              {65, 257}, {3, 1500}, {1500, 3}, {300, 400}};
  for (auto [m, n] : sizes) {
    NativeInputs inputs = {
        .feeds = {feedOf("f32", {{m}, {n}}, 1), feedOf("f32", {{m}}, 2),
                  feedOf("f32", {{n}}, 3), feedOf("f32", {}, 4)},
        .symbols = {m, n}};
    unsigned seed = 9;
    for (size_t at = module.find(": $"); at != std::string::npos;
         at = module.find(": $", at + 1)) {
      std::string name = module.substr(at + 3, module.find('\n', at) - at - 3);
      std::vector<Side> sides;
      for (char dimension : name)
        if (dimension != 'f')
          sides.push_back({dimension == 'a' ? m : n});
      inputs.variables.push_back(feedOf("f32", sides, ++seed));
    }
    ASSERT_TRUE(program.agrees(inputs));
  }
  if (options.code.minStreamedBytes != streaming().code.minStreamedBytes)
    expectAgreement(body, returned, types, module, streaming());
}

TEST(NestPrograms, Softmax) {
  expectAgreement(R"(  %m = kiln.reduce max %x0 axes [1] : $ab -> $a
  %mb = kiln.broadcast %m map [0] : $a -> $ab
  %d = kiln.sub %x0, %mb : $ab
  %e = kiln.exp %d : $ab
  %s = kiln.reduce sum %e axes [1] : $ab -> $a
  %sb = kiln.broadcast %s map [0] : $a -> $ab
  %r = kiln.div %e, %sb : $ab)",
                  "%r, %m, %e", "$ab, $a, $ab");
}

TEST(NestPrograms, LayerNormalization) {
  expectAgreement(R"(  %s = kiln.reduce sum %x0 axes [1] : $ab -> $a
  %n = kiln.dims [s1] : tensor<i32>
  %nf = kiln.cast %n : tensor<i32> -> $f
  %nb = kiln.broadcast %nf map [] : $f -> $a
  %mean = kiln.div %s, %nb : $a
  %mb = kiln.broadcast %mean map [0] : $a -> $ab
  %c = kiln.sub %x0, %mb : $ab
  %q = kiln.mul %c, %c : $ab
  %qs = kiln.reduce sum %q axes [1] : $ab -> $a
  %v = kiln.div %qs, %nb : $a
  %e = kiln.constant dense<1.0e-5> : tensor<f32> : $a
  %ve = kiln.add %v, %e : $a
  %rs = kiln.rsqrt %ve : $a
  %rb = kiln.broadcast %rs map [0] : $a -> $ab
  %g = kiln.broadcast %x2 map [1] : $b -> $ab
  %y = kiln.mul %c, %rb : $ab
  %r = kiln.mul %y, %g : $ab)",
                  "%r, %mean, %v", "$ab, $a, $a");
}

TEST(NestPrograms, BatchNormalizationOverRows) {
  expectAgreement(R"(  %s = kiln.reduce sum %x0 axes [0] : $ab -> $b
  %sb = kiln.broadcast %s map [1] : $b -> $ab
  %c = kiln.sub %x0, %sb : $ab
  %q = kiln.mul %c, %c : $ab
  %v = kiln.reduce sum %q axes [0] : $ab -> $b
  %vb = kiln.broadcast %v map [1] : $b -> $ab
  %r = kiln.div %c, %vb : $ab)",
                  "%r, %v", "$ab, $b");
}

TEST(NestPrograms, ReductionsOfBothKinds) {
  expectAgreement(R"(  %c = kiln.reduce sum %x0 axes [0] : $ab -> $b
  %r = kiln.reduce sum %x0 axes [1] : $ab -> $a
  %m = kiln.reduce max %x0 axes [0] : $ab -> $b
  %t = kiln.reduce sum %r axes [0] : $a -> $f
  %u = kiln.reduce sum %c axes [0] : $b -> $f
  %all = kiln.reduce sum %x0 axes [0, 1] : $ab -> $f
  %z = kiln.add %t, %u : $f
  %k = kiln.mul %x0, %x0 : $ab)",
                  "%c, %r, %m, %z, %all, %k", "$b, $a, $b, $f, $f, $ab");
}

TEST(NestPrograms, TransposesAndOuterProducts) {
  expectAgreement(R"(  %t = kiln.transpose %x0 permutation [1, 0] : $ab -> $ba
  %rb = kiln.broadcast %x1 map [1] : $a -> $ba
  %cb = kiln.broadcast %x2 map [0] : $b -> $ba
  %o = kiln.mul %rb, %cb : $ba
  %r = kiln.add %t, %o : $ba
  %s = kiln.reduce sum %r axes [1] : $ba -> $b
  %u = kiln.reduce sum %r axes [0] : $ba -> $a
  %back = kiln.transpose %r permutation [1, 0] : $ba -> $ab
  %w = kiln.sub %back, %x0 : $ab)",
                  "%t, %r, %s, %u, %w", "$ba, $ba, $b, $a, $ab");
}

TEST(NestPrograms, LoneTransposes) {
  expectAgreement("  %t = kiln.transpose %x0 permutation [1, 0] : $ab -> $ba",
                  "%t", "$ba");
  for (const char *element : {"f32", "f64", "bf16", "i8"})
    for (std::vector<Side> sides :
         std::vector<std::vector<Side>>{{{2}, {17}, {3}, {33}},
                                        {{5}, {16}, {1}, {48}},
                                        {{1}, {16}, {1}, {8210}},
                                        {{2}, {8224}, {1}, {16}},
                                        {{1}, {9}, {2}, {8}}}) {
      std::vector<Side> moved = {sides[2], sides[0], sides[3], sides[1]};
      std::string from = typeOf(sides, element), to = typeOf(moved, element);
      for (const CompileOptions &options : {CompileOptions(), streaming()}) {
        NativeProgram program(
            function({from},
                     "  %t = kiln.transpose %x0 permutation [2, 0, 3, 1] : " +
                         from + " -> " + to,
                     "%t", to),
            passes::Stage::Fuse, options);
        EXPECT_TRUE(program.agrees({.feeds = {feedOf(element, sides, 1)}}));
      }
    }
}

// The left factor's elements of one row lie a power of two apart: it is packed.
TEST(NestPrograms, ProductsOfRowsThatWouldCollide) {
  for (auto [element, rows] :
       {std::pair("f32", 256), {"f32", 512}, {"f64", 128}, {"i32", 256}})
    for (int64_t columns : {33, 70, 128}) {
      std::vector<Side> left = {{300}, {rows}}, right = {{300}, {columns}},
                        to = {{rows}, {columns}};
      NativeProgram program(function(
          {typeOf(left, element), typeOf(right, element)},
          "  %p = kiln.matmul %x0 transposed, %x1 : " + typeOf(left, element) +
              ", " + typeOf(right, element) + " -> " + typeOf(to, element),
          "%p", typeOf(to, element)));
      EXPECT_TRUE(program.agrees(
          {.feeds = {feedOf(element, left, 1), feedOf(element, right, 2)}}));
    }
}

// Places are found for wholes and their parts while the table of places grows,
// at each number of values once.
TEST(NestPrograms, ManyConcatsOfProducts) {
  const std::vector<Side> left = {{5}, {16}}, right = {{16}, {8}},
                          half = {{5}, {8}};
  const std::string x = typeOf(left, "f32"), w = typeOf(right, "f32"),
                    h = typeOf(half, "f32");
  for (int others = 0; others < 3; ++others) {
    std::string body, last = "%x1";
    auto add = [&](const std::string &name, const std::string &op,
                   const std::string &type) {
      body += "  " + name + " = kiln." + op + " : " + type + "\n";
    };
    for (int i = 0; i < 70; ++i) {
      const std::string a = "%a" + std::to_string(i),
                        b = "%b" + std::to_string(i),
                        c = "%c" + std::to_string(i);
      add(a, "matmul " + last + ", %x0", x + ", " + w + " -> " + h);
      add(b, "matmul " + last + ", %x0", x + ", " + w + " -> " + h);
      add(b + "n", "neg " + b, h);
      add(c, "concat " + a + ", " + b + "n axis 1", h + ", " + h + " -> " + x);
      last = c;
    }
    std::vector<std::string> types = {w, x};
    std::vector<Tensor> feeds = {feedOf("f32", right, 1),
                                 feedOf("f32", left, 2)};
    std::string returned = last, results = x;
    for (int i = 0; i < others; ++i) {
      types.push_back(x);
      feeds.push_back(feedOf("f32", left, 3));
      returned += ", %x" + std::to_string(i + 2);
      results += ", " + x;
    }
    NativeProgram program(function(types, body, returned, results));
    EXPECT_TRUE(program.agrees({.feeds = feeds})) << others;
  }
}

TEST(NestPrograms, BroadcastsOfScalarsAndResultsThatRepeat) {
  expectAgreement(R"(  %s = kiln.broadcast %x3 map [] : $f -> $ab
  %r = kiln.mul %s, %x0 : $ab
  %p = kiln.broadcast %x3 map [] : $f -> $b
  %q = kiln.add %p, %x2 : $b
  %n = kiln.neg %x3 : $f)",
                  "%r, %r, %s, %q, %n, %x3, %x0",
                  "$ab, $ab, $ab, $b, $f, $f, $ab");
}

TEST(NestPrograms, LinearRegressionStepInPlace) {
  expectAgreement(R"(  %w = kiln.var_read @w : $b
  %wb = kiln.broadcast %w map [1] : $b -> $ab
  %xw = kiln.mul %x0, %wb : $ab
  %p = kiln.reduce sum %xw axes [1] : $ab -> $a
  %e = kiln.sub %p, %x1 : $a
  %eb = kiln.broadcast %e map [0] : $a -> $ab
  %xe = kiln.mul %x0, %eb : $ab
  %g = kiln.reduce sum %xe axes [0] : $ab -> $b
  %lr = kiln.broadcast %x3 map [] : $f -> $b
  %step = kiln.mul %g, %lr : $b
  %new = kiln.sub %w, %step : $b
  kiln.var_write @w, %new : $b
  %q = kiln.mul %e, %e : $a
  %loss = kiln.reduce sum %q axes [0] : $a -> $f)",
                  "%loss, %w, %new", "$f, $b, $b",
                  "kiln.variable @w index 0 : $b\n");
}

TEST(NestPrograms, NarrowLinearRegressionStepInPlace) {
  std::string x = "tensor<?x9xf32, #kiln.sym<0>>", w = "tensor<9xf32>";
  std::string body = expand(R"(  %w = kiln.var_read @w : tensor<9xf32>
  %wb = kiln.broadcast %w map [1] : tensor<9xf32> -> $x
  %xw = kiln.mul %x0, %wb : $x
  %p = kiln.reduce sum %xw axes [1] : $x -> $a
  %e = kiln.sub %p, %x1 : $a
  %eb = kiln.broadcast %e map [0] : $a -> $x
  %xe = kiln.mul %x0, %eb : $x
  %g = kiln.reduce sum %xe axes [0] : $x -> tensor<9xf32>
  %new = kiln.sub %w, %g : tensor<9xf32>
  kiln.var_write @w, %new : tensor<9xf32>
  %q = kiln.mul %e, %e : $a
  %loss = kiln.reduce sum %q axes [0] : $a -> $f)");
  for (size_t at = body.find("$x"); at != std::string::npos;
       at = body.find("$x"))
    body.replace(at, 2, x);
  NativeProgram program(function({x, a}, body, "%loss, %e", f + ", " + a,
                                 "kiln.variable @w index 0 : tensor<9xf32>\n"));
  for (int64_t n : {0, 1, 31, 32, 33, 100, 5000})
    ASSERT_TRUE(program.agrees(
        {.feeds = {feedOf("f32", {{n}, {9}}, 1), feedOf("f32", {{n}}, 2)},
         .symbols = {n},
         .variables = {feedOf("f32", {{9}}, 3)}}));
}

//===--- Variables --------------------------------------------------------===//

TEST(VariablePrograms, Swap) {
  expectAgreement(
      R"(  %v = kiln.var_read @v : $ab
  %w = kiln.var_read @w : $ab
  kiln.var_write @v, %w : $ab
  kiln.var_write @w, %v : $ab)",
      "", "",
      "kiln.variable @v index 0 : $ab\nkiln.variable @w index 1 : $ab\n");
}

TEST(VariablePrograms, RotationOfThreeWithArithmetic) {
  expectAgreement(R"(  %u = kiln.var_read @u : $a
  %v = kiln.var_read @v : $a
  %w = kiln.var_read @w : $a
  %s = kiln.add %u, %v : $a
  kiln.var_write @u, %v : $a
  kiln.var_write @v, %w : $a
  %n = kiln.neg %u : $a
  kiln.var_write @w, %n : $a
  %z = kiln.var_read @w : $a
  %r = kiln.mul %z, %s : $a)",
                  "%r, %u, %z", "$a, $a, $a",
                  "kiln.variable @u index 0 : $a\nkiln.variable @v index 1 : "
                  "$a\nkiln.variable @w index 2 : $a\n");
}

TEST(VariablePrograms, ReadsBeforeAndAfterWrites) {
  expectAgreement(R"(  %old = kiln.var_read @v : $ab
  %one = kiln.add %old, %x0 : $ab
  kiln.var_write @v, %one : $ab
  %mid = kiln.var_read @v : $ab
  %two = kiln.mul %mid, %old : $ab
  kiln.var_write @v, %two : $ab
  %new = kiln.var_read @v : $ab
  %r = kiln.sub %new, %mid : $ab)",
                  "%old, %mid, %new, %r", "$ab, $ab, $ab, $ab",
                  "kiln.variable @v index 0 : $ab\n");
}

TEST(VariablePrograms, TransposeInPlace) {
  std::string square = "tensor<?x?xf32, #kiln.sym<0, 0>>";
  NativeProgram program(
      function({square},
               "  %v = kiln.var_read @v : " + square +
                   "\n  %t = kiln.transpose %v permutation [1, 0] : " + square +
                   " -> " + square + "\n  %s = kiln.add %t, %x0 : " + square +
                   "\n  kiln.var_write @v, %s : " + square,
               "", "", "kiln.variable @v index 0 : " + square + "\n"));
  for (int64_t n : {0, 1, 2, 5, 40, 200})
    ASSERT_TRUE(program.agrees({.feeds = {feedOf("f32", {{n}, {n}}, 1)},
                                .symbols = {n},
                                .variables = {feedOf("f32", {{n}, {n}}, 2)}}));
}

TEST(VariablePrograms, WriteOfAFeedAndOfAConstant) {
  expectAgreement(
      R"(  kiln.var_write @v, %x0 : $ab
  %c = kiln.constant dense<2.5> : tensor<f32> : $b
  kiln.var_write @w, %c : $b
  %v = kiln.var_read @v : $ab
  %r = kiln.add %v, %x0 : $ab)",
      "%r, %v, %c", "$ab, $ab, $b",
      "kiln.variable @v index 0 : $ab\nkiln.variable @w index 1 : $b\n");
}

/// Fused into one loop nest once, which a constant that is no splat has not.
TEST(VariablePrograms, InitializedByConstantsOfOneShape) {
  const std::string square = "tensor<2x2xf32>",
                    module = "kiln.variable @v index 0 : " + square +
                             "\nkiln.variable @w index 1 : " + square + "\n";
  NativeProgram program(function({}, R"(
  %c = kiln.constant dense<0.0> : tensor<f32> : tensor<2x2xf32>
  kiln.var_write @v, %c : tensor<2x2xf32>
  %d = kiln.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32> : tensor<2x2xf32>
  kiln.var_write @w, %d : tensor<2x2xf32>
  %e = kiln.constant dense<0.5> : tensor<f32> : tensor<2x2xf32>)",
                                 "%c, %e", square + ", " + square, module));
  EXPECT_TRUE(program.agrees({.variables = {feedOf("f32", {{2}, {2}}, 1),
                                            feedOf("f32", {{2}, {2}}, 2)}}));
}

TEST(VariablePrograms, RowsNormalizedInPlace) {
  expectAgreement(R"(  %v = kiln.var_read @v : $ab
  %s = kiln.reduce sum %v axes [1] : $ab -> $a
  %sb = kiln.broadcast %s map [0] : $a -> $ab
  %d = kiln.sub %v, %sb : $ab
  kiln.var_write @v, %d : $ab
  %m = kiln.reduce max %d axes [1] : $ab -> $a)",
                  "%m", "$a", "kiln.variable @v index 0 : $ab\n");
}

TEST(VariablePrograms, ColumnsCenteredInPlace) {
  expectAgreement(R"(  %v = kiln.var_read @v : $ab
  %s = kiln.reduce sum %v axes [0] : $ab -> $b
  %sb = kiln.broadcast %s map [1] : $b -> $ab
  %d = kiln.sub %v, %sb : $ab
  kiln.var_write @v, %d : $ab)",
                  "%s", "$b", "kiln.variable @v index 0 : $ab\n");
}

TEST(VariablePrograms, OuterProductUpdate) {
  expectAgreement(
      R"(  %v = kiln.var_read @v : $ab
  %w = kiln.var_read @w : $a
  %rb = kiln.broadcast %w map [0] : $a -> $ab
  %cb = kiln.broadcast %x2 map [1] : $b -> $ab
  %o = kiln.mul %rb, %cb : $ab
  %n = kiln.add %v, %o : $ab
  kiln.var_write @v, %n : $ab
  %s = kiln.reduce sum %n axes [1] : $ab -> $a
  kiln.var_write @w, %s : $a)",
      "%w", "$a",
      "kiln.variable @v index 0 : $ab\nkiln.variable @w index 1 : $a\n");
}

TEST(VariablePrograms, VectorUpdatedFromItsOwnBroadcast) {
  expectAgreement(R"(  %w = kiln.var_read @w : $a
  %rb = kiln.broadcast %w map [0] : $a -> $ab
  %o = kiln.mul %rb, %x0 : $ab
  %n = kiln.add %w, %x1 : $a
  kiln.var_write @w, %n : $a)",
                  "%o", "$ab", "kiln.variable @w index 0 : $a\n");
}

TEST(VariablePrograms, MomentumOfSiblings) {
  expectAgreement(R"(  %m = kiln.var_read @m : $ab
  %v = kiln.var_read @v : $ab
  %mu = kiln.broadcast %x3 map [] : $f -> $ab
  %mm = kiln.mul %m, %mu : $ab
  %mn = kiln.add %mm, %x0 : $ab
  kiln.var_write @m, %mn : $ab
  %vn = kiln.sub %v, %mn : $ab
  kiln.var_write @v, %vn : $ab
  %w = kiln.var_read @w : $ab
  %wn = kiln.sub %w, %mn : $ab
  kiln.var_write @w, %wn : $ab)",
                  "%w", "$ab",
                  "kiln.variable @m index 0 : $ab\nkiln.variable @v index 1 : "
                  "$ab\nkiln.variable @w index 2 : $ab\n");
}

TEST(VariablePrograms, FlagsFollowWrites) {
  std::string type = "tensor<?xf32, #kiln.sym<0>>";
  NativeProgram program(function(
      {type}, R"(  %i = kiln.var_is_initialized @v : tensor<i1>
  kiln.var_write @v, %x0 : tensor<?xf32, #kiln.sym<0>>
  %j = kiln.var_is_initialized @v : tensor<i1>
  %k = kiln.var_is_initialized @w : tensor<i1>
  %n = kiln.not %k : tensor<i1>)",
      "%i, %j, %k, %n", "tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>",
      "kiln.variable @v index 0 : " + type +
          "\nkiln.variable @w index 1 : " + type + "\n"));
  for (bool v : {false, true})
    for (bool w : {false, true})
      ASSERT_TRUE(program.agrees(
          {.feeds = {feedOf("f32", {{5}}, 1)},
           .symbols = {5},
           .variables = {feedOf("f32", {{5}}, 2), feedOf("f32", {{5}}, 3)},
           .initialized = {v, w}}));
}

} // namespace
} // namespace kiln
