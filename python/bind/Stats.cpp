// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RunStats, SessionStats, and the reports on runs.
#include "python/bind/Stats.h"

#include "kiln/Inspect.h"
#include "kiln/RunStats.h"
#include "python/bind/Errors.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace kiln::python {

namespace nb = nanobind;

static void bindRunStats(nb::module_ &module) {
  nb::class_<RegionStats>(module, "RegionStats",
                          "A fused region of a run: a kernel, or a call of the "
                          "runtime.")
      .def_ro("name", &RegionStats::name, "Its nodes, as far as they fit.")
      .def_ro("nodes", &RegionStats::nodes)
      .def_ro("start_ns", &RegionStats::startNs)
      .def_ro("ns", &RegionStats::ns)
      .def_ro("flops", &RegionStats::flops)
      .def_ro("bytes_read", &RegionStats::bytesRead)
      .def_ro("bytes_written", &RegionStats::bytesWritten);

  nb::class_<RunStats>(
      module, "RunStats",
      "Figures of one run, filled in by Session.run(..., stats=RunStats()).\n\n"
      "Times are nanoseconds; what was not done is 0.")
      .def(nb::init<>())
      .def_ro("cache_hit", &RunStats::cacheHit)
      .def_ro("from_disk", &RunStats::fromDisk,
              "The code came from the disk cache.")
      .def_prop_ro(
          "executor",
          [](const RunStats &stats) {
            return stats.executor == Executor::Native ? "native" : "evaluator";
          },
          "\"native\" or \"evaluator\": which of Kiln's two ways ran the code.")
      .def_ro("degraded", &RunStats::degraded,
              "Why the code is not what it should be; empty where it is.")
      .def_ro("prune_ns", &RunStats::pruneNs)
      .def_ro("import_ns", &RunStats::importNs)
      .def_ro("passes_ns", &RunStats::passesNs)
      .def_ro("llvm_ns", &RunStats::llvmNs)
      .def_ro("disk_ns", &RunStats::diskNs)
      .def_ro("link_ns", &RunStats::linkNs)
      .def_ro("compile_ns", &RunStats::compileNs,
              "All of these, and what lies between them.")
      .def_ro("run_ns", &RunStats::runNs,
              "From the bound signature to the finished results.")
      .def_ro("wait_ns", &RunStats::waitNs,
              "Of these, asleep in ops that wait (queues).")
      .def_ro("start_ns", &RunStats::startNs)
      .def_ro("run_start_ns", &RunStats::runStartNs)
      .def_ro("lock_start_ns", &RunStats::lockStartNs)
      .def_ro("lock_ns", &RunStats::lockNs, "Waiting for variables.")
      .def_ro("thread", &RunStats::thread)
      .def_ro("regions", &RunStats::regions,
              "In the order of the run, of a run or session with regions=True.")
      .def_ro("stage_ns", &RunStats::stageNs,
              "The compiler's stages with their times, in order.")
      .def_ro("ops_native", &RunStats::opsNative)
      .def_ro("ops_quick", &RunStats::opsQuick)
      .def_ro("ops_runtime", &RunStats::opsRuntime)
      .def_ro("ops_foreign", &RunStats::opsForeign,
              "Of these, run by TensorFlow's own kernels (kiln.tensorflow).")
      .def_ro("ops_evaluator", &RunStats::opsEvaluator)
      .def_ro("ops_folded", &RunStats::opsFolded)
      .def_ro("arena_bytes", &RunStats::arenaBytes)
      .def_ro("code_bytes", &RunStats::codeBytes)
      .def_ro("cache_bytes", &RunStats::cacheBytes)
      .def_ro("compilations", &RunStats::compilations,
              "Of the session so far.");
}

static void bindSessionStats(nb::module_ &module) {
  nb::class_<SessionStats>(module, "SessionStats", "Figures of a session.")
      .def_ro("compilations", &SessionStats::compilations)
      .def_ro("native_compilations", &SessionStats::nativeCompilations)
      .def_ro("cache_entries", &SessionStats::cacheEntries)
      .def_ro("cache_bytes", &SessionStats::cacheBytes)
      .def_ro("code_bytes", &SessionStats::codeBytes)
      .def_ro("arena_bytes", &SessionStats::arenaBytes)
      .def_ro("variable_bytes", &SessionStats::variableBytes)
      .def_ro("evictions", &SessionStats::evictions)
      .def_ro("disk_hits", &SessionStats::diskHits)
      .def_ro("disk_misses", &SessionStats::diskMisses)
      .def_ro("disk_stores", &SessionStats::diskStores)
      .def_ro("disk_failed_stores", &SessionStats::diskFailedStores);
}

void bindStats(nb::module_ &module) {
  bindRunStats(module);
  bindSessionStats(module);
  module.def(
      "cost_report",
      [](const std::vector<RunStats> &runs, double flops, double bytes) {
        return costReport(runs,
                          {.flopsPerSecond = flops, .bytesPerSecond = bytes});
      },
      nb::arg("runs"), nb::kw_only(), nb::arg("flops_per_second") = 0.0,
      nb::arg("bytes_per_second") = 0.0,
      "Returns a table, one line a fused region: operations, bytes, time, "
      "rates, and\nhow much of the machine's limits was reached, where they "
      "are given.\n\nThe runs are RunStats of runs with regions=True.");
  module.def(
      "chrome_trace",
      [](const std::vector<RunStats> &runs) { return chromeTrace(runs); },
      nb::arg("runs"),
      "Returns runs as JSON for chrome://tracing and ui.perfetto.dev.");
  module.def(
      "save_chrome_trace",
      [](const std::vector<RunStats> &runs, const std::filesystem::path &path) {
        check(saveChromeTrace(runs, path.string()));
      },
      nb::arg("runs"), nb::arg("path"), "chrome_trace() to a file.");
}

} // namespace kiln::python
