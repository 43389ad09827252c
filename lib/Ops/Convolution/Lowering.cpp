// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers convolutions and their gradients.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Convolution/LoweringGroups.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
Shaped partOf(WindowLowering &w, const Shaped &x, int64_t i, int64_t n) {
  if (n == 1)
    return x;
  Dims to = x.dims;
  to.back() = Dim::known(x.dims.back().value / n);
  llvm::SmallVector<int64_t> starts(to.size(), 0), strides(to.size(), 1);
  starts.back() = i * to.back().value;
  return {w.ir.slice(x.value, starts, strides,
                     w.ir.tensorType(to, IrBuilder::elementOf(x.value))),
          to};
}

std::optional<int64_t> groupsOf(WindowLowering &w, const Dims &image,
                                const Dims &filter) {
  Dim channels = w.dims.resolve(image.back()),
      own = w.dims.resolve(filter[filter.size() - 2]);
  if (w.dims.equal(channels, own))
    return 1;
  if (!channels.isKnown() || !own.isKnown() ||
      !w.dims.resolve(filter.back()).isKnown())
    return std::nullopt;
  return own.value == 0 ? 0 : channels.value / own.value;
}

Value joinGroups(WindowLowering &w, int64_t groups, const Dims &dims,
                 mlir::Type element, llvm::function_ref<Value(int64_t)> part) {
  mlir::RankedTensorType type = w.ir.tensorType(dims, element);
  if (groups == 0)
    return w.ir.broadcast(w.ir.scalar(element, 0), type);
  llvm::SmallVector<Value> parts;
  for (int64_t i = 0; i < groups; ++i)
    parts.push_back(part(i));
  if (groups == 1)
    return parts.front();
  return w.ir.concat(parts, static_cast<int64_t>(dims.size()) - 1, type);
}

namespace {

using Context = LoweringContext;

/// `convolve` of as many groups as are known; where the run tells, of one group
/// if there is one, else `open`.
Value byGroups(WindowLowering &w, const Shaped &image, const Dims &filter,
               RankedTensorType type,
               llvm::function_ref<Value(const Shaped &, int64_t)> convolve,
               llvm::function_ref<Value()> open) {
  if (std::optional<int64_t> groups = groupsOf(w, image.dims, filter))
    return convolve(image, *groups);
  // With one group the image has the filter's number of channels.
  Dims dims = image.dims;
  dims.back() = filter.end()[-2];
  return chooseIfEqual(
      w, image.dims.back(), dims.back(), type,
      [&] { return convolve(w.reshape(image.value, dims), 1); }, open);
}

Status lowerConvolution(Context &ctx, int spatial) {
  WindowLowering w(ctx, spatial);
  Shaped image = w.image(0), filter = {ctx.input(1), ctx.inputDims(1)};
  KILN_RETURN_IF_ERROR(
      w.plan(image.dims, Dims(filter.dims.begin(), filter.dims.end() - 2)));
  Dims places = w.outputDims();
  mlir::Type element = IrBuilder::elementOf(image.value);
  auto convolve = [&](const Shaped &of, int64_t groups) {
    Shaped padded = w.padForWindows(of, zeroLike(w.ir, of.value));
    return joinGroups(w, groups, places, element, [&](int64_t i) {
      Shaped own = partOf(w, filter, i, groups);
      Dims to = places;
      to.back() = own.dims.back();
      return w.ir.convolve(partOf(w, padded, i, groups).value, own.value,
                           /*transposed=*/false, w.spec.strides,
                           w.spec.dilations, w.ir.tensorType(to, element),
                           w.paddedRows());
    });
  };
  w.setOutput(0, byGroups(w, image, filter.dims,
                          w.ir.tensorType(places, element), convolve, [&] {
                            return OpenConvolution(w, image.dims, filter.dims)
                                .places(image.value, filter.value, places);
                          }));
  return okStatus();
}

/// Conv: a convolution of images whose batch dimensions are one.
Status lowerConv(Context &ctx) {
  const Dims &filter = ctx.inputDims(1), &whole = ctx.inputDims(0),
             &result = ctx.outputDims();
  WindowLowering w(ctx, static_cast<int>(filter.size()) - 2);
  const auto batches = static_cast<size_t>(ctx.intAttr("batch_dims"));
  Dim batch = Dim::known(1);
  for (size_t i = 0; i < batches; ++i)
    batch = w.dims.mul(batch, whole[i]);
  Dims dims(whole.begin() + static_cast<ptrdiff_t>(batches), whole.end());
  dims.insert(dims.begin(), batch);
  Shaped image = w.channelsLast(w.reshape(ctx.input(0), dims));
  KILN_RETURN_IF_ERROR(
      w.plan(image.dims, Dims(filter.begin(), filter.end() - 2)));
  Shaped padded = w.padForWindows(image, zeroLike(w.ir, image.value));
  Dims places = {batch};
  for (const WindowDim &window : w.windows)
    places.push_back(window.output);
  places.push_back(filter.back());
  Value value =
      w.ir.convolve(padded.value, ctx.input(1), /*transposed=*/false,
                    w.spec.strides, w.spec.dilations,
                    w.ir.tensorType(places, IrBuilder::elementOf(image.value)),
                    w.paddedRows());
  ctx.setOutput(0, w.reshape(w.channelsBack(value), result).value);
  return okStatus();
}

Status lowerFilterGradient(Context &ctx, int spatial) {
  WindowLowering w(ctx, spatial);
  Shaped image = w.image(0), gradient = w.image(2);
  const Dims &filter = ctx.outputDims();
  KILN_RETURN_IF_ERROR(
      w.plan(image.dims, Dims(filter.begin(), filter.end() - 2)));
  mlir::Type element = IrBuilder::elementOf(image.value);
  const Dim own = filter.end()[-2];
  auto convolve = [&](const Shaped &of, int64_t groups) {
    Shaped padded = w.padForWindows(of, zeroLike(w.ir, of.value));
    return joinGroups(w, groups, filter, element, [&](int64_t i) {
      Shaped part = partOf(w, gradient, i, groups);
      Dims to = filter;
      to.back() = part.dims.back();
      return w.ir.convolve(partOf(w, padded, i, groups).value, part.value,
                           /*transposed=*/true, w.spec.strides,
                           w.spec.dilations, w.ir.tensorType(to, element),
                           w.paddedForFilter(own));
    });
  };
  ctx.setOutput(0, byGroups(w, image, filter, w.ir.tensorType(filter, element),
                            convolve, [&] {
                              return OpenConvolution(w, image.dims, filter)
                                  .filterGradient(image.value, gradient.value);
                            }));
  return okStatus();
}

template <int spatial> Status lowerForward(Context &ctx) {
  return lowerConvolution(ctx, spatial);
}
template <int spatial> Status lowerForFilter(Context &ctx) {
  return lowerFilterGradient(ctx, spatial);
}

} // namespace

void registerConvolutionLowerings(LoweringRegistry &registry) {
  registry.add({{"Conv", lowerConv},
                {"Conv2D", lowerForward<2>},
                {"Conv2DBackpropFilter", lowerForFilter<2>},
                {"Conv3D", lowerForward<3>},
                {"Conv3DBackpropFilter", lowerForFilter<3>},
                {"Conv3DBackpropFilterV2", lowerForFilter<3>}});
  registerInputGradientLowerings(registry);
  registerDepthwiseLowerings(registry);
}

} // namespace kiln
