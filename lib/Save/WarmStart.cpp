// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initializers that read checkpoints.
#include "kiln/WarmStart.h"

#include "kiln/BuildOps.h"
#include "lib/Save/SaverNodes.h"

#include <optional>
#include <vector>

namespace kiln {

void initializeFromCheckpoint(const Variable &variable,
                              const std::string &prefix,
                              const std::string &tensorName,
                              const std::string &slice) {
  if (!variable.op())
    return;
  GraphScope current(variable.graph());
  std::optional<DeviceScope> place(std::in_place, variable.op()->device());
  std::optional<DeviceScope> processor(std::in_place, "/cpu:0");
  GraphBuilder graph = GraphBuilder::current();
  const Node *read = graph.addOp(
      {.op = "RestoreV2",
       .name = "checkpoint_initializer",
       .inputs = {Input(prefix), Input(std::vector<std::string>{tensorName}),
                  Input(std::vector<std::string>{slice})},
       .attrs = {{"dtypes", std::vector<DType>{variable.dtype()}}}});
  if (!read)
    return;
  if (variable.isResource()) { // whose assignment stands where it lies
    processor.reset();
    place.reset();
  }
  const Node *assigned = addRestore(variable, {read, 0});
  if (!assigned)
    return;
  graph.setShape({read, 0}, variable.shape());
  variable.setInitializer(assigned, {read, 0});
}

} // namespace kiln
