// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of rows by their segment's number.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/KernelCall.h"
#include "runtime/kernels/AddElements.h"
#include "runtime/kernels/Kernels.h"

#include <cstring>

namespace kiln {
namespace {

/// TensorFlow names all coordinates of the id.
Status outOfRange(std::span<const int64_t> dims, int64_t row, int64_t segment,
                  int64_t segments) {
  std::string place;
  for (size_t d = dims.size(); d > 0; --d) {
    place = strCat(row % dims[d - 1], place.empty() ? "" : ",", place);
    row /= dims[d - 1];
  }
  if (!dims.empty())
    place = strCat("[", place, "]");
  return invalidArgumentError(strCat("segment_ids", place, " = ", segment,
                                     " is out of range [0, ", segments, ")"));
}

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
      return call.fail(outOfRange(call.inputDims(1), row, segment, segments));
    addElements(output + segment * width, call.input<T>(0) + row * width,
                width);
    return true;
  });
}

/// data : [ids..., row...], ids -> [segments, row...]
int32_t unsortedSegmentSum(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.outputDType(0), [&]<class T>(T) {
    switch (call.inputDType(1)) {
    case DType::Int16:
      return sum<T, int16_t>(call);
    case DType::Int32:
      return sum<T, int32_t>(call);
    default:
      return sum<T, int64_t>(call);
    }
  });
}

} // namespace

std::vector<Kernel> segmentKernels() {
  return {{"UnsortedSegmentSum", unsortedSegmentSum}};
}

} // namespace kiln
