// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that make summaries, and tensors as messages.
#ifndef KILN_LIB_IO_SUMMARYOPS_H
#define KILN_LIB_IO_SUMMARYOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// **Errors** of all: INVALID_ARGUMENT with TensorFlow's texts.
Status scalarSummary(const HostCall &call);
Status histogramSummary(const HostCall &call);
Status tensorSummary(const HostCall &call);
Status tensorSummaryV2(const HostCall &call);
Status imageSummary(const HostCall &call);
Status audioSummary(const HostCall &call);
Status audioSummaryV2(const HostCall &call);
Status mergeSummary(const HostCall &call);
Status serializeTensor(const HostCall &call);
Status parseTensor(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_SUMMARYOPS_H
