// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optionals: elements that may be missing, as variants.
#ifndef KILN_LIB_OPS_PIPELINE_HOSTOPTIONAL_H
#define KILN_LIB_OPS_PIPELINE_HOSTOPTIONAL_H

#include "lib/Pipelines/Dataset.h"

namespace kiln {

/// A scalar variant that holds an element; nothing for null.
StatusOr<Tensor> optionalOf(const Element *element);

} // namespace kiln

#endif // KILN_LIB_OPS_PIPELINE_HOSTOPTIONAL_H
