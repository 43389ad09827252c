// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops that write and read checkpoints.
#ifndef KILN_LIB_OPS_CHECKPOINT_HOST_H
#define KILN_LIB_OPS_CHECKPOINT_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::host {

/// As TensorFlow's ops of these names. **Errors**: with its texts;
/// PERMISSION_DENIED for files that the call may not use.
Status generateVocabRemapping(const HostCall &call);
Status loadAndRemapMatrix(const HostCall &call);
Status mergeV2Checkpoints(const HostCall &call);
Status restoreV2(const HostCall &call);
Status saveV2(const HostCall &call);

/// The same of tensors of which some may be saved iterators.
Status restoreWithIterators(const HostCall &call);
Status saveWithIterators(const HostCall &call);

} // namespace kiln::host

#endif // KILN_LIB_OPS_CHECKPOINT_HOST_H
