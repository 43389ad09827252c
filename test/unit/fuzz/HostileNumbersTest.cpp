// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op that takes numbers which are no data (axes, begins, sizes, lengths,
// paddings, splits, indices of any kind), each of them in its turn, or all at
// once, one that no program means, on feeds between pages that no code may
// touch: no fault, and the same from native code and from the evaluator.
#include "lib/Support/DTypeDispatch.h"
#include "test/fuzz/graphs/Guarded.h"
#include "test/fuzz/graphs/Maker.h"
#include "test/fuzz/graphs/Recipes.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>

namespace kiln::fuzz {
namespace {

/// Whether the type of an input is an index's: fixed, or one of a few integers.
bool takesNumbers(const OpDef &def, const ArgDef &arg) {
  if (arg.isRef)
    return false;
  if (arg.typeAttr.empty())
    return arg.dtype == DType::Int32 || arg.dtype == DType::Int64;
  const AttrDef *attr = def.findAttr(arg.typeAttr);
  return attr && !attr->allowedTypes.empty() &&
         attr->allowedTypes.size() <= 4 &&
         std::ranges::all_of(attr->allowedTypes, isInteger);
}

/// Ops that such a number lets wait, or run for ever, as it says.
bool waits(const OpDef &def) {
  return def.family == "Queue" || def.name == "For";
}

/// Ops of sparse tensors whose errors TensorFlow calls internal ones.
bool saysInternal(const OpDef &def) {
  return def.name == "EditDistance" || def.name == "SparseReduceMax" ||
         def.name == "SparseReduceSum" || def.name == "SparseSliceGrad";
}

/// Ops that write as many elements as a number says, which is what they are
/// asked for: they do not get numbers that some memory holds.
bool writesSoMany(const OpDef &def, int64_t number) {
  static const std::set<std::string_view> names = {
      "RaggedBincount",      "RaggedFillEmptyRows",
      "RaggedRange",         "RaggedTensorToTensor",
      "SparseBincount",      "SparseFillEmptyRows",
      "SparseReduceMax",     "SparseReduceSum",
      "EditDistance",        "SetSize",
      "UnsortedSegmentJoin", "AddManySparseToTensorsMap"};
  return names.contains(def.name) && number > (int64_t(1) << 20) &&
         number < (int64_t(1) << 40);
}

/// The placeholder behind an input of the node; empty where it is none.
std::string feedOf(const Program &program, const proto::NodeDef &node, int i) {
  if (i >= node.input_size() || node.input(i).starts_with('^'))
    return "";
  std::string name = node.input(i).substr(0, node.input(i).find(':'));
  return program.feeds[0].contains(name) ? name : "";
}

constexpr int64_t allElements = -1;

/// Sets one element, or all; a number that the type does not hold is cut.
Tensor spoilt(const Tensor &tensor, int64_t element, int64_t number) {
  Tensor copy = *tensor.clone();
  dispatchInteger(copy.dtype(), [&]<class T>(T) {
    std::span<T> all = copy.mutableData<T>();
    std::ranges::fill(element == allElements ? all
                                             : all.subspan(size_t(element), 1),
                      static_cast<T>(number));
    return 0;
  });
  return copy;
}

constexpr int64_t hostileNumbers[] = {-1,
                                      7,
                                      std::numeric_limits<int32_t>::min(),
                                      std::numeric_limits<int32_t>::max(),
                                      (int64_t(1) << 32) + 1,
                                      std::numeric_limits<int64_t>::min(),
                                      std::numeric_limits<int64_t>::max()};

/// Runs the program with each number in the place of an element of the feed.
void spoilFeed(const Program &program, const OpDef &def,
               const std::string &feed, Random &random) {
  const Tensor &first = program.feeds[0].at(feed);
  if (!isInteger(first.dtype()) || first.numElements() == 0)
    return;
  for (int64_t number : hostileNumbers) {
    if (dtypeSize(first.dtype()) < 8 && number != static_cast<int32_t>(number))
      continue;
    if (writesSoMany(def, number))
      continue;
    std::vector<int64_t> places = {random.between(0, first.numElements() - 1)};
    if (first.numElements() > 1)
      places.push_back(allElements);
    for (int64_t at : places) {
      Program bad = program;
      bad.runs = 1;
      bad.feeds.resize(1);
      bad.feeds[0].at(feed) = spoilt(first, at, number);
      const Side side = random.among({Side::Before, Side::Behind});
      for (auto &[name, value] : bad.feeds[0])
        value = guardedCopy(value, side);
      Outcome outcome = compareProgram(bad);
      EXPECT_FALSE(saysInternal(def) ? outcome.difference.has_value()
                                     : outcome.isFault())
          << feed << "[" << at << "] = " << number << ": "
          << outcome.toString();
      EXPECT_NE(outcome.status.code(), StatusCode::DeadlineExceeded)
          << feed << "[" << at << "] = " << number;
    }
  }
}

TEST(HostileNumbers, NeverFault) {
  int numOps = 0;
  for (const OpDef *def : allOps()) {
    if (!findRecipe(def->name) || waits(*def))
      continue;
    Program program = Maker(1, {.ops = 0,
                                .subject = def->name,
                                .mayFail = false,
                                .feedsAll = true})
                          .make();
    SCOPED_TRACE(def->name);
    Random random(1);
    auto node =
        std::ranges::find(program.graph.node(), def->name, &proto::NodeDef::op);
    if (node == program.graph.node().end())
      continue;
    bool isTried = false;
    for (size_t i = 0; i < def->inputs.size(); ++i)
      if (takesNumbers(*def, def->inputs[i]))
        if (std::string feed = feedOf(program, *node, int(i)); !feed.empty()) {
          isTried = true;
          spoilFeed(program, *def, feed, random);
        }
    numOps += isTried;
  }
  EXPECT_GT(numOps, 150);
}

} // namespace
} // namespace kiln::fuzz
