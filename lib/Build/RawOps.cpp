// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the generated functions are written with.
#include "lib/Build/RawOps.h"

#include "kiln/GraphScopes.h"
#include "lib/Build/BuildState.h"

namespace kiln {

const Node *addRawOp(const OpSpec &spec) {
  GraphScope graph(builderOf(spec));
  return GraphBuilder::current().addOp(spec);
}

std::vector<Output> outputsOf(const Node *node) {
  std::vector<Output> outputs;
  for (int i = 0; node && i < node->numOutputs(); ++i)
    outputs.push_back({node, i});
  return outputs;
}

std::vector<Output> OutputReader::several(std::string_view numberAttr) {
  return take(node ? node->attrOr<int64_t>(numberAttr, 0) : 0);
}

std::vector<Output> OutputReader::types(std::string_view listAttr) {
  return take(node ? static_cast<int64_t>(
                         node->attrOr<std::vector<DType>>(listAttr, {}).size())
                   : 0);
}

std::vector<Output> OutputReader::take(int64_t count) {
  std::vector<Output> outputs;
  for (int64_t i = 0; i < count; ++i)
    outputs.push_back(next());
  return outputs;
}

} // namespace kiln
