// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose ops run slice by slice (lib/Eval/Slices.h) give what they
// give op by op: results, variables, errors.
#include "test/unit/Eval/EvaluatorFixture.h"
#include "test/unit/StatusMatchers.h"

#include <limits>
#include <string>

namespace kiln {
namespace {

class Slices : public Evaluator {
protected:
  struct Outcome {
    StatusOr<std::vector<Tensor>> results;
    Tensor variable;
  };
  /// A run whose variable 0 begins as `numbers(64 * 64)`.
  Outcome runWith(int64_t sliceBytes, const std::string &text,
                  const std::vector<Tensor> &feeds,
                  int64_t streamedBytes = int64_t(1) << 25) {
    environment.sliceBytes = sliceBytes;
    environment.minStreamedBytes = streamedBytes;
    variables.values[0] = numbers({64, 64});
    auto results = run(text, feeds);
    return {std::move(results), variables.values[0]};
  }
  static Tensor numbers(const Shape &shape) {
    Tensor made = *Tensor::create(DType::Float32, shape);
    float x = -0.5f;
    for (float &element : made.mutableData<float>())
      element = x = x * 0.75f + 0.3f + (x < 0.9f ? 0.01f : -2.0f);
    return made;
  }
  /// Runs `body` on %x, of 64 x 64 floats, and %b, of 64, slice by slice and op
  /// by op.
  void expectSame(const std::string &body, const std::string &type) {
    std::string text =
        "module { kiln.variable @v index 0 : tensor<64x64xf32>\n"
        "func.func @f(%x: tensor<64x64xf32>, %b: tensor<64xf32>) -> " +
        type + " {\n" + body + "\n return %r : " + type + " } }";
    std::vector<Tensor> feeds = {numbers({64, 64}), numbers({64})};
    Outcome whole =
        runWith(std::numeric_limits<int64_t>::max() / 16, text, feeds);
    for (int64_t sliceBytes : {4, 64, 300, 1024}) {
      int64_t streamedBytes = sliceBytes == 64 ? 1 << 25 : 1;
      Outcome sliced = runWith(sliceBytes, text, feeds, streamedBytes);
      ASSERT_EQ(sliced.results.ok(), whole.results.ok()) << text;
      EXPECT_EQ(sliced.results.status().toString(),
                whole.results.status().toString());
      EXPECT_TRUE(sliced.variable.hasSameBits(whole.variable)) << text;
      if (whole.results.ok())
        EXPECT_TRUE((*sliced.results)[0].hasSameBits((*whole.results)[0]))
            << text;
    }
  }
};

TEST_F(Slices, RowsAreReducedAndBroadcast) {
  expectSame(R"(
    %m = kiln.reduce max %x axes [1] : tensor<64x64xf32> -> tensor<64xf32>
    %n = kiln.broadcast %m map [0] : tensor<64xf32> -> tensor<64x64xf32>
    %s = kiln.sub %x, %n : tensor<64x64xf32>
    %e = kiln.exp %s : tensor<64x64xf32>
    %t = kiln.reduce sum %e axes [1] : tensor<64x64xf32> -> tensor<64xf32>
    %u = kiln.broadcast %t map [0] : tensor<64xf32> -> tensor<64x64xf32>
    %r = kiln.div %e, %u : tensor<64x64xf32>)",
             "tensor<64x64xf32>");
}

// One vector is both: each row's own number, and the whole row's addend.
TEST_F(Slices, AnOperandIsWholeAndSliced) {
  expectSame(R"(
    %p = kiln.broadcast %b map [0] : tensor<64xf32> -> tensor<64x64xf32>
    %q = kiln.broadcast %b map [1] : tensor<64xf32> -> tensor<64x64xf32>
    %s = kiln.mul %p, %q : tensor<64x64xf32>
    %t = kiln.transpose %s permutation [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    %r = kiln.sub %x, %t : tensor<64x64xf32>)",
             "tensor<64x64xf32>");
}

TEST_F(Slices, ViewsOfRowsShareTheirMemory) {
  expectSame(R"(
    %n = kiln.neg %x : tensor<64x64xf32>
    %v = kiln.reshape %n : tensor<64x64xf32> -> tensor<64x1x64xf32>
    %a = kiln.exp %v : tensor<64x1x64xf32>
    %c = kiln.add %v, %a : tensor<64x1x64xf32>
    %w = kiln.reshape %c : tensor<64x1x64xf32> -> tensor<64x64xf32>
    %m = kiln.mul %w, %w : tensor<64x64xf32>
    %s = kiln.slice %w starts [0, 3] strides [1, 2] : tensor<64x64xf32> -> tensor<64x20xf32>
    %r = kiln.add %s, %s : tensor<64x20xf32>
    kiln.var_write @v, %m : tensor<64x64xf32>)",
             "tensor<64x20xf32>");
}

