// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops on whole files.
#ifndef KILN_LIB_OPS_FILES_HOST_H
#define KILN_LIB_OPS_FILES_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::host {

/// As TensorFlow's ops of these names. **Errors**: with its texts; those of the
/// system with the path; PERMISSION_DENIED outside of the session's folders.
Status matchingFiles(const HostCall &call);
Status readFile(const HostCall &call);
Status writeFile(const HostCall &call);

} // namespace kiln::host

namespace kiln {

class HostKernels;
void addReaderKernels(HostKernels &kernels);
void addRecordInputKernel(HostKernels &kernels);

} // namespace kiln

#endif // KILN_LIB_OPS_FILES_HOST_H
