// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structure of what is fetched: results come back in the same one.
#ifndef KILN_PYTHON_BIND_FETCHTREE_H
#define KILN_PYTHON_BIND_FETCHTREE_H

#include "python/bind/Handles.h"

#include <nanobind/nanobind.h>

#include <span>
#include <vector>

namespace kiln::python {

/// Nested lists, tuples, named tuples and dicts of fetches, with the fetches
/// numbered from left to right. Immutable; the GIL guards the references.
/// **Source**: the fetches of tf.Session.run.
class FetchTree {
public:
  /// Appends the fetches to `fetches`, each once however often it stands
  /// there. Throws TypeError, or what `names` raises, for what is no fetch.
  FetchTree(nanobind::handle structure, std::vector<Fetch> &fetches,
            const Names &names = {});

  /// A new reference to the structure with `results` (arrays, None) in the
  /// place of the fetches; null with an exception.
  PyObject *build(std::span<PyObject *const> results) const;

private:
  enum class Kind { Leaf, List, Tuple, NamedTuple, Dict };

  Kind kind = Kind::Leaf;
  size_t leaf = 0;
  nanobind::object type; ///< of a named tuple or a dict
  std::vector<nanobind::object> keys;
  std::vector<FetchTree> children;
};

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_FETCHTREE_H
