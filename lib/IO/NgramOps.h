// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbouring strings joined.
#ifndef KILN_LIB_IO_NGRAMOPS_H
#define KILN_LIB_IO_NGRAMOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// As TensorFlow's StringNGrams. **Errors**: with its texts; RESOURCE_EXHAUSTED
/// for more than 2^31 strings that are joined.
Status stringNgrams(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_NGRAMOPS_H
