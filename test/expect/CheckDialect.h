// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check dialect's C++ face.
#ifndef KILN_TEST_EXPECT_CHECKDIALECT_H
#define KILN_TEST_EXPECT_CHECKDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "test/expect/CheckDialect.h.inc"

#define GET_OP_CLASSES
#include "test/expect/CheckOps.h.inc"

#endif // KILN_TEST_EXPECT_CHECKDIALECT_H
