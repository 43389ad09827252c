// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First values of variables from checkpoints of another training.
#ifndef KILN_WARMSTART_H
#define KILN_WARMSTART_H

#include "kiln/Variable.h"

#include <string>

namespace kiln {

/// Makes the variable's initializer, which adds to the graph, read a tensor of
/// a checkpoint, or the slice of one (VariableSlice::spec()). Whoever asks for
/// the initializer from now on gets this one. **Errors**: of the run, NOT_FOUND
/// and INVALID_ARGUMENT for a tensor that is not there or does not fit.
/// **Source**: checkpoint_utils._set_checkpoint_initializer.
KILN_EXPORT void initializeFromCheckpoint(const Variable &variable,
                                          const std::string &prefix,
                                          const std::string &tensorName,
                                          const std::string &slice = {});

} // namespace kiln

#endif // KILN_WARMSTART_H
