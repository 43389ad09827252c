// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host kernels without effects are called by native code and the evaluator: a
// run is not cut for them, and a branch keeps them.
#include "lib/Plan/Plan.h"
#include "lib/Plan/cut/CutKind.h"
#include "test/unit/Requests.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32, text = DType::String;

class HostBodies : public testing::SessionTest {
protected:
  HostBodies() {
    writer.placeholder("text", text, {-1});
    scalar("comma", ",");
  }
  void scalar(std::string name, std::string_view value) {
    writer.constant(std::move(name), Tensor::scalar(value));
  }
  /// What matches `pattern` becomes "x".
  void replace(std::string name, std::string of, std::string_view pattern) {
    scalar(name + "/pattern", pattern);
    scalar(name + "/rewrite", "x");
    writer.add(name, "RegexReplace",
               {std::move(of), name + "/pattern", name + "/rewrite"});
  }
  bool isRunCut(const std::vector<std::string> &feeds,
                const std::vector<std::string> &fetches) {
    auto pruned = testing::pruneNames(*writer.graph, feeds, fetches);
    EXPECT_THAT(pruned, isOk());
    auto root = makeBlocks(*pruned);
    EXPECT_THAT(root, isOk());
    return isCut(**root);
  }
  static Tensor texts(std::vector<std::string> values) {
    return *Tensor::fromStrings({static_cast<int64_t>(values.size())},
                                std::span<const std::string>(values));
  }

  testing::GraphWriter writer;
};

TEST_P(HostBodies, StandInOneRunWithLayers) {
  const DType i64 = DType::Int64;
  writer.add("split", "StringSplit", {"text", "comma"}, {{"skip_empty", true}});
  writer.add("number", "StringToNumber", {"split:1"}, {{"out_type", f32}});
  writer.constant("zero", Tensor::scalar(0.0f));
  writer.add(
      "twice", "SparseAdd",
      {"split:0", "number", "split:2", "split:0", "number", "split:2", "zero"},
      {{"T", f32}, {"Treal", f32}});
  writer.add("ordered", "SparseReorder", {"twice:0", "twice:1", "twice:2"},
             {{"T", f32}});
  writer.variable("w", tensorOf<float>({3, 2}, {1, 0, 0, 1, 1, 1}));
  writer.add("layer", "SparseTensorDenseMatMul",
             {"ordered:0", "ordered:1", "twice:2", "w/read"},
             {{"T", f32}, {"Tindices", i64}});
  writer.binary("squares", "Mul", "layer", "layer", f32);
  writer.binary("step", "AssignAdd", "w", "w/initial", f32);
  writer.constant("column", tensorOf<float>({1}, {-1}));
  writer.add("csv", "DecodeCSV", {"text", "column", "column", "column"},
             {{"OUT_TYPE", std::vector<DType>{f32, f32, f32}}});
  writer.binary("behind", "Mul", "csv:2", "column", f32);
  replace("masked", "text", "[0-9]");
  writer.add("init", "NoOp", {"^w/Assign"});
  const std::vector<std::string> fetches = {"squares:0", "behind:0",
                                            "masked:0"};
  EXPECT_FALSE(isRunCut({"text:0"}, fetches));
  auto session = open(writer.graph);
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  for (float scale : {1.0f, 2.0f, 3.0f}) {
    auto got = session->run({{"text:0", texts({"1,2,3", "4,,5"})}},
                            {"squares:0", "behind:0", "masked:0"});
    ASSERT_THAT(got, isOk());
    auto squared = [&](float x) { return 4 * scale * scale * x * x; };
    EXPECT_THAT(valuesOf<float>(got->at(0)),
                ElementsAre(squared(4), squared(5), squared(4), squared(5)));
    EXPECT_THAT(valuesOf<float>(got->at(1)), ElementsAre(-3, -5));
    EXPECT_EQ(got->at(2).data<String>()[1].view(), "x,,x");
    ASSERT_THAT(session->run({}, {}, {"step"}), isOk());
  }
}

TEST_P(HostBodies, ABranchKeepsThem) {
  writer.placeholder("p", DType::Bool, {});
  writer.add("switch", "Switch", {"text", "p"}, {{"T", text}});
  replace("fails", "switch:1", "(");
  writer.add("merge", "Merge", {"switch:0", "fails"},
             {{"T", text}, {"N", int64_t(2)}});
  EXPECT_FALSE(isRunCut({"text:0", "p:0"}, {"merge:0"}));
  auto session = open(writer.graph);
  auto request = [&](bool taken) {
    return session->run(
        {{"text:0", texts({"a"})}, {"p:0", Tensor::scalar(taken)}},
        {"merge:0"});
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(request(false).status(), okStatus());
    EXPECT_THAT(
        request(true).status(),
        AllOf(failsAt("fails"), fails(StatusCode::InvalidArgument,
                                      HasSubstr("Invalid pattern: ("))));
  }
}

