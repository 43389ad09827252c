// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Denormals, zeros and what is next to them, where a processor's instructions
// differ in whether they flush what they move: native code for AVX-512, AVX2
// and quickly generated, against the evaluator. golden_kiln/dtype_denormals_*
// has TensorFlow's own values.
#include "test/unit/JIT/NativeHarness.h"

#include "lib/JIT/backends/cpu/Target.h"
#include "lib/Support/DTypeDispatch.h"

#include "gtest/gtest.h"

#include <limits>

namespace kiln {
namespace {

/// Denormals of both signs, zeros, the smallest normal numbers, infinities,
/// NaN; each beside each other one.
std::vector<Tensor> smallPairs(const std::string &element) {
  DType dtype = dtypeNamed(element);
  std::vector<Tensor> pair;
  dispatchElement(dtype, [&]<class T>(T) {
    if constexpr (!std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      T tiny = Limits::denorm_min(), large = T(Limits::min() * T(0.75f));
      std::vector<T> values, x, y;
      for (T value : {T(0), tiny, large, T(Limits::min()), T(1),
                      T(Limits::infinity()), T(Limits::quiet_NaN())})
        for (T each : {value, T(-value)})
          values.push_back(each);
      for (T first : values)
        for (T second : values) {
          x.push_back(first);
          y.push_back(second);
        }
      for (const auto &list : {x, y}) {
        Tensor tensor = *Tensor::create(dtype, {int64_t(list.size())});
        std::copy(list.begin(), list.end(), tensor.mutableData<T>().begin());
        pair.push_back(std::move(tensor));
      }
    }
  });
  return pair;
}

/// Ways to make code of one function.
std::vector<CompileOptions> waysToCompile() {
  std::vector<CompileOptions> ways(2);
  ways[1].quickCode = true;
  if (HostTarget::create("x86-64-v4").ok()) {
    ways.emplace_back().code.cpu = "x86-64-v3";
    ways.emplace_back().code.cpu = "x86-64-v3";
    ways.back().quickCode = true;
  }
  return ways;
}

class Denormals : public ::testing::TestWithParam<const char *> {
protected:
  static constexpr int64_t count = 14 * 14;
  std::string element = GetParam();
  std::string vector = typeOf({{count}}, element),
              flags = typeOf({{count}}, "i1");

  /// The ops on all pairs, and on each number and a constant, on either side.
  void agreeWithNeutralConstants(std::initializer_list<const char *> ops) {
    std::string body, list, types;
    int results = 0, constants = 0;
    auto add = [&](const std::string &op, const std::string &operands) {
      std::string name = "%r" + std::to_string(results++);
      body += "  " + name + " = kiln." + op + " " + operands + " : " + vector +
              "\n";
      list += (list.empty() ? "" : ", ") + name;
      types += (types.empty() ? "" : ", ") + vector;
    };
    for (const char *op : ops) {
      add(op, "%x0, %x1");
      for (const char *number : {"0.0", "-0.0", "1.0", "-1.0"}) {
        std::string constant = "%c" + std::to_string(constants++);
        body += "  " + constant + " = kiln.constant dense<" + number +
                "> : tensor<" + element + "> : " + vector + "\n";
        add(op, "%x0, " + constant);
        add(op, constant + ", %x1");
      }
    }
    agreesEveryWay(function({vector, vector}, body, list, types));
  }

  void agreesEveryWay(const std::string &source) {
    for (const CompileOptions &way : waysToCompile()) {
      SCOPED_TRACE("cpu '" + way.code.cpu + "'" +
                   (way.quickCode ? ", quick" : ""));
      NativeProgram program(source, passes::Stage::Fuse, way);
      EXPECT_TRUE(program.agrees(smallPairs(element), {}));
    }
  }
};

TEST_P(Denormals, OfMaximaAndMinimaAreFlushed) {
  agreeWithNeutralConstants({"max", "min"});
}

// LLVM takes some of them for the other operand.
TEST_P(Denormals, OfArithmeticWithNeutralConstantsAreFlushed) {
  agreeWithNeutralConstants({"add", "sub", "mul", "div"});
}

// fmod itself works on the bits.
TEST_P(Denormals, OfRemaindersAreFlushed) {
  agreeWithNeutralConstants({"rem", "floor_mod"});
}

TEST_P(Denormals, ThatASelectMovesStay) {
  std::string body, list, types;
  int results = 0;
  for (const char *predicate : {"lt", "le", "gt", "ge", "eq", "ne"})
    for (const char *operands : {"%x0, %x1", "%x1, %x0"}) {
      std::string n = std::to_string(results++);
      body += "  %f" + n + " = kiln.compare " + predicate +
              " %x0, %x1 : " + vector + " -> " + flags + "\n  %n" + n +
              " = kiln.not %f" + n + " : " + flags + "\n";
      for (const char *flag : {"f", "n"}) {
        std::string name = std::string("%r") + flag + n;
        body += "  " + name + " = kiln.select %" + flag + n + ", " + operands +
                " : " + flags + ", " + vector + "\n";
        list += (list.empty() ? "" : ", ") + name;
        types += (types.empty() ? "" : ", ") + vector;
      }
    }
  agreesEveryWay(function({vector, vector}, body, list, types));
}

// What a place tells of a comparison, LLVM takes for the comparison.
TEST_P(Denormals, ThatAPlacePicksStay) {
  std::string places = typeOf({{count}}, "i32");
  agreesEveryWay(function(
      {vector, vector},
      "  %zero = kiln.constant dense<0> : tensor<i32> : " + places + "\n" +
          "  %one = kiln.constant dense<1> : tensor<i32> : " + places + "\n" +
          "  %c = kiln.compare gt %x1, %x0 : " + vector + " -> " + flags +
          "\n  %p = kiln.select %c, %one, %zero : " + flags + ", " + places +
          "\n  %f = kiln.compare eq %p, %one : " + places + " -> " + flags +
          "\n  %r = kiln.select %f, %x1, %x0 : " + flags + ", " + vector,
      "%r", vector));
}

TEST_P(Denormals, OfReductionsAreFlushed) {
  for (const char *kind : {"max", "min", "sum", "prod"})
    for (int64_t reduced : {1, 2, 7, 14, 98, 196})
      for (bool inner : {false, true}) {
        int64_t kept = count / reduced;
        std::string matrix = typeOf(
                        {{inner ? kept : reduced}, {inner ? reduced : kept}},
                        element),
                    result = typeOf({{kept}}, element);
        SCOPED_TRACE(std::string(kind) + " of " + std::to_string(reduced) +
                     (inner ? ", inner" : ", outer"));
        std::string body = "  %m = kiln.reshape %x0 : " + vector + " -> " +
                           matrix + "\n  %r = kiln.reduce " + kind +
                           " %m axes [" + (inner ? "1" : "0") +
                           "] : " + matrix + " -> " + result;
        agreesEveryWay(function({vector, vector}, body, "%r", result));
      }
}

INSTANTIATE_TEST_SUITE_P(Of, Denormals, ::testing::Values("f32", "f64"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
} // namespace kiln
