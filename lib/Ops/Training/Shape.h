// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape function of Training, for its schema table.
#ifndef KILN_LIB_OPS_TRAINING_SHAPE_H
#define KILN_LIB_OPS_TRAINING_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

/// The shape function of every optimizer's op. **Shapes**: variables and the
/// gradient (`grad`, `delta`) have one shape, all other inputs are scalars.
/// **Errors**: INVALID_ARGUMENT where they are not, or where a handle's
/// variable has another dtype than T.
Status inferApply(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_TRAINING_SHAPE_H
