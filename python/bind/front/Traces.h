// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in the program the nodes of a graph were made.
#ifndef KILN_PYTHON_BIND_FRONT_TRACES_H
#define KILN_PYTHON_BIND_FRONT_TRACES_H

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

namespace kiln::python::front {

/// One frame of the program: its code (owned) and the instruction in it.
struct TraceFrame {
  PyObject *code;
  int instruction;
};

/// The frames that made each node of a graph, the innermost first; frames of
/// Kiln's own Python are left out. Holds the GIL throughout.
class Traces {
public:
  ~Traces();
  Traces() = default;
  Traces(const Traces &) = delete;
  Traces &operator=(const Traces &) = delete;

  /// Gives the nodes from first to last (exclusive) that have none the present
  /// frames. **Cost**: a few hundred nanoseconds.
  void record(int first, int last);
  /// [(file, line, function, global line number or None)], the outermost first.
  nanobind::list of(int node) const;
  int visit(visitproc visitor, void *argument) const;

private:
  /// Where each node's frames begin in `frames`, plus 1; 0 for none.
  std::vector<uint32_t> starts;
  /// Runs of frames, each ended by one without code.
  std::vector<TraceFrame> frames;
};

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_TRACES_H
