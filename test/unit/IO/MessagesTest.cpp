// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single messages as programs give and take them: round trips, TensorFlow's
// bytes, bytes from hostile hands.
#include "kiln/Messages.h"

#include "kiln/GraphDef.h"
#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>
#include <random>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;
using ::testing::SizeIs;
using namespace std::string_literals;

constexpr auto invalid = StatusCode::InvalidArgument;

TEST(Messages, AttributesOfAllKindsSurviveARoundTrip) {
  const std::vector<AttrValue> values = {
      int64_t{-3},
      1.5f,
      true,
      "text",
      DType::Int8,
      Shape({2, -1}),
      Shape::unknownRank(),
      NameAttrList{.name = "f", .attrs = {{"T", DType::Bool}}},
      AttrPlaceholder{"T"},
      std::vector<int64_t>{1, 2},
      std::vector<float>{0.5f},
      std::vector<bool>{true, false},
      std::vector<std::string>{"a", "\0"s},
      std::vector<DType>{DType::Float32, DType::String},
      std::vector<Shape>{Shape({1}), Shape::unknownRank()},
      std::vector<NameAttrList>{{.name = "g", .attrs = {}}}};
  for (const AttrValue &value : values) {
    auto bytes = encodeAttrValue(value);
    ASSERT_THAT(bytes, isOk());
    auto back = decodeAttrValue(*bytes);
    ASSERT_THAT(back, isOk()) << value.kindName();
    EXPECT_TRUE(*back == value) << value.kindName();
  }
}

TEST(Messages, TensorsSurviveARoundTrip) {
  auto numbers = Tensor::fromValues<int32_t>(Shape({2, 2}), {0, 1, 4, 9});
  ASSERT_THAT(numbers, isOk());
  auto bytes = encodeTensorProto(*numbers);
  ASSERT_THAT(bytes, isOk());
  auto back = decodeTensorProto(*bytes);
  ASSERT_THAT(back, isOk());
  EXPECT_TRUE(TensorConstant(*back) == TensorConstant(*numbers));
}

// What TensorFlow 2.21 writes for tf.TensorShape([2, None]).
TEST(Messages, ShapesAreTensorFlowsBytes) {
  EXPECT_EQ(encodeTensorShape(Shape({2, -1})).valueOr(""s),
            "\x12\x02\x08\x02\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff"
            "\x01"s);
  auto unknown = decodeTensorShape("\x18\x01");
  ASSERT_THAT(unknown, isOk());
  EXPECT_FALSE(unknown->hasRank());
  EXPECT_THAT(decodeTensorShape("\x12\x0b\x08\xfe\xff\xff\xff\xff\xff\xff\xff"
                                "\xff\x01"),
              fails(invalid, HasSubstr("-2")));
}

TEST(Messages, NodesSurviveARoundTrip) {
  NodeSpec node{.name = "n",
                .op = "AddV2",
                .inputs = {"a"s, "b:1"s, "^c"s},
                .attrs = {{"T", DType::Float32}},
                .device = "/cpu:0"};
  auto bytes = encodeNodeDef(node);
  ASSERT_THAT(bytes, isOk());
  auto back = decodeNodeDef(*bytes);
  ASSERT_THAT(back, isOk());
  EXPECT_EQ(back->name, "n");
  EXPECT_EQ(back->op, "AddV2");
  EXPECT_EQ(back->device, "/cpu:0");
  EXPECT_TRUE(back->inputs == node.inputs);
  EXPECT_TRUE(back->attrs == node.attrs);
}

TEST(Messages, SchemasSurviveARoundTrip) {
  std::vector<const OpSchema *> ops = allOpSchemas();
  ASSERT_GT(ops.size(), 800u);
  auto bytes = encodeOpList(ops);
  ASSERT_THAT(bytes, isOk());
  auto back = decodeOpList(*bytes);
  ASSERT_THAT(back, isOk());
  ASSERT_EQ(back->size(), ops.size());
  for (size_t i = 0; i < ops.size(); ++i) {
    // An empty list read back does not tell of what kind it was.
    EXPECT_TRUE((*back)[i] == *ops[i]) << ops[i]->name;
    if (i > 0)
      EXPECT_LT(ops[i - 1]->name, ops[i]->name);
  }
}

