// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches by queues add TensorFlow's nodes and say what is wrong in its words.
// Graphs and values are recorded by test/golden_kiln/make_optimizer_cases.py.
#include "kiln/BuildOps.h"
#include "kiln/InputPipeline.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

using ::testing::SizeIs;

constexpr DType float32 = DType::Float32;

class Batches : public ProgramFixture {
protected:
  std::string error() { return std::string(graph.takeStatus().message()); }
  static Output input(DType dtype, const Shape &shape, std::string name) {
    return ops::placeholder(dtype, shape, {.name = std::move(name)});
  }
};

TEST_F(Batches, OfListsInOrderAndShuffled) {
  setRandomSeed(4);
  Output x = input(float32, {2}, "x");
  Output y = input(DType::Int64, Shape{}, "y");
  Output many = input(float32, {-1, 2}, "many");
  Output openRows = input(DType::Int32, {-1, -1}, "open_rows");
  Output keep = input(DType::Bool, Shape{}, "keep");
  Output which = input(DType::Bool, {-1}, "which");
  batch({openRows, y}, 2,
        {.numThreads = 3,
         .capacity = 5,
         .dynamicPad = true,
         .sharedName = "shared"});
  Output unknown = input(float32, Shape::unknownRank(), "unknown");
  batch({unknown}, 2, {.shapes = {{Shape{3}}}, .name = "shaped"});
  maybeBatch({x, y}, keep, 2, {.allowSmallerFinalBatch = true});
  maybeBatch({many}, which, 2, {.enqueueMany = true, .name = "some"});
  Output twice = x * 2, next = y + 1;
  batchJoin({{x, y}, {twice, next}}, 2);
  Output more = x + 1;
  maybeBatchJoin({{x}, {more}}, keep, 2, {.dynamicPad = true});
  Output manyTwice = many * 2;
  maybeBatchJoin(
      {{many}, {manyTwice}}, which, 2,
      {.enqueueMany = true, .allowSmallerFinalBatch = true, .name = "of_some"});
  shuffleBatch({x, y}, 2, 10, 3, {.numThreads = 2});
  shuffleBatch({many}, 3, 8, 2,
               {.seed = 6,
                .enqueueMany = true,
                .allowSmallerFinalBatch = true,
                .name = "again"});
  maybeShuffleBatch({x}, keep, 1, 4, 0);
  Output thrice = x * 3;
  shuffleBatchJoin({{x, y}, {thrice, y}}, 2, 12, 4, {.seed = 9});
  maybeShuffleBatchJoin({{many}, {many}}, which, 2, 12, 4,
                        {.enqueueMany = true});
  expectGraph("optimizer_batches");
  auto runners = graph.collectionOf<QueueRunner>(keys::queueRunners);
  ASSERT_THAT(runners, SizeIs(12));
  EXPECT_THAT(runners[0].enqueueOps(), SizeIs(3));
  EXPECT_EQ(runners[2].enqueueOps()[0]->name(), "batch_1/cond/Merge");
  EXPECT_THAT(runners[4].enqueueOps(), SizeIs(2));
}

// What TensorFlow 2.21 gave.
TEST_F(Batches, ASharedQueuesSeedIsOfItsName) {
  setRandomSeed(7);
  Output x = ops::constant(1);
  shuffleBatch({x}, 2, 10, 3, {.sharedName = "jobs"});
  shuffleBatch({x}, 2, 10, 3, {.seed = 5, .sharedName = "jobs"});
  shuffleBatch({x}, 2, 10, 3);
  std::vector<std::pair<int64_t, int64_t>> seeds;
  for (int id = 0; id < graph.graph()->numNodes(); ++id)
    if (const Node &node = *graph.graph()->node(id);
        node.op() == "RandomShuffleQueueV2")
      seeds.emplace_back(*node.attr<int64_t>("seed"),
                         *node.attr<int64_t>("seed2"));
  EXPECT_THAT(seeds, ::testing::ElementsAre(std::pair(7, 361814602),
                                            std::pair(7, 5), std::pair(7, 1)));
}

TEST_F(Batches, Errors) {
  Output x = input(float32, {2}, "x");
  Output y = input(DType::Int64, Shape{}, "y");
  Output open = input(float32, {-1}, "open");
  batch(std::vector<Input>{}, 2);
  EXPECT_EQ(error(), "Expected at least one tensor in batch().");
  batchJoin({}, 2);
  EXPECT_EQ(error(), "Expected at least one set of tensors");
  batchJoin({{x}, {y}}, 2);
  EXPECT_EQ(error(), "Expected types to be consistent: float32 vs. int64.");
  batchJoin({{x}, {input(float32, {3}, "z")}}, 2);
  EXPECT_EQ(error(), "Shapes (2,) and (3,) are not compatible");
  batch({open}, 2);
  EXPECT_EQ(error(), "All shapes must be fully defined: "
                     "[TensorShape([Dimension(None)])]");
  batch({input(float32, Shape::unknownRank(), "rank")}, 2);
  EXPECT_EQ(error(), "Cannot infer Tensor's rank: rank:0");
  batch({x, y}, 2, {.shapes = {{Shape{2}}}});
  EXPECT_EQ(error(), "expected a shape for each of 2 tensors, got 1");
  shuffleBatch({x}, 2, 4, 4);
  EXPECT_EQ(error(), "capacity 4 must be bigger than min_after_dequeue 4.");
  maybeBatch({x}, input(DType::Bool, {2}, "which"), 2);
  EXPECT_EQ(error(),
            "`keep_input` cannot be a vector when `enqueue_many=False`.");
  maybeBatch({x}, input(DType::Bool, Shape::unknownRank(), "any"), 2);
  EXPECT_EQ(error(),
            "`keep_input` dimensions must be known at graph construction.");
}

} // namespace
} // namespace kiln
