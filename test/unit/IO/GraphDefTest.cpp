// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GraphDef files: round trips of real graphs, every tensor encoding, and bytes
// from hostile hands.
#include "kiln/GraphDef.h"

#include "lib/Graph/Function.h"
#include "test/unit/RecordedCases.h"
#include "test/unit/StatusMatchers.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;

/// Loads a graph of one node "c" that holds a constant, given as TensorProto
/// text, and says nothing of its dtype.
StatusOr<TensorConstant> loadConstant(const std::string &tensor,
                                      GraphLoadOptions options = {}) {
  options.checker = [](Node &) { return okStatus(); };
  auto graph = loadGraphDef(
      "node { name: 'c' op: 'Const' attr { key: 'value' value { tensor { " +
          tensor + " } } } }",
      options);
  if (!graph.ok())
    return graph.status();
  return (*graph)->node(0)->attr<TensorConstant>("value");
}

TEST(GraphDef, RealGraphsSurviveARoundTrip) {
  auto paths = testing::realGraphs();
  EXPECT_GT(paths.size(), 40u);
  for (const std::string &path : paths) {
    SCOPED_TRACE(path);
    auto graph = loadGraphDefFile(path);
    ASSERT_THAT(graph, isOk());
    EXPECT_GT((*graph)->numNodes(), 0);
    for (auto format : {GraphDefFormat::Binary, GraphDefFormat::Text}) {
      auto bytes = toGraphDef(**graph, format);
      ASSERT_THAT(bytes, isOk());
      auto again = loadGraphDef(*bytes);
      ASSERT_THAT(again, isOk());
      EXPECT_TRUE((*graph)->isIdenticalTo(**again));
      EXPECT_EQ(*toGraphDef(**again, format), *bytes);
    }
  }
}

