// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chrome's trace event format: a JSON array of complete events ("ph": "X") with
// times in microseconds.
#include "kiln/Inspect.h"
#include "lib/Support/File.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstdio>

namespace kiln {
namespace {

/// A JSON string. Node names are bytes of a file: what is not ASCII is escaped
/// byte by byte, so that the text is valid whatever they are.
std::string jsonString(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      result += escaped;
    } else {
      result += c;
    }
  }
  return result + '"';
}

class TraceWriter {
public:
  explicit TraceWriter(std::span<const RunStats> runs) {
    for (const RunStats &run : runs)
      if (run.startNs != 0 && (origin == 0 || run.startNs < origin))
        origin = run.startNs;
    for (size_t i = 0; i < runs.size(); ++i)
      addRun(runs[i], i);
  }

  std::string finish() {
    return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [" + events +
           "\n]}\n";
  }

private:
  void addRun(const RunStats &run, size_t number) {
    if (run.startNs == 0)
      return;
    int64_t end = run.runStartNs + run.runNs;
    event("run " + std::to_string(number), "run", run.startNs,
          end - run.startNs, run.thread,
          strCat("\"executor\": \"",
                 run.executor == Executor::Native ? "native" : "evaluator",
                 "\", \"cacheHit\": ", run.cacheHit ? "true" : "false",
                 ", \"arenaBytes\": ", run.arenaBytes));
    addCompilation(run);
    event("execute", "run", run.runStartNs, run.runNs, run.thread, "");
    if (run.lockNs > 0)
      event("wait for variables", "lock", run.lockStartNs, run.lockNs,
            run.thread, "");
    for (const RegionStats &region : run.regions) {
      std::string nodes;
      for (const std::string &node : region.nodes)
        nodes += (nodes.empty() ? "" : ", ") + jsonString(node);
      event(region.name, "region", region.startNs, region.ns, run.thread,
            strCat("\"nodes\": [", nodes, "], \"flops\": ", region.flops,
                   ", \"bytesRead\": ", region.bytesRead,
                   ", \"bytesWritten\": ", region.bytesWritten));
    }
  }

  /// Only durations are recorded: parts follow each other without gaps.
  void addCompilation(const RunStats &run) {
    if (run.cacheHit || run.compileNs == 0)
      return;
    event("compile", "compile", run.startNs, run.compileNs, run.thread, "");
    int64_t at = run.startNs;
    auto part = [&](std::string_view name, int64_t ns) {
      if (ns > 0)
        event(name, "compile", at, ns, run.thread, "");
      at += ns;
    };
    part("prune", run.pruneNs);
    part("disk cache", run.diskNs);
    part("import", run.importNs);
    for (const auto &[stage, ns] : run.stageNs)
      part(stage, ns);
    part("LLVM", run.llvmNs);
    part("link", run.linkNs);
  }

  void event(std::string_view name, std::string_view category, int64_t startNs,
             int64_t ns, int64_t thread, const std::string &arguments) {
    char times[96];
    std::snprintf(times, sizeof times, "\"ts\": %.3f, \"dur\": %.3f",
                  static_cast<double>(startNs - origin) * 1e-3,
                  static_cast<double>(ns) * 1e-3);
    events += strCat(
        events.empty() ? "" : ",", "\n{\"name\": ", jsonString(name),
        ", \"cat\": \"", category, "\", \"ph\": \"X\", ", times,
        ", \"pid\": 1, \"tid\": ", thread, ", \"args\": {", arguments, "}}");
  }

  int64_t origin = 0;
  std::string events;
};

} // namespace

std::string chromeTrace(std::span<const RunStats> runs) {
  return TraceWriter(runs).finish();
}

Status saveChromeTrace(std::span<const RunStats> runs,
                       const std::string &path) {
  return writeFileAtomically(path, chromeTrace(runs));
}

} // namespace kiln
