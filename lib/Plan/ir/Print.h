// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The printed form of a plan; README.md has its grammar.
#ifndef KILN_LIB_PLAN_IR_PRINT_H
#define KILN_LIB_PLAN_IR_PRINT_H

#include "lib/Plan/ir/Block.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace kiln {

/// Names tensors of one plan: %node for output 0 of a node, %node:1 for
/// another. Nodes of functions may have one name: those that come later are
/// %node#2, %node#3; what is synthesized for a node is %node$1, %node$2.
/// **Thread safety**: none.
class PlanPrinter {
public:
  /// A tree: its arguments, items and results, each line begun by `indent`
  /// spaces.
  std::string print(const Block &root, int indent = 0);

  /// Says which nodes are synthesized; print() says it of its root's.
  void setSynthesized(std::vector<std::shared_ptr<Graph>> graphs) {
    synthesized = std::move(graphs);
  }
  std::string name(const Output &output);
  std::string name(const PlanValue &value);
  /// "%a, %b".
  template <class Value> std::string names(const std::vector<Value> &values) {
    std::string list;
    for (const Value &value : values)
      list += (list.empty() ? "" : ", ") + name(value);
    return list;
  }

private:
  std::string nameOf(const Node *node);
  void line(int indent, const std::string &text);
  void printItems(const Block &block, int indent);
  void printItem(const Item &item, int indent);
  void printFail(const Item &item, const std::string &node, int indent);
  /// "if %p = " and the like: what binds arguments to operands.
  std::string bindings(const Block &block, const Item &item);

  std::string text;
  std::unordered_map<const Node *, std::string> known;
  std::unordered_map<std::string, int> numNodes, numSynthesized; ///< by name
  std::vector<std::shared_ptr<Graph>> synthesized;
  std::unordered_set<const Node *> done;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_IR_PRINT_H
