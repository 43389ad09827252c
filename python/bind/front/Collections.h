// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph's collections, whose items may be objects of Python's.
#ifndef KILN_PYTHON_BIND_FRONT_COLLECTIONS_H
#define KILN_PYTHON_BIND_FRONT_COLLECTIONS_H

#include "kiln/GraphBuilder.h"

#include <nanobind/nanobind.h>

namespace kiln::python::front {

/// For the garbage collector: the objects of Python's that are items.
int visitCollections(const GraphBuilder &graph, visitproc visit, void *arg);
void clearCollections(const GraphBuilder &graph);

/// Variables, tensors and operations are items as in C++; other objects are
/// items that C++ does not know.
CollectionItem itemFrom(nanobind::handle object);
/// Throws TypeError for an item that only C++ knows.
nanobind::object toPython(const CollectionItem &item);

void bindCollections(nanobind::module_ &module);

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_COLLECTIONS_H
