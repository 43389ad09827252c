// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op and its function have one name.
#include "dialect/IntegerOps.h"

#include "dialect/Kiln.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace kiln::ir {

std::optional<IntegerFunction> integerFunctionOf(Operation *op) {
  using Found = std::optional<IntegerFunction>;
  return llvm::TypeSwitch<Operation *, Found>(op)
#define KILN_INTEGER_UNARY(Enum, name, types)                                  \
  .Case<Enum##Op>([](auto) { return IntegerFunction::Enum; })
#define KILN_INTEGER_BINARY(Enum, name, types, domain)                         \
  .Case<Enum##Op>([](auto) { return IntegerFunction::Enum; })
#include "lib/Support/Integers.def"
      .Default(Found());
}

} // namespace kiln::ir
