// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs of branches and loops against the evaluator, bit for bit:
// what lies in one place, and when, must not show.
#include "test/unit/JIT/NativeHarness.h"

#include "gtest/gtest.h"

#include <random>

namespace kiln {
namespace {

/// Writes a function of nested branches and loops. Values are of four shapes;
/// every block may use all that is defined around it.
class RegionGrower {
public:
  explicit RegionGrower(unsigned seed) : random(seed) {}

  std::string grow() {
    std::vector<std::string> inputs;
    for (const std::string &type : types)
      inputs.push_back(type);
    inputs.push_back("tensor<i32>"); // how often loops iterate
    inputs.push_back("tensor<i1>");
    values.resize(types.size());
    for (size_t i = 0; i < types.size(); ++i)
      values[i] = {"%x" + std::to_string(i)};
    bools = {"%x" + std::to_string(types.size() + 1)};
    body = "  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>\n"
           "  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>\n";
    block(0);
    std::string returned, returnedTypes;
    for (size_t shape = 0; shape < types.size(); ++shape)
      for (int i = 0; i < 2; ++i) {
        returned += (returned.empty() ? "" : ", ") + any(shape);
        returnedTypes += (returnedTypes.empty() ? "" : ", ") + types[shape];
      }
    std::string variables;
    for (size_t i = 0; i < types.size(); ++i)
      variables += "kiln.variable @v" + std::to_string(i) + " index " +
                   std::to_string(i) + " : " + types[i] + "\n";
    return function(inputs, body, returned, returnedTypes, variables);
  }

  static inline const std::vector<std::string> types = {
      "tensor<f32>", "tensor<5xf32>", "tensor<?xf32, #kiln.sym<0>>",
      "tensor<3x5xf32>"};

private:
  int below(int end) {
    return std::uniform_int_distribution<int>(0, end - 1)(random);
  }
  std::string fresh() { return "%t" + std::to_string(next++); }
  /// A value of the shape; recent ones more often, so that chains form.
  const std::string &any(size_t shape) {
    const auto &list = values[shape];
    int size = static_cast<int>(list.size());
    int index = below(2) ? below(size) : size - 1 - below(std::min(size, 3));
    return list[static_cast<size_t>(index)];
  }
  size_t anyShape() { return static_cast<size_t>(below(4)); }
  void line(const std::string &text) { body += "  " + text + "\n"; }
  void add(size_t shape, const std::string &text) {
    std::string name = fresh();
    line(name + " = " + text);
    values[shape].push_back(name);
  }

  void block(int depth) {
    for (int i = 0, end = 3 + below(5); i < end; ++i)
      op(depth);
  }

  void op(int depth) {
    size_t shape = anyShape();
    const std::string &type = types[shape];
    switch (below(depth < 3 ? 12 : 8)) {
    case 0:
      return add(shape, "kiln.neg " + any(shape) + " : " + type);
    case 1:
      return add(shape,
                 "kiln.max " + any(shape) + ", " + any(shape) + " : " + type);
    case 2:
      return add(shape,
                 "kiln.sub " + any(shape) + ", " + any(shape) + " : " + type);
    case 3: // columns of the matrix, rows of nothing: another loop nest
      return add(1, "kiln.reduce max " + any(3) +
                        " axes [0] : tensor<3x5xf32> -> tensor<5xf32>");
    case 4:
      return add(3, "kiln.broadcast " + any(1) +
                        " map [1] : tensor<5xf32> -> tensor<3x5xf32>");
    case 5: {
      std::string name = fresh();
      line(name + " = kiln.compare lt " + any(0) + ", " + any(0) +
           " : tensor<f32> -> tensor<i1>");
      bools.push_back(name);
      return;
    }
    case 6:
      return add(shape,
                 "kiln.var_read @v" + std::to_string(shape) + " : " + type);
    case 7:
      return line("kiln.var_write @v" + std::to_string(shape) + ", " +
                  any(shape) + " : " + type);
    case 8:
    case 9:
      return branch(depth);
    default:
      return loop(depth);
    }
  }

  struct Scope {
    explicit Scope(RegionGrower &grower)
        : grower(grower), values(grower.values), bools(grower.bools) {}
    ~Scope() {
      grower.values = values;
      grower.bools = bools;
    }
    RegionGrower &grower;
    std::vector<std::vector<std::string>> values;
    std::vector<std::string> bools;
  };

