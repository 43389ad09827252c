// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled functions as bytes and back, and bytes that are none.
#include "lib/Compiled/CompiledFunction.h"
#include "lib/Loader/Hasher.h"

#include "test/unit/StatusMatchers.h"

#include <cstdlib>
#include <random>

namespace kiln {
namespace {

using testing::isOk;

Tensor texts(const std::vector<std::string> &list) {
  Tensor tensor = *Tensor::create(DType::String,
                                  Shape({static_cast<int64_t>(list.size())}));
  for (size_t i = 0; i < list.size(); ++i)
    tensor.mutableData<String>()[i] = *String::create(list[i]);
  return tensor;
}

/// Something in every field.
CompiledFunction example() {
  CompiledFunction function;
  FunctionInterface &interface = function.interface;
  interface.feeds = {{"x", DType::Float32, {Dim::ofSymbol(0), Dim::known(3)}},
                     {"axis", DType::Int32, {}}};
  interface.fetches = {{"y", DType::Float64, {Dim::ofSymbol(1)}}};
  interface.variables = {{"box", "w", true, "w/handle", DType::Float32,
                          Shape({3, -1}), true, "w/read", "ReadVariableOp",
                          true}};
  ImportedVariable open = interface.variables[0];
  open.shape = Shape::unknownRank();
  interface.openShapes = {{open, true, 2}, {open, true, std::nullopt}, {open}};
  interface.streams = {{"noise", "call:1/noise", -7, INT64_MAX}};
  // One attribute of each kind that bodies have.
  interface.bodies = {{"call",
                       "ImageSummary",
                       {{"table", "HashTableV2", {{"shared_name", "words"}}}},
                       {DType::String, DType::Float32},
                       {{"count", 3},
                        {"scale", -0.5f},
                        {"flag", true},
                        {"text", "a\0b"},
                        {"type", DType::BFloat16},
                        {"shape", Shape({-1, 2})},
                        {"color", Tensor::scalar<uint8_t>(255)},
                        {"none", EmptyList()},
                        {"counts", std::vector<int64_t>{-1, 2}},
                        {"scales", std::vector<float>{0.25f}},
                        {"texts", std::vector<std::string>{"", "b"}},
                        {"types", std::vector<DType>{DType::Int8}},
                        {"shapes", std::vector<Shape>{Shape::unknownRank()}}}}};
  SymbolTable &symbols = interface.symbols;
  symbols.defs = {{SymbolDef::Kind::Feed, Dim::known(0), Dim::known(0), "x"},
                  {SymbolDef::Kind::Mul, Dim::ofSymbol(0), Dim::known(3), "y"}};
  // Feeds 0 and 1, then the open shapes.
  symbols.classes = {{0, 0, false}, {2, 1, true}};
  symbols.equalities = {{0, 0, 0, 1}};
  symbols.guards = {{Guard::Kind::Divides,
                     Dim::ofSymbol(1),
                     Dim::known(3),
                     "y",
                     "prefix",
                     " and ",
                     "suffix",
                     {Dim::ofSymbol(1)},
                     {Dim::unknown()},
                     true}};
  interface.fedValues = {{1, Tensor::scalar<int32_t>(-1)},
                         {0, Tensor::scalar(std::string_view("a text"))}};
  function.constants = {digestOf("one"), digestOf("two")};
  function.ownConstants = {
      {digestOf("one"), Tensor::scalar<double>(0.5)},
      {digestOf("two"), texts({"", std::string("a\0b", 3), "long enough"})}};
  function.code.objects = {std::string("\x7f"
                                       "ELF\0bytes",
                                       10),
                           "another"};
  function.code.backend = "abacus";
  CodeLayout &layout = function.code.layout;
  layout.counts = {2, 2, 1, 1};
  layout.temporaries = {{{{0, 1}, {9, -1}}, 8, 1, 4, "product"}};
  layout.nodes = {"x", "", "y"};
  layout.kernels = {{"Substr", 2}, {"Unique", -1}};
  layout.regions = {{"x+y", {"x", "y"}, {{{2, {0, 1}}}}, {{{8, {}}}}, {}}};
  function.ops = {5, 4, 3, 2, 1, 6};
  return function;
}

TEST(CompiledFunction, SurvivesTheWayThroughBytes) {
  std::string bytes = encode(example());
  auto read = decodeCompiledFunction(bytes);
  ASSERT_THAT(read, isOk());
  EXPECT_EQ(encode(*read), bytes);
  EXPECT_EQ(read->interface.variables[0].reader, "w/read");
  ASSERT_EQ(read->interface.bodies.size(), 1u);
  EXPECT_EQ(read->interface.bodies[0].attrs,
            example().interface.bodies[0].attrs);
  ASSERT_EQ(read->interface.bodies[0].resources.size(), 1u);
  const ImportedResource &table = read->interface.bodies[0].resources[0];
  EXPECT_EQ(table.node, "table");
  EXPECT_EQ(table.op, "HashTableV2");
  EXPECT_EQ(table.attrs, AttrMap({{"shared_name", "words"}}));
  EXPECT_EQ(read->interface.bodies[0].inputs,
            example().interface.bodies[0].inputs);
  EXPECT_EQ(read->interface.variables[0].shape, Shape({3, -1}));
  EXPECT_EQ(read->interface.symbols.guards[0].kind, Guard::Kind::Divides);
  EXPECT_TRUE(read->interface.fedValues[0].value.hasSameBits(
      Tensor::scalar<int32_t>(-1)));
  EXPECT_EQ(read->code.layout, example().code.layout);
  EXPECT_EQ(read->code.objects, example().code.objects);
  EXPECT_EQ(read->code.backend, "abacus");
  EXPECT_EQ(read->constants, example().constants);
  EXPECT_EQ(read->ops, example().ops);
}

TEST(CompiledFunction, TheShapesOfVariablesSurviveTheWayThroughBytes) {
  auto read = decodeCompiledFunction(encode(example()));
  ASSERT_THAT(read, isOk());
  const std::vector<OpenShape> &open = read->interface.openShapes;
  ASSERT_EQ(open.size(), 3u);
  EXPECT_EQ(open[0].variable.name, "w");
  EXPECT_FALSE(open[0].variable.shape.hasRank());
  EXPECT_EQ(open[0].rank, 2);
  EXPECT_EQ(open[1].rank, std::nullopt);
  EXPECT_TRUE(open[1].isUsed);
  EXPECT_FALSE(open[2].isUsed);
}

TEST(CompiledFunction, ConstantsOfStringsSurviveTheWayThroughBytes) {
  auto read = decodeCompiledFunction(encode(example()));
  ASSERT_THAT(read, isOk());
  const CompiledFunction expected = example();
  ASSERT_EQ(read->ownConstants.size(), 2u);
  for (const auto &[digest, value] : expected.ownConstants) {
    ASSERT_TRUE(read->ownConstants.contains(digest));
    EXPECT_TRUE(read->ownConstants.at(digest).hasSameBits(value));
  }
  EXPECT_TRUE(read->interface.fedValues[1].value.hasSameBits(
      expected.interface.fedValues[1].value));
}

TEST(CompiledFunction, BytesCutShortOrTooLongAreAnError) {
  std::string bytes = encode(example());
  for (size_t length = 0; length < bytes.size(); ++length)
    ASSERT_EQ(decodeCompiledFunction(std::string_view(bytes).substr(0, length))
                  .status()
                  .code(),
              StatusCode::InvalidArgument)
        << length;
  EXPECT_FALSE(decodeCompiledFunction(bytes + "x").ok());
}

TEST(CompiledFunction, PartsThatDoNotFitTogetherAreAnError) {
  auto isRefused = [](auto change) {
    CompiledFunction function = example();
    change(function);
    return !decodeCompiledFunction(encode(function)).ok();
  };
  using F = CompiledFunction;
  EXPECT_TRUE(isRefused([](F &f) {
    f.interface.symbols.defs[1].a = Dim::ofSymbol(1); // its own operand
  }));
  EXPECT_TRUE(
      isRefused([](F &f) { f.interface.symbols.defs[0].a = Dim::known(5); }));
  EXPECT_TRUE(isRefused([](F &f) { f.interface.symbols.classes[0].dim = 2; }));
  EXPECT_TRUE(isRefused([](F &f) { f.interface.symbols.classes[1].dim = 2; }));
  EXPECT_TRUE(isRefused([](F &f) { f.interface.openShapes[0].rank = 1; }));
  EXPECT_TRUE(isRefused([](F &f) { f.interface.openShapes[0].rank = -1; }));
  EXPECT_TRUE(isRefused([](F &f) { f.interface.openShapes.clear(); }));
  EXPECT_TRUE(
      isRefused([](F &f) { f.interface.symbols.equalities[0].feedB = -2; }));
  EXPECT_TRUE(isRefused(
      [](F &f) { f.interface.symbols.guards[0].a = Dim::ofSymbol(2); }));
  EXPECT_TRUE(isRefused(
      [](F &f) { f.interface.fetches[0].dims = {Dim::ofSymbol(2)}; }));
  EXPECT_TRUE(isRefused([](F &f) { f.interface.fedValues[0].feed = 2; }));
  EXPECT_TRUE(isRefused([](F &f) { f.constants.pop_back(); }));
  EXPECT_TRUE(isRefused([](F &f) { f.code.layout.counts.results = 2; }));
  EXPECT_TRUE(isRefused([](F &f) { f.code.layout.kernels[0].node = 3; }));
  EXPECT_TRUE(isRefused(
      [](F &f) { f.code.layout.temporaries[0].extents[0].symbol = 2; }));
  EXPECT_TRUE(isRefused(
      [](F &f) { f.code.layout.regions[0].flops.terms[0].symbols = {-1}; }));
}

/// No crash and no more memory than there are bytes; what is taken is whole.
TEST(CompiledFunction, AnyBytesAreTakenOrRefused) {
  std::string bytes = encode(example());
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = bytes;
    for (int changes = 1 + static_cast<int>(random() % 3); changes-- > 0;)
      changed[random() % changed.size()] = static_cast<char>(
          random() % 4 ? random() : (random() % 2 ? 0xFF : 0));
    if (auto read = decodeCompiledFunction(changed); read.ok())
      ASSERT_EQ(encode(*read), changed) << "round " << i;
  }
}

} // namespace
} // namespace kiln
