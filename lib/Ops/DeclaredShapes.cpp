// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads declared shapes and merges them with inferred ones.
#include "lib/Ops/DeclaredShapes.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

constexpr std::string_view shapesAttr = "_output_shapes";

/// Why two shapes cannot be merged.
std::string contradiction(const Shape &a, const Shape &b) {
  if (a.rank() != b.rank())
    return strCat("Shapes must be equal rank, but are ", a.rank(), " and ",
                  b.rank());
  int d = 0;
  while (a.dim(d) == b.dim(d) || a.dim(d) == Shape::unknownDim ||
         b.dim(d) == Shape::unknownDim)
    ++d;
  return strCat("Dimension ", d, " in both shapes must be equal, but are ",
                a.dim(d), " and ", b.dim(d), ". Shapes are ", a.toString(),
                " and ", b.toString(), ".");
}

} // namespace

Status mergeDeclaredShapes(const Node &node, std::vector<ValueInfo> &outputs) {
  const AttrValue *attr = node.findAttr(shapesAttr);
  if (!attr)
    return okStatus();
  const auto *shapes = attr->getIf<std::vector<Shape>>();
  const size_t count = shapes ? shapes->size() : 0;
  if (count < outputs.size())
    return invalidArgumentError(
               strCat("Node '", node.name(), "' has ", outputs.size(),
                      " outputs but the ", shapesAttr,
                      " attribute specifies shapes for ", count, " outputs"))
        .withNode(node.name());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Shape inferred = toShape(outputs[i].shape);
    auto merged = inferred.merge((*shapes)[i]);
    if (!merged.ok())
      return invalidArgumentError(
                 strCat(
                     "Node '", node.name(), "' has an ", shapesAttr,
                     " attribute inconsistent with the GraphDef for output #",
                     i, ": ", contradiction(inferred, (*shapes)[i])))
          .withNode(node.name());
    outputs[i].shape = toSymShape(*merged);
  }
  return okStatus();
}

Shape declaredShape(const Node &node, int output) {
  if (node.numOutputs() >= 0)
    return node.outputShape(output);
  const AttrValue *attr = node.findAttr(shapesAttr);
  const auto *shapes = attr ? attr->getIf<std::vector<Shape>>() : nullptr;
  const auto place = static_cast<size_t>(output);
  return shapes && place < shapes->size() ? (*shapes)[place]
                                          : Shape::unknownRank();
}

} // namespace kiln