TEST(GraphDef, NodesAreCheckedUnlessTheCallerHasAnotherChecker) {
  const std::string sum = R"(
    node { name: "a" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 3 } } } } } }
    node { name: "b" op: "Neg" input: "a" attr { key: "T" value { type: )";
  auto graph = loadGraphDef(sum + "DT_FLOAT } } }");
  ASSERT_THAT(graph, isOk());
  EXPECT_EQ((*graph)->lookup("b")->outputShape(0), Shape({3}));
  std::string wrong = sum + "DT_INT32 } } }";
  EXPECT_THAT(loadGraphDef(wrong), failsAt("b"));
  int asked = 0;
  EXPECT_THAT(loadGraphDef(wrong, {.checker =
                                       [&](Node &) {
                                         ++asked;
                                         return okStatus();
                                       }}),
              isOk());
  EXPECT_EQ(asked, 2);
}

TEST(GraphDef, NodesThatCannotRunAreTakenAsFarAsTheirOutputsAreKnown) {
  const std::string resize =
      "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: "
      "DT_FLOAT } } } "
      "node { name: 'size' op: 'Const' attr { key: 'dtype' value { type: "
      "DT_INT32 } } attr { key: 'value' value { tensor { dtype: DT_INT32 "
      "tensor_shape { dim { size: 2 } } int_val: 3 } } } } "
      "node { name: 'bad' op: 'ResizeBilinear' input: 'x' input: 'size' attr { "
      "key: 'align_corners' value { b: true } } attr { key: "
      "'half_pixel_centers' value { b: true } } attr { key: 'T' value { type: ";
  auto graph = loadGraphDef(resize + "DT_FLOAT } } } "
                                     "node { name: 'y' op: 'Neg' input: 'bad' "
                                     "attr { key: 'T' value { type: DT_FLOAT } "
                                     "} }");
  ASSERT_THAT(graph, isOk());
  const Node *bad = (*graph)->lookup("bad");
  EXPECT_EQ(bad->numOutputs(), 1);
  EXPECT_EQ(bad->outputDType(0), DType::Float32);
  EXPECT_FALSE(bad->outputShape(0).hasRank());
  EXPECT_EQ((*graph)->lookup("y")->outputDType(0), DType::Float32);
  // Who builds a graph hears of it at once.
  NodeSpec again{"again", "ResizeBilinear", {"x", "size"}, bad->attrs()};
  EXPECT_THAT((*graph)->addNode(again),
              AllOf(failsAt("again"), fails(StatusCode::InvalidArgument,
                                            HasSubstr("half_pixel_centers"))));
  // What does not fit its op is no node.
  EXPECT_THAT(loadGraphDef(resize + "DT_STRING } } }"), failsAt("bad"));
}

TEST(GraphDef, FunctionsAreAddedToThoseThatAreThere) {
  auto library = [](std::string_view names) {
    std::string text = "library { ";
    for (char name : names)
      text += std::string("function { signature { name: '") + name + "' } } ";
    return text + "}";
  };
  auto graph = loadGraphDef(library("c"));
  ASSERT_THAT(graph, isOk());
  SharedFunctions first = (*graph)->functionLibrary();
  const Function *kept = first->find("c");
  for (std::string_view more : {"a", "b", "de", "f"})
    ASSERT_THAT(extendGraphDef(**graph, library(more)), isOk());
  SharedFunctions functions = (*graph)->functionLibrary();
  EXPECT_EQ(functions->find("c"), kept);
  EXPECT_EQ(functions->all().size(), 6u);
  EXPECT_EQ(first->find("a"), nullptr);
  EXPECT_EQ(functions->find("g"), nullptr);
  auto again = loadGraphDef(*toGraphDef(**graph));
  ASSERT_THAT(again, isOk());
  EXPECT_EQ((*again)->functionLibrary()->all().size(), 6u);
  // One of the same name takes the place of all.
  ASSERT_THAT(extendGraphDef(**graph, library("gb")), isOk());
  EXPECT_EQ((*graph)->functionLibrary()->all().size(), 2u);
}

TEST(GraphDef, EveryKindOfAttributeSurvives) {
  const std::string text = R"(
    node { name: "n" op: "Mystery" device: "/gpu:0"
      attr { key: "a" value { s: "\000\377" } }  attr { key: "b" value { i: -5 } }
      attr { key: "c" value { f: 1.17549435e-38 } }  attr { key: "d" value { b: false } }
      attr { key: "e" value { type: DT_HALF } }  attr { key: "f" value { shape { unknown_rank: true } } }
      attr { key: "g" value { shape { dim { size: -1 } dim { size: 3 } } } }
      attr { key: "h" value { placeholder: "T" } }
      attr { key: "i" value { func { name: "body" attr { key: "T" value { type: DT_INT32 } } } } }
      attr { key: "j" value { list { } } }  attr { key: "k" value { list { s: "x" s: "y" } } }
      attr { key: "l" value { list { f: 0.1 f: -0.0 } } }  attr { key: "m" value { list { b: true b: false } } }
      attr { key: "n" value { list { type: DT_BOOL } } }  attr { key: "o" value { list { shape { } } } }
      attr { key: "p" value { list { func { name: "f" } } } }  attr { key: "q" value { } }
      attr { key: "r" value { list { tensor { dtype: DT_INT32 tensor_shape { } int_val: 4 } } } }
      attr { key: "s" value { list { i: 1 i: 2 } } } attr { key: "t" value { type: DT_INVALID } } }
    node { name: "u" op: "X" input: "n:2" input: "n" input: "^n" }
    versions { producer: 27 min_consumer: 12 bad_consumers: 3 }
    library { function { signature { name: "body" } node_def { name: "x" op: "Y" input: "a:out:0" } } })";
  auto graph = loadGraphDef(text);
  ASSERT_THAT(graph, isOk());
  const Node &node = *(*graph)->node(0);
  EXPECT_EQ(node.attrs().size(), 20u);
  EXPECT_EQ(*node.attr<std::string>("a"), std::string("\0\377", 2));
  EXPECT_EQ(*node.attr<float>("c"), 1.17549435e-38f);
  EXPECT_EQ((*graph)->versions().producer, 27);
  EXPECT_NE((*graph)->functionLibrary(), nullptr);
  for (auto format : {GraphDefFormat::Binary, GraphDefFormat::Text}) {
    auto again = loadGraphDef(*toGraphDef(**graph, format));
    ASSERT_THAT(again, isOk());
    EXPECT_TRUE((*graph)->isIdenticalTo(**again));
  }
}

