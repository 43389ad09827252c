// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on characters of strings.
#ifndef KILN_LIB_IO_UNICODEOPS_H
#define KILN_LIB_IO_UNICODEOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// As TensorFlow's ops of these names, of the encodings that Encoding has.
/// **Errors**: with its texts; INVALID_ARGUMENT for other encodings.
Status unicodeDecode(const HostCall &call);
Status unicodeEncode(const HostCall &call);
Status unicodeTranscode(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_UNICODEOPS_H
