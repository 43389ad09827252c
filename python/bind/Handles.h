// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations and tensors of a graph as Python holds them.
#ifndef KILN_PYTHON_BIND_HANDLES_H
#define KILN_PYTHON_BIND_HANDLES_H

#include "kiln/Ops.h"
#include "kiln/Request.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace kiln::python {

/// Each keeps its graph alive.
struct GraphHandle {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(makeNodeChecker());
};
struct OperationHandle {
  std::shared_ptr<Graph> graph;
  const Node *node;
};
struct TensorHandle {
  std::shared_ptr<Graph> graph;
  Output output;
};

/// What else may stand for a tensor or an operation of a session's graph: a
/// function from the object, and whether it is fed, to its name. Invalid: only
/// names and handles.
using Names = nanobind::object;

/// A name, or a handle, or what `names` takes. Throws TypeError, or what that
/// raises, for anything else.
Fetch fetchFromPython(nanobind::handle value, const Names &names = {});
TensorId tensorIdFromPython(nanobind::handle value, const Names &names = {});

/// The two types, for comparisons that cost nothing.
extern PyTypeObject *operationType, *tensorType;

void bindGraph(nanobind::module_ &module);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_HANDLES_H