TEST(GraphDef, EveryTensorEncodingIsRead) {
  auto values = [](const std::string &tensor) {
    return *loadConstant(tensor)->materialize();
  };
  EXPECT_THAT(values("dtype: DT_FLOAT tensor_shape { dim { size: 2 } } "
                     "tensor_content: '\\0\\0\\200\\077\\0\\0\\0\\100'")
                  .data<float>(),
              ElementsAre(1.0f, 2.0f));
  EXPECT_THAT(
      values("dtype: DT_INT32 tensor_shape { dim { size: 4 } } int_val: [1, 2]")
          .data<int32_t>(),
      ElementsAre(1, 2, 2, 2));
  EXPECT_THAT(values("dtype: DT_INT64 tensor_shape { dim { size: 2 } } "
                     "int64_val: [1, 2, 3]")
                  .data<int64_t>(),
              ElementsAre(1, 2));
  EXPECT_THAT(values("dtype: DT_DOUBLE tensor_shape { dim { size: 3 } }")
                  .data<double>(),
              ElementsAre(0, 0, 0));
  EXPECT_THAT(values("dtype: DT_BOOL tensor_shape { dim { size: 3 } } "
                     "tensor_content: '\\000\\002\\001'")
                  .data<bool>(),
              ElementsAre(false, true, true));
  EXPECT_THAT(
      values("dtype: DT_HALF tensor_shape { } half_val: 15360").byteSize(), 2u);
  EXPECT_THAT(
      values("dtype: DT_INT8 tensor_shape { } int_val: -3").data<int8_t>(),
      ElementsAre(-3));
  EXPECT_EQ(values("dtype: DT_COMPLEX64 tensor_shape { } scomplex_val: [1, 2]")
                .byteSize(),
            8u);
  EXPECT_TRUE(values("dtype: DT_FLOAT tensor_shape { dim { size: 0 } }")
                  .data<float>()
                  .empty());
  auto strings = loadConstant("dtype: DT_STRING tensor_shape { dim { size: 3 } "
                              "} string_val: ['a', 'b']");
  EXPECT_THAT(strings->value.data<String>(), ElementsAre("a", "b", "b"));
  auto odd = loadConstant("dtype: DT_STRING tensor_shape { } "
                          "string_val: '\\000\\377\\000'");
  EXPECT_EQ(odd->value.data<String>()[0].view(),
            std::string_view("\0\xff\0", 3));
  auto splat = loadConstant("dtype: DT_STRING tensor_shape { dim { size: 3 } } "
                            "string_val: 'a'");
  EXPECT_EQ(splat->value.numElements(), 1);
  EXPECT_THAT(splat->materialize()->data<String>(), ElementsAre("a", "a", "a"));
}

TEST(GraphDef, AFewBytesThatClaimManyElementsCostAFewBytes) {
  auto splat = loadConstant("dtype: DT_FLOAT tensor_shape { dim { size: "
                            "4398046511104 } } float_val: 1");
  ASSERT_THAT(splat, isOk());
  EXPECT_TRUE(splat->isSplat());
  EXPECT_EQ(splat->value.byteSize(), 4u);
  EXPECT_EQ(*splat->shape.numElements(), int64_t{1} << 42);
  EXPECT_THAT(loadConstant("dtype: DT_FLOAT tensor_shape { dim { size: "
                           "4398046511104 } } float_val: [1, 2]"),
              AllOf(fails(StatusCode::ResourceExhausted,
                          HasSubstr("attribute 'value' of node 'c'")),
                    failsAt("c")));
  EXPECT_THAT(loadConstant("dtype: DT_STRING tensor_shape { dim { size: "
                           "4398046511104 } } string_val: ['a', 'b']"),
              fails(StatusCode::ResourceExhausted,
                    HasSubstr("more than the limit of 2147483648 bytes")));
  EXPECT_THAT(
      loadConstant(
          "dtype: DT_INT32 tensor_shape { dim { size: 4 } } int_val: [1, 2]",
          {.maxConstantBytes = 16}),
      isOk());
  EXPECT_THAT(
      loadConstant(
          "dtype: DT_INT32 tensor_shape { dim { size: 4 } } int_val: [1, 2]",
          {.maxConstantBytes = 15}),
      fails(StatusCode::ResourceExhausted, HasSubstr("limit of 15 bytes")));
}