TEST_F(Slices, AViewThatIsKeptKeepsItsMemory) {
  expectSame(R"(
    %n = kiln.neg %x : tensor<64x64xf32>
    %r = kiln.reshape %n : tensor<64x64xf32> -> tensor<64x1x64xf32>
    %a = kiln.exp %x : tensor<64x64xf32>
    %c = kiln.mul %a, %a : tensor<64x64xf32>
    %d = kiln.sub %c, %x : tensor<64x64xf32>
    kiln.var_write @v, %d : tensor<64x64xf32>)",
             "tensor<64x1x64xf32>");
}

// As long a run as fetches what comes next, more ops than have a call of their
// own, and a last block that is not whole.
TEST_F(Slices, LongRunsOfManyOps) {
  std::string type = "tensor<129x257xf32>", body, last = "%x";
  for (int i = 0; i < 40; ++i) {
    std::string name = "%n" + std::to_string(i);
    const char *op = i % 3 == 0 ? "tanh" : "neg";
    body += i % 2 ? name + " = kiln.add " + last + ", %y : " + type + "\n"
                  : name + " = kiln." + op + " " + last + " : " + type + "\n";
    last = name;
  }
  std::string text = "module { kiln.variable @v index 0 : tensor<64x64xf32>\n"
                     "func.func @f(%x: " +
                     type + ", %y: " + type + ") -> " + type + " {\n" + body +
                     " return " + last + " : " + type + " } }";
  std::vector<Tensor> feeds = {numbers({129, 257}), numbers({129, 257})};
  Outcome whole =
      runWith(std::numeric_limits<int64_t>::max() / 16, text, feeds);
  ASSERT_THAT(whole.results, testing::isOk());
  for (int64_t streamedBytes : {int64_t(1), int64_t(1) << 25}) {
    Outcome sliced = runWith(int64_t(1) << 15, text, feeds, streamedBytes);
    ASSERT_THAT(sliced.results, testing::isOk());
    EXPECT_TRUE((*sliced.results)[0].hasSameBits((*whole.results)[0]));
  }
}

// Elements of one, four and eight bytes; a constant that comes twice, and as
// another type; values for a block alone beside one that a reduction reads.
TEST_F(Slices, ValuesForABlockHaveTheirOwnMemory) {
  expectSame(R"(
    %half = kiln.constant dense<0.5> : tensor<f32> : tensor<64x64xf32>
    %same = kiln.constant dense<0.5> : tensor<f32> : tensor<64x64xf32>
    %other = kiln.constant dense<0.5> : tensor<f64> : tensor<64x64xf64>
    %h = kiln.mul %x, %half : tensor<64x64xf32>
    %d = kiln.cast %h : tensor<64x64xf32> -> tensor<64x64xf64>
    %e = kiln.exp %d : tensor<64x64xf64>
    %g = kiln.compare gt %e, %other : tensor<64x64xf64> -> tensor<64x64xi1>
    %n = kiln.compare lt %h, %same : tensor<64x64xf32> -> tensor<64x64xi1>
    %b0 = kiln.and %g, %n : tensor<64x64xi1>
    %f = kiln.cast %e : tensor<64x64xf64> -> tensor<64x64xf32>
    %s = kiln.select %b0, %f, %h : tensor<64x64xi1>, tensor<64x64xf32>
    %m = kiln.reduce max %s axes [1] : tensor<64x64xf32> -> tensor<64xf32>
    %w = kiln.broadcast %m map [0] : tensor<64xf32> -> tensor<64x64xf32>
    %t = kiln.sub %s, %w : tensor<64x64xf32>
    %r = kiln.add %t, %f : tensor<64x64xf32>)",
             "tensor<64x64xf32>");
}

