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
  interface.streams = {{"noise", "call:1/noise", -7, INT64_MAX}};
  // One attribute of each kind that bodies have.
  interface.bodies = {{"call",
                       "ImageSummary",
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
  symbols.classes = {{0, 0, false}};
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
  interface.fedValues = {{1, Tensor::scalar<int32_t>(-1)}};
  function.constants = {digestOf("one"), digestOf("two")};
  function.code.objects = {std::string("\x7f"
                                       "ELF\0bytes",
                                       10),
                           "another"};
  CodeLayout &layout = function.code.layout;
  layout.counts = {2, 2, 1, 1};
  layout.temporaries = {{{{0, 1}, {9, -1}}, 8, 1, 4, "product"}};
  layout.nodes = {"x", "", "y"};
  layout.kernels = {{"Substr", 2}, {"Unique", -1}};
  layout.regions = {{"x+y", {"x", "y"}, {{{2, {0, 1}}}}, {{{8, {}}}}, {}}};
  function.opsNative = 5;
  function.opsFolded = 1;
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
  EXPECT_EQ(read->interface.bodies[0].inputs,
            example().interface.bodies[0].inputs);
  EXPECT_EQ(read->interface.variables[0].shape, Shape({3, -1}));
  EXPECT_EQ(read->interface.symbols.guards[0].kind, Guard::Kind::Divides);
  EXPECT_TRUE(read->interface.fedValues[0].value.hasSameBits(
      Tensor::scalar<int32_t>(-1)));
  EXPECT_EQ(read->code.layout, example().code.layout);
  EXPECT_EQ(read->code.objects, example().code.objects);
  EXPECT_EQ(read->constants, example().constants);
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
      isRefused([](F &f) { f.interface.symbols.defs[0].a = Dim::known(2); }));
  EXPECT_TRUE(isRefused([](F &f) { f.interface.symbols.classes[0].dim = 2; }));
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
