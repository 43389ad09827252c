// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on regular expressions, which are RE2's.
#ifndef KILN_LIB_IO_REGEXOPS_H
#define KILN_LIB_IO_REGEXOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// With patterns that are inputs, or attributes. **Errors**: INVALID_ARGUMENT
/// with TensorFlow's text for what is no pattern.
Status regexFullMatch(const HostCall &call);
Status regexReplace(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_REGEXOPS_H