// A table that words are looked up in before an embedding: one run, as of ops
// without effects, and so is the run that gives it its entries.
TEST_P(HostBodies, ATableIsLookedAtInOneRunWithLayers) {
  const DType i64 = DType::Int64;
  writer.add("table", "HashTableV2", {},
             {{"key_dtype", text}, {"value_dtype", i64}});
  writer.constant("words", texts({"a", "b"}));
  writer.constant("numbers", tensorOf<int64_t>({2}, {2, 1}));
  writer.add("fill", "InitializeTableV2", {"table", "words", "numbers"},
             {{"Tkey", text}, {"Tval", i64}});
  writer.constant("other", Tensor::scalar<int64_t>(0));
  writer.add("found", "LookupTableFindV2", {"table", "text", "other"},
             {{"Tin", text}, {"Tout", i64}});
  writer.variable("w", tensorOf<float>({3, 2}, {0, 1, 2, 3, 4, 5}));
  writer.constant("axis", Tensor::scalar<int32_t>(0));
  writer.add("rows", "GatherV2", {"w/read", "found", "axis"},
             {{"Tparams", f32}, {"Tindices", i64}, {"Taxis", DType::Int32}});
  writer.binary("squares", "Mul", "rows", "rows", f32);
  writer.add("size", "LookupTableSizeV2", {"table"}, {});
  writer.add("init", "NoOp", {"^w/Assign"});
  const std::vector<std::string> fetches = {"squares:0", "size:0"};
  EXPECT_FALSE(isRunCut({"text:0"}, fetches));
  auto session = open(writer.graph);
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
  auto request = [&] {
    return session->run({{"text:0", texts({"b", "z", "a"})}},
                        {"squares:0", "size:0"});
  };
  EXPECT_THAT(
      request().status(),
      AllOf(failsAt("found"), fails(StatusCode::FailedPrecondition,
                                    HasSubstr("Table not initialized."))));
  ASSERT_THAT(session->run({}, {}, {"fill"}), isOk());
  for (int i = 0; i < 3; ++i) {
    auto got = request();
    ASSERT_THAT(got, isOk());
    EXPECT_THAT(valuesOf<float>(got->at(0)), ElementsAre(4, 9, 0, 1, 16, 25));
    EXPECT_THAT(valuesOf<int64_t>(got->at(1)), ElementsAre(2));
  }
}

// An effect comes in its order, once, and only where it is reached.
TEST_P(HostBodies, ATableIsChangedInOrder) {
  const DType i64 = DType::Int64;
  writer.add("table", "MutableHashTableV2", {},
             {{"key_dtype", i64}, {"value_dtype", i64}});
  writer.placeholder("key", i64, {-1});
  writer.placeholder("p", DType::Bool, {});
  writer.constant("none", Tensor::scalar<int64_t>(-1));
  const AttrMap types = {{"Tin", i64}, {"Tout", i64}};
  writer.add("before", "LookupTableFindV2", {"table", "key", "none"}, types);
  writer.binary("next", "Add", "before", "key", i64);
  writer.add("insert", "LookupTableInsertV2",
             {"table", "key", "next", "^before"}, types);
  writer.add("after", "LookupTableFindV2", {"table", "key", "none", "^insert"},
             types);
  writer.add("switch", "Switch", {"key", "p"}, {{"T", i64}});
  writer.add("in_branch", "LookupTableFindV2", {"table", "switch:1", "none"},
             types);
  writer.add("merge", "Merge", {"switch:0", "in_branch"},
             {{"T", i64}, {"N", int64_t(2)}});
  EXPECT_FALSE(isRunCut({"key:0"}, {"before:0", "after:0"}));
  EXPECT_FALSE(isRunCut({"key:0", "p:0"}, {"merge:0"}));
  auto session = open(writer.graph);
  const Tensor key = tensorOf<int64_t>({2}, {3, 4});
  for (int64_t i = 0; i < 4; ++i) {
    auto got = session->run({{"key:0", key}}, {"before:0", "after:0"});
    ASSERT_THAT(got, isOk());
    EXPECT_THAT(valuesOf<int64_t>(got->at(0)),
                ElementsAre(3 * i - 1, 4 * i - 1));
    EXPECT_THAT(valuesOf<int64_t>(got->at(1)),
                ElementsAre(3 * i + 2, 4 * i + 3));
  }
  for (bool isTaken : {true, false}) {
    auto got = session->run({{"key:0", key}, {"p:0", Tensor::scalar(isTaken)}},
                            {"merge:0"});
    ASSERT_THAT(got, isOk());
    EXPECT_EQ(valuesOf<int64_t>(got->at(0))[0], isTaken ? 11 : 3);
  }
}

// The rank of what is parsed is said by the message alone.
TEST_P(HostBodies, WhatHasAnyRankCutsARun) {
  scalar("message", "");
  writer.add("parsed", "ParseTensor", {"message"}, {{"out_type", f32}});
  EXPECT_TRUE(isRunCut({}, {"parsed:0"}));
}

INSTANTIATE_TEST_SUITE_P(Modes, HostBodies,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

} // namespace
} // namespace kiln
