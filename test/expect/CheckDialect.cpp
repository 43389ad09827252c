// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check dialect: its ops, nothing else.
#include "test/expect/CheckDialect.h"

#include "mlir/IR/Builders.h"

#include "test/expect/CheckDialect.cpp.inc"

#define GET_OP_CLASSES
#include "test/expect/CheckOps.cpp.inc"

void kiln::check::CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "test/expect/CheckOps.cpp.inc"
      >();
}
