// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations and tensors of a graph as Python holds them.
#ifndef KILN_PYTHON_BIND_HANDLES_H
#define KILN_PYTHON_BIND_HANDLES_H

#include "kiln/Request.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace kiln::python {

/// Each keeps its graph alive.
struct GraphHandle {
  std::shared_ptr<Graph> graph;
};
struct OperationHandle {
  std::shared_ptr<Graph> graph;
  const Node *node;
};
struct TensorHandle {
  std::shared_ptr<Graph> graph;
  Output output;
};

/// A name, or a handle. Throws TypeError for anything else.
Fetch fetchFromPython(nanobind::handle value);
TensorId tensorIdFromPython(nanobind::handle value);

/// The two types, for comparisons that cost nothing.
extern PyTypeObject *operationType, *tensorType;

void bindGraph(nanobind::module_ &module);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_HANDLES_H
