// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds what was imported, or found in the disk cache, to a session.
#ifndef KILN_LIB_SESSION_BINDPROGRAM_H
#define KILN_LIB_SESSION_BINDPROGRAM_H

#include "lib/Import/Import.h"
#include "lib/Session/Program.h"
#include "runtime/resources/ResourceTable.h"

#include <functional>

namespace kiln {

/// Under which key a session finds a variable.
ResourceKey keyOf(const ImportedVariable &variable);

/// The shapes that a session's variables have.
class SessionShapes final : public VariableShapes {
public:
  explicit SessionShapes(ResourceUser &resources) : resources(resources) {}
  bool isOpen(const ImportedVariable &variable) override {
    return resources.isOpenVariable(keyOf(variable));
  }
  StatusOr<Shape> shapeOf(const ImportedVariable &variable) override;
  Status noValue(const ImportedVariable &variable) override;

private:
  ResourceUser &resources;
};

/// Finds or makes the slots of the variables and the random streams, and gives
/// the program what else it needs but code. `constantNode` names the node of a
/// constant. **Errors**: those of VariableTable, with the node;
/// RESOURCE_EXHAUSTED with the node for a copy that cannot be had.
Status bindProgram(FunctionInterface interface, std::vector<Tensor> constants,
                   const std::function<std::string(uint64_t)> &constantNode,
                   Program &program);

} // namespace kiln

#endif // KILN_LIB_SESSION_BINDPROGRAM_H
