// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that find out sizes and axes from numbers which a graph computes.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/RangeLength.h"
#include "lib/Support/Strings.h"
#include "runtime/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>

namespace kiln {
namespace {

/// x : integers -> nothing; finds out its elements [those that are asked for].
int32_t readNumbers(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchInteger(call.inputDType(0), [&]<class T>(T) -> int32_t {
    for (int j = 0; j < call.numNumbers(); ++j)
      call.bind(j, static_cast<int64_t>(call.input<T>(0)[call.number(j)]));
    return 0;
  });
}

/// start, limit, delta : floats -> nothing; finds out the length of the range.
/// Number 0 is their dtype in the graph.
int32_t rangeLength(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  auto number = [&](int i) {
    return call.inputDType(i) == DType::Float64
               ? *call.input<double>(i)
               : static_cast<double>(*call.input<float>(i));
  };
  auto length = floatRangeLength(static_cast<DType>(call.number(0)), number(0),
                                 number(1), number(2));
  if (!length.ok())
    return !call.fail(length.status());
  call.bind(0, *length);
  return 0;
}

/// s0, s1 : shapes -> the axes over which to sum a gradient of their broadcast
/// for each, counted in the longer one: those of extent 1, also where both are;
/// none for equal shapes. Finds out how many (TensorFlow's
/// BroadcastGradientArgs).
int32_t broadcastGradientAxes(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchInteger(call.inputDType(0), [&]<class T>(T) -> int32_t {
    std::span<const T> shapes[] = {
        {call.input<T>(0), static_cast<size_t>(call.inputElements(0))},
        {call.input<T>(1), static_cast<size_t>(call.inputElements(1))}};
    size_t rank = std::max(shapes[0].size(), shapes[1].size());
    auto extent = [&](int side, size_t axis) {
      size_t missing = rank - shapes[side].size();
      return axis < missing ? T(1) : shapes[side][axis - missing];
    };
    bool isSame = std::ranges::equal(shapes[0], shapes[1]);
    for (size_t axis = 0; axis < rank && !isSame; ++axis) {
      T a = extent(0, axis), b = extent(1, axis);
      if (a != b && a != 1 && b != 1)
        return !call.fail(invalidArgumentError(
            strCat("Incompatible shapes: [", strJoin(shapes[0], ","), "] vs. [",
                   strJoin(shapes[1], ","), "]")));
    }
    for (int side = 0; side < 2; ++side) {
      auto sumsOver = [&](size_t axis) {
        return !isSame && extent(side, axis) == 1;
      };
      int64_t count = 0;
      for (size_t axis = 0; axis < rank; ++axis)
        count += sumsOver(axis);
      call.bind(side, count);
      T *out = call.allocateOutput<T>(side);
      if (!out)
        return 1;
      for (size_t axis = 0; axis < rank; ++axis)
        if (sumsOver(axis))
          *out++ = static_cast<T>(axis);
    }
    return 0;
  });
}

} // namespace

std::vector<Kernel> sizeKernels() {
  return {{"BroadcastGradientArgs", broadcastGradientAxes},
          {"RangeLength", rangeLength},
          {"ReadNumbers", readNumbers}};
}

} // namespace kiln
