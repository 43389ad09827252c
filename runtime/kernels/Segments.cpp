// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of rows by their segment's number.
#include "lib/Support/DTypeDispatch.h"
#include "runtime/KernelCall.h"
#include "runtime/kernels/AddElements.h"
#include "runtime/kernels/Kernels.h"

#include <cstring>

namespace kiln {
namespace {

/// Rows are added in their order.
template <class T, class Index> int32_t sum(const KernelCall &call) noexcept {
  int64_t rows = call.inputElements(1), segments = call.outputDims(0)[0];
  int64_t width = rows == 0 ? 0 : call.inputElements(0) / rows;
  T *output = call.output<T>(0);
  std::memset(static_cast<void *>(output), 0,
              static_cast<size_t>(call.outputElements(0)) * sizeof(T));
  return call.forEach(rows, [&](int64_t row) {
    auto segment = static_cast<int64_t>(call.input<Index>(1)[row]);
    if (segment < 0)
      return true;
    if (segment >= segments)
      return call.fail(ErrorKind::SegmentIdOutOfRange, row, segment, segments);
    addElements(output + segment * width, call.input<T>(0) + row * width,
                width);
    return true;
  });
}

/// data : [ids..., row...], ids -> [segments, row...]
int32_t unsortedSegmentSum(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.outputDType(0), [&]<class T>(T) {
    return call.inputDType(1) == DType::Int32 ? sum<T, int32_t>(call)
                                              : sum<T, int64_t>(call);
  });
}

} // namespace

std::vector<Kernel> segmentKernels() {
  return {{"UnsortedSegmentSum", unsortedSegmentSum}};
}

} // namespace kiln
