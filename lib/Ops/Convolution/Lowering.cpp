// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers convolutions and their gradients.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Convolution/LoweringWindows.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

Value zeroLike(IrBuilder &ir, Value value) {
  return ir.scalar(IrBuilder::elementOf(value), 0);
}

/// Part number i of n equal ones along a dimension.
Shaped partOf(WindowLowering &w, const Shaped &x, size_t dim, int64_t i,
              int64_t n) {
  if (n == 1)
    return x;
  Dims to = x.dims;
  to[dim] = Dim::known(x.dims[dim].value / n);
  llvm::SmallVector<int64_t> starts(to.size(), 0), strides(to.size(), 1);
  starts[dim] = i * to[dim].value;
  return {w.ir.slice(x.value, starts, strides,
                     w.ir.tensorType(to, IrBuilder::elementOf(x.value))),
          to};
}

/// Channels are split among groups, each with filters of its own. **Errors**:
/// UNIMPLEMENTED where their number depends on what is not known.
StatusOr<int64_t> groupsOf(WindowLowering &w, const Dims &image,
                           const Dims &filter) {
  Dim channels = w.dims.resolve(image.back()),
      own = w.dims.resolve(filter[filter.size() - 2]);
  if (w.dims.equal(channels, own))
    return 1;
  if (!channels.isKnown() || !own.isKnown() ||
      !w.dims.resolve(filter.back()).isKnown())
    return w.ctx.unimplemented("groups of unknown size");
  return channels.value / own.value;
}

template <class Part>
Value joinGroups(WindowLowering &w, int64_t groups, const Dims &dims,
                 int64_t axis, Part part) {
  llvm::SmallVector<Value> parts;
  for (int64_t i = 0; i < groups; ++i)
    parts.push_back(part(i));
  return groups == 1
             ? parts.front()
             : w.ir.concat(
                   parts, axis,
                   w.ir.tensorType(dims, IrBuilder::elementOf(parts.front())));
}

Status lowerConvolution(Context &ctx, int spatial) {
  WindowLowering w(ctx, spatial);
  Shaped image = w.image(0), filter = {ctx.input(1), ctx.inputDims(1)};
  KILN_RETURN_IF_ERROR(
      w.plan(image.dims, Dims(filter.dims.begin(), filter.dims.end() - 2)));
  KILN_ASSIGN_OR_RETURN(int64_t groups, groupsOf(w, image.dims, filter.dims));
  Shaped padded = w.padForWindows(image, zeroLike(w.ir, image.value));
  Dims places = w.outputDims();
  mlir::Type element = IrBuilder::elementOf(image.value);
  w.setOutput(
      0,
      joinGroups(
          w, groups, places, static_cast<int64_t>(spatial) + 1, [&](int64_t i) {
            Shaped own = partOf(w, filter, filter.dims.size() - 1, i, groups);
            Dims to = places;
            to.back() = own.dims.back();
            return w.ir.convolve(
                partOf(w, padded, padded.dims.size() - 1, i, groups).value,
                own.value, /*transposed=*/false, w.spec.strides,
                w.spec.dilations, w.ir.tensorType(to, element));
          }));
  return okStatus();
}

Status lowerFilterGradient(Context &ctx, int spatial) {
  WindowLowering w(ctx, spatial);
  Shaped image = w.image(0), gradient = w.image(2);
  const Dims &filter = ctx.outputDims();
  KILN_RETURN_IF_ERROR(
      w.plan(image.dims, Dims(filter.begin(), filter.end() - 2)));
  KILN_ASSIGN_OR_RETURN(int64_t groups, groupsOf(w, image.dims, filter));
  Shaped padded = w.padForWindows(image, zeroLike(w.ir, image.value));
  mlir::Type element = IrBuilder::elementOf(image.value);
  ctx.setOutput(
      0,
      joinGroups(
          w, groups, filter, static_cast<int64_t>(spatial) + 1, [&](int64_t i) {
            Shaped own =
                partOf(w, gradient, gradient.dims.size() - 1, i, groups);
            Dims to = filter;
            to.back() = own.dims.back();
            return w.ir.convolve(
                partOf(w, padded, padded.dims.size() - 1, i, groups).value,
                own.value, /*transposed=*/true, w.spec.strides,
                w.spec.dilations, w.ir.tensorType(to, element));
          }));
  return okStatus();
}

/// The filter [K..., C, F] as one that makes all phases of an image out of
/// gradients: [taps..., F, phases * C], its elements in reverse order.
Shaped filterOfPhases(WindowLowering &w, Shaped filter) {
  const size_t spatial = w.phases().size();
  Dims none(filter.dims.size(), Dim::known(0)), high = none, split;
  llvm::SmallVector<int64_t> starts, strides, permutation, phaseDims;
  for (size_t i = 0; i < spatial; ++i) {
    const WindowLowering::Phases &of = w.phases()[i];
    high[i] = Dim::known(of.taps * of.stride - of.window);
    split.push_back(Dim::known(of.taps));
    split.push_back(Dim::known(of.stride));
    permutation.push_back(static_cast<int64_t>(2 * i));
    phaseDims.push_back(static_cast<int64_t>(2 * i + 1));
    starts.append({of.taps - 1, 0});
    strides.append({-1, 1});
  }
  Dim channels = filter.dims[spatial], filters = filter.dims[spatial + 1];
  filter = w.pad(std::move(filter), none, high, zeroLike(w.ir, filter.value));
  split.push_back(channels);
  split.push_back(filters);
  starts.append({0, 0});
  strides.append({1, 1});
  Shaped parts = w.reshape(filter.value, split);
  parts.value =
      w.ir.slice(parts.value, starts, strides,
                 w.ir.tensorType(split, IrBuilder::elementOf(parts.value)));
  permutation.push_back(static_cast<int64_t>(2 * spatial + 1));
  permutation.append(phaseDims);
  permutation.push_back(static_cast<int64_t>(2 * spatial));
  parts = w.transpose(parts, permutation);
  Dims to;
  for (const WindowLowering::Phases &of : w.phases()) {
    to.push_back(Dim::known(of.taps));
    channels = w.dims.mul(channels, Dim::known(of.stride));
  }
  to.push_back(filters);
  to.push_back(channels);
  return w.reshape(parts.value, to);
}