// One comparison is for a select alone, of one there are two uses, one is of
// other types, and one is far before its select, whose operands others used
// last.
TEST_F(Slices, SelectsMakeTheirComparisons) {
  for (const char *predicate : {"eq", "ne", "lt", "le", "gt", "ge"})
    expectSame(
        "%c = kiln.compare " + std::string(predicate) +
            R"( %x, %x : tensor<64x64xf32> -> tensor<64x64xi1>
    %zero = kiln.constant dense<0.0> : tensor<f32> : tensor<64x64xf32>
    %a = kiln.exp %x : tensor<64x64xf32>
    %n = kiln.neg %x : tensor<64x64xf32>
    %far = kiln.compare )" +
            predicate + R"( %n, %zero : tensor<64x64xf32> -> tensor<64x64xi1>
    %p = kiln.mul %a, %a : tensor<64x64xf32>
    %q = kiln.add %p, %x : tensor<64x64xf32>
    %twice = kiln.compare )" +
            predicate + R"( %q, %a : tensor<64x64xf32> -> tensor<64x64xi1>
    %wide = kiln.cast %q : tensor<64x64xf32> -> tensor<64x64xf64>
    %s0 = kiln.select %c, %a, %q : tensor<64x64xi1>, tensor<64x64xf32>
    %s1 = kiln.select %far, %s0, %p : tensor<64x64xi1>, tensor<64x64xf32>
    %s2 = kiln.select %twice, %s1, %s0 : tensor<64x64xi1>, tensor<64x64xf32>
    %s3 = kiln.select %twice, %wide, %wide : tensor<64x64xi1>, tensor<64x64xf64>
    %g = kiln.compare )" +
            predicate + R"( %s2, %zero : tensor<64x64xf32> -> tensor<64x64xi1>
    %s4 = kiln.select %g, %s3, %wide : tensor<64x64xi1>, tensor<64x64xf64>
    %s5 = kiln.cast %s4 : tensor<64x64xf64> -> tensor<64x64xf32>
    %r = kiln.add %s5, %s2 : tensor<64x64xf32>)",
        "tensor<64x64xf32>");
}

// As in the gradient of elu: %p is the last to use what is compared.
TEST_F(Slices, WhatASelectComparesStaysUntilThen) {
  expectSame(R"(
    %zero = kiln.constant dense<0.0> : tensor<f32> : tensor<64x64xf32>
    %one = kiln.constant dense<1.0> : tensor<f32> : tensor<64x64xf32>
    %o = kiln.tanh %x : tensor<64x64xf32>
    %c = kiln.compare lt %o, %zero : tensor<64x64xf32> -> tensor<64x64xi1>
    %p = kiln.add %o, %one : tensor<64x64xf32>
    %q = kiln.mul %p, %x : tensor<64x64xf32>
    %r = kiln.select %c, %q, %x : tensor<64x64xi1>, tensor<64x64xf32>)",
             "tensor<64x64xf32>");
}