TEST(GraphDef, TheBytesOfStringsCountToTheLimit) {
  std::string text =
      "dtype: DT_STRING tensor_shape { } string_val: '0123456789'";
  EXPECT_THAT(loadConstant(text, {.maxConstantBytes = 18}), isOk());
  EXPECT_THAT(loadConstant(text, {.maxConstantBytes = 17}),
              fails(StatusCode::ResourceExhausted, HasSubstr("limit of 17")));
}

TEST(GraphDef, ImpossibleTensorsAreRefused) {
  for (std::string tensor :
       {"dtype: DT_FLOAT tensor_shape { dim { size: -1 } } float_val: 1",
        "dtype: DT_FLOAT tensor_shape { dim { size: -7 } } float_val: 1",
        "dtype: DT_FLOAT tensor_shape { unknown_rank: true } float_val: 1",
        "dtype: DT_FLOAT tensor_shape { dim { size: 4294967296 } dim { size: "
        "4294967296 } } float_val: 1",
        "dtype: DT_DOUBLE tensor_shape { dim { size: 2305843009213693952 } } "
        "double_val: 1",
        "dtype: DT_FLOAT tensor_shape { dim { size: 2 } } tensor_content: "
        "'abc'",
        "dtype: DT_FLOAT tensor_shape { unknown_rank: true dim { size: 1 } }",
        "dtype: 77 tensor_shape { }", "tensor_shape { }",
        "dtype: DT_STRING tensor_shape { } tensor_content: 'abc'"})
    EXPECT_THAT(loadConstant(tensor),
                AllOf(fails(StatusCode::InvalidArgument, HasSubstr("'value'")),
                      failsAt("c")))
        << tensor;
  std::string manyDims = "dtype: DT_FLOAT tensor_shape { ";
  for (int i = 0; i < 300; ++i)
    manyDims += "dim { size: 1 } ";
  EXPECT_THAT(
      loadConstant(manyDims + "}"),
      fails(StatusCode::InvalidArgument, HasSubstr("too many dimensions")));
}

TEST(GraphDef, AttributesThatMeanNothingAreRefused) {
  for (std::string attr : {"type: 99", "list { i: 1 f: 2 }",
                           "shape { dim { size: -2 } }", "list { type: 99 }"})
    EXPECT_THAT(
        loadGraphDef("node { name: 'n' op: 'X' attr { key: 'a' value { " +
                     attr + " } } }"),
        AllOf(fails(StatusCode::InvalidArgument,
                    HasSubstr("attribute 'a' of node 'n'")),
              failsAt("n")))
        << attr;
}

TEST(GraphDef, TextErrorsSayWhere) {
  EXPECT_THAT(loadGraphDef("node {\n  name: 'a'\n  oops: 3\n}"),
              fails(StatusCode::InvalidArgument,
                    AllOf(HasSubstr("line 3, column "), HasSubstr("oops"))));
  EXPECT_THAT(loadGraphDef("hello"),
              fails(StatusCode::InvalidArgument, HasSubstr("text form")));
}

TEST(GraphDef, NoBytesAreAnEmptyGraph) {
  auto graph = loadGraphDef("");
  ASSERT_THAT(graph, isOk());
  EXPECT_EQ((*graph)->numNodes(), 0);
  EXPECT_EQ(*toGraphDef(**graph), "");
}

