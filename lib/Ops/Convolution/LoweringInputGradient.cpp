// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the gradients of convolutions with regard to their images, which are
// transposed convolutions as well.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Convolution/LoweringGroups.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// The filter [K..., F, C] as one that makes all phases of an image out of
/// gradients: [taps..., F, phases * C].
Shaped filterOfPhases(WindowLowering &w, Shaped filter) {
  const size_t spatial = w.phases().size();
  Dims none(filter.dims.size(), Dim::known(0)), high = none, split;
  llvm::SmallVector<int64_t> permutation, phaseDims;
  for (size_t i = 0; i < spatial; ++i) {
    const WindowLowering::Phases &of = w.phases()[i];
    high[i] = Dim::known(of.taps * of.stride - of.window);
    split.push_back(Dim::known(of.taps));
    split.push_back(Dim::known(of.stride));
    permutation.push_back(static_cast<int64_t>(2 * i));
    phaseDims.push_back(static_cast<int64_t>(2 * i + 1));
  }
  Dim filters = filter.dims[spatial], channels = filter.dims[spatial + 1];
  filter = w.pad(std::move(filter), none, high, zeroLike(w.ir, filter.value));
  split.push_back(filters);
  split.push_back(channels);
  permutation.push_back(static_cast<int64_t>(2 * spatial));
  permutation.append(phaseDims);
  permutation.push_back(static_cast<int64_t>(2 * spatial + 1));
  Shaped parts = w.transpose(w.reshape(filter.value, split), permutation);
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

/// An image's rows and phases out of the gradient at its places, which is
/// padded for all shifts: [B, Q1, s1, Q2, s2, ..., C].
class PhaseMaker {
public:
  PhaseMaker(WindowLowering &w, Shaped padded)
      : w(w), padded(std::move(padded)), spatial(w.phases().size()),
        element(IrBuilder::elementOf(this->padded.value)) {}

  /// Shifts go backwards through the gradient, and so do the windows.
  Value make(const Shaped &filter) {
    llvm::SmallVector<int64_t> order;
    for (size_t i = 0; i < spatial; ++i)
      order.push_back(static_cast<int64_t>(i));
    order.push_back(static_cast<int64_t>(spatial) + 1);
    order.push_back(static_cast<int64_t>(spatial));
    Shaped swapped = w.transpose(filter, order);
    return isApart(swapped) ? makeApart(swapped) : makeTogether(swapped);
  }

private:
  /// One filter for all phases has zeros where a phase has fewer elements. They
  /// cost more than a convolution for each, unless there are few channels,
  /// whose products would leave most of a vector empty.
  bool isApart(const Shaped &filter) const {
    int64_t phases = 1;
    bool hasZeros = false;
    for (const WindowLowering::Phases &of : w.phases()) {
      phases *= of.stride;
      hasZeros |= of.window % of.stride != 0;
      if (phases > maxApart)
        return false;
    }
    Dim channels = filter.dims.back();
    return hasZeros && channels.isKnown() && channels.value >= minChannels;
  }
  static constexpr int64_t maxApart = 16, minChannels = 32;

  Value makeTogether(const Shaped &filter) {
    llvm::SmallVector<int64_t> ones(spatial, 1), spacings, order = {0};
    Dims rows = {padded.dims.front()};
    for (size_t i = 0; i < spatial; ++i) {
      const WindowLowering::Phases &of = w.phases()[i];
      spacings.push_back(-of.spacing);
      rows.push_back(of.rows);
      order.push_back(static_cast<int64_t>(i) + 1);
      order.push_back(static_cast<int64_t>(spatial + i) + 1);
    }
    order.push_back(2 * static_cast<int64_t>(spatial) + 1);
    Shaped own = filterOfPhases(w, filter);
    Dims to = rows, split = rows;
    to.push_back(own.dims.back());
    Value product =
        w.ir.convolve(padded.value, own.value, /*transposed=*/false, ones,
                      spacings, w.ir.tensorType(to, element),
                      paddedRows(0, Dim::known(w.phases().back().taps)));
    // [B, Q..., s..., C] to [B, Q1, s1, ..., C].
    for (const WindowLowering::Phases &of : w.phases())
      split.push_back(Dim::known(of.stride));
    split.push_back(filter.dims.back());
    return w.transpose(w.reshape(product, split), order).value;
  }

  Value makeApart(const Shaped &filter) {
    llvm::SmallVector<Value> parts;
    llvm::SmallVector<int64_t> phase(spatial, 0);
    for (size_t dim = 1; dim > 0;) {
      parts.push_back(makePhase(filter, phase));
      dim = spatial;
      while (dim > 0 && ++phase[dim - 1] == w.phases()[dim - 1].stride)
        phase[--dim] = 0;
    }
    Dims dims = {padded.dims.front()};
    for (const WindowLowering::Phases &of : w.phases()) {
      dims.push_back(of.rows);
      dims.push_back(Dim::known(1));
    }
    dims.push_back(filter.dims.back());
    for (Value &part : parts)
      part = w.reshape(part, dims).value;
    for (size_t i = spatial; i-- > 0;) {
      auto stride = static_cast<size_t>(w.phases()[i].stride);
      dims[2 * i + 2] = Dim::known(w.phases()[i].stride);
      llvm::SmallVector<Value> joined;
      for (size_t first = 0; first < parts.size() && stride > 1;
           first += stride)
        joined.push_back(w.ir.concat(llvm::ArrayRef(parts).slice(first, stride),
                                     static_cast<int64_t>(2 * i + 2),
                                     w.ir.tensorType(dims, element)));
      if (stride > 1)
        parts = joined;
    }
    return parts.front();
  }

  /// [B, Q..., C] of one phase, which every stride-th element of the filter
  /// makes.
  Value makePhase(const Shaped &filter, llvm::ArrayRef<int64_t> phase) {
    Dims own = filter.dims, part = padded.dims, to = {padded.dims.front()};
    llvm::SmallVector<int64_t> ones(spatial, 1), backwards(spatial, -1),
        first(spatial + 2, 0), steps(spatial + 2, 1), begin(spatial + 2, 0),
        whole(spatial + 2, 1);
    bool isEmpty = false;
    for (size_t i = 0; i < spatial; ++i) {
      const WindowLowering::Phases &of = w.phases()[i];
      int64_t taps = (of.window - phase[i] + of.stride - 1) / of.stride;
      isEmpty |= taps <= 0;
      own[i] = Dim::known(taps);
      first[i] = phase[i];
      steps[i] = of.stride;
      begin[i + 1] = of.taps - taps;
      part[i + 1] = w.dims.add(of.rows, Dim::known(taps - 1));
      to.push_back(of.rows);
    }
    to.push_back(filter.dims.back());
    RankedTensorType type = w.ir.tensorType(to, element);
    if (isEmpty)
      return w.ir.splat(type, 0);
    Value taps =
        w.ir.slice(filter.value, first, steps, w.ir.tensorType(own, element));
    Value gradient =
        w.ir.slice(padded.value, begin, whole, w.ir.tensorType(part, element));
    return w.ir.convolve(gradient, taps, /*transposed=*/false, ones, backwards,
                         type, paddedRows(begin[1], own[spatial - 1]));
  }

  /// The padding of the gradient without its first rows, for windows of so many
  /// columns.
  llvm::SmallVector<int64_t, 2> paddedRows(int64_t begin, Dim taps) const {
    if (spatial < 2)
      return {};
    const WindowLowering::Phases &rows = w.phases().front();
    return w.paddedRows(
        Dim::known(std::max<int64_t>(rows.low.value - begin, 0)), rows.high,
        taps, w.phases().back().rows);
  }

  WindowLowering &w;
  Shaped padded;
  size_t spatial;
  mlir::Type element;
};

bool isDilated(const WindowLowering &w) {
  return llvm::any_of(w.windows,
                      [](const WindowDim &dim) { return dim.dilation != 1; });
}

/// Whether it is known how many windows reach an element, few enough to write
/// code for each.
bool hasPhases(WindowLowering w) {
  if (isDilated(w))
    for (WindowDim &window : w.windows)
      window.stride = 1; // withZerosBetween()
  return w.planPhases().ok();
}

/// The gradient of an image by its phases.
Value imageByPhases(WindowLowering w, Shaped gradient, const Shaped &filter,
                    const Dims &image, int64_t groups) {
  if (isDilated(w)) {
    gradient = withZerosBetween(w, std::move(gradient));
    for (size_t i = 0; i < w.windows.size(); ++i) {
      w.windows[i].stride = 1;
      w.windows[i].output = gradient.dims[i + 1];
    }
  }
  [[maybe_unused]] const Status planned = w.planPhases();
  assert(planned.ok() && "only of what hasPhases()");
  Shaped padded = w.padForShifts(gradient, zeroLike(w.ir, gradient.value));
  return joinGroups(w, groups, image, IrBuilder::elementOf(gradient.value),
                    [&](int64_t i) {
                      PhaseMaker maker(w, partOf(w, padded, i, groups));
                      Shaped own = partOf(w, filter, i, groups);
                      return w
                          .imageOfPhases(maker.make(own), image.front(),
                                         own.dims[own.dims.size() - 2])
                          .value;
                    });
}

Status lowerInputGradient(Context &ctx, int spatial) {
  WindowLowering w(ctx, spatial);
  Shaped filter = {ctx.input(1), ctx.inputDims(1)}, gradient = w.image(2);
  Dims image = w.outputDims();
  KILN_RETURN_IF_ERROR(
      w.plan(image, Dims(filter.dims.begin(), filter.dims.end() - 2)));
  auto open = [&] {
    return OpenConvolution(w, image, filter.dims)
        .imageGradient(filter.value, gradient.value);
  };
  std::optional<int64_t> groups = groupsOf(w, image, filter.dims);
  // A dilated window of nothing is no window: it would reach back.
  const bool isEmpty =
      llvm::any_of(llvm::ArrayRef(filter.dims).drop_back(2), [&](Dim extent) {
        return w.dims.resolve(extent).isKnown(0);
      });
  if (isEmpty || !hasPhases(w)) {
    w.setOutput(0, open());
  } else if (groups) {
    w.setOutput(0, imageByPhases(w, gradient, filter, image, *groups));
  } else {
    RankedTensorType type =
        w.ir.tensorType(image, IrBuilder::elementOf(gradient.value));
    w.setOutput(0, chooseIfEqual(
                       w, image.back(), filter.dims.end()[-2], type,
                       [&] {
                         return w.ir.reshape(
                             imageByPhases(w, gradient, filter, image, 1),
                             type);
                       },
                       open));
  }
  return okStatus();
}

template <int spatial> Status lowerForInput(Context &ctx) {
  return lowerInputGradient(ctx, spatial);
}

} // namespace

void registerInputGradientLowerings(LoweringRegistry &registry) {
  registry.add({{"Conv2DBackpropInput", lowerForInput<2>},
                {"Conv3DBackpropInput", lowerForInput<3>},
                {"Conv3DBackpropInputV2", lowerForInput<3>}});
}

} // namespace kiln
