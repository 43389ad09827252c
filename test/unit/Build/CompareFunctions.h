// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares graphs whose nodes call functions, and the functions: their names
// have numbers and digests of the process that made them.
#ifndef KILN_TEST_UNIT_BUILD_COMPAREFUNCTIONS_H
#define KILN_TEST_UNIT_BUILD_COMPAREFUNCTIONS_H

#include "lib/Graph/Function.h"
#include "test/unit/CompareGraphs.h"

#include <regex>

namespace kiln {

/// Compares with "N" for numbers and digests in names of functions.
class FunctionsCompared {
public:
  FunctionsCompared(const Graph &built, const Graph &expected,
                    const GraphComparison &comparison)
      : built(built), expected(expected), comparison(comparison),
        got(built.functionLibrary()), want(expected.functionLibrary()) {}

  std::vector<std::string> differences() {
    auto a = plain(built, got.get()), b = plain(expected, want.get());
    std::vector<std::string> found = graphDifferences(*a, *b, comparison);
    for (int id = 0; id < built.numNodes(); ++id) {
      const Node &node = *built.node(id);
      const Node *other = findIn(expected, want.get(), name(node.name(), got));
      if (other && !comparison.ignores(node))
        compareCallees(node.name(), node.op(), node.attrs(), other->op(),
                       other->attrs(), found);
    }
    return found;
  }

private:
  static std::string withoutNumbers(const std::string &text) {
    return std::regex_replace(text, std::regex("_[0-9]+(?![A-Za-z0-9])"), "_N");
  }
  static std::string plainName(const std::string &text) {
    return std::regex_replace(withoutNumbers(text),
                              std::regex("_[A-Za-z0-9]{11}$"), "_N");
  }
  /// The name of a node or op, which may begin with that of a function.
  static std::string name(const std::string &text,
                          const SharedFunctions &library) {
    if (library)
      for (const auto &[function, definition] : library->all())
        if (text.starts_with(function))
          return plainName(function) + text.substr(function.size());
    return text;
  }
  static AttrMap plainAttrs(const AttrMap &attrs) {
    AttrMap plain;
    for (const NamedAttr &attr : attrs) {
      AttrValue value = attr.value;
      if (const auto *one = value.getIf<NameAttrList>())
        value = AttrValue(NameAttrList{plainName(one->name), {}});
      else if (const auto *list = value.getIf<std::vector<NameAttrList>>()) {
        std::vector<NameAttrList> names;
        for (const NameAttrList &each : *list)
          names.push_back({plainName(each.name), {}});
        value = AttrValue(std::move(names));
      }
      plain.set(attr.name, std::move(value));
    }
    return plain;
  }
  static std::unique_ptr<Graph> plain(const Graph &graph,
                                      const SharedFunctions &library) {
    auto made = std::make_unique<Graph>();
    std::vector<NodeSpec> specs;
    for (int id = 0; id < graph.numNodes(); ++id) {
      const Node &node = *graph.node(id);
      NodeSpec spec{name(node.name(), library),
                    name(node.op(), library),
                    {},
                    plainAttrs(node.attrs()),
                    node.device()};
      for (const Output &input : node.inputs())
        spec.inputs.emplace_back(name(input.name(), library));
      for (const Node *control : node.controlInputs())
        spec.inputs.emplace_back("^" + name(control->name(), library));
      specs.push_back(std::move(spec));
    }
    EXPECT_EQ(made->addNodes(std::move(specs)), okStatus());
    return made;
  }
  static std::unique_ptr<Graph> plain(const Graph &graph,
                                      const FunctionLibrary *) {
    return plain(graph, graph.functionLibrary());
  }
  static const Node *findIn(const Graph &graph, const FunctionLibrary *,
                            const std::string &wanted) {
    for (int id = 0; id < graph.numNodes(); ++id)
      if (name(graph.node(id)->name(), graph.functionLibrary()) == wanted)
        return graph.node(id);
    return nullptr;
  }

