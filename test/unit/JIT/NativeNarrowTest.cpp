// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every pair of bytes through each binary op, every float of 16 bits through
// each conversion, compiled, against the evaluator.
#include "test/unit/JIT/NativeHarness.h"

#include "lib/Support/DTypeDispatch.h"

#include "gtest/gtest.h"

namespace kiln {
namespace {

/// All pairs of a type of 8 bits; without those whose second is zero if asked.
std::vector<Tensor> allPairs(const std::string &element, bool nonzero) {
  std::vector<uint8_t> x, y;
  for (int i = 0; i < 65536; ++i)
    if (!nonzero || i >> 8 != 0) {
      x.push_back(static_cast<uint8_t>(i));
      y.push_back(static_cast<uint8_t>(i >> 8));
    }
  std::vector<Tensor> pair;
  for (const auto &bytes : {x, y}) {
    Tensor tensor =
        *Tensor::create(dtypeNamed(element), {int64_t(bytes.size())});
    std::copy(bytes.begin(), bytes.end(),
              static_cast<uint8_t *>(tensor.mutableRawData()));
    pair.push_back(std::move(tensor));
  }
  return pair;
}

Tensor allOf16Bits(const std::string &element) {
  Tensor tensor = *Tensor::create(dtypeNamed(element), {65536});
  auto *bits = static_cast<uint16_t *>(tensor.mutableRawData());
  for (int i = 0; i < 65536; ++i)
    bits[i] = static_cast<uint16_t>(i);
  return tensor;
}

class BytePairs : public ::testing::TestWithParam<const char *> {};

TEST_P(BytePairs, GiveTheBitsOfTheEvaluator) {
  std::string element = GetParam(), type = typeOf({{0, 0}}, element),
              flags = typeOf({{0, 0}}, "i1"), body, list, types;
  int count = 0;
  auto add = [&](const std::string &op, const std::string &result,
                 const std::string &signature) {
    std::string name = "%r" + std::to_string(count++);
    body += "  " + name + " = kiln." + op + " %x0, %x1 : " + signature + "\n";
    list += (list.empty() ? "" : ", ") + name;
    types += (types.empty() ? "" : ", ") + result;
  };
  for (const char *op :
       {"add", "sub", "mul", "div", "rem", "floor_div", "floor_mod", "max",
        "min", "and", "or", "xor", "shift_left", "shift_right"})
    add(op, type, type);
  for (const char *op : {"compare lt", "compare le", "compare eq"})
    add(op, flags, type + " -> " + flags);
  NativeProgram program(function({type, type}, body, list, types));
  std::vector<Tensor> pairs = allPairs(element, true);
  EXPECT_TRUE(program.agrees(pairs, {pairs[0].numElements()}));
  EXPECT_FALSE(program.hasFailed());
}

INSTANTIATE_TEST_SUITE_P(All, BytePairs, ::testing::Values("i8", "ui8"));

class AllFloats16 : public ::testing::TestWithParam<const char *> {};

TEST_P(AllFloats16, WidenAndComeBack) {
  std::string element = GetParam(), type = typeOf({{0, 0}}, element),
              wide = typeOf({{0, 0}}, "f32");
  NativeProgram program(
      function({type},
               "  %w = kiln.cast %x0 : " + type + " -> " + wide + "\n" +
                   "  %n = kiln.neg %w : " + wide + "\n" +
                   "  %r = kiln.cast %n : " + wide + " -> " + type + "\n" +
                   "  %b = kiln.cast %w : " + wide + " -> " + type,
               "%w, %r, %b", wide + ", " + type + ", " + type));
  EXPECT_TRUE(program.agrees({allOf16Bits(element)}, {65536}));
}

// Sums and products of all values with some: every way to round.
TEST_P(AllFloats16, RoundEachStep) {
  std::string element = GetParam(), type = typeOf({{0, 0}}, element),
              wide = typeOf({{0, 0}}, "f32");
  std::string body = "  %x = kiln.cast %x0 : " + type + " -> " + wide + "\n" +
                     "  %y = kiln.cast %x1 : " + type + " -> " + wide + "\n";
  for (const char *op : {"add", "mul", "div", "sub"})
    body += std::string("  %") + op + " = kiln." + op + " %x, %y : " + wide +
            "\n  %r" + op + " = kiln.cast %" + op + " : " + wide + " -> " +
            type + "\n";
  NativeProgram program(
      function({type, type}, body, "%radd, %rmul, %rdiv, %rsub",
               type + ", " + type + ", " + type + ", " + type));
  for (unsigned seed : {1, 2, 3})
    EXPECT_TRUE(program.agrees(
        {allOf16Bits(element), edgeTensor(element, {{65536}}, seed)}, {65536}));
}

INSTANTIATE_TEST_SUITE_P(All, AllFloats16, ::testing::Values("f16", "bf16"));

} // namespace
} // namespace kiln
