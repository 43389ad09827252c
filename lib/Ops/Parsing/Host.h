// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops that take values out of messages and texts.
#ifndef KILN_LIB_OPS_PARSING_HOST_H
#define KILN_LIB_OPS_PARSING_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::host {

/// As TensorFlow's ops of these names, of all versions. **Errors**: with its
/// texts.
Status decodeCsv(const HostCall &call);
Status decodeCompressed(const HostCall &call);
Status decodeJsonExample(const HostCall &call);
Status parseExample(const HostCall &call);
Status parseSequenceExample(const HostCall &call);
Status parseSingleExample(const HostCall &call);
Status parseSingleSequenceExample(const HostCall &call);

} // namespace kiln::host

#endif // KILN_LIB_OPS_PARSING_HOST_H