  static std::vector<std::string> callees(const std::string &op,
                                          const AttrMap &attrs,
                                          const SharedFunctions &library) {
    std::vector<std::string> names;
    if (library && library->find(op))
      names.push_back(op);
    for (std::string_view key :
         {"then_branch", "else_branch", "branches", "cond", "body", "f"}) {
      const AttrValue *value = attrs.find(key);
      if (const auto *one = value ? value->getIf<NameAttrList>() : nullptr)
        names.push_back(one->name);
      if (const auto *list =
              value ? value->getIf<std::vector<NameAttrList>>() : nullptr)
        for (const NameAttrList &each : *list)
          names.push_back(each.name);
    }
    return names;
  }

  void compareCallees(const std::string &where, const std::string &op,
                      const AttrMap &attrs, const std::string &wantedOp,
                      const AttrMap &wantedAttrs,
                      std::vector<std::string> &found) {
    auto ours = callees(op, attrs, got);
    auto theirs = callees(wantedOp, wantedAttrs, want);
    if (ours.size() != theirs.size())
      return found.push_back(where + ": other functions");
    for (size_t i = 0; i < ours.size(); ++i) {
      const Function *a = got->find(ours[i]), *b = want->find(theirs[i]);
      if (a && b)
        compare(*a, *b, found);
      else
        found.push_back(where + ": no function " + ours[i]);
    }
  }

  void compare(const Function &a, const Function &b,
               std::vector<std::string> &found) {
    if (!seen.insert(a.name).second)
      return;
    auto differ = [&](const std::string &what) {
      found.push_back(a.name + ": " + what);
    };
    auto args = [](const std::vector<ArgDef> &list) {
      std::string text;
      for (const ArgDef &arg : list)
        text += withoutNumbers(arg.name) + " " +
                std::string(dtypeName(arg.dtype)) + ", ";
      return text;
    };
    if (args(a.args) != args(b.args))
      differ("expected arguments " + args(b.args) + "got " + args(a.args));
    if (args(a.results) != args(b.results))
      differ("expected results " + args(b.results) + "got " + args(a.results));
    if (a.returns != b.returns)
      differ("other tensors are results");
    if (!(a.ownAttrs == b.ownAttrs) || a.isStateful != b.isStateful)
      differ("other attributes");
    for (size_t i = 0; i < a.argAttrs.size() && i < b.argAttrs.size(); ++i)
      if (!(a.argAttrs[i] == b.argAttrs[i]))
        differ("other attributes of argument " + a.args[i].name);
    std::map<std::string, const NodeSpec *> theirs;
    for (const NodeSpec &node : b.nodes)
      theirs[name(node.name, want)] = &node;
    for (const NodeSpec &node : a.nodes) {
      auto other = theirs.find(name(node.name, got));
      if (other == theirs.end()) {
        differ("not expected: " + node.name + ", " + node.op);
        continue;
      }
      compare(a.name, node, *other->second, found);
      theirs.erase(other);
    }
    for (const auto &[missing, node] : theirs)
      differ("missing: " + missing + ", " + node->op);
  }

  void compare(const std::string &where, const NodeSpec &a, const NodeSpec &b,
               std::vector<std::string> &found) {
    auto text = [](const NodeSpec &node, const SharedFunctions &library) {
      std::string all = name(node.op, library) + "(";
      for (const NodeInput &input : node.inputs) {
        std::string plain = std::get<std::string>(input);
        bool isControl = plain.starts_with('^');
        all += (isControl ? "^" : "") +
               name(isControl ? plain.substr(1) : plain, library) + " ";
      }
      return all + ")" + node.device;
    };
    if (text(a, got) != text(b, want))
      found.push_back(where + "/" + a.name + ": expected " + text(b, want) +
                      ", got " + text(a, got));
    AttrMap ours = plainAttrs(a.attrs), theirs = plainAttrs(b.attrs);
    for (const NamedAttr &attr : ours)
      if (const AttrValue *other = theirs.find(attr.name);
          !other || !detail::sameValue(attr.value, *other))
        found.push_back(where + "/" + a.name + ": attribute " + attr.name);
    for (const NamedAttr &attr : theirs)
      if (!ours.find(attr.name))
        found.push_back(where + "/" + a.name + ": no attribute " + attr.name);
    compareCallees(a.name, a.op, a.attrs, b.op, b.attrs, found);
  }

  const Graph &built, &expected;
  GraphComparison comparison;
  SharedFunctions got, want;
  std::set<std::string> seen;
};

} // namespace kiln

#endif // KILN_TEST_UNIT_BUILD_COMPAREFUNCTIONS_H
