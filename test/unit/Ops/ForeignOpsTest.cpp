// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that another library computes, natively called and at cuts, and dtypes
// that Kiln only moves.
#include "kiln/ForeignOps.h"

#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <complex>
#include <cstring>
#include <mutex>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using testing::GraphWriter;
using ::testing::HasSubstr;
using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32, c64 = DType::Complex64;

/// KilnTestHead: the first n elements of a vector of floats; KilnTestSplit: the
/// first two, and a scalar; KilnTestJoin: its strings in one;
/// FloorDiv of complex64, which it takes for a sum.
class TestLibrary final : public ForeignLibrary {
public:
  StatusOr<int64_t> prepare(const Node &node) override {
    std::lock_guard lock(mutex);
    if (node.attrOr<bool>("refused", false))
      return unimplementedError("the library has no such kernel");
    calls.push_back({node.op(), node.attrOr<int64_t>("n", 2)});
    return static_cast<int64_t>(calls.size()) - 1;
  }

  StatusOr<std::vector<Shape>> infer(const Node &node,
                                     std::span<const Shape> inputs,
                                     std::span<const Tensor>) override {
    if (!node.attrOr<bool>("like", false))
      return unimplementedError("not told");
    return std::vector{inputs[0]};
  }

  StatusOr<std::vector<Tensor>> compute(int64_t number,
                                        std::vector<Tensor> inputs) override {
    Call call;
    {
      std::lock_guard lock(mutex);
      call = calls[static_cast<size_t>(number)];
      ++computed;
    }
    if (call.op == "KilnTestHead") {
      if (call.n > inputs[0].numElements())
        return outOfRangeError("expected more elements");
      auto x = inputs[0].data<float>();
      return std::vector{*Tensor::fromValues<float>(
          {call.n}, x.first(static_cast<size_t>(call.n)))};
    }
    if (call.op == "KilnTestSplit")
      return std::vector{
          *Tensor::fromValues<float>({2}, inputs[0].data<float>().first(2)),
          Tensor::scalar(7.0f)};
    if (call.op == "KilnTestJoin") {
      std::string text;
      for (const String &part : inputs[0].data<String>())
        text += part.view();
      return std::vector{Tensor::scalar(std::string_view(text))};
    }
    if (call.op != "FloorDiv" || inputs[0].dtype() != c64)
      return internalError("expected another op");
    Tensor sum = *Tensor::create(c64, inputs[0].shape());
    auto at = [](const Tensor &tensor) {
      return static_cast<const std::complex<float> *>(tensor.rawData());
    };
    for (int64_t i = 0; i < sum.numElements(); ++i)
      static_cast<std::complex<float> *>(sum.mutableRawData())[i] =
          at(inputs[0])[i] + at(inputs[1])[i];
    return std::vector{sum};
  }

  int computed = 0;

private:
  struct Call {
    std::string op;
    int64_t n = 0;
  };
  std::mutex mutex;
  std::vector<Call> calls;
};

TestLibrary &library() {
  static TestLibrary &theLibrary = *new TestLibrary;
  return theLibrary;
}

