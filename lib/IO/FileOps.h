// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on whole files.
#ifndef KILN_LIB_IO_FILEOPS_H
#define KILN_LIB_IO_FILEOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// As TensorFlow's ops of these names. **Errors**: with its texts; those of the
/// system with the path; PERMISSION_DENIED outside of the session's folders.
Status readFile(const HostCall &call);
Status writeFile(const HostCall &call);
Status matchingFiles(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_FILEOPS_H