// The comparison is of the old value, which is no more when the select comes.
TEST_F(Slices, AComparisonStaysBeforeAnAssignment) {
  expectSame(R"(
    %old = kiln.var_read @v : tensor<64x64xf32>
    %c = kiln.compare gt %old, %x : tensor<64x64xf32> -> tensor<64x64xi1>
    %new = kiln.mul %old, %x : tensor<64x64xf32>
    kiln.var_write @v, %new : tensor<64x64xf32>
    %e = kiln.exp %x : tensor<64x64xf32>
    %r = kiln.select %c, %e, %x : tensor<64x64xi1>, tensor<64x64xf32>)",
             "tensor<64x64xf32>");
}

// The old value is fetched as well.
TEST_F(Slices, AVariableIsWrittenInPlace) {
  expectSame(R"(
    %old = kiln.var_read @v : tensor<64x64xf32>
    %h = kiln.mul %x, %old : tensor<64x64xf32>
    %new = kiln.sub %old, %h : tensor<64x64xf32>
    kiln.var_write @v, %new : tensor<64x64xf32>
    %now = kiln.var_read @v : tensor<64x64xf32>
    %d = kiln.sub %now, %old : tensor<64x64xf32>
    %r = kiln.add %d, %h : tensor<64x64xf32>)",
             "tensor<64x64xf32>");
}

// Rows that were written already are not read for others.
TEST_F(Slices, AVariableIsReadByRowsAndByColumns) {
  expectSame(R"(
    %old = kiln.var_read @v : tensor<64x64xf32>
    %t = kiln.transpose %old permutation [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    %new = kiln.add %old, %t : tensor<64x64xf32>
    kiln.var_write @v, %new : tensor<64x64xf32>
    %r = kiln.mul %new, %x : tensor<64x64xf32>)",
             "tensor<64x64xf32>");
  expectSame(R"(
    %old = kiln.var_read @v : tensor<64x64xf32>
    %other = kiln.var_read @v : tensor<64x64xf32>
    %first = kiln.slice %other starts [0, 0] strides [1, 1] : tensor<64x64xf32> -> tensor<1x64xf32>
    %row = kiln.reshape %first : tensor<1x64xf32> -> tensor<64xf32>
    %s = kiln.broadcast %row map [1] : tensor<64xf32> -> tensor<64x64xf32>
    %new = kiln.add %old, %s : tensor<64x64xf32>
    kiln.var_write @v, %new : tensor<64x64xf32>
    %r = kiln.mul %s, %x : tensor<64x64xf32>)",
             "tensor<64x64xf32>");
}

// The element that is named is the whole tensor's, not the slice's; what comes
// after the error is not written.
TEST_F(Slices, ErrorsNameElementsOfTheWhole) {
  expectSame(R"(
    %i = kiln.cast %x : tensor<64x64xf32> -> tensor<64x64xi32>
    %j = kiln.reduce max %i axes [1] : tensor<64x64xi32> -> tensor<64xi32>
    %k = kiln.add %j, %j : tensor<64xi32>
    %l = kiln.mul %k, %k : tensor<64xi32>
    %g = kiln.gather %b, %l axis 0 : tensor<64xf32>, tensor<64xi32> -> tensor<64xf32>
    %c = kiln.constant dense<100> : tensor<i32> : tensor<64xi32>
    %o = kiln.add %l, %c : tensor<64xi32>
    %r = kiln.gather %g, %o axis 0 : tensor<64xf32>, tensor<64xi32> -> tensor<64xf32>
    kiln.var_write @v, %x : tensor<64x64xf32>)",
             "tensor<64xf32>");
}

TEST_F(Slices, IntegersDividedByZeroInALaterSlice) {
  expectSame(R"(
    %i = kiln.cast %x : tensor<64x64xf32> -> tensor<64x64xi32>
    %q = kiln.div %i, %i : tensor<64x64xi32>
    %f = kiln.cast %q : tensor<64x64xi32> -> tensor<64x64xf32>
    %r = kiln.add %f, %x : tensor<64x64xf32>
    kiln.var_write @v, %r : tensor<64x64xf32>)",
             "tensor<64x64xf32>");
}

} // namespace
} // namespace kiln