  using Shapes = std::vector<size_t>;
  static std::string typesOf(const Shapes &shapes) {
    std::string text;
    for (size_t shape : shapes)
      text += (text.empty() ? "" : ", ") + types[shape];
    return text;
  }
  std::string anyOf(const Shapes &shapes) {
    std::string text;
    for (size_t shape : shapes)
      text += (text.empty() ? "" : ", ") + any(shape);
    return text;
  }
  Shapes someShapes(int most) {
    Shapes shapes;
    for (int i = 0, end = below(most + 1); i < end; ++i)
      shapes.push_back(anyShape());
    return shapes;
  }
  void yield(const Shapes &shapes, const std::string &first = "",
             const std::string &firstType = "") {
    std::string given = anyOf(shapes), types = typesOf(shapes);
    std::string comma = given.empty() || first.empty() ? "" : ", ";
    std::string all = first + comma + given;
    line("kiln.yield " + all + (all.empty() ? "" : " : ") + firstType + comma +
         types);
  }
  void addResults(const std::string &name, const Shapes &shapes, size_t first) {
    for (size_t i = 0; i < shapes.size(); ++i)
      values[shapes[i]].push_back(name + "#" + std::to_string(first + i));
  }

  void branch(int depth) {
    Shapes shapes = someShapes(3);
    std::string name = fresh();
    std::string condition =
        bools[static_cast<size_t>(below(static_cast<int>(bools.size())))];
    line((shapes.empty() ? ""
                         : name + ":" + std::to_string(shapes.size()) + " = ") +
         "kiln.if " + condition +
         (shapes.empty() ? "" : " -> (" + typesOf(shapes) + ")") + " {");
    for (int side = 0; side < 2; ++side) {
      Scope scope(*this);
      block(depth + 1);
      yield(shapes);
      line(side == 0 ? "} else {" : "}");
    }
    addResults(name, shapes, 0);
  }

  /// A counter up to 0 .. 3 or what is fed, and values that the iterations mix.
  void loop(int depth) {
    Shapes carried = someShapes(4);
    bool isPlain = below(3) != 0; // forwards what it carries
    Shapes forwarded = isPlain ? carried : someShapes(3);
    std::string name = fresh(), limit = "%x" + std::to_string(types.size());
    if (below(2)) {
      limit = fresh();
      line(limit + " = kiln.constant dense<" + std::to_string(below(4)) +
           "> : tensor<i32> : tensor<i32>");
    }
    auto arguments = [&](const std::string &prefix, const Shapes &shapes,
                         bool withInits) {
      std::string text =
          prefix + "i: tensor<i32>" + (withInits ? " = %zero" : "");
      for (size_t i = 0; i < shapes.size(); ++i)
        text += ", " + prefix + "a" + std::to_string(i) + ": " +
                types[shapes[i]] + (withInits ? " = " + any(shapes[i]) : "");
      return text;
    };
    std::string before = fresh(), after = fresh();
    std::string results = "tensor<i32>";
    for (size_t shape : forwarded)
      results += ", " + types[shape];
    line(name + ":" + std::to_string(forwarded.size() + 1) + " = kiln.while (" +
         arguments(before, carried, true) + ") -> (" + results + ") {");
    {
      Scope scope(*this);
      for (size_t i = 0; i < carried.size(); ++i)
        values[carried[i]].push_back(before + "a" + std::to_string(i));
      if (!isPlain)
        block(depth + 1);
      std::string go = fresh();
      line(go + " = kiln.compare lt " + before + "i, " + limit +
           " : tensor<i32> -> tensor<i1>");
      std::string given = before + "i";
      for (size_t i = 0; i < forwarded.size(); ++i)
        given += ", " + (isPlain ? before + "a" + std::to_string(i)
                                 : any(forwarded[i]));
      line("kiln.condition " + go + ", " + given + " : " + results);
    }
    line("} do (" + arguments(after, forwarded, false) + ") {");
    {
      Scope scope(*this);
      for (size_t i = 0; i < forwarded.size(); ++i)
        values[forwarded[i]].push_back(after + "a" + std::to_string(i));
      block(depth + 1);
      std::string more = fresh();
      line(more + " = kiln.add " + after + "i, %one : tensor<i32>");
      yield(carried, more, "tensor<i32>");
    }
    line("}");
    addResults(name, forwarded, 1);
  }