class ForeignOps : public ::testing::TestWithParam<ExecutionMode> {
protected:
  static void SetUpTestSuite() {
    static const Status once = [] {
      Status status = setForeignLibrary(library());
      if (status.ok())
        status = registerForeignOp({"KilnTestHead", "x: float32", "y: float32",
                                    "", /*isStateful=*/false,
                                    /*callsBack=*/false});
      if (status.ok())
        status = registerForeignOp({"KilnTestSplit", "x: float32",
                                    "y: float32, rest: float32", "",
                                    /*isStateful=*/false,
                                    /*callsBack=*/false});
      if (status.ok())
        status = registerForeignOp({"KilnTestJoin", "x: string", "y: string",
                                    "", /*isStateful=*/true,
                                    /*callsBack=*/true});
      return status;
    }();
    ASSERT_THAT(once, isOk());
  }
  static void head(GraphWriter &writer, int64_t n, Shape shape,
                   bool refused = false) {
    writer.placeholder("x", f32, {-1});
    writer.add("head", "KilnTestHead", {"x"},
               {{"n", n},
                {"refused", refused},
                {"_output_shapes", std::vector<Shape>{shape}}});
    writer.binary("sum", "AddV2", "head", "head", f32);
  }
  static std::unique_ptr<Session> open(const GraphWriter &writer) {
    return testing::openSession(writer.graph, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Modes, ForeignOps,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

const Tensor three = tensorOf<float>({3}, {1, 2, 3});

TEST_P(ForeignOps, GiveShapesThatAreKnownFoundOutOrOfNoKnownRank) {
  for (Shape shape : {Shape({2}), Shape({-1}), Shape::unknownRank()}) {
    GraphWriter writer;
    head(writer, 2, shape);
    auto session = open(writer);
    RunStats stats;
    auto sum =
        session->run({{"x:0", three}}, {"sum:0", "head:0"}, {}, {}, &stats);
    ASSERT_THAT(sum, isOk());
    EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(2, 4));
    EXPECT_THAT(valuesOf<float>((*sum)[1]), ElementsAre(1, 2));
    EXPECT_EQ(stats.opsForeign, 1) << shape.toString();
  }
}

TEST_P(ForeignOps, HaveTheSymbolsThatTheLibraryInfers) {
  GraphWriter writer;
  writer.placeholder("x", f32, {-1});
  writer.add("head", "KilnTestHead", {"x"}, {{"n", 3}, {"like", true}});
  writer.binary("sum", "AddV2", "head", "x", f32);
  auto session = open(writer);
  // Inferred for the run alone: the graph knows no rank, so it is cut here.
  auto sum = session->run({{"x:0", three}}, {"sum:0"});
  ASSERT_THAT(sum, isOk());
  EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(2, 4, 6));

  GraphWriter whole;
  whole.placeholder("x", f32, {-1});
  whole.add("head", "KilnTestHead", {"x"},
            {{"n", 3},
             {"like", true},
             {"_output_shapes", std::vector<Shape>{Shape({-1})}}});
  whole.binary("sum", "AddV2", "head", "x", f32);
  session = open(whole);
  sum = session->run({{"x:0", three}}, {"sum:0"});
  ASSERT_THAT(sum, isOk());
  EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(2, 4, 6));
  EXPECT_THAT(
      session->run({{"x:0", tensorOf<float>({4}, {1, 2, 3, 4})}}, {"sum:0"})
          .status(),
      fails(StatusCode::Internal, HasSubstr("of shape [4], got [3]")));
}

TEST_P(ForeignOps, OutputsThatNobodyReadsMayHaveOtherShapes) {
  for (Shape rest : {Shape({0}), Shape({-1}), Shape({-1, 2})}) {
    GraphWriter writer;
    writer.placeholder("x", f32, {-1});
    writer.add("split", "KilnTestSplit", {"x"},
               {{"_output_shapes", std::vector<Shape>{Shape({2}), rest}}});
    writer.binary("sum", "AddV2", "split", "split", f32);
    auto session = open(writer);
    auto sum = session->run({{"x:0", three}}, {"sum:0"});
    ASSERT_THAT(sum, isOk());
    EXPECT_THAT(valuesOf<float>((*sum)[0]), ElementsAre(2, 4));
    Status status =
        session->run({{"x:0", three}}, {"sum:0", "split:1"}).status();
    EXPECT_THAT(status, fails(StatusCode::Internal, HasSubstr("got []")));
    EXPECT_THAT(status, testing::failsAt("split"));
  }
}

TEST_P(ForeignOps, ErrorsNameTheNode) {
  for (Shape shape : {Shape({4}), Shape::unknownRank()}) {
    GraphWriter writer;
    head(writer, 4, shape);
    Status status = open(writer)->run({{"x:0", three}}, {"sum:0"}).status();
    EXPECT_THAT(status, fails(StatusCode::OutOfRange,
                              HasSubstr("expected more elements")));
    EXPECT_EQ(status.node(), "head");
  }
  GraphWriter wrong;
  head(wrong, 2, Shape({3}));
  EXPECT_THAT(open(wrong)->run({{"x:0", three}}, {"sum:0"}).status(),
              fails(StatusCode::Internal,
                    HasSubstr("expected output 0 of shape [3], got [2]")));
  GraphWriter refused;
  head(refused, 2, Shape({2}), /*refused=*/true);
  Status status = open(refused)->run({{"x:0", three}}, {"sum:0"}).status();
  EXPECT_THAT(status, fails(StatusCode::Unimplemented,
                            HasSubstr("the library has no such kernel")));
  EXPECT_EQ(status.node(), "head");
}

TEST_P(ForeignOps, AnUnknownRankInABranchIsFoundOut) {
  GraphWriter writer;
  writer.placeholder("c", DType::Bool, Shape());
  writer.placeholder("x", f32, {-1});
  writer.add("switch", "Switch", {"x", "c"}, {{"T", f32}});
  writer.add("head", "KilnTestHead", {"switch:1"}, {{"n", 2}});
  writer.add("merge", "Merge", {"switch", "head"},
             {{"T", f32}, {"N", int64_t{2}}});
  auto session = open(writer);
  for (bool isTaken : {true, false}) {
    auto got = session->run({{"x:0", three}, {"c:0", Tensor::scalar(isTaken)}},
                            {"merge:0"});
    ASSERT_THAT(got, isOk());
    EXPECT_EQ(got->front().shape(), Shape({isTaken ? 2 : 3}));
  }
}