TEST(GraphDef, NodesAreAddedToAGraphThatIsThere) {
  auto graph = loadGraphDef("node { name: 'a' op: 'NoOp' } "
                            "versions { producer: 7 }");
  ASSERT_THAT(graph, isOk());
  // An input may be of the graph, or come later in the same bytes.
  ASSERT_THAT(extendGraphDef(**graph, "node { name: 'b' op: 'NoOp' input: '^c' "
                                      "input: '^a' } "
                                      "node { name: 'c' op: 'NoOp' } "
                                      "versions { producer: 9 }"),
              isOk());
  EXPECT_EQ((*graph)->numNodes(), 3);
  EXPECT_EQ((*graph)->node(1)->controlInputs().size(), 2u);
  EXPECT_EQ((*graph)->versions().producer, 7);
  // All or none.
  EXPECT_THAT(extendGraphDef(**graph, "node { name: 'd' op: 'NoOp' } "
                                      "node { name: 'e' op: 'NoOp' input: "
                                      "'^nowhere' }"),
              AllOf(failsAt("e"),
                    fails(StatusCode::InvalidArgument, HasSubstr("nowhere"))));
  EXPECT_THAT(extendGraphDef(**graph, "node { name: 'b' op: 'NoOp' }"),
              fails(StatusCode::AlreadyExists, HasSubstr("b")));
  EXPECT_EQ((*graph)->numNodes(), 3);
  Graph empty(makeNodeChecker());
  ASSERT_THAT(extendGraphDef(empty, "versions { producer: 7 }"), isOk());
  EXPECT_EQ(empty.versions().producer, 7);
}

TEST(GraphDef, NodesAreEditedBeforeTheyAreAdded) {
  auto graph = loadGraphDef("node { name: 'a' op: 'NoOp' }");
  ASSERT_THAT(graph, isOk());
  GraphLoadOptions options;
  options.edit = [](std::vector<NodeSpec> &nodes) {
    nodes[0].name = "in/" + nodes[0].name;
    nodes[0].inputs = {"^a"};
    return okStatus();
  };
  // What an edit takes away need not be there.
  const std::string text = "node { name: 'b' op: 'NoOp' input: '^nowhere' }";
  ASSERT_THAT(extendGraphDef(**graph, text, options), isOk());
  ASSERT_NE((*graph)->lookup("in/b"), nullptr);
  EXPECT_EQ((*graph)->lookup("in/b")->controlInputs()[0]->name(), "a");
  options.edit = [](std::vector<NodeSpec> &) { return abortedError("no"); };
  EXPECT_THAT(extendGraphDef(**graph, text, options),
              fails(StatusCode::Aborted, "no"));
  EXPECT_EQ((*graph)->numNodes(), 2);
}

TEST(GraphDef, ScalarPlaceholdersOfOldGraphsHaveAnyShape) {
  for (auto [producer, hasRank] :
       {std::pair{"21", false}, {"22", true}, {"0", true}}) {
    auto graph = loadGraphDef(
        std::string("node { name: 'x' op: 'Placeholder' "
                    "attr { key: 'dtype' value { type: DT_FLOAT } } "
                    "attr { key: 'shape' value { shape { } } } } "
                    "versions { producer: ") +
        producer + " }");
    ASSERT_THAT(graph, isOk());
    const Node *x = (*graph)->node(0);
    EXPECT_EQ(x->attrOr<Shape>("shape", Shape()).hasRank(), hasRank)
        << producer;
  }
}

