// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Taking fetches apart and putting results together.
#include "python/bind/FetchTree.h"

#include "python/bind/Objects.h"

#include <algorithm>

namespace kiln::python {
namespace {

namespace nb = nanobind;

bool isNamedTuple(nb::handle value) {
  return PyTuple_Check(value.ptr()) && nb::hasattr(value, "_fields");
}

/// Python's limit on recursion, for structures that are nested too deeply.
struct Recursion {
  Recursion() {
    if (Py_EnterRecursiveCall(" in the structure of fetches"))
      throw nb::python_error();
  }
  ~Recursion() { Py_LeaveRecursiveCall(); }
};

} // namespace

FetchTree::FetchTree(nb::handle structure, std::vector<Fetch> &fetches,
                     const Names &names) {
  Recursion recursion;
  PyObject *object = structure.ptr();
  if (PyList_Check(object) || PyTuple_Check(object)) {
    kind = PyList_Check(object)      ? Kind::List
           : isNamedTuple(structure) ? Kind::NamedTuple
                                     : Kind::Tuple;
    type = nb::borrow(reinterpret_cast<PyObject *>(Py_TYPE(object)));
    for (nb::handle item : structure)
      children.emplace_back(item, fetches, names);
  } else if (PyDict_Check(object)) {
    kind = Kind::Dict;
    type = nb::borrow(reinterpret_cast<PyObject *>(Py_TYPE(object)));
    for (auto [key, item] : nb::borrow<nb::dict>(structure)) {
      keys.push_back(nb::borrow(key));
      children.emplace_back(item, fetches, names);
    }
  } else {
    Fetch fetch = fetchFromPython(structure, names);
    auto found = std::find(fetches.begin(), fetches.end(), fetch);
    leaf = static_cast<size_t>(found - fetches.begin());
    if (found == fetches.end())
      fetches.push_back(std::move(fetch));
  }
}

PyObject *FetchTree::build(std::span<PyObject *const> results) const {
  if (kind == Kind::Leaf)
    return Py_NewRef(results[leaf]);
  if (kind == Kind::Dict) {
    nb::object dict =
        nb::steal(type.is(reinterpret_cast<PyObject *>(&PyDict_Type))
                      ? PyDict_New()
                      : PyObject_CallNoArgs(type.ptr()));
    for (size_t i = 0; dict.is_valid() && i < children.size(); ++i) {
      nb::object item = nb::steal(children[i].build(results));
      if (!item.is_valid() ||
          PyObject_SetItem(dict.ptr(), keys[i].ptr(), item.ptr()) < 0)
        return nullptr;
    }
    return dict.release().ptr();
  }
  auto size = static_cast<Py_ssize_t>(children.size());
  nb::object sequence =
      nb::steal(kind == Kind::List ? PyList_New(size) : PyTuple_New(size));
  if (!sequence.is_valid())
    return nullptr;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject *item = children[static_cast<size_t>(i)].build(results);
    if (!item)
      return nullptr;
    if (kind == Kind::List)
      PyList_SET_ITEM(sequence.ptr(), i, item);
    else
      PyTuple_SET_ITEM(sequence.ptr(), i, item);
  }
  if (kind == Kind::NamedTuple)
    return PyObject_CallObject(type.ptr(), sequence.ptr());
  return sequence.release().ptr();
}

} // namespace kiln::python