TEST_P(ForeignOps, OnesThatCallBackRunOnceARunAndTakeStrings) {
  GraphWriter writer;
  writer.constant("parts", [] {
    Tensor parts = *Tensor::create(DType::String, {2});
    for (String &part : parts.mutableData<String>())
      part = *String::create("ab");
    return parts;
  }());
  writer.add("join", "KilnTestJoin", {"parts"},
             {{"_output_shapes", std::vector<Shape>{Shape()}}});
  writer.add("same", "Identity", {"join"}, {{"T", DType::String}});
  auto session = open(writer);
  library().computed = 0;
  auto text = session->run({}, {"same:0", "join:0"});
  ASSERT_THAT(text, isOk());
  EXPECT_EQ((*text)[0].data<String>()[0].view(), "abab");
  EXPECT_EQ(library().computed, 1);
}

TEST_P(ForeignOps, StandInForOpsOfKilnOnDtypesThatItDoesNotComputeWith) {
  GraphWriter writer;
  writer.placeholder("x", c64, {-1});
  writer.constant("axis", tensorOf<int32_t>({1}, {0}));
  writer.binary("sum", "FloorDiv", "x", "x", c64);
  writer.add("back", "ReverseV2", {"sum", "axis"}, {{"T", c64}});
  auto session = open(writer);
  std::complex<float> values[] = {{1, 2}, {3, 4}};
  Tensor x = *Tensor::create(c64, {2});
  std::memcpy(x.mutableRawData(), values, sizeof values);
  auto back = session->run({{"x:0", x}}, {"back:0"});
  ASSERT_THAT(back, isOk());
  ASSERT_EQ((*back)[0].dtype(), c64);
  const auto *got =
      static_cast<const std::complex<float> *>((*back)[0].rawData());
  EXPECT_EQ(got[0], values[1] + values[1]);
  EXPECT_EQ(got[1], values[0] + values[0]);
}

/// Fed, constant, from a variable and through what moves elements, every type
/// keeps its bits.
TEST_P(ForeignOps, EveryDtypeIsStoredAndHandedOver) {
  for (int number = 1; number < 64; ++number) {
    auto known = dtypeFromNumber(number);
    if (!known || dtypeSize(*known) == 0 || *known == DType::String ||
        *known == DType::Bool)
      continue;
    DType dtype = *known;
    constexpr int64_t count = 100;
    Tensor x = *Tensor::create(dtype, {count});
    auto *bytes = static_cast<uint8_t *>(x.mutableRawData());
    for (size_t i = 0; i < x.byteSize(); ++i)
      bytes[i] = static_cast<uint8_t>(i * 7 % 60); // no NaN, no denormal
    GraphWriter writer;
    writer.placeholder("x", dtype, {-1});
    writer.variable("v", x);
    std::vector<int32_t> places;
    for (int32_t i = 2 * count; i-- > 0;)
      places.push_back(i);
    writer.constant("places", tensorOf<int32_t>({2 * count}, places));
    writer.add("store", "Assign", {"v", "x"}, {{"T", dtype}});
    writer.constant("c", x);
    writer.constant("zero", Tensor::scalar<int32_t>(0));
    writer.add("pair", "ConcatV2", {"x", "v/read", "zero"},
               {{"T", dtype}, {"N", int64_t{2}}});
    writer.add("back", "GatherV2", {"pair", "places", "zero"},
               {{"Tparams", dtype},
                {"Tindices", DType::Int32},
                {"Taxis", DType::Int32}});
    writer.add("same", "Identity", {"x"}, {{"T", dtype}});
    auto session = open(writer);
    ASSERT_THAT(session->run({}, {}, {"v/Assign"}), isOk()) << dtypeName(dtype);
    auto got = session->run({{"x:0", x}}, {"same:0", "c:0", "back:0", "v:0"});
    ASSERT_THAT(got, isOk()) << dtypeName(dtype);
    for (size_t i : {0, 1, 3}) {
      ASSERT_EQ((*got)[i].dtype(), dtype);
      EXPECT_EQ(std::memcmp((*got)[i].rawData(), bytes, x.byteSize()), 0)
          << dtypeName(dtype) << " in " << i;
    }
    const Tensor &back = (*got)[2];
    ASSERT_EQ(back.dtype(), dtype);
    ASSERT_EQ(back.shape(), Shape({2 * count}));
    size_t size = dtypeSize(dtype);
    const auto *reversed = static_cast<const uint8_t *>(back.rawData());
    for (size_t i = 0; i < 2 * count; ++i)
      ASSERT_EQ(std::memcmp(reversed + i * size,
                            bytes + (2 * count - 1 - i) % count * size, size),
                0)
          << dtypeName(dtype) << " at " << i;
  }
}

} // namespace
} // namespace kiln