TEST(GraphDef, DeepNestingStopsAtTheLimit) {
  std::string text, closing;
  for (int i = 0; i < 20'000; ++i) {
    text += "func { name: 'f' attr { key: 'k' value { ";
    closing += "} } }";
  }
  text = "node { name: 'n' op: 'X' attr { key: 'a' value { " + text + closing +
         " } } }";
  EXPECT_THAT(loadGraphDef(text),
              fails(StatusCode::InvalidArgument, HasSubstr("text form")));
  // The same in binary form, built from the inside out.
  auto wrap = [](char tag, const std::string &inner) {
    std::string bytes(1, tag);
    size_t size = inner.size();
    for (; size > 127; size >>= 7)
      bytes += static_cast<char>((size & 127) | 128);
    return bytes + static_cast<char>(size) + inner;
  };
  std::string bytes;
  for (int i = 0; i < 2'000; ++i)
    bytes = wrap(0x52, "\x0a\x01"
                       "f" +
                           wrap(0x12, "\x0a\x01k" + wrap(0x12, bytes)));
  bytes = wrap(0x0a, "\x0a\x01n\x12\x01X" + wrap(0x2a, "\x0a\x01"
                                                       "a" +
                                                           wrap(0x12, bytes)));
  EXPECT_THAT(loadGraphDef(bytes), fails(StatusCode::InvalidArgument,
                                         HasSubstr("nested deeper than 100")));
}

TEST(GraphDef, NodesAreCountedBeforeTheyAreBuilt) {
  std::string bytes;
  for (int i = 0; i < 11; ++i)
    bytes += std::string("\x0a\x00\x12\x00", 4);
  EXPECT_THAT(loadGraphDef(bytes, {.limits = {.maxNodes = 10}}),
              fails(StatusCode::ResourceExhausted,
                    "the GraphDef has 11 nodes, the limit is 10"));
  EXPECT_THAT(loadGraphDef(bytes, {.maxFileBytes = 43}),
              fails(StatusCode::ResourceExhausted, HasSubstr("44 bytes")));
}

TEST(GraphDef, EveryTruncationIsAStatus) {
  std::string bytes = *toGraphDef(
      **loadGraphDefFile(KILN_SOURCE_DIR "/bench/graphs/minibatch.pb"));
  int loaded = 0;
  for (size_t size = 0; size < bytes.size(); ++size)
    loaded += loadGraphDef(std::string_view(bytes).substr(0, size)).ok();
  // A cut between two nodes is a shorter graph; all others are errors.
  EXPECT_LT(loaded, 200);
}

TEST(GraphDef, DamagedBytesAreAStatus) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::string original = *toGraphDef(
      **loadGraphDefFile(KILN_SOURCE_DIR "/bench/graphs/minibatch.pb"));
  GraphLoadOptions options{.maxConstantBytes = 1 << 20};
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = original;
    for (unsigned i = 0, changes = 1 + random() % 8; i < changes; ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    auto graph = loadGraphDef(bytes, options);
    if (graph.ok())
      EXPECT_THAT(toGraphDef(**graph), isOk());
    std::string noise(random() % 300, '\0');
    for (char &byte : noise)
      byte = static_cast<char>(random());
    (void)loadGraphDef(noise, options).ok();
  }
}

TEST(GraphDef, FilesAreReplacedInOneStepAndErrorsNameThem) {
  auto path = std::filesystem::path(::testing::TempDir()) /
              ("kiln-graph-" + std::to_string(::getpid()) + ".pbtxt");
  Graph graph;
  ASSERT_THAT(graph.addNode({.name = "a", .op = "X"}), isOk());
  ASSERT_THAT(saveGraphDefFile(graph, path, GraphDefFormat::Text), isOk());
  auto loaded = loadGraphDefFile(path);
  ASSERT_THAT(loaded, isOk());
  EXPECT_TRUE((*loaded)->isIdenticalTo(graph));
  std::filesystem::remove(path);
  EXPECT_THAT(loadGraphDefFile(path),
              fails(StatusCode::NotFound, HasSubstr(path.string())));
}

/// Found by FuzzText: such a graph loaded, but what was saved of it did not.
TEST(GraphDef, TextWithAStringThatIsNotUtf8IsRefused) {
  for (std::string name : {"\xdd", "\\335"})
    EXPECT_THAT(loadGraphDef("node { name: 'a' op: 'NoOp' attr { key: '" +
                             name + "' value { b: true } } }"),
                fails(StatusCode::InvalidArgument, HasSubstr("not UTF-8")));
  EXPECT_THAT(loadGraphDef("node { name: 'a' op: 'NoOp' attr { key: 'ü' "
                           "value { s: '\\335' } } }"),
              isOk());
}

} // namespace
} // namespace kiln
