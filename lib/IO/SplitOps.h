// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on strings that give as many as they find.
#ifndef KILN_LIB_IO_SPLITOPS_H
#define KILN_LIB_IO_SPLITOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// As TensorFlow's ops of these names. **Errors**: with its texts.
Status stringSplit(const HostCall &call);
Status stringSplitV2(const HostCall &call);
Status unsortedSegmentJoin(const HostCall &call);
Status decodePaddedRaw(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_SPLITOPS_H
