// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of kiln-run.
#ifndef KILN_TOOLS_RUN_OPTIONS_H
#define KILN_TOOLS_RUN_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::run {

struct Options {
  std::string graph;
  std::vector<std::string> feeds;    ///< "name=file.npy"
  std::vector<std::string> feedSets; ///< files of constants, for `compare`
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
  /// The operation that initializes the variables; empty: found by itself.
  std::optional<std::string> init;
  int64_t steps = 1;
  std::string out;
  std::string dumpIr;
  std::string stopAfter;
  int threads = 0;
  std::string cpu;   ///< empty: this one
  std::string cache; ///< for compiled code; empty: the user's; "off": none
  bool evaluator = false;
  bool tiering = true;
  bool foldScales = true;
  bool softPlacement = false;
  bool compare = false;
  bool check = false;
  bool printStats = false;
  std::string trace; ///< a file for a Chrome trace
  bool cost = false;
  double peakGflops = 0, peakGbs = 0; ///< of the machine; 0: not known
  bool perfMap = false;
  bool gdb = false;

  /// True when only the graph was given: list what is in it.
  bool asksForListing() const {
    return feeds.empty() && fetches.empty() && targets.empty() && !init &&
           stopAfter.empty() && dumpIr.empty();
  }
};

/// Parses the command line. Returns nothing where the program ends here, with
/// `exitCode`: after --help or a mistake, which is printed.
std::optional<Options> parseOptions(int argc, char **argv, int &exitCode);

} // namespace kiln::run

#endif // KILN_TOOLS_RUN_OPTIONS_H
