// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random TensorFlow graphs of all ops, as native code and by the evaluator;
// that the generator makes every op; and that it makes a graph with a fault
// small.
//
// KILN_FUZZ_GRAPHS is how many graphs (300), KILN_FUZZ_SEED the seed of the
// first; kiln-fuzz-graphs runs any number, and saves what differs.
#include "kiln/GraphDef.h"
#include "lib/Support/Strings.h"
#include "test/fuzz/graphs/Maker.h"
#include "test/fuzz/graphs/Recipes.h"
#include "test/fuzz/graphs/Reduce.h"
#include "test/unit/Sanitizers.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>

namespace kiln::fuzz {
namespace {

int numberFrom(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

/// The folder for what fails.
std::string folderFor(unsigned seed) {
  return strCat(::testing::TempDir(), "kiln-fuzz/seed", int64_t(seed));
}

/// The graphs are tested in as many parts, each a test of its own.
constexpr int parts = 3;

/// The number of a part.
class GraphFuzzPart : public ::testing::TestWithParam<int> {};

TEST_P(GraphFuzzPart, NativeCodeGivesTheBitsOfTheEvaluator) {
  const int count =
      numberFrom("KILN_FUZZ_GRAPHS", KILN_SANITIZED ? 24 : 300) / parts;
  const auto first =
      static_cast<unsigned>(numberFrom("KILN_FUZZ_SEED", 1)) +
      static_cast<unsigned>(GetParam()) * static_cast<unsigned>(count);
  std::printf("seeds %u to %u\n", first, first + unsigned(count) - 1);
  int agreed = 0;
  for (unsigned seed = first; seed < first + unsigned(count); ++seed) {
    Program program = Maker(seed, {.subject = subjectOf(seed)}).make();
    Outcome outcome = compareProgram(program);
    agreed += !outcome.isFault() && outcome.status.ok();
    if (!outcome.isFault())
      continue;
    Program small = reduceProgram(program);
    auto command = saveProgram(small, folderFor(seed));
    ADD_FAILURE() << "seed " << seed << ": " << outcome.toString() << "\n"
                  << small.numNodes() << " nodes: " << *command;
  }
  // A graph that fails alike shows nothing but its error.
  EXPECT_GE(agreed, count * 4 / 5);
}

INSTANTIATE_TEST_SUITE_P(Parts, GraphFuzzPart, ::testing::Range(0, parts));

/// How many graphs an op has to be in one, or to run in one.
constexpr unsigned trials = 8;

bool isMade(const std::string &op) {
  for (unsigned seed = 0; seed < trials; ++seed) {
    Maker maker(seed, {.ops = 0, .subject = op});
    maker.make();
    if (maker.made.count(op))
      return true;
  }
  return false;
}

TEST(GraphFuzz, EveryOpIsMadeOrLeftOutForAReason) {
  std::set<std::string, std::less<>> missing;
  auto isLeftOut = [](const OpDef *def) {
    return std::ranges::any_of(leftOutFamilies(), [&](const LeftOut &family) {
      return family.name == def->family;
    });
  };
  for (const OpDef *def : allOps())
    if (!isLeftOut(def))
      missing.insert(def->name);
  for (const LeftOut &op : leftOutOps()) {
    EXPECT_EQ(missing.erase(std::string(op.name)), 1u)
        << op.name << " is no op, or left out twice";
    EXPECT_EQ(findRecipe(op.name), nullptr) << op.name << " has a recipe";
  }
  for (const std::string &name : missing)
    if (!isMade(name))
      ADD_FAILURE() << name
                    << " is in no graph: give it a recipe in "
                       "test/fuzz/graphs, or a line in LeftOut.def";
}

// An op without an implementation fails alike in both ways, which is no fault
// of a graph: here it is one, unless some other dtype or shape is implemented.
TEST(GraphFuzz, EveryOpThatIsMadeIsImplemented) {
  const OpenProgram open = opener(ExecutionMode::EvaluatorOnly);
  for (const OpDef *def : allOps()) {
    Status unimplemented = okStatus();
    for (unsigned seed = 0; seed < trials; ++seed) {
      Maker maker(seed, {.ops = 0, .subject = def->name, .style = Style()});
      const Program program = maker.make();
      if (!maker.made.count(def->name))
        continue;
      const Outcome outcome = compareProgram(program, open, open);
      unimplemented = outcome.status.code() == StatusCode::Unimplemented
                          ? outcome.status
                          : okStatus();
      if (unimplemented.ok())
        break;
    }
    EXPECT_TRUE(unimplemented.ok())
        << def->name << ": " << unimplemented.toString();
  }
}

// What nodes do not fit is what branches and loops keep from running.
TEST(GraphFuzz, StylesMakeWhatTheySay) {
  int misfits = 0, idle = 0, hostile = 0, bad = 0, asks = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Style style{true, true, true, true, true};
    Program program = Maker(seed, {.ops = 2, .style = style}).make();
    misfits += program.misfits;
    idle += !program.idle.empty();
    hostile += program.isHostile && program.feeds.size() == numSets + 1;
    asks += !program.asks.empty();
    for (const proto::NodeDef &node : program.graph.node())
      bad += node.name().starts_with("bad_");
    Program plain = Maker(seed, {.ops = 2, .style = Style()}).make();
    EXPECT_EQ(plain.feeds.size(), numSets);
    EXPECT_FALSE(plain.isHostile);
  }
  EXPECT_GE(misfits, 20);
  EXPECT_GE(idle, 20);
  EXPECT_GE(hostile, 20); // not where a run may wait
  EXPECT_GE(bad, 40);
  EXPECT_GE(asks, 30);
}

TEST(GraphFuzz, ANodeThatDoesNotRunMustNotFail) {
  Program program;
  program.feeds.resize(3);
  program.idle["Slice_1"] = {true, false};
  auto fails = [](const char *node) {
    return invalidArgumentError("does not fit").withNode(node);
  };
  EXPECT_TRUE(program.mayFail(1, fails("Slice_1")));
  EXPECT_FALSE(program.mayFail(2, fails("Slice_1")));
  EXPECT_FALSE(program.mayFail(2, fails("If_3/Slice_1")));
  EXPECT_TRUE(program.mayFail(2, fails("Slice_2")));
  // It is not known what runs with the feeds that the program does not expect.
  EXPECT_TRUE(program.mayFail(3, fails("Slice_1")));
  EXPECT_FALSE(program.mayFail(3, fails("bad_4")));
}

TEST(GraphFuzz, AProcessOfItsOwnSaysTheSame) {
  if (KILN_SANITIZED)
    GTEST_SKIP() << "the sanitizers' run-times take forks for races";
  Program program = Maker(3, {.ops = 1, .style = Style()}).make();
  Outcome here = compareProgram(program), there = compareIsolated(program);
  EXPECT_EQ(here.toString(), there.toString());
  EXPECT_EQ(here.isFault(), there.isFault());
}

TEST(GraphFuzz, ASeedGivesTheSameProgram) {
  for (unsigned seed : {3u, 4u}) {
    Program first = Maker(seed, {}).make(), second = Maker(seed, {}).make();
    auto graph = loadGraphDef(first.graph.SerializeAsString()),
         other = loadGraphDef(second.graph.SerializeAsString());
    ASSERT_TRUE(graph.ok() && other.ok());
    EXPECT_TRUE((*graph)->isIdenticalTo(**other));
    EXPECT_EQ(first.fetches, second.fetches);
  }
}

/// Opens a session on a graph in which one op is another one: a fault.
OpenProgram withFault(const std::string &op, const std::string &instead) {
  return
      [=](std::shared_ptr<Graph> graph) -> StatusOr<std::unique_ptr<Session>> {
        proto::GraphDef message;
        message.ParseFromString(*toGraphDef(*graph));
        auto spoil = [&](proto::NodeDef &node) {
          if (node.op() == op)
            node.set_op(instead);
        };
        for (proto::NodeDef &node : *message.mutable_node())
          spoil(node);
        for (auto &function : *message.mutable_library()->mutable_function())
          for (proto::NodeDef &node : *function.mutable_node_def())
            spoil(node);
        auto spoilt = loadGraphDef(message.SerializeAsString());
        if (!spoilt.ok())
          return spoilt.status();
        return opener(ExecutionMode::EvaluatorOnly)(*spoilt);
      };
}

TEST(GraphFuzz, AGraphWithAFaultBecomesSmall) {
  OpenProgram right = opener(ExecutionMode::EvaluatorOnly),
              wrong = withFault("Tanh", "Sinh");
  IsFaulty isFaulty = [&](const Program &program) {
    return compareProgram(program, right, wrong).difference.has_value();
  };
  int found = 0;
  for (unsigned seed = 1; seed < 400 && found < 4; ++seed) {
    Program program =
        Maker(seed, {.ops = 14, .subject = "Tanh", .mayFail = false}).make();
    if (!isFaulty(program))
      continue;
    ++found;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program small = reduceProgram(program, isFaulty);
    EXPECT_TRUE(isFaulty(small));
    EXPECT_LE(small.numNodes(), 10);
    EXPECT_EQ(small.fetches.size(), 1u);
  }
  EXPECT_EQ(found, 4);
}

} // namespace
} // namespace kiln::fuzz
