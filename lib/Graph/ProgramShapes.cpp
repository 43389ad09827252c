// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces what a node says of its outputs.
#include "lib/Graph/ProgramShapes.h"

#include "lib/Graph/NodeBatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

Status setProgramShape(const Output &output, const Shape &shape) {
  const Node &node = *output.node;
  if (output.index < 0 || output.index >= node.numOutputs())
    return invalidArgumentError(strCat(
        "output_port '", output.index, "' is out of range, node '", node.name(),
        "' has ", std::max(node.numOutputs(), 0), " outputs"));
  KILN_ASSIGN_OR_RETURN(Shape merged, output.shape().merge(shape));
  std::vector<OutputInfo> outputs;
  for (int i = 0; i < node.numOutputs(); ++i)
    outputs.push_back(node.output(i));
  auto known = node.attrOr<std::vector<Shape>>(programShapesAttr, {});
  known.resize(outputs.size(), Shape::unknownRank());
  auto place = static_cast<size_t>(output.index);
  outputs[place].shape = known[place] = std::move(merged);
  NodeBatch::replaceOutputs(
      node, std::move(outputs),
      {{std::string(programShapesAttr), std::move(known)}});
  return okStatus();
}

} // namespace kiln
