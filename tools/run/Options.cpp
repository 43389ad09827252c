// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options, with the help that a newcomer reads first.
#include "tools/run/Options.h"

#include "kiln/Session.h"
#include "kiln/Version.h"

#include <CLI/CLI.hpp>
#include <limits>

namespace kiln::run {
namespace {

constexpr const char *description =
    "Runs a TensorFlow 1 graph as native code.\n"
    "Given a graph alone, lists what it can be fed with and asked for.\n"
    "Exit code: 0, 1 after an error, 2 where --check finds something.\n";

constexpr const char *examples =
    "\nExamples:\n"
    "  kiln-run graph.pb\n"
    "      what is in the graph: placeholders, variables, likely fetches\n"
    "  kiln-run graph.pb --feed x=x.npy --fetch y\n"
    "      the value of y for an array that numpy.save() wrote\n"
    "  kiln-run graph.pb --init --feed X=X.npy --feed y=y.npy \\\n"
    "      --target train_op --fetch loss --steps 1000 --print-stats\n"
    "      initialize the variables, then 1000 training steps; shows the last\n"
    "      step's loss and what it all cost\n"
    "  kiln-run graph.pb --check\n"
    "      whether Kiln has all that the graph needs\n"
    "  kiln-run graph.pb --target train_op --stop-after fuse\n"
    "      the compiler's code for train_op after the stage \"fuse\"; no data\n"
    "      is needed\n";

/// Less than the largest integer, which is what the parser makes of any larger
/// number.
constexpr int64_t maxSteps = 1'000'000'000'000;

/// The stages on lines that fit beside the options.
std::string stageList() {
  std::string list, line;
  for (std::string_view stage : Session::compileStages()) {
    if (line.size() + stage.size() > 38) {
      list += line + ",\n";
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + std::string(stage);
  }
  return list + line;
}

/// Gives an option that may come again and takes one argument each time, so
/// that it does not swallow the graph's name.
void addList(CLI::App &app, const std::string &flag,
             std::vector<std::string> &values, const std::string &help,
             const std::string &typeName) {
  app.add_option(flag, values, help)
      ->type_name(typeName)
      ->type_size(1)
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

/// What runs, with which values, and where the results go.
void addRunOptions(CLI::App &app, Options &options, std::string &init) {
  addList(app, "--feed", options.feeds,
          "Give a tensor the value in a .npy file; may come\n"
          "again. Numbers take the tensor's type, as in\n"
          "TensorFlow: float64 becomes float32",
          "NAME=FILE");
  addList(app, "--fetch", options.fetches,
          "Compute a tensor and show it; may come again", "NAME");
  addList(app, "--target", options.targets,
          "Run an operation for its effect; may come again", "NAME");
  // A flag, so that "--init graph.pb" does not take the graph for its value.
  app.add_flag("--init", init,
               "Initialize the variables first: by the operation\n"
               "\"init\", or by each variable's own initializer;\n"
               "--init=NAME runs another operation");
  app.add_option("--steps", options.steps,
                 "Run so many times; the last results count")
      ->check(CLI::Range(int64_t{1}, maxSteps).description(""))
      ->type_name("N");
  app.add_option("--out", options.out, "Write the fetched tensors there (.npy)")
      ->type_name("DIR");
}

/// What is said of the runs.
void addReportOptions(CLI::App &app, Options &options) {
  app.add_flag("--print-stats", options.printStats,
               "Say what compiling and running cost");
  app.add_option("--trace", options.trace,
                 "Write the runs there, by fused region, for\n"
                 "chrome://tracing and ui.perfetto.dev")
      ->type_name("FILE");
  app.add_flag("--cost", options.cost,
               "Show operations, bytes and times by fused region");
  auto limit = CLI::Range(0.0, 1e15).description("");
  app.add_option("--peak-gflops", options.peakGflops,
                 "With --cost: the machine's limit, as measured by\n"
                 "kiln-bench-limit, in 1e9 operations a second")
      ->check(limit)
      ->type_name("X");
  app.add_option("--peak-gbs", options.peakGbs,
                 "With --cost: the memory's, in 1e9 bytes a second")
      ->check(limit)
      ->type_name("X");
}

/// What code is made, and what is shown of it.
void addCodeOptions(CLI::App &app, Options &options) {
  app.add_flag("--perf-map", options.perfMap,
               "Name the code for perf, in /tmp/perf-PID.map");
  app.add_flag("--gdb", options.gdb, "Name the code for gdb");
  app.add_option("--dump-ir", options.dumpIr,
                 "Write the code after every stage there, numbered\n"
                 "in order, the LLVM IR and the assembly last")
      ->type_name("DIR");
  app.add_option("--stop-after", options.stopAfter,
                 "Print the code after a stage and do not run; the\n"
                 "stages: " +
                     stageList())
      ->type_name("STAGE");
  app.add_option("--threads", options.threads,
                 "Threads that one loop may use; 0, the default: all")
      ->check(CLI::Range(0, std::numeric_limits<int>::max()).description(""))
      ->type_name("N");
  app.add_option("--cpu", options.cpu,
                 "Make code for another processor, which this one\n"
                 "must be able to run: x86-64-v3 (AVX2), x86-64-v4 ...")
      ->type_name("NAME");
  app.add_flag("!--no-fold-scales", options.foldScales,
               "Do not multiply a normalization's factors into the\n"
               "constant weights before it, nor average behind a\n"
               "pointwise convolution: both change last bits");
  app.add_flag("--soft-placement", options.softPlacement,
               "Run a node whose device is not there all the same");
  app.add_option("--cache", options.cache,
                 "Keep compiled code in a folder of your own, and\n"
                 "find it there the next time; \"off\": nowhere. By\n"
                 "default KILN_CACHE from the environment, or\n"
                 "~/.cache/kiln")
      ->type_name("DIR");
}

/// Other ways than native code. Behind all options that they exclude.
void addWayOptions(CLI::App &app, Options &options) {
  app.add_flag("--evaluator", options.evaluator,
               "Run in the evaluator, Kiln's reference, instead of\n"
               "native code");
  app.add_flag("!--no-tiering", options.tiering,
               "Make native code before the first run, however short\n"
               "it is in the evaluator");
  auto *compare =
      app.add_flag("--compare", options.compare,
                   "Run as native code and in the evaluator, and show the\n"
                   "first node whose value differs in any bit");
  for (const char *other :
       {"--evaluator", "--out", "--print-stats", "--trace", "--cost"})
    compare->excludes(app.get_option(other));
  addList(app, "--feeds", options.feedSets,
          "With --compare: give tensors the values of the\n"
          "constants in a GraphDef that have their names; may\n"
          "come again: steps take the files in turn",
          "FILE");
  app.get_option("--feeds")->needs(compare);
  app.add_flag("--check", options.check,
               "List the ops and dtypes of the whole graph that Kiln\n"
               "does not have, and run nothing");
}

} // namespace

std::optional<Options> parseOptions(int argc, char **argv, int &exitCode) {
  Options options;
  CLI::App app(description, "kiln-run");
  app.footer(examples);
  app.get_formatter()->column_width(28);

  app.add_option("GRAPH", options.graph,
                 "A GraphDef, binary or text (.pb, .pbtxt)")
      ->required()
      ->type_name("");
  std::string init;
  addRunOptions(app, options, init);
  addReportOptions(app, options);
  addCodeOptions(app, options);
  addWayOptions(app, options);
  app.set_version_flag(
      "--version", "kiln-run " KILN_VERSION_STRING ", LLVM " KILN_LLVM_VERSION,
      "Say which Kiln, and which LLVM, this is");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // Every mistake is exit code 1; CLI11 has numbers of its own.
    exitCode = app.exit(error) == 0 ? 0 : 1;
    return std::nullopt;
  }
  // A flag without a value reads "true".
  if (app.get_option("--init")->count() > 0)
    options.init = init == "true" ? "" : init;
  return options;
}

} // namespace kiln::run
