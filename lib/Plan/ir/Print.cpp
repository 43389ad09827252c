// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line an item, two spaces a level.
#include "lib/Plan/ir/Print.h"

#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

std::string PlanPrinter::print(const Block &root, int indent) {
  text.clear();
  done.insert(root.done.begin(), root.done.end());
  setSynthesized(root.synthesized);
  line(indent, strCat("plan (", names(root.args), ") {"));
  printItems(root, indent + 2);
  line(indent + 2, strCat("return ", names(root.results)));
  line(indent, "}");
  return std::move(text);
}

std::string PlanPrinter::nameOf(const Node *node) {
  auto [place, isNew] = known.try_emplace(node);
  std::string &name = place->second;
  if (!isNew)
    return name;
  name = strCat("%", node->name());
  if (std::any_of(synthesized.begin(), synthesized.end(),
                  [&](const auto &graph) { return graph->contains(node); }))
    name += strCat("$", ++numSynthesized[node->name()]);
  else if (int number = ++numNodes[node->name()]; number > 1)
    name += strCat("#", number);
  return name;
}

std::string PlanPrinter::name(const Output &output) {
  std::string node = nameOf(output.node);
  return output.index == 0 ? node : strCat(node, ":", output.index);
}

std::string PlanPrinter::name(const PlanValue &value) {
  switch (value.kind()) {
  case PlanValue::Kind::None:
    return "none";
  case PlanValue::Kind::Constant:
    return strCat(value.number());
  case PlanValue::Kind::NodeOutput:
  case PlanValue::Kind::BlockArgument:
  case PlanValue::Kind::ItemResult:
    break;
  }
  return name(value.output());
}

void PlanPrinter::line(int indent, const std::string &words) {
  text.append(static_cast<size_t>(indent), ' ');
  text += words;
  // Without results "return" ends in a space.
  while (text.back() == ' ')
    text.pop_back();
  text += '\n';
}

void PlanPrinter::printItems(const Block &block, int indent) {
  for (const Item &item : block.items)
    printItem(item, indent);
}

std::string PlanPrinter::bindings(const Block &block, const Item &item) {
  std::string list;
  for (size_t i = 0; i < block.args.size(); ++i)
    list += strCat(i == 0 ? "" : ", ", name(block.args[i]), " = ",
                   name(item.operands[i]));
  return strCat("(", list, ")");
}

void PlanPrinter::printFail(const Item &item, const std::string &node,
                            int indent) {
  std::string why;
  switch (item.failure.reason) {
  case Failure::Reason::DeadFetch:
    why = strCat("fetch ", item.failure.fetch, " has no value");
    break;
  case Failure::Reason::EmptyOptional:
    why = "optional has no value";
    break;
  case Failure::Reason::EndlessFor:
    why = strCat("for does not end (", names(item.operands), ")");
    break;
  }
  line(indent, strCat("fail ", node, ": ", why));
}

void PlanPrinter::printItem(const Item &item, int indent) {
  const Node &node = *item.node;
  const std::string own = quote(node.name());
  const std::string gives =
      item.results.empty() ? "" : strCat(names(item.results), " = ");
  auto inner = [&](const Block &block, std::string_view ends,
                   const std::string &results) {
    printItems(block, indent + 2);
    line(indent + 2, strCat(ends, " ", results));
  };
  switch (item.kind) {
  case Item::Kind::Node: {
    std::vector<Output> inputs(node.inputs().begin(), node.inputs().end());
    std::string words = strCat(name(Output{&node, 0}), " = ",
                               done.contains(&node) ? "done " : "", node.op(),
                               "(", names(inputs), ")");
    for (const Node *control : node.controlInputs())
      words +=
          strCat(control == node.controlInputs().front() ? " after " : ", ",
                 nameOf(control));
    line(indent, words);
    return;
  }
  case Item::Kind::Call:
    line(indent,
         strCat(gives, "call ", own, " ", bindings(*item.first, item), " {"));
    inner(*item.first, "yield", names(item.first->results));
    break;
  case Item::Kind::If:
    line(indent, strCat(gives, "if ", name(item.condition),
                        item.number ? strCat(" == ", *item.number) : "", " ",
                        own, " ", bindings(*item.first, item), " {"));
    inner(*item.first, "yield", names(item.first->results));
    line(indent, strCat("} else ", bindings(*item.second, item), " {"));
    inner(*item.second, "yield", names(item.second->results));
    break;
  case Item::Kind::While:
    line(indent,
         strCat(gives, "while ", own, " ", bindings(*item.first, item), " {"));
    inner(*item.first, strCat("test ", name(item.first->condition), " forward"),
          names(item.first->results));
    line(indent, strCat("} do (", names(item.second->args), ") {"));
    inner(*item.second, "yield", names(item.second->results));
    break;
  case Item::Kind::Fail:
    printFail(item, own, indent);
    return;
  }
  line(indent, "}");
}

} // namespace kiln
