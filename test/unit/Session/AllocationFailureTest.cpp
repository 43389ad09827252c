// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every allocation of data of numeric runs and of loading fails once: each time
// an error with the node and the size, and everything usable afterwards.
#include "kiln/GraphDef.h"
#include "test/unit/FailingAllocation.h"
#include "test/unit/SessionFixture.h"
#include "tools/common/Npy.h"

#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using testing::countingMatrix;
using testing::failEach;
using testing::FailingAllocation;
using testing::fails;
using ::testing::HasSubstr;
using testing::isNamed;
using testing::isOk;
using testing::isUnnamed;
using testing::tensorOf;
using testing::valuesOf;

/// A graph with a product between x: [?, 3] and w, sums along both axes, and a
/// variable whose shape only its value tells.
std::shared_ptr<Graph> productGraph() {
  testing::GraphWriter writer;
  constexpr DType f32 = DType::Float32;
  writer.graph = testing::scaleGraph();
  writer.add("square", "MatMul", {"x", "x"},
             {{"T", f32}, {"transpose_a", false}, {"transpose_b", true}});
  writer.add("rowSums", "Sum", {"square", "axis"},
             {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", true}});
  writer.binary("shares", "RealDiv", "square", "rowSums", f32);
  writer.add("product", "MatMul", {"shares", "x"},
             {{"T", f32}, {"transpose_a", false}, {"transpose_b", false}});
  writer.add("free", "VariableV2", {},
             {{"dtype", f32}, {"shape", Shape::unknownRank()}});
  writer.add("free/Assign", "Assign", {"free", "product"},
             {{"T", f32}, {"validate_shape", false}});
  return writer.graph;
}

Tensor misaligned(const Tensor &from, std::vector<char> &storage) {
  storage.resize(from.byteSize() + 1);
  std::memcpy(storage.data() + 1, from.rawData(), from.byteSize());
  return *Tensor::borrow(from.dtype(), from.shape(), storage.data() + 1);
}

class AllocationFailure : public testing::SessionTest {};

INSTANTIATE_TEST_SUITE_P(Modes, AllocationFailure,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(AllocationFailure, InAFirstRunNamesTheNode) {
  std::shared_ptr<Graph> graph = productGraph();
  Tensor x = countingMatrix(5, 3);
  std::vector<char> storage;
  Tensor bad = misaligned(x, storage);
  // A new session each time: variables, code, arena and results are new.
  auto scenario = [&]() -> Status {
    auto session = open(graph);
    if (auto made = session->run({}, {}, {"init"}); !made.ok())
      return made.status();
    return session
        ->run({{"x:0", bad}}, {"product:0", "rows:0", "w:0"}, {"bump"})
        .status();
  };
  int failures = failEach(scenario, isNamed);
  EXPECT_GE(failures, 5);
}

TEST_P(AllocationFailure, LeavesTheSessionUsable) {
  auto session = open(productGraph());
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  // Each run is larger than all before it: nothing that is pooled fits.
  std::vector<Tensor> feeds;
  for (int64_t rows = 8; rows < 512; rows += 8)
    feeds.push_back(countingMatrix(rows, 3));
  size_t next = 0;
  auto scenario = [&] {
    return session->run({{"x:0", feeds.at(next++)}}, {"product:0"}).status();
  };
  EXPECT_GE(failEach(scenario, isNamed), 1);
  auto result = session->run({{"x:0", countingMatrix(2, 3)}}, {"rows:0"});
  ASSERT_THAT(result, isOk());
  EXPECT_EQ(valuesOf<float>((*result)[0]), (std::vector<float>{8, 26}));
}

TEST_P(AllocationFailure, OfACallableLeavesItUsable) {
  auto session = open(productGraph());
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  auto callable = session->makeCallable({"x:0"}, {"product:0", "rows:0"});
  ASSERT_THAT(callable, isOk());
  Tensor x = countingMatrix(3, 3);
  auto scenario = [&] {
    Tensor feeds[] = {x}, results[2];
    return (*callable)(feeds, results);
  };
  failEach(scenario, isNamed);
  Tensor feeds[] = {x}, results[2];
  ASSERT_THAT((*callable)(feeds, results), isOk());
  EXPECT_EQ(valuesOf<float>(results[1]), testing::scaledRows(x, {1, 2, 3}));
}

TEST(AllocationFailure, OfAConstantInAFileNamesItsNode) {
  testing::GraphWriter writer;
  for (int i = 0; i < 4; ++i)
    writer.constant("c" + std::to_string(i), countingMatrix(4, 4 + i));
  auto bytes = toGraphDef(*writer.graph);
  ASSERT_THAT(bytes, isOk());
  auto scenario = [&] { return loadGraphDef(*bytes).status(); };
  EXPECT_EQ(failEach(scenario,
                     [](const Status &status) {
                       return status.node().starts_with('c');
                     }),
            4);
}

class FileAllocationFailure : public ::testing::Test {
protected:
  void SetUp() override {
    path = std::filesystem::path(::testing::TempDir()) /
           ("kiln-oom-" + std::to_string(::getpid()));
  }
  void TearDown() override { std::filesystem::remove(path); }
  std::string path;
};

TEST_F(FileAllocationFailure, OfTheFilesContentsNamesThePath) {
  testing::GraphWriter writer;
  writer.placeholder("x", DType::Float32, {2});
  ASSERT_THAT(saveGraphDefFile(*writer.graph, path), isOk());
  auto scenario = [&] { return loadGraphDefFile(path).status(); };
  EXPECT_EQ(failEach(scenario, isUnnamed), 1);
  FailingAllocation failure(1);
  EXPECT_THAT(loadGraphDefFile(path),
              fails(StatusCode::ResourceExhausted, HasSubstr(path)));
}

TEST_F(FileAllocationFailure, OfAnArrayNamesThePath) {
  ASSERT_THAT(writeNpy(path, countingMatrix(3, 3)), isOk());
  auto scenario = [&]() -> Status {
    auto read = readNpy(path);
    EXPECT_TRUE(read.ok() ||
                read.status().message().find(path) != std::string::npos);
    return read.status();
  };
  EXPECT_EQ(failEach(scenario, isUnnamed), 2); // the file, the tensor
}

/// Sizes that no machine has, and some that no integer has.
TEST(AllocationFailure, HugeSizesAreErrors) {
  for (int64_t extent : {int64_t{1} << 40, int64_t{1} << 58, int64_t{1} << 60,
                         int64_t{1} << 61, INT64_MAX}) {
    EXPECT_FALSE(Tensor::create(DType::Float32, {extent}).ok()) << extent;
    EXPECT_FALSE(Tensor::create(DType::Float32, {extent, 4}).ok()) << extent;
    EXPECT_FALSE(Tensor::zeros(DType::Float64, {extent, extent}).ok());
  }
}

/// y = fill([2^30, 2^28], x): 2^60 bytes, which no address space has.
TEST_P(AllocationFailure, OfAResultOf2To60BytesNamesItsNode) {
  testing::GraphWriter writer;
  writer.placeholder("x", DType::Float32, {});
  writer.constant("dims", tensorOf<int32_t>({2}, {1 << 30, 1 << 28}));
  writer.add("y", "Fill", {"dims", "x"},
             {{"T", DType::Float32}, {"index_type", DType::Int32}});
  for (int64_t limit : {int64_t{1} << 40, INT64_MAX}) {
    SessionOptions options;
    options.mode = GetParam();
    options.limits.maxRunBytes = limit;
    auto session = Session::create(writer.graph, options);
    auto result = (*session)->run({{"x:0", Tensor::scalar(1.0f)}}, {"y:0"});
    EXPECT_THAT(result, fails(StatusCode::ResourceExhausted,
                              HasSubstr("1152921504606846976 bytes")));
    EXPECT_THAT(result, testing::failsAt("y"));
  }
}

} // namespace
} // namespace kiln
