// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops that make summaries, and messages of tensors.
#ifndef KILN_LIB_OPS_SUMMARY_HOST_H
#define KILN_LIB_OPS_SUMMARY_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::host {

/// As TensorFlow's ops of these names. **Errors**: INVALID_ARGUMENT with
/// TensorFlow's texts.
Status audioSummary(const HostCall &call);
Status audioSummaryV2(const HostCall &call);
Status histogramSummary(const HostCall &call);
Status imageSummary(const HostCall &call);
Status mergeSummary(const HostCall &call);
Status parseTensor(const HostCall &call);
Status scalarSummary(const HostCall &call);
Status serializeTensor(const HostCall &call);
Status tensorSummary(const HostCall &call);
Status tensorSummaryV2(const HostCall &call);

} // namespace kiln::host

#endif // KILN_LIB_OPS_SUMMARY_HOST_H
