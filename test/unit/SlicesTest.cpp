// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose ops run slice by slice (lib/Eval/Slices.h) give what they
// give op by op: results, variables, errors.
#include "test/unit/EvaluatorFixture.h"

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
                  const std::vector<Tensor> &feeds) {
    environment.sliceBytes = sliceBytes;
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
      Outcome sliced = runWith(sliceBytes, text, feeds);
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