  std::mt19937 random;
  std::string body;
  std::vector<std::vector<std::string>> values; ///< by shape
  std::vector<std::string> bools;
  int next = 0;
};

Tensor tensorOf(size_t shape, int64_t extent, unsigned seed) {
  static const std::vector<std::vector<Side>> sides = {
      {}, {{5}}, {{0, 0}}, {{3}, {5}}};
  std::vector<Side> own = sides[shape];
  for (Side &side : own)
    if (side.symbol >= 0)
      side.extent = extent;
  return randomTensor("f32", own, seed);
}

NativeInputs inputsOf(unsigned seed) {
  NativeInputs inputs;
  int64_t extent = seed % 3 == 0 ? 1 : 40 + seed % 7;
  for (size_t shape = 0; shape < RegionGrower::types.size(); ++shape) {
    inputs.feeds.push_back(tensorOf(shape, extent, seed + unsigned(shape)));
    inputs.variables.push_back(
        tensorOf(shape, extent, seed + 100 + unsigned(shape)));
  }
  inputs.feeds.push_back(Tensor::scalar(static_cast<int32_t>(seed % 4)));
  inputs.feeds.push_back(Tensor::scalar(seed % 2 == 0));
  inputs.symbols = {extent};
  return inputs;
}

void checkPrograms(passes::Stage stage, unsigned first) {
  for (unsigned seed = first; seed < first + 40; ++seed) {
    std::string source = RegionGrower(seed).grow();
    NativeProgram program(source, stage);
    ASSERT_TRUE(program.isCompiled()) << "seed " << seed << "\n" << source;
    for (unsigned run = 0; run < 4; ++run)
      ASSERT_TRUE(program.agrees(inputsOf(run))) << "seed " << seed;
  }
}

TEST(NativeRegions, RandomProgramsHaveTheEvaluatorsBits) {
  checkPrograms(passes::Stage::Fuse, 1);
}

TEST(NativeRegions, SimplifiedRandomProgramsHaveTheEvaluatorsBits) {
  checkPrograms(passes::Stage::Simplify, 1000);
}

/// From 0 to %x0 by 1, with an array that `iteration` makes %y of, of %b.
std::string loopOf(const std::string &type, const std::string &iteration) {
  return function({"tensor<i32>", type},
                  R"(
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %r:2 = kiln.while (%i: tensor<i32> = %zero, %a: )" +
                      type + R"( = %x1) -> (tensor<i32>, )" + type + R"() {
    %c = kiln.compare lt %i, %x0 : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a : tensor<i32>, )" +
                      type +
                      R"(
  } do (%j: tensor<i32>, %b: )" +
                      type + ") {\n" + iteration + R"(
    %k = kiln.add %j, %one : tensor<i32>
    kiln.yield %k, %y : tensor<i32>, )" +
                      type + "\n  }",
                  "%r#0, %r#1", "tensor<i32>, " + type);
}

TEST(NativeRegions, DrawsOnceAnIterationInIterationOrder) {
  NativeProgram program(loopOf("tensor<5xf32>", R"(
    %s = kiln.random_reserve 0 [5] : tensor<6xi32>
    %u = kiln.random uniform %s : tensor<6xi32> -> tensor<5xf32>
    %y = kiln.sub %u, %b : tensor<5xf32>)"));
  for (int32_t iterations : {0, 1, 4})
    EXPECT_TRUE(program.agrees(
        NativeInputs{.feeds = {Tensor::scalar(iterations), tensorOf(1, 0, 3)},
                     .numStreams = 1}))
        << iterations;
}

TEST(NativeRegions, ThreadsShareTheIterationsOfALoop) {
  NativeProgram program(loopOf("tensor<?xf32, #kiln.sym<0>>", R"(
    %m = kiln.mul %b, %b : tensor<?xf32, #kiln.sym<0>>
    %y = kiln.sub %m, %b : tensor<?xf32, #kiln.sym<0>>)"));
  constexpr int64_t extent = 4'000'003;
  NativeInputs inputs{
      .feeds = {Tensor::scalar(int32_t(3)), tensorOf(2, extent, 5)},
      .symbols = {extent}};
  EXPECT_TRUE(program.agrees(inputs));
  Fingerprint one = program.fingerprint(inputs, 1),
              four = program.fingerprint(inputs, 4);
  EXPECT_EQ(one.hash, four.hash);
  EXPECT_GE(four.sharedLoops, 3); // and what is fed is copied once
}

} // namespace
} // namespace kiln
