// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that take features out of Example messages, and values out of text.
#ifndef KILN_LIB_IO_EXAMPLEOPS_H
#define KILN_LIB_IO_EXAMPLEOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// As TensorFlow's ops of these names, of all versions. **Errors**: with its
/// texts.
Status parseExample(const HostCall &call);
Status parseSingleExample(const HostCall &call);
Status parseSequenceExample(const HostCall &call);
Status parseSingleSequenceExample(const HostCall &call);
Status decodeJsonExample(const HostCall &call);
Status decodeCsv(const HostCall &call);
Status decodeCompressed(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_EXAMPLEOPS_H
