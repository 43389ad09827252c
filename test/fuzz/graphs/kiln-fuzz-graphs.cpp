// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random graphs as native code and by the evaluator, or into a folder for
// TensorFlow.
#include "lib/Support/Strings.h"
#include "test/fuzz/graphs/Maker.h"
#include "test/fuzz/graphs/Recipes.h"
#include "test/fuzz/graphs/Reduce.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

namespace kiln::fuzz {
namespace {

struct Options {
  unsigned seed = 1;
  int graphs = 500;
  int seconds = 0; ///< 0: as long as the graphs take
  int ops = 6;
  bool mayFail = true;
  bool reduces = true;
  std::string subject = {}; ///< empty: another one a seed
  std::string out = "fuzz-found";
  std::string write;
  std::string fault;               ///< part of a status that is one, too
  std::vector<std::string> styles; ///< empty: what the seed draws
};

/// What came of the graphs, by error.
struct Tally {
  int agreed = 0, refused = 0, differences = 0, ops = 0, misfits = 0;
  /// How many, and the seed of one.
  std::map<std::string, std::pair<int, unsigned>> errors;
};

bool isFault(const Options &options, const Outcome &outcome) {
  return outcome.isFault() ||
         (!options.fault.empty() &&
          outcome.toString().find(options.fault) != std::string::npos);
}

std::optional<Style> styleOf(const std::vector<std::string> &names) {
  if (names.empty())
    return std::nullopt;
  auto has = [&](const char *name) {
    return std::ranges::count(names, name) != 0;
  };
  return Style{.guards = has("guards"),
               .sizes = has("sizes"),
               .hostileFeeds = has("feeds"),
               .badNodes = has("bad"),
               .otherRequests = has("requests")};
}

void runOne(const Options &options, unsigned seed, Tally &tally) {
  MakerOptions made{.ops = options.ops,
                    .subject = options.subject.empty() ? subjectOf(seed)
                                                       : options.subject,
                    .mayFail = options.mayFail,
                    .style = styleOf(options.styles)};
  Program program = Maker(seed, made).make();
  tally.ops += program.numOps();
  tally.misfits += program.misfits;
  if (!options.write.empty()) {
    auto saved =
        saveProgram(program, strCat(options.write, "/", int64_t(seed)));
    if (!saved.ok())
      std::printf("seed %u: %s\n", seed, saved.status().toString().c_str());
    return;
  }
  Outcome outcome = compareIsolated(program);
  // The machine may have stood still.
  if (outcome.toString().find("DEADLINE_EXCEEDED") != std::string::npos)
    outcome = compareIsolated(program);
  if (!isFault(options, outcome)) {
    if (outcome.status.ok()) {
      ++tally.agreed;
      return;
    }
    ++tally.refused;
    auto &error = tally.errors[outcome.status.toString()];
    ++error.first;
    error.second = seed;
    return;
  }
  ++tally.differences;
  std::printf("seed %u (%s): %s\n", seed, made.subject.c_str(),
              outcome.toString().c_str());
  std::fflush(stdout);
  if (options.reduces)
    program = reduceProgram(program, [&](const Program &candidate) {
      return isFault(options, compareIsolated(candidate));
    });
  auto saved =
      saveProgram(program, strCat(options.out, "/seed", int64_t(seed)));
  std::printf("  %d nodes: %s\n", program.numNodes(),
              saved.ok() ? saved->c_str() : saved.status().toString().c_str());
  std::fflush(stdout);
}

int run(const Options &options) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(options.seconds);
  Tally tally;
  std::printf("seeds %u to %u\n", options.seed,
              options.seed + unsigned(options.graphs) - 1);
  std::fflush(stdout);
  int ran = 0;
  while (ran < options.graphs &&
         (options.seconds == 0 || std::chrono::steady_clock::now() < end)) {
    runOne(options, options.seed + unsigned(ran), tally);
    if (++ran % 500 == 0)
      std::fprintf(stderr, "%d graphs\n", ran);
  }
  for (const auto &[error, count] : tally.errors)
    std::printf("%5d  (seed %u) %s\n", count.first, count.second,
                error.c_str());
  std::printf("%d graphs of %d nodes (%d do not fit): %d agreed, %d failed "
              "alike, %d differ\n",
              ran, tally.ops, tally.misfits, tally.agreed, tally.refused,
              tally.differences);
  return tally.differences == 0 ? 0 : 1;
}

} // namespace
} // namespace kiln::fuzz

int main(int argc, char **argv) {
  kiln::fuzz::Options options;
  CLI::App app("Runs random TensorFlow graphs as native code and by the "
               "evaluator: all bits must be the same. A graph that differs is "
               "reduced and saved.",
               "kiln-fuzz-graphs");
  app.add_option("--seed", options.seed, "The first graph's");
  app.add_option("--graphs", options.graphs, "How many");
  app.add_option("--seconds", options.seconds,
                 "End after so many seconds, however many graphs are left")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--style", options.styles,
                 "What graphs are about, and nothing else")
      ->delimiter(',')
      ->check(CLI::IsMember(
          {"guards", "sizes", "feeds", "bad", "requests", "plain"}));
  app.add_option("--ops", options.ops, "Random ops a graph");
  app.add_option("--op", options.subject, "An op that each graph has");
  app.add_flag("!--no-errors", options.mayFail,
               "Give no op what it refuses in the run");
  app.add_flag("!--no-reduce", options.reduces, "Save what differs as it is");
  app.add_option("--out", options.out, "A folder for what differs");
  app.add_option("--fault", options.fault,
                 "Take statuses with these words for faults, too");
  app.add_option("--write", options.write,
                 "Run nothing: write every graph there");
  CLI11_PARSE(app, argc, argv);
  return kiln::fuzz::run(options);
}
