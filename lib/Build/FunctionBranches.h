// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of cond() and whileLoop() that call functions.
#ifndef KILN_LIB_BUILD_FUNCTIONBRANCHES_H
#define KILN_LIB_BUILD_FUNCTIONBRANCHES_H

#include "kiln/ControlFlow.h"

namespace kiln::ops {

/// **Source**: cond_v2.
Outputs condOfFunctions(const Input &pred, const Branch &ifTrue,
                        const Branch &ifFalse, const OpOptions &options);

/// **Source**: while_v2.while_loop.
Outputs
whileOfFunctions(const std::function<Output(const Outputs &)> &condition,
                 const std::function<Outputs(const Outputs &)> &body,
                 const InputList &loopVariables, const WhileOptions &options);

} // namespace kiln::ops

#endif // KILN_LIB_BUILD_FUNCTIONBRANCHES_H
