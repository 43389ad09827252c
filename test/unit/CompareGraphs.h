// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares a graph that was built with one that TensorFlow wrote, node by node.
#ifndef KILN_TEST_UNIT_COMPAREGRAPHS_H
#define KILN_TEST_UNIT_COMPAREGRAPHS_H

#include "kiln/Graph.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace kiln {

struct GraphComparison {
  /// Nodes that need not be the same, of either graph.
  std::function<bool(const Node &)> ignores = [](const Node &) {
    return false;
  };
};

namespace detail {

inline bool sameValue(const AttrValue &a, const AttrValue &b) {
  const auto *x = a.getIf<TensorConstant>(), *y = b.getIf<TensorConstant>();
  if (!x || !y)
    return a == b;
  auto left = x->materialize(), right = y->materialize();
  return left.ok() && right.ok() ? left->hasSameBits(*right) : a == b;
}

inline void compareAttrs(const Node &node, const Node &expected,
                         std::vector<std::string> &found) {
  std::set<std::string> names;
  for (const NamedAttr &attr : node.attrs())
    names.insert(attr.name);
  for (const NamedAttr &attr : expected.attrs())
    names.insert(attr.name);
  for (const std::string &name : names) {
    const AttrValue *got = node.findAttr(name), *want = expected.findAttr(name);
    if (!got || !want)
      found.push_back(node.name() + ": attribute " + name +
                      (got ? " is not expected" : " is missing"));
    else if (!sameValue(*got, *want))
      found.push_back(node.name() + ": attribute " + name + " differs");
  }
}

inline std::string inputsText(const Node &node) {
  std::string text;
  for (const Output &input : node.inputs())
    text += input.name() + " ";
  std::set<std::string> controls;
  for (const Node *control : node.controlInputs())
    controls.insert(control->name());
  for (const std::string &control : controls)
    text += "^" + control + " ";
  return text;
}

} // namespace detail

/// What differs, a line each; nothing where the graphs are the same: names,
/// ops, devices, inputs, attributes, whatever the order of nodes.
inline std::vector<std::string>
graphDifferences(const Graph &built, const Graph &expected,
                 const GraphComparison &comparison = {}) {
  std::vector<std::string> found;
  for (int id = 0; id < expected.numNodes(); ++id) {
    const Node &want = *expected.node(id);
    if (comparison.ignores(want))
      continue;
    const Node *got = built.lookup(want.name());
    if (!got) {
      found.push_back(want.name() + ": missing " + want.op());
      continue;
    }
    if (got->op() != want.op())
      found.push_back(want.name() + ": expected op " + want.op() + ", got " +
                      got->op());
    if (got->device() != want.device())
      found.push_back(want.name() + ": expected device '" + want.device() +
                      "', got '" + got->device() + "'");
    if (detail::inputsText(*got) != detail::inputsText(want))
      found.push_back(want.name() + ": expected inputs " +
                      detail::inputsText(want) + ", got " +
                      detail::inputsText(*got));
    detail::compareAttrs(*got, want, found);
  }
  for (int id = 0; id < built.numNodes(); ++id)
    if (const Node &got = *built.node(id);
        !comparison.ignores(got) && !expected.lookup(got.name()))
      found.push_back(got.name() + ": not expected, " + got.op());
  return found;
}

} // namespace kiln

#endif // KILN_TEST_UNIT_COMPAREGRAPHS_H
