// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a session is made with: what runs the code, limits, inspection.
#ifndef KILN_SESSIONOPTIONS_H
#define KILN_SESSIONOPTIONS_H

#include "kiln/CodeOptions.h"
#include "kiln/Export.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class ResourceManager;

/// What runs are on, as TensorFlow names it.
inline constexpr std::string_view localDevice =
    "/job:localhost/replica:0/task:0/device:CPU:0";

/// What runs the code.
enum class ExecutionMode : uint8_t {
  /// Native code, with SessionOptions::tiering. The evaluator runs what only
  /// writes variables, has no feeds, is cheap and runs for the first time.
  Auto,
  NativeOnly,
  EvaluatorOnly,
};

/// Beyond one of them: RESOURCE_EXHAUSTED.
struct SessionLimits {
  int64_t maxNodes = 1'000'000; ///< nodes that one run reaches
  /// Operations of Kiln's IR that they become, before and after decomposition.
  int64_t maxOps = 500'000;
  int64_t maxRunBytes = int64_t(1) << 40; ///< temporaries and results of a run
  /// For one signature, looked at between the steps of the compiler; 0: none.
  std::chrono::nanoseconds maxCompileTime = std::chrono::minutes(10);
  int64_t maxCodeBytes = int64_t(64) << 20; ///< object code of one signature
};

/// Where compiled code is kept for other processes, and for later ones.
///
/// Code is found by a digest of what it was made from: the nodes of the run and
/// all constants, the options, this build of Kiln and this processor. A damaged
/// file is as none. Processes may share a folder, of whatever builds and
/// machines.
struct DiskCacheOptions {
  /// Made when missing (not its parents). It must be this user's own and
  /// no other user's (mode 0700), for what lies there is run. Empty: none.
  std::string folder = {};
  /// Bound on the files there, to a sixty-fourth; the least recently used go
  /// first.
  int64_t maxBytes = int64_t(1) << 30;
  /// Whether a folder that cannot be used is an error; if not, a session has
  /// no cache then.
  bool isRequired = true;

  /// What `kiln-run` and the Python package begin with: the folder that the
  /// environment variable KILN_CACHE names ("off": none), or else `kiln` in the
  /// user's cache folder, XDG_CACHE_HOME or ~/.cache, which is made where it
  /// can be. **Edges**: none for a process with another user's home, or with
  /// more rights than its user.
  KILN_EXPORT static DiskCacheOptions ofUser();
};

struct SessionOptions {
  /// Threads that one loop may use, the caller's included; 0: all of the
  /// process. At most 1024 are made.
  int threads = 0;
  /// Bound on executables that no run uses, of which the least recently used
  /// goes first, and on the memory for temporaries that waits for the next run.
  /// One of each stays whatever its size.
  int64_t cacheBytes = int64_t(256) << 20;
  SessionLimits limits = {};
  ExecutionMode mode = ExecutionMode::Auto;
  /// Whether, in mode Auto, the evaluator answers runs that it is estimated to
  /// end before their native code could be made, and begins those of which only
  /// the run can tell. Code is made behind later runs (tieringShare), or behind
  /// one that turns out to be long, which then begins again, unseen. Values,
  /// state and errors are the same either way. The process's first session of
  /// the kind compiles a small function ahead. Off with any of `inspect`.
  bool tiering = true;
  /// With `tiering`, when native code is made of what the evaluator answers:
  /// once its runs are estimated to have lost this share of what compiling
  /// takes, or have taken twice as much in all; a sixteenth of it where the
  /// evaluator leaves CPUs idle. So a program that runs a few times compiles
  /// nothing, and none takes much longer than if it were known how often it
  /// runs. 0: behind the second run.
  double tieringShare = 0.5;
  InspectOptions inspect = {};
  CodeOptions code = {};
  /// Where variables and queues live; null: in the session alone.
  std::shared_ptr<ResourceManager> resources = nullptr;
  DiskCacheOptions diskCache = {};
  /// Below which the ops that read and write files may do so (checkpoints,
  /// records, tables): PERMISSION_DENIED elsewhere. None: whatever the process
  /// may. Links are followed first.
  std::optional<std::vector<std::string>> fileFolders = std::nullopt;
  /// Whether a node whose device is not there runs all the same, if no other
  /// process is meant. Without it the run is TensorFlow's error. **Source**:
  /// ConfigProto.allow_soft_placement. **Difference**: TensorFlow looks at all
  /// nodes of the graph, as without place_pruned_graph; Kiln at those that the
  /// run needs.
  bool softPlacement = false;
  /// How many CPUs nodes may name: "/cpu:1" is there from 2 on. All are the
  /// same. **Source**: ConfigProto.device_count.
  int cpuDevices = 1;
  /// Whether a fed value must fit the shape that the graph says of its tensor,
  /// as tf.Session demands it. Without it the run has the value's shape, as
  /// TensorFlow's C and C++ sessions do.
  bool checksFeedShapes = true;
};

struct ExplainOptions {
  /// Where the IR after every stage, the LLVM IR and the assembly are written,
  /// numbered in order; made when missing. Empty: nowhere.
  std::string dumpDirectory = {};
  /// The stage to stop after (compileStages()); empty: the last.
  std::string stopAfter = {};
};

} // namespace kiln

#endif // KILN_SESSIONOPTIONS_H
