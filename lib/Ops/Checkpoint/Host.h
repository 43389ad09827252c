// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops that write and read checkpoints.
#ifndef KILN_LIB_OPS_CHECKPOINT_HOST_H
#define KILN_LIB_OPS_CHECKPOINT_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::io {
class SliceTables;
}

namespace kiln::host {

/// As TensorFlow's ops of these names. **Errors**: with its texts;
/// PERMISSION_DENIED for files that the call may not use.
Status generateVocabRemapping(const HostCall &call);
Status loadAndRemapMatrix(const HostCall &call);
Status mergeV2Checkpoints(const HostCall &call);
Status restoreSlice(const HostCall &call);
Status restoreV2(const HostCall &call);
Status saveSlices(const HostCall &call);
Status saveV2(const HostCall &call);

/// The same of tensors of which some may be saved iterators.
Status restoreWithIterators(const HostCall &call);
Status saveWithIterators(const HostCall &call);
/// A tensor of a checkpoint of version 1, or the part of it that a text like
/// "7 2 0,3:-" says. **Errors**: with TensorFlow's texts.
StatusOr<Tensor> restoreStored(io::SliceTables &tables, const std::string &name,
                               const std::string &spec, DType dtype);

} // namespace kiln::host

#endif // KILN_LIB_OPS_CHECKPOINT_HOST_H
