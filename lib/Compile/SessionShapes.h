// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What import asks of a session's variables.
#ifndef KILN_LIB_COMPILE_SESSIONSHAPES_H
#define KILN_LIB_COMPILE_SESSIONSHAPES_H

#include "lib/Exec/Binding.h"
#include "lib/Import/Import.h"
#include "runtime/resources/ResourceTable.h"

namespace kiln {

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

} // namespace kiln

#endif // KILN_LIB_COMPILE_SESSIONSHAPES_H
