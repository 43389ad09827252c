// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of Fourier transforms: those back, without their factors. Of RFFT3D
// and IRFFT3D TensorFlow has none.
#include "lib/Autodiff/GradientCall.h"

#include <numbers>
#include <string>

namespace kiln {
namespace {

std::string named(std::string_view op, int rank) {
  return rank == 1 ? std::string(op)
                   : std::string(op) + std::to_string(rank) + "D";
}

DType partOf(DType dtype) {
  return dtype == DType::Complex128 ? DType::Float64 : DType::Float32;
}
DType wholeOf(DType dtype) {
  return dtype == DType::Float64 ? DType::Complex128 : DType::Complex64;
}

/// How many numbers are transformed at once.
Output sizeOf(const Output &tensor, int rank) {
  return ops::reduceProd(ops::shape(tensor)[{sliceFrom(-rank)}]);
}

template <int rank> void forwardGradient(GradientCall &call) {
  Output dy = call.grad();
  Output size = ops::cast(sizeOf(dy, rank), dy.dtype());
  call.set(0, addOp(named("IFFT", rank), {dy}) * size);
}

template <int rank> void inverseGradient(GradientCall &call) {
  Output dy = call.grad();
  Output size = ops::cast(sizeOf(dy, rank), partOf(dy.dtype()));
  Output share = ops::cast(1.0 / size, dy.dtype());
  call.set(0, addOp(named("FFT", rank), {dy}) * share);
}

Output tiled(const Output &tensor, const Output &repeats) {
  return addOp("Tile", {tensor, repeats});
}

/// 1, -1, 1, ... as complex numbers.
Output alternating(const Output &length, DType dtype) {
  return ops::cast(1 - 2 * (ops::range(0, length) % 2), dtype);
}

/// The roots of unity that a transform multiplies by: element (j, k) is
/// exp(-2 pi i j k / length).
Output rootsOf(const Output &length, DType dtype) {
  Output row = tiled(ops::expandDims(ops::range(0, length), 0),
                     ops::stack({length, Input(1)}));
  Output product = row * ops::permute(row, {1, 0});
  const DType part = partOf(dtype);
  Output angle = -2 * std::numbers::pi * ops::cast(product, part) /
                 ops::cast(length, part);
  return addOp("Exp", {addOp("Complex", {ops::zerosLike(angle), angle},
                             {{"Tout", dtype}})});
}

/// The roots, once for each batch of `column`.
Output repeated(const Output &roots, const Output &column) {
  Output rank = ops::rank(column);
  Output ones = ops::ones(ops::stack({rank - 2}), {.dtype = DType::Int32});
  Output spread =
      addOp("Reshape", {roots, ops::concat({ones, ops::shape(roots)}, 0)});
  Output batches = ops::shape(column)[{sliceTo(-2)}];
  return tiled(spread, ops::concat({batches, vectorOf({1, 1})}, 0));
}

/// What the half that RFFT leaves out adds: its first column and, of an even
/// length, its last one have no opposites. **Source**: _rfft_grad_helper.
template <int rank> void realGradient(GradientCall &call) {
  Output x = call.in(0), lengths = call.in(1), dy = call.grad();
  const DType whole = dy.dtype(), part = partOf(whole);
  Output shape = ops::shape(x);
  Output isEven = ops::cast(1 - lengths[{-1}] % 2, whole);
  Output first = dy[{ellipsis(), slice(0, 1)}],
         last = dy[{ellipsis(), sliceFrom(-1)}];
  Output width = shape[{-1}];
  Output extra;
  if constexpr (rank == 1) {
    extra = first + isEven * last * alternating(width, whole);
  } else {
    Output roots = repeated(rootsOf(shape[{-2}], whole), first);
    Output before = ops::matMul(roots, conjugated(first));
    Output behind = ops::matMul(roots, conjugated(last));
    Output ones =
        ops::ones(ops::stack({ops::rank(dy) - 1}), {.dtype = DType::Int32});
    behind = tiled(behind, ops::concat({ones, ops::stack({width})}, 0)) *
             alternating(width, whole);
    extra = before + isEven * behind;
  }
  Output size = ops::cast(sizeOf(x, rank), part);
  Output back = addOp(named("IRFFT", rank), {dy, lengths}, {{"Treal", part}});
  Output real = addOp("Real", {extra}, {{"Tout", part}});
  call.set(0, 0.5 * (back * size + real));
}

/// Elements that stand for their opposites, too, count twice. **Source**:
/// _irfft_grad_helper.
template <int rank> void toRealGradient(GradientCall &call) {
  Output lengths = call.in(1), dy = call.grad();
  const DType part = dy.dtype(), whole = wholeOf(part);
  Output isOdd = lengths[{-1}] % 2;
  Output extent = ops::shape(call.in(0))[{-1}];
  auto ones = [&](const Output &count) {
    return ops::ones(ops::stack({count}), {.dtype = part});
  };
  Output mask = ops::concat({ops::ones({1}, {.dtype = part}),
                             2.0 * ones(extent - 2 + isOdd), ones(1 - isOdd)},
                            0);
  Output share = addOp("Reciprocal", {ops::cast(sizeOf(dy, rank), part)});
  Output there =
      addOp(named("RFFT", rank), {dy, lengths}, {{"Tcomplex", whole}});
  call.set(0, there * ops::cast(share * mask, whole));
}

} // namespace

void registerSpectralGradients(GradientRegistry &registry) {
  registry.add({"FFT"}, forwardGradient<1>);
  registry.add({"FFT2D"}, forwardGradient<2>);
  registry.add({"FFT3D"}, forwardGradient<3>);
  registry.add({"IFFT"}, inverseGradient<1>);
  registry.add({"IFFT2D"}, inverseGradient<2>);
  registry.add({"IFFT3D"}, inverseGradient<3>);
  registry.add({"RFFT"}, realGradient<1>);
  registry.add({"RFFT2D"}, realGradient<2>);
  registry.add({"IRFFT"}, toRealGradient<1>);
  registry.add({"IRFFT2D"}, toRealGradient<2>);
}

} // namespace kiln
