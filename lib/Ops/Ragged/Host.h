// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops on rows of several lengths.
#ifndef KILN_LIB_OPS_RAGGED_HOST_H
#define KILN_LIB_OPS_RAGGED_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::host {

/// As TensorFlow's ops of these names. **Errors**: with its texts.
Status raggedBincount(const HostCall &call);
Status raggedFillEmptyRows(const HostCall &call);
Status raggedGather(const HostCall &call);
Status raggedRange(const HostCall &call);
Status raggedTensorFromVariant(const HostCall &call);
Status raggedTensorToSparse(const HostCall &call);
Status raggedTensorToTensor(const HostCall &call);
Status raggedTensorToVariant(const HostCall &call);

} // namespace kiln::host

#endif // KILN_LIB_OPS_RAGGED_HOST_H
