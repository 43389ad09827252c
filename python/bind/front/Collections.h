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

/// Variables, tensors, operations, texts, numbers and what addItemKind() knows
/// are items as in C++; other objects are items that C++ does not know.
CollectionItem itemFrom(nanobind::handle object);
/// The one object that stands for the item, made where there is none.
nanobind::object objectOf(CollectionItem &item);

/// Items of another type of C++'s, such as savers, as Python's objects.
struct ItemKind {
  /// What the object is in C++; nothing for an object of another class.
  std::any (*from)(PyObject *object);
  /// The object; invalid for a value of another type.
  nanobind::object (*to)(const std::any &value);
};
void addItemKind(const ItemKind &kind);

void bindCollections(nanobind::module_ &module);

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_COLLECTIONS_H