TEST(Messages, SchemaOfMatMul) {
  const OpSchema *op = findOpSchema("MatMul");
  ASSERT_NE(op, nullptr);
  EXPECT_EQ(op, findOpSchema("MatMul"));
  ASSERT_EQ(op->inputs.size(), 2u);
  EXPECT_EQ(op->inputs[0], (OpArgument{.name = "a", .typeAttr = "T"}));
  const OpAttribute *flag = op->findAttr("transpose_a");
  ASSERT_NE(flag, nullptr);
  EXPECT_EQ(flag->type, "bool");
  EXPECT_TRUE(flag->defaultValue == AttrValue(false));
  EXPECT_EQ(op->findAttr("nope"), nullptr);
  EXPECT_EQ(findOpSchema("Nope"), nullptr);
}

TEST(Messages, KernelsNameTheirDtypes) {
  const OpSchema *op = findOpSchema("MatMul");
  auto kernel = kernelOf(*op);
  ASSERT_TRUE(kernel);
  auto bytes = encodeKernelList({&*kernel, 1});
  ASSERT_THAT(bytes, isOk());
  EXPECT_THAT(*bytes, HasSubstr("MatMul"));
  EXPECT_THAT(*bytes, HasSubstr("CPU"));
  EXPECT_EQ(encodeKernelList({}).valueOr("?"s), "");
}

TEST(Messages, FunctionsOfALibrary) {
  // A function "f" without arguments, and one of the name of an op.
  const std::string f = "\x0a\x03\x0a\x01"
                        "f"s;
  Graph graph(makeNodeChecker());
  EXPECT_THAT(encodeFunctionDefs(graph).value(), SizeIs(0));
  ASSERT_THAT(addFunctionDef(graph, f), isOk());
  ASSERT_THAT(addFunctionDef(graph, f), isOk());
  EXPECT_THAT(encodeFunctionDefs(graph).value(), ElementsAre(f));
  // The same, but stateful.
  EXPECT_THAT(addFunctionDef(graph, "\x0a\x06\x0a\x01"
                                    "f\x88\x01\x01"s),
              fails(invalid, "Cannot add function 'f' because a different "
                             "function with the same name already exists."));
  EXPECT_THAT(addFunctionDef(graph, "\x0a\x06\x0a\x04NoOp"s),
              fails(invalid, "Cannot add function 'NoOp' because an op with "
                             "the same name already exists."));
}

// A ConfigProto with device_count {CPU: 2}, 3 threads, soft placement, 1500 ms
// and a field that Kiln does not know.
TEST(Messages, OptionsOfSessions) {
  auto config = decodeConfigProto("\x0a\x07\x0a\x03"
                                  "CPU\x10\x02\x10\x03\x38\x01"
                                  "\x58\xdc\x0b\x28\x04"s);
  ASSERT_THAT(config, isOk());
  EXPECT_EQ(config->options.threads, 3);
  EXPECT_EQ(config->options.cpuDevices, 2);
  EXPECT_TRUE(config->options.softPlacement);
  EXPECT_EQ(config->operationTimeout, std::chrono::milliseconds(1500));
  EXPECT_EQ(decodeConfigProto("").value().operationTimeout.count(), 0);
  EXPECT_THAT(decodeConfigProto("\x0a\xff"), fails(invalid, HasSubstr("Conf")));
}

TEST(Messages, OptionsOfRuns) {
  auto run = decodeRunOptions("\x08\x03\x10\x05");
  ASSERT_THAT(run, isOk());
  EXPECT_TRUE(run->isTraced);
  EXPECT_EQ(run->timeout, std::chrono::milliseconds(5));
  // As many milliseconds as int64 has are more nanoseconds than there are.
  auto longest = decodeRunOptions("\x10\xff\xff\xff\xff\xff\xff\xff\xff\x7f");
  ASSERT_THAT(longest, isOk());
  EXPECT_GT(longest->timeout.count(), 0);
}

TEST(Messages, AnyBytesGiveAValueOrAStatus) {
  std::mt19937 random(17);
  const std::string seed = *encodeOpDef(*findOpSchema("ConcatV2"));
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = seed.substr(0, random() % (seed.size() + 1));
    for (int i = 0; i < 4 && !bytes.empty(); ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    Graph graph;
    auto op = decodeOpDef(bytes);
    auto node = decodeNodeDef(bytes);
    auto value = decodeAttrValue(bytes);
    auto tensor = decodeTensorProto(bytes);
    Status function = addFunctionDef(graph, bytes);
    for (const Status &status : {op.status(), node.status(), value.status(),
                                 tensor.status(), function})
      EXPECT_TRUE(status.ok() || status.code() == invalid ||
                  status.code() == StatusCode::ResourceExhausted ||
                  status.code() == StatusCode::Unimplemented)
          << status.toString();
  }
}

} // namespace
} // namespace kiln