/// With stride - 1 zeros between its elements: windows that lie apart without
/// a stride.
Shaped withZerosBetween(WindowLowering &w, Shaped x) {
  Dims apart = {x.dims.front()}, high = {Dim::known(0)}, joined = apart,
       to = apart;
  for (size_t i = 0; i < w.windows.size(); ++i) {
    Dim extent = x.dims[i + 1], stride = Dim::known(w.windows[i].stride);
    apart.insert(apart.end(), {extent, Dim::known(1)});
    high.insert(high.end(),
                {Dim::known(0), Dim::known(w.windows[i].stride - 1)});
    joined.push_back(w.dims.mul(extent, stride));
    to.push_back(w.dims.sub(joined.back(), Dim::known(stride.value - 1)));
  }
  for (Dims *each : {&apart, &joined, &to})
    each->push_back(x.dims.back());
  high.push_back(Dim::known(0));
  Value zero = zeroLike(w.ir, x.value);
  Shaped spread = w.pad(w.reshape(x.value, apart),
                        Dims(apart.size(), Dim::known(0)), high, zero);
  llvm::SmallVector<int64_t> starts(to.size(), 0), ones(to.size(), 1);
  return {w.ir.slice(w.reshape(spread.value, joined).value, starts, ones,
                     w.ir.tensorType(to, IrBuilder::elementOf(x.value))),
          to};
}

Status lowerInputGradient(Context &ctx, int spatial) {
  WindowLowering w(ctx, spatial);
  Shaped filter = {ctx.input(1), ctx.inputDims(1)}, gradient = w.image(2);
  Dims image = w.outputDims();
  KILN_RETURN_IF_ERROR(
      w.plan(image, Dims(filter.dims.begin(), filter.dims.end() - 2)));
  KILN_ASSIGN_OR_RETURN(int64_t groups, groupsOf(w, image, filter.dims));
  bool isDilated = llvm::any_of(
      w.windows, [](const WindowDim &dim) { return dim.dilation != 1; });
  if (isDilated) {
    gradient = withZerosBetween(w, std::move(gradient));
    for (size_t i = 0; i < w.windows.size(); ++i) {
      w.windows[i].stride = 1;
      w.windows[i].output = gradient.dims[i + 1];
    }
  }
  KILN_RETURN_IF_ERROR(w.planPhases());
  Shaped padded = w.padForShifts(gradient, zeroLike(w.ir, gradient.value));
  mlir::Type element = IrBuilder::elementOf(gradient.value);
  llvm::SmallVector<int64_t> ones(w.windows.size(), 1), spacings, order = {0};
  Dims rows = {image.front()}, parts = rows;
  for (size_t i = 0; i < w.windows.size(); ++i) {
    const WindowLowering::Phases &of = w.phases()[i];
    spacings.push_back(of.spacing);
    rows.push_back(of.rows);
    order.push_back(static_cast<int64_t>(i) + 1);
    order.push_back(static_cast<int64_t>(w.windows.size() + i) + 1);
  }
  order.push_back(2 * static_cast<int64_t>(w.windows.size()) + 1);
  auto ofGroup = [&](int64_t i) {
    Shaped own =
        filterOfPhases(w, partOf(w, filter, filter.dims.size() - 1, i, groups));
    Dims to = rows, split = rows;
    to.push_back(own.dims.back());
    Value product = w.ir.convolve(
        partOf(w, padded, padded.dims.size() - 1, i, groups).value, own.value,
        /*transposed=*/false, ones, spacings, w.ir.tensorType(to, element));
    // [B, Q..., s..., C] to [B, Q1, s1, ..., C].
    for (const WindowLowering::Phases &of : w.phases())
      split.push_back(Dim::known(of.stride));
    Dim channels = filter.dims[filter.dims.size() - 2];
    split.push_back(channels);
    Shaped phases = w.transpose(w.reshape(product, split), order);
    return w.imageOfPhases(phases.value, image.front(), channels).value;
  };
  w.setOutput(0, joinGroups(w, groups, image, static_cast<int64_t>(spatial) + 1,
                            ofGroup));
  return okStatus();
}

template <int spatial> Status lowerForward(Context &ctx) {
  return lowerConvolution(ctx, spatial);
}
template <int spatial> Status lowerForInput(Context &ctx) {
  return lowerInputGradient(ctx, spatial);
}
template <int spatial> Status lowerForFilter(Context &ctx) {
  return lowerFilterGradient(ctx, spatial);
}

} // namespace

void registerDepthwiseLowerings(LoweringRegistry &registry);

void registerConvolutionLowerings(LoweringRegistry &registry) {
  registry.add({{"Conv2D", lowerForward<2>},
                {"Conv2DBackpropInput", lowerForInput<2>},
                {"Conv2DBackpropFilter", lowerForFilter<2>},
                {"Conv3D", lowerForward<3>},
                {"Conv3DBackpropInput", lowerForInput<3>},
                {"Conv3DBackpropInputV2", lowerForInput<3>},
                {"Conv3DBackpropFilter", lowerForFilter<3>},
                {"Conv3DBackpropFilterV2", lowerForFilter<3>}});
  registerDepthwiseLowerings(registry);
}

} // namespace kiln
