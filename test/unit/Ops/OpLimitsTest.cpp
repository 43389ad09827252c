// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits that no option sets, of ops, memory and messages, from both sides.
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/RunState.h"
#include "runtime/memory/RunStrings.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <climits>
#include <sys/mman.h>

namespace kiln {
namespace {

using namespace kiln::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr DType f32 = DType::Float32, i32 = DType::Int32;
constexpr auto tooMuch = StatusCode::ResourceExhausted;
constexpr auto invalid = StatusCode::InvalidArgument;

TEST(OpLimits, TensorsOfANode) {
  Graph graph(makeNodeChecker());
  auto unstack = [&](int64_t number) {
    auto input =
        graph.addNode({.name = "x" + std::to_string(number),
                       .op = "Placeholder",
                       .attrs = {{"dtype", f32}, {"shape", Shape({number})}}});
    return graph.addNode({.name = "y" + std::to_string(number),
                          .op = "Unpack",
                          .inputs = {"x" + std::to_string(number)},
                          .attrs = {{"T", f32}, {"num", number}}});
  };
  constexpr int64_t limit = 1 << 20;
  auto made = unstack(limit);
  ASSERT_THAT(made, isOk());
  EXPECT_EQ((*made)->numOutputs(), limit);
  auto refused = unstack(limit + 1);
  EXPECT_THAT(refused,
              fails(invalid, HasSubstr("between 0 and 1048576, got 1048577")));
  EXPECT_THAT(refused, failsAt("y1048577"));
}

class OpLimitsOfRuns : public SessionTest {};

INSTANTIATE_TEST_SUITE_P(Modes, OpLimitsOfRuns,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

TEST_P(OpLimitsOfRuns, WidthAndPrecisionOfText) {
  auto print = [&](const char *attribute, int64_t value) {
    GraphWriter writer;
    writer.placeholder("x", f32, {});
    writer.add("y", "AsString", {"x"}, {{"T", f32}, {attribute, value}});
    return open(writer.graph)->run({{"x:0", Tensor::scalar(1.5f)}}, {"y:0"});
  };
  constexpr int64_t limit = 1 << 20;
  for (const char *attribute : {"width", "precision"}) {
    auto made = print(attribute, limit);
    ASSERT_THAT(made, isOk());
    EXPECT_EQ((*made)[0].data<String>()[0].size(),
              attribute == std::string_view("width") ? limit : limit + 2);
    auto refused = print(attribute, limit + 1);
    EXPECT_THAT(refused,
                fails(invalid, HasSubstr("at most 1048576, got 1048577")));
    EXPECT_THAT(refused, failsAt("y"));
  }
}

/// Known contents reach a shape up to 64 elements; a shape of more is refused
/// where it decides on a rank.
TEST_P(OpLimitsOfRuns, ElementsOfAFedShape) {
  GraphWriter writer;
  writer.placeholder("x", f32, {1});
  writer.placeholder("dims", i32, {-1});
  writer.add("y", "Reshape", {"x", "dims"}, {{"T", f32}, {"Tshape", i32}});
  auto session = open(writer.graph);
  auto reshape = [&](int64_t rank) {
    std::vector<int32_t> ones(static_cast<size_t>(rank), 1);
    return session->run({{"x:0", tensorOf<float>({1}, {7})},
                         {"dims:0", tensorOf<int32_t>({rank}, ones)}},
                        {"y:0"});
  };
  auto made = reshape(64);
  ASSERT_THAT(made, isOk());
  EXPECT_EQ((*made)[0].rank(), 64);
  auto refused = reshape(65);
  EXPECT_THAT(refused, fails(StatusCode::Unimplemented,
                             HasSubstr("more than 64 elements")));
  EXPECT_THAT(refused, failsAt("y"));
}

TEST(DataMemory, RefusesMoreThanAnyAddressSpaceHas) {
  constexpr size_t limit = size_t(1) << 46;
  EXPECT_TRUE(mayAllocateData(limit));
  EXPECT_FALSE(mayAllocateData(limit + 1));
  EXPECT_EQ(allocateData(64, limit + 1), nullptr);
}

/// Address space of zeros, which takes no memory until it is read.
class Zeros {
public:
  explicit Zeros(size_t size) : size(size) {
    data = ::mmap(nullptr, size, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Zeros() { ::munmap(data, size); }
  Zeros(const Zeros &) = delete;
  Zeros &operator=(const Zeros &) = delete;
  bool isThere() const { return data != MAP_FAILED; }
  std::string_view view() const {
    return {static_cast<const char *>(data), size};
  }

private:
  size_t size;
  void *data;
};

TEST(WireLimits, BytesOfAMessageThatIsRead) {
  constexpr size_t limit = INT_MAX;
  Zeros zeros(limit + 1);
  ASSERT_TRUE(zeros.isThere());
  proto::GraphDef message;
  // A field of number zero is no message, whatever follows.
  EXPECT_THAT(io::parseBinary(zeros.view().substr(1), 100, message),
              fails(invalid, HasSubstr("got 2147483647 bytes")));
  auto isRefused =
      fails(tooMuch, HasSubstr("2147483648 bytes, the limit is 2147483647"));
  EXPECT_THAT(io::parseBinary(zeros.view(), 100, message), isRefused);
  EXPECT_THAT(io::parseText(zeros.view(), 100, message), isRefused);
}

TEST(WireLimits, BytesOfAMessageThatIsWritten) {
  proto::GraphDef message;
  message.add_node()->set_name("a node");
  size_t size = message.ByteSizeLong();
  EXPECT_THAT(io::serialize(message, GraphDefFormat::Binary, size), isOk());
  EXPECT_THAT(io::serialize(message, GraphDefFormat::Binary, size - 1),
              fails(tooMuch, HasSubstr("would have 10 bytes, the limit is 9")));
}

TEST(MessageLimits, BytesOfAQuotedName) {
  EXPECT_EQ(quote(std::string(256, 'a')), "'" + std::string(256, 'a') + "'");
  EXPECT_EQ(quote(std::string(257, 'a')), "'" + std::string(256, 'a') + "...'");
}

TEST(MessageLimits, BytesOfAStringInARunsError) {
  auto messageFor = [](size_t bytes) {
    String text = *String::create(std::string(bytes, 'a'));
    int64_t values[] = {static_cast<int64_t>(handleOf(text))};
    return std::string(
        errorStatus(ErrorKind::StringNotNumber, "n", values).message());
  };
  std::string whole(4096, 'a');
  EXPECT_THAT(messageFor(4096), ::testing::EndsWith(": " + whole));
  EXPECT_THAT(messageFor(4097), ::testing::EndsWith(": " + whole + "..."));
}

} // namespace
} // namespace kiln
