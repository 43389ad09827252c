// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads declared shapes and merges them with inferred ones.
#include "lib/OpDefs/DeclaredShapes.h"

#include "lib/Graph/ProgramShapes.h"

#include <algorithm>

namespace kiln {

/// Null where the node has none.
static const std::vector<Shape> *
declaredShapes(const Node &node, std::string_view name = "_output_shapes") {
  const AttrValue *attr = node.findAttr(name);
  return attr ? attr->getIf<std::vector<Shape>>() : nullptr;
}

void mergeDeclaredShapes(const Node &node, std::vector<ValueInfo> &outputs) {
  for (std::string_view name :
       {std::string_view("_output_shapes"), programShapesAttr}) {
    const std::vector<Shape> *shapes = declaredShapes(node, name);
    for (size_t i = 0; shapes && i < std::min(outputs.size(), shapes->size());
         ++i)
      if (auto merged = toShape(outputs[i].shape).merge((*shapes)[i]);
          merged.ok())
        outputs[i].shape = toSymShape(*merged);
  }
}

Shape declaredShape(const Node &node, int output) {
  if (node.numOutputs() >= 0)
    return node.outputShape(output);
  const std::vector<Shape> *shapes = declaredShapes(node);
  const auto place = static_cast<size_t>(output);
  return shapes && place < shapes->size() ? (*shapes)[place]
                                          : Shape::unknownRank();
}

} // namespace kiln
