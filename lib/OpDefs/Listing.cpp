// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guessing from a graph's edges what its author meant to run.
#include "kiln/Listing.h"

#include "kiln/NodeTraits.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

/// Written by TensorFlow's gradient and saver functions, not by the author.
bool isMachinery(const Node &node) {
  return node.name().starts_with("gradients") ||
         node.name().starts_with("save/");
}

/// The variable that a NAME/Assign node gives its first value; null for another
/// node.
const Node *initializedVariable(const Node &node) {
  if (!traitsOf(node).isUpdate || node.numInputs() == 0 ||
      !traitsOf(*node.input(0).node).isVariable)
    return nullptr;
  const Node *variable = node.input(0).node;
  return node.name() == variable->name() + "/Assign" ? variable : nullptr;
}

std::string variableText(const Node &node) {
  DType dtype = node.attrOr<DType>("dtype", DType::Invalid);
  Shape shape = node.attrOr<Shape>("shape", Shape::unknownRank());
  return strCat(dtypeName(dtype), " ", shape.toString());
}

std::string outputText(const Output &output) {
  return strCat(dtypeName(output.dtype()), " ", output.shape().toString());
}

/// One heading with a line an entry, the second column aligned.
std::string
section(std::string_view heading,
        const std::vector<std::pair<std::string, std::string>> &rows) {
  if (rows.empty())
    return {};
  constexpr size_t shown = 40;
  size_t width = 0;
  for (const auto &row : rows)
    width = std::max(width, row.first.size());
  std::string text = strCat("\n", heading, "\n");
  for (size_t i = 0; i < rows.size() && i < shown; ++i)
    text += strCat("  ", rows[i].first,
                   std::string(width - rows[i].first.size() + 2, ' '),
                   rows[i].second, "\n");
  if (rows.size() > shown)
    text += strCat("  and ", rows.size() - shown, " more\n");
  return text;
}

} // namespace

Listing listGraph(const Graph &graph) {
  int count = graph.numNodes();
  std::vector<bool> computedWith(static_cast<size_t>(count), false);
  std::vector<bool> waitedFor(static_cast<size_t>(count), false);
  for (int id = 0; id < count; ++id) {
    const Node *node = graph.node(id);
    for (const Output &input : node->inputs()) {
      waitedFor[static_cast<size_t>(input.node->id())] = true;
      if (!isMachinery(*node))
        computedWith[static_cast<size_t>(input.node->id())] = true;
    }
    for (const Node *input : node->controlInputs())
      waitedFor[static_cast<size_t>(input->id())] = true;
  }
  Listing listing;
  for (int id = 0; id < count; ++id) {
    const Node *node = graph.node(id);
    NodeTraits traits = traitsOf(*node);
    if (traits.isPlaceholder)
      listing.placeholders.push_back({node, 0});
    else if (traits.isVariable)
      listing.variables.push_back(node);
    else if (node->numOutputs() == 0 || traits.isUpdate) {
      if (!waitedFor[static_cast<size_t>(id)])
        listing.targets.push_back(node);
    } else if (!traits.isConstant && !isMachinery(*node) &&
               !computedWith[static_cast<size_t>(id)])
      listing.fetches.push_back({node, 0});
  }
  return listing;
}

std::string listingText(const Listing &listing,
                        const ListingHeadings &headings) {
  std::vector<std::pair<std::string, std::string>> placeholders, variables,
      fetches, targets;
  for (const Output &output : listing.placeholders)
    placeholders.emplace_back(output.node->name(), outputText(output));
  for (const Node *node : listing.variables)
    variables.emplace_back(node->name(), variableText(*node));
  for (const Output &output : listing.fetches)
    fetches.emplace_back(output.node->name(), outputText(output));
  for (const Node *node : listing.targets)
    targets.emplace_back(node->name(), node->op());
  return strCat(section(headings.placeholders, placeholders),
                section(headings.variables, variables),
                section(headings.fetches, fetches),
                section(headings.targets, targets));
}

StatusOr<std::vector<const Node *>> findInitializers(const Graph &graph,
                                                     const std::string &name) {
  if (!name.empty()) {
    StatusOr<const Node *> named = graph.findNode(name);
    if (!named.ok())
      return named.status();
    return std::vector<const Node *>{*named};
  }
  if (const Node *init = graph.lookup("init"))
    return std::vector<const Node *>{init};
  std::vector<const Node *> assignments;
  for (int id = 0; id < graph.numNodes(); ++id)
    if (initializedVariable(*graph.node(id)))
      assignments.push_back(graph.node(id));
  if (assignments.empty())
    return notFoundError("expected an operation \"init\", or assignments to "
                         "variables, to initialize by; name one with "
                         "--init=NAME");
  return assignments;
}

} // namespace kiln
