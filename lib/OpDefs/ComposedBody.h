// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two bodies of functions as one.
#ifndef KILN_LIB_OPDEFS_COMPOSEDBODY_H
#define KILN_LIB_OPDEFS_COMPOSEDBODY_H

#include "lib/Graph/Function.h"
#include "lib/OpDefs/OpDef.h"

#include <memory>

namespace kiln {

/// The body of a function that calls `second` with the first `numPassed`
/// results of `first` and with more arguments, which follow those of `first`.
/// Behind the results of `second` it has those of `first` that `second` does
/// not use, so that whoever asks for all of them hears of all errors. Both have
/// neither effects nor nodes that keep state. **Errors**: INVALID_ARGUMENT for
/// results that `second` does not take; of the graph, whose nodes know more of
/// their inputs' shapes than they do apart.
StatusOr<std::shared_ptr<const FunctionBody>>
composeBodies(const FunctionBody &first, size_t numPassed,
              const FunctionBody &second, GraphLimits limits);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_COMPOSEDBODY_H
