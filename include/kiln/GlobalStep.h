// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variable that counts a graph's training steps.
#ifndef KILN_GLOBALSTEP_H
#define KILN_GLOBALSTEP_H

#include "kiln/Variable.h"

namespace kiln {

/// The one in the current graph's collection "global_step", or the variable of
/// that name; none where there is none, or several. **Errors** of the graph:
/// INVALID_ARGUMENT with TensorFlow's texts for one that is no integer scalar.
/// **Source**: tf.train.get_global_step.
KILN_EXPORT Variable getGlobalStep();
/// Adds an int64 variable "global_step" of 0. **Errors** of the graph:
/// INVALID_ARGUMENT where there is one. **Source**:
/// tf.train.create_global_step.
KILN_EXPORT Variable createGlobalStep();
/// **Source**: tf.train.get_or_create_global_step.
KILN_EXPORT Variable getOrCreateGlobalStep();

} // namespace kiln

#endif // KILN_GLOBALSTEP_H
