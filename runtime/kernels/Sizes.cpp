// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that find out sizes and axes from numbers which a graph computes.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/RangeLength.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>

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

template <class T> std::span<const T> vectorOf(const KernelCall &call, int i) {
  return {call.input<T>(i), static_cast<size_t>(call.inputElements(i))};
}

/// s0, s1 : shapes -> that of their broadcast, as long as the longer one.
int32_t broadcastShapes(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchInteger(call.inputDType(0), [&]<class T>(T) -> int32_t {
    auto a = vectorOf<T>(call, 0), b = vectorOf<T>(call, 1);
    const size_t rank = std::max(a.size(), b.size());
    for (size_t i = 1; i <= rank; ++i) {
      const T x = i <= a.size() ? a[a.size() - i] : T(1),
              y = i <= b.size() ? b[b.size() - i] : T(1);
      if (x != y && x != 1 && y != 1)
        return !call.fail(invalidArgumentError(
            strCat("Incompatible shapes: [", strJoin(a, ","), "] vs. [",
                   strJoin(b, ","), "]")));
      call.output<T>(0)[rank - i] = x == 1 ? y : x;
    }
    return 0;
  });
}

/// axis : i32, shapes : vectors of one length -> where each begins in their
/// concatenation along the axis.
int32_t concatOffsets(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchInteger(call.inputDType(1), [&]<class T>(T) -> int32_t {
    auto fail = [&](std::string text) {
      return !call.fail(invalidArgumentError(std::move(text)));
    };
    auto first = vectorOf<T>(call, 1);
    const auto rank = static_cast<int64_t>(first.size());
    const int64_t given = *call.input<int32_t>(0),
                  axis = given < 0 ? given + rank : given;
    if (axis < 0 || axis >= rank)
      return fail(strCat("Concat dim is out of range: ", given, " vs. ", rank));
    T offset = 0;
    for (int i = 0; i + 1 < call.numInputs(); ++i) {
      auto shape = vectorOf<T>(call, i + 1);
      if (shape.size() != first.size())
        return fail(strCat("input ", i, " should contain ", rank,
                           " elements, but got ", shape.size()));
      for (size_t k = 0; k < shape.size(); ++k) {
        const bool isAxis = static_cast<int64_t>(k) == axis;
        if (!isAxis && shape[k] != first[k])
          return fail(strCat("All dimensions except ", axis,
                             " must match. Input ", i, " has shape [",
                             strJoin(shape, " "),
                             "] and doesn't match input 0 with shape [",
                             strJoin(first, " "), "]."));
        call.output<T>(i)[k] = isAxis ? offset : T(0);
      }
      // TensorFlow's offsets wrap as well.
      __builtin_add_overflow(offset, shape[static_cast<size_t>(axis)], &offset);
    }
    return 0;
  });
}

/// Binds the sizes of parts of an extent, of which one may be -1 for what the
/// others leave.
template <class T> bool bindParts(const KernelCall &call, int64_t extent) {
  auto fail = [&](std::string text) {
    return call.fail(invalidArgumentError(std::move(text)));
  };
  auto sizes = vectorOf<T>(call, 1);
  int64_t sum = 0;
  std::optional<size_t> open;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto size = static_cast<int64_t>(sizes[i]);
    if (size == -1) {
      if (open)
        return fail("There can only be one -1 in the input.");
      open = i;
    } else if (__builtin_add_overflow(sum, size, &sum)) {
      return call.fail(ErrorKind::SizeOverflow);
    }
  }
  if (open ? sum > extent : sum != extent)
    return fail(strCat("Determined shape must either match input shape along "
                       "split_dim exactly if fully specified, or be less "
                       "than the size of the input along split_dim if not "
                       "fully specified.  Got: ",
                       sum));
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t size =
        open == i ? extent - sum : static_cast<int64_t>(sizes[i]);
    if (size < 0)
      return fail(
          strCat("Split size at index ", i, " must be >= 0. Got: ", size));
    call.bind(static_cast<int>(i), size);
  }
  return true;
}

/// x, sizes : integers -> parts of x along an axis (number 0), of the sizes.
int32_t splitParts(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  auto dims = call.inputDims(0);
  const auto axis = static_cast<size_t>(call.number(0));
  const bool isBound = dispatchInteger(call.inputDType(1), [&]<class T>(T) {
    return bindParts<T>(call, dims[axis]);
  });
  if (!isBound)
    return 1;
  int64_t outer = 1, inner = 1;
  for (size_t d = 0; d < dims.size(); ++d)
    (d < axis ? outer : inner) *= d == axis ? 1 : dims[d];
  const auto bytes = static_cast<size_t>(inner) * dtypeSize(call.inputDType(0));
  const size_t pitch = static_cast<size_t>(dims[axis]) * bytes;
  const char *from = call.input<char>(0);
  for (int part = 0; part < call.numOutputs(); ++part) {
    auto *to = call.allocateOutput<char>(part);
    if (!to)
      return 1;
    const size_t run = static_cast<size_t>(call.bound(part)) * bytes;
    if (run == 0)
      continue;
    if (call.forEach(outer, [&](int64_t o) {
          std::memcpy(to + static_cast<size_t>(o) * run,
                      from + static_cast<size_t>(o) * pitch, run);
          return true;
        }))
      return 1;
    from += run;
  }
  return 0;
}

} // namespace

std::vector<Kernel> sizeKernels() {
  return {{"BroadcastArgs", broadcastShapes},
          {"BroadcastGradientArgs", broadcastGradientAxes},
          {"ConcatOffset", concatOffsets},
          {"RangeLength", rangeLength},
          {"ReadNumbers", readNumbers},
          {"SplitParts", splitParts}};
}

} // namespace kiln
