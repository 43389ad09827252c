// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds a compiled function to the variables and streams of a session.
#ifndef KILN_LIB_EXEC_BINDPROGRAM_H
#define KILN_LIB_EXEC_BINDPROGRAM_H

#include "lib/Exec/Program.h"
#include "runtime/resources/ResourceTable.h"

#include <functional>

namespace kiln {

/// Under which key a session finds a variable.
ResourceKey keyOf(const ImportedVariable &variable);

/// Finds or makes the slots of the variables and the random streams, and gives
/// the program what else it needs but code. `constantNode` names the node of a
/// constant. **Errors**: those of VariableTable, with the node;
/// RESOURCE_EXHAUSTED with the node for a copy that cannot be had.
Status bindProgram(FunctionInterface interface, std::vector<Tensor> constants,
                   const std::function<std::string(uint64_t)> &constantNode,
                   Program &program);

} // namespace kiln

#endif // KILN_LIB_EXEC_BINDPROGRAM_H
