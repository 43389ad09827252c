// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets as values: the nodes that kiln.compat.v1.data adds, and what runs
// give.
#include "kiln/BuildOps.h"
#include "kiln/Data.h"
#include "kiln/Session.h"
#include "lib/Support/Strings.h"

#include "gmock/gmock.h"

#include <fstream>

namespace kiln {
namespace {

using data::Dataset;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DatasetPrograms : public ::testing::Test {
protected:
  /// A line a node: its name, op and inputs.
  std::vector<std::string> nodes() const {
    std::vector<std::string> lines;
    for (int id = 0; id < graph.graph()->numNodes(); ++id) {
      const Node &node = *graph.graph()->node(id);
      std::string line = strCat(node.name(), " ", node.op());
      for (const Output &input : node.inputs())
        line += strCat(" ", input.node->name());
      lines.push_back(std::move(line));
    }
    return lines;
  }

  /// The first parts of all elements, which native code and the evaluator
  /// give: of all runs until the first error, which is the end.
  std::vector<int64_t> numbers(const Dataset &dataset) {
    Outputs element = dataset.oneShotIterator().next();
    EXPECT_EQ(graph.status(), okStatus());
    if (element.empty())
      return {};
    auto native = numbersIn(element[0], ExecutionMode::NativeOnly);
    EXPECT_EQ(native, numbersIn(element[0], ExecutionMode::EvaluatorOnly));
    return native;
  }
  std::vector<int64_t> numbersIn(const Output &part, ExecutionMode mode) {
    std::vector<int64_t> values;
    auto session = Session::create(graph.graph(), {.mode = mode});
    EXPECT_TRUE(session.ok());
    for (; session.ok();) {
      auto given = (*session)->run({}, {part.name()});
      if (!given.ok()) {
        EXPECT_EQ(given.status().code(), StatusCode::OutOfRange)
            << given.status().message();
        break;
      }
      auto numbers = (*given)[0].data<int64_t>();
      values.insert(values.end(), numbers.begin(), numbers.end());
    }
    return values;
  }

  GraphBuilder graph;
  GraphScope scope{graph};
};

/// Adds one to the first part.
Outputs addOne(const Outputs &element) { return element[0] + 1; }

TEST_F(DatasetPrograms, AddPythonsNodes) {
  Input x = Tensor::zeros(DType::Float32, Shape{6, 2}).value();
  Input y = Tensor::zeros(DType::Int64, Shape{6}).value();
  Dataset batches =
      Dataset::fromTensorSlices({x, y})
          .map([](const Outputs &e) { return Outputs{e[0] * 2, e[1] + 1}; })
          .filter([](const Outputs &e) { return ops::greater(e[1], 1); })
          .shuffle(3, {.seed = 7})
          .repeat(2)
          .batch(4, /*dropRemainder=*/true)
          .prefetch(1);
  batches.initializableIterator().next();
  ASSERT_EQ(graph.status(), okStatus());
  EXPECT_THAT(
      nodes(),
      ElementsAre(
          "normalize_element/component_0 Const",
          "normalize_element/component_1 Const",
          "TensorSliceDataset TensorSliceDataset "
          "normalize_element/component_0 normalize_element/component_1",
          "MapDataset MapDataset TensorSliceDataset",
          "FilterDataset FilterDataset MapDataset", "buffer_size Const",
          "seed Const", "seed2 Const",
          "ShuffleDataset ShuffleDataset FilterDataset buffer_size "
          "seed seed2",
          "count Const", "RepeatDataset RepeatDataset ShuffleDataset count",
          "batch_size Const", "drop_remainder Const",
          "BatchDatasetV2 BatchDatasetV2 RepeatDataset batch_size "
          "drop_remainder",
          "buffer_size_1 Const",
          "PrefetchDataset PrefetchDataset BatchDatasetV2 buffer_size_1",
          "IteratorV2 IteratorV2",
          "MakeIterator MakeIterator PrefetchDataset IteratorV2",
          "IteratorGetNext IteratorGetNext IteratorV2"));
  EXPECT_THAT(batches.dtypes(), ElementsAre(DType::Float32, DType::Int64));
  EXPECT_THAT(batches.shapes(), ElementsAre(Shape{4, 2}, Shape{4}));
}

TEST_F(DatasetPrograms, GiveTheirElements) {
  const Dataset five = Dataset::range(5);
  EXPECT_THAT(numbers(five.map(addOne, {.numParallelCalls = 2})),
              ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(numbers(five.map(addOne).map(addOne).map(
                  [](const Outputs &e) { return Outputs(e[0] * e[0]); })),
              ElementsAre(4, 9, 16, 25, 36));
  // The second part is not used.
  EXPECT_THAT(numbers(five.map([](const Outputs &e) {
                            return Outputs{e[0], 60 / (e[0] + 1)};
                          })
                          .map(addOne)),
              ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(numbers(five.skip(1).take(2).concatenate(Dataset::range(7, 9))),
              ElementsAre(1, 2, 7, 8));
  EXPECT_THAT(numbers(five.shard(2, 1).cache().repeat(2)),
              ElementsAre(1, 3, 1, 3));
  EXPECT_THAT(numbers(five.batch(2).unbatch().enumerate(3)),
              ElementsAre(3, 4, 5, 6, 7));
  EXPECT_THAT(numbers(five.prefetch(2).shuffle(1)), ElementsAre(0, 1, 2, 3, 4));
  const auto upTo = [](const Outputs &e) { return Dataset::range(e[0]); };
  EXPECT_THAT(numbers(five.flatMap(upTo)),
              ElementsAre(0, 0, 1, 0, 1, 2, 0, 1, 2, 3));
  EXPECT_THAT(numbers(five.interleave(upTo, {.cycleLength = 2})),
              ElementsAre(0, 0, 1, 0, 1, 0, 2, 1, 2, 3));
  EXPECT_THAT(
      numbers(Dataset::zip({Dataset::range(3), Dataset::fromTensors({1})})),
      ElementsAre(0));
  EXPECT_THAT(
      numbers(
          Dataset::fromTensorSlices(
              {Tensor::fromValues<int64_t>(Shape{2, 2}, {1, 2, 3, 4}).value()})
              .paddedBatch(
                  2, {.paddedShapes = {{Shape{3}}}, .paddingValues = {{9}}})),
      ElementsAre(1, 2, 9, 3, 4, 9));
}

TEST_F(DatasetPrograms, ReduceInEachRun) {
  Outputs sum = Dataset::range(5).reduce(
      {Tensor::scalar(int64_t(10))},
      [](const Outputs &state, const Outputs &element) {
        return Outputs(state[0] + element[0]);
      });
  ASSERT_EQ(graph.status(), okStatus());
  auto session = Session::create(graph.graph());
  ASSERT_TRUE(session.ok());
  for (int i = 0; i < 2; ++i) {
    auto given = (*session)->run({}, {sum[0].name()});
    ASSERT_TRUE(given.ok()) << given.status().message();
    EXPECT_EQ((*given)[0].data<int64_t>()[0], 20);
  }
}

TEST_F(DatasetPrograms, ReadFiles) {
  const std::string path = ::testing::TempDir() + "/dataset_lines";
  std::ofstream(path) << "ab\ncd\nef";
  const auto length = [](const Outputs &text) -> Outputs {
    return ops::cast(rawOps::stringLength(text[0]), DType::Int64);
  };
  EXPECT_THAT(numbers(Dataset::textLines(path).map(length)),
              ElementsAre(2, 2, 2));
  EXPECT_THAT(
      numbers(
          Dataset::fixedLengthRecords(path, 3, {.headerBytes = 2}).map(length)),
      ElementsAre(3, 3));
}

TEST_F(DatasetPrograms, IteratorsBeginAnew) {
  const Dataset dataset = Dataset::range(2);
  data::Iterator iterator =
      data::Iterator::ofStructure({DType::Int64}, {Shape()});
  const Node *first = iterator.initializerOf(dataset),
             *second = iterator.initializerOf(Dataset::range(7, 9));
  const Output handle = iterator.stringHandle();
  const Output fed = ops::placeholder(DType::String, {}, {.name = "handle"});
  const Output next =
      data::Iterator::ofStringHandle(fed, {DType::Int64}, {Shape()}).next()[0];
  ASSERT_EQ(graph.status(), okStatus());
  auto session = Session::create(graph.graph());
  ASSERT_TRUE(session.ok());
  ASSERT_TRUE((*session)->run({}, {}, {first->name()}).ok());
  const Tensor name = (*(*session)->run({}, {handle.name()}))[0];
  const auto number = [&] {
    auto given = (*session)->run({{fed.name(), name}}, {next.name()});
    EXPECT_EQ(given.status(), okStatus());
    return given.ok() ? (*given)[0].data<int64_t>()[0] : -1;
  };
  EXPECT_EQ(number(), 0);
  ASSERT_TRUE((*session)->run({}, {}, {second->name()}).ok());
  EXPECT_EQ(number(), 7);
}

TEST_F(DatasetPrograms, SayWhatIsWrong) {
  const auto errorOf = [](const std::function<void()> &add) {
    GraphBuilder alone;
    GraphScope inside(alone);
    add();
    return std::string(alone.status().message());
  };
  EXPECT_THAT(errorOf([] { Dataset::fromTensorSlices({1}); }),
              HasSubstr("rank >= 1"));
  EXPECT_THAT(errorOf([] {
                Dataset::range(2).filter([](const Outputs &e) { return e[0]; });
              }),
              HasSubstr("scalar boolean"));
  EXPECT_THAT(errorOf([] {
                Dataset::range(2).concatenate(Dataset::fromTensors({"text"}));
              }),
              HasSubstr("different types"));
  EXPECT_THAT(errorOf([] {
                Output fed = ops::placeholder(DType::Int64, {});
                Dataset::range(fed).oneShotIterator().next();
              }),
              HasSubstr("Cannot capture a placeholder"));
  EXPECT_THAT(errorOf([] {
                data::Iterator::ofStructure({DType::Float32}, {Shape()})
                    .initializerOf(Dataset::range(2));
              }),
              HasSubstr("dataset of others"));
}

} // namespace
} // namespace kiln
