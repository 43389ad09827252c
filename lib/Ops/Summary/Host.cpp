// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Summary/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addSummaryKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"AudioSummary", host::audioSummary},
      {"AudioSummaryV2", host::audioSummaryV2},
      {"HistogramSummary", host::histogramSummary},
      {"ImageSummary", host::imageSummary},
      {"MergeSummary", host::mergeSummary},
      {"ParseTensor", host::parseTensor},
      {"ScalarSummary", host::scalarSummary},
      {"SerializeTensor", host::serializeTensor},
      {"TensorSummary", host::tensorSummary},
      {"TensorSummaryV2", host::tensorSummaryV2},
  });
}

} // namespace kiln
