// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes windows as slices of a padded image.
#include "lib/Ops/Convolution/LoweringWindows.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

Status WindowLowering::plan(const Dims &image, const Dims &windowDims) {
  KILN_ASSIGN_OR_RETURN(windows, spec.plan(dims, spatialOf(image), windowDims));
  for (WindowDim &window : windows)
    for (Dim *dim : {&window.input, &window.window, &window.output, &window.low,
                     &window.high})
      *dim = dims.resolve(*dim);
  return okStatus();
}

Shaped WindowLowering::transpose(const Shaped &x,
                                 llvm::ArrayRef<int64_t> permutation) {
  Dims to;
  for (int64_t dim : permutation)
    to.push_back(x.dims[static_cast<size_t>(dim)]);
  return {ir.transpose(x.value, permutation), to};
}

Shaped WindowLowering::image(int i) {
  return channelsLast({ctx.input(i), ctx.inputDims(i)});
}

Shaped WindowLowering::channelsLast(Shaped whole) {
  if (!spec.channelsFirst)
    return whole;
  llvm::SmallVector<int64_t> permutation = {0};
  for (size_t dim = 2; dim < whole.dims.size(); ++dim)
    permutation.push_back(static_cast<int64_t>(dim));
  permutation.push_back(1);
  return transpose(whole, permutation);
}

Value WindowLowering::channelsBack(Value image) {
  if (!spec.channelsFirst)
    return image;
  llvm::SmallVector<int64_t> permutation = {
      0, static_cast<int64_t>(spec.rank()) + 1};
  for (size_t dim = 1; dim <= spec.rank(); ++dim)
    permutation.push_back(static_cast<int64_t>(dim));
  return ir.transpose(image, permutation);
}

Shaped WindowLowering::pad(Shaped x, const Dims &low, const Dims &high,
                           Value padding) {
  mlir::Type element = IrBuilder::elementOf(x.value);
  llvm::SmallVector<int64_t> before;
  for (size_t i = 0; i < low.size(); ++i) {
    before.push_back(low[i].isKnown() ? low[i].value : 0);
    if (low[i].isKnown())
      continue;
    // Only a concat puts a computed number of elements before a tensor.
    Dims front = x.dims;
    front[i] = low[i];
    x.dims[i] = dims.add(low[i], x.dims[i]);
    Value parts[] = {ir.broadcast(padding, ir.tensorType(front, element)),
                     x.value};
    x.value = ir.concat(parts, static_cast<int64_t>(i),
                        ir.tensorType(x.dims, element));
  }
  for (size_t i = 0; i < low.size(); ++i)
    x.dims[i] = dims.add(dims.add(x.dims[i], Dim::known(before[i])), high[i]);
  RankedTensorType type = ir.tensorType(x.dims, element);
  if (x.value.getType() != type)
    x.value = ir.pad(x.value, padding, before, type);
  return x;
}

Shaped WindowLowering::padForWindows(Shaped image, Value padding) {
  Dims low(image.dims.size(), Dim::known(0)), high = low;
  for (size_t i = 0; i < windows.size(); ++i) {
    low[i + 1] = windows[i].low;
    high[i + 1] = windows[i].high;
  }
  return pad(std::move(image), low, high, padding);
}

llvm::SmallVector<int64_t, 2> WindowLowering::paddedRows(Dim low, Dim high,
                                                         Dim taps, Dim places) {
  // Without padding between them, several rows of places are one to a product.
  constexpr int64_t fewPlaces = 6;
  if (!low.isKnown() || !high.isKnown() || low.value < 0 || high.value < 0 ||
      (low.value == 0 && high.value == 0))
    return {};
  bool areApart = taps.isKnown() && taps.value > 1;
  if (places.isKnown() ? places.value <= (areApart ? 1 : fewPlaces) : !areApart)
    return {};
  return {low.value, high.value};
}

llvm::SmallVector<int64_t, 2> WindowLowering::paddedRows() const {
  if (windows.size() < 2)
    return {};
  return paddedRows(windows.front().low, windows.front().high,
                    windows.back().window, windows.back().output);
}

/// The share that padding has of the products of places with elements of
/// windows.
static double paddedShare(const WindowDim &dim) {
  auto products = [&](const Dim &padding) {
    const auto many = static_cast<double>(padding.value);
    return many * (many + static_cast<double>(dim.dilation)) /
           static_cast<double>(2 * dim.stride * dim.dilation);
  };
  return (products(dim.low) + products(dim.high)) /
         static_cast<double>(dim.window.value) /
         static_cast<double>(std::max<int64_t>(dim.output.value, 1));
}

llvm::SmallVector<int64_t, 2>
WindowLowering::paddedForFilter(Dim channels) const {
  // Shorter runs of rows pay where they are whole tiles of a product, and what
  // is left out is more than the others' larger tiles gain.
  constexpr int64_t minChannels = 16;
  constexpr double minShare = 0.03;
  llvm::SmallVector<int64_t, 2> padded = paddedRows();
  const WindowDim &last = windows.back();
  if (windows.size() < 2 || !channels.isKnown() ||
      channels.value < minChannels || !last.window.isKnown() ||
      last.window.value < 2 || !last.output.isKnown())
    return padded;
  llvm::SmallVector<int64_t, 2> columns =
      paddedRows(last.low, last.high, last.window, last.output);
  if (columns.empty() || paddedShare(last) < minShare)
    return padded;
  if (padded.empty())
    padded = {0, 0};
  padded.append(columns);
  return padded;
}

//===--- Elements of windows ----------------------------------------------===//

StatusOr<int64_t> WindowLowering::numTaps() const {
  int64_t taps = 1;
  for (const WindowDim &window : windows)
    if (!window.window.isKnown() ||
        __builtin_mul_overflow(taps, window.window.value, &taps))
      return ctx.unimplemented("windows of unknown or enormous size");
  return taps;
}

StatusOr<int64_t> WindowLowering::someTaps() const {
  KILN_ASSIGN_OR_RETURN(int64_t taps, numTaps());
  if (taps > maxTaps)
    return ctx.unimplemented(
        strCat("windows of more than ", maxTaps, " elements, got ", taps));
  return taps;
}

bool WindowLowering::hasFewTaps() const {
  StatusOr<int64_t> taps = someTaps();
  return taps.ok() && *taps > 0;
}

bool WindowLowering::isWholeImage() const {
  return llvm::all_of(windows, [](const WindowDim &dim) {
    return dim.output.isKnown(1) && dim.low.isKnown(0) && dim.high.isKnown(0) &&
           dim.input == dim.window;
  });
}

void WindowLowering::forEachIndex(
    llvm::ArrayRef<int64_t> counts,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>)> body) {
  if (llvm::is_contained(counts, 0))
    return;
  llvm::SmallVector<int64_t> index(counts.size(), 0);
  for (;;) {
    body(index);
    size_t dim = counts.size();
    while (dim > 0 && ++index[dim - 1] == counts[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

void WindowLowering::forEachTap(
    llvm::function_ref<void(llvm::ArrayRef<int64_t>)> body) const {
  forEachIndex(
      llvm::map_to_vector(
          windows, [](const WindowDim &window) { return window.window.value; }),
      body);
}

Shaped WindowLowering::tapOf(const Shaped &padded,
                             llvm::ArrayRef<int64_t> tap) {
  Dims to = padded.dims;
  llvm::SmallVector<int64_t> starts(to.size(), 0), strides(to.size(), 1);
  for (size_t i = 0; i < windows.size(); ++i) {
    to[i + 1] = windows[i].output;
    starts[i + 1] = tap[i] * windows[i].dilation;
    strides[i + 1] = windows[i].stride;
  }
  return {ir.slice(padded.value, starts, strides,
                   ir.tensorType(to, IrBuilder::elementOf(padded.value))),
          to};
}

//===--- Back from windows ------------------------------------------------===//

Status WindowLowering::planPhases() {
  ofDims.clear();
  int64_t all = 1;
  for (const WindowDim &dim : windows) {
    if (!dim.window.isKnown())
      return ctx.unimplemented("the gradient of a window of unknown size");
    if (dim.stride != 1 && dim.dilation != 1)
      return ctx.unimplemented("Current CPU implementations do not yet support "
                               "dilation rates larger than 1.");
    Phases of;
    of.window = dim.window.value;
    // A single window has no other: none is shifted.
    bool isSingle = dim.output.isKnown(1) && dim.dilation == 1;
    of.stride = isSingle ? std::max<int64_t>(of.window, 1) : dim.stride;
    of.spacing = dim.dilation;
    of.taps = (of.window + of.stride - 1) / of.stride;
    if (__builtin_mul_overflow(all, of.taps, &all) || all > maxTaps)
      return ctx.unimplemented(
          strCat("the gradient of more than ", maxTaps, " windows at a place"));
    const int64_t reach = std::max<int64_t>(of.taps - 1, 0) * of.spacing;
    const int64_t first =
        dim.low.isKnown() ? std::min(dim.low.value / of.stride, reach) : 0;
    Dim end = dims.floorDiv(
        dims.add(dims.add(dim.input, dim.low), Dim::known(of.stride - 1)),
        Dim::known(of.stride));
    // Behind an image that is padded at will there may be windows that see
    // nothing of it.
    if (spec.padding == Padding::Explicit)
      end = dims.max(end, dim.output);
    of.rows = dims.sub(end, Dim::known(first));
    of.low = Dim::known(reach - first);
    of.high = dims.sub(end, dim.output);
    of.start = dims.sub(dim.low, Dim::known(first * of.stride));
    ofDims.push_back(of);
  }
  return okStatus();
}

Shaped WindowLowering::padForShifts(Shaped of, Value padding) {
  Dims low(of.dims.size(), Dim::known(0)), high = low;
  for (size_t i = 0; i < ofDims.size(); ++i) {
    low[i + 1] = ofDims[i].low;
    high[i + 1] = ofDims[i].high;
  }
  return pad(std::move(of), low, high, padding);
}

void WindowLowering::forEachShift(
    llvm::function_ref<void(llvm::ArrayRef<int64_t>)> body) const {
  forEachIndex(llvm::map_to_vector(
                   ofDims, [](const Phases &phases) { return phases.taps; }),
               body);
}

Dims WindowLowering::phasesDims(Dim batch, llvm::ArrayRef<Dim> channels) const {
  Dims all = {batch};
  for (const Phases &of : ofDims) {
    all.push_back(of.rows);
    all.push_back(Dim::known(of.stride));
  }
  all.insert(all.end(), channels.begin(), channels.end());
  return all;
}

Value WindowLowering::shifted(const Shaped &padded,
                              llvm::ArrayRef<int64_t> shift) {
  Dims rows = padded.dims, single = {padded.dims.front()};
  llvm::SmallVector<int64_t> starts(rows.size(), 0), strides(rows.size(), 1),
      map;
  for (size_t i = 0; i < ofDims.size(); ++i) {
    const Phases &of = ofDims[i];
    rows[i + 1] = of.rows;
    starts[i + 1] = (of.taps - 1 - shift[i]) * of.spacing;
    single.push_back(of.rows);
    single.push_back(Dim::known(1));
  }
  mlir::Type element = IrBuilder::elementOf(padded.value);
  auto channels = llvm::ArrayRef(rows).drop_front(ofDims.size() + 1);
  single.insert(single.end(), channels.begin(), channels.end());
  Dims all = phasesDims(rows.front(), channels);
  for (size_t i = 0; i < all.size(); ++i)
    map.push_back(static_cast<int64_t>(i));
  Value part =
      ir.slice(padded.value, starts, strides, ir.tensorType(rows, element));
  return ir.broadcast(reshape(part, single).value, ir.tensorType(all, element),
                      map);
}

Value WindowLowering::phasesOfImage(const Shaped &image, Value padding) {
  Dims low(image.dims.size(), Dim::known(0)), high = low;
  for (size_t i = 0; i < ofDims.size(); ++i) {
    const Phases &of = ofDims[i];
    low[i + 1] = of.start;
    high[i + 1] = dims.sub(dims.mul(of.rows, Dim::known(of.stride)),
                           dims.add(of.start, image.dims[i + 1]));
  }
  return reshape(pad(image, low, high, padding).value,
                 phasesDims(image.dims.front(), image.dims.back()))
      .value;
}

bool WindowLowering::allPhasesReached() const {
  return llvm::all_of(
      ofDims, [](const Phases &of) { return of.window % of.stride == 0; });
}

Value WindowLowering::tapNumbers(RankedTensorType type,
                                 llvm::ArrayRef<int64_t> shift) {
  auto numbers = ir::withElementType(type, ir.opBuilder().getI32Type());
  Value number = ir.splatInt(numbers, 0), reached;
  for (size_t i = 0; i < ofDims.size(); ++i) {
    const Phases &of = ofDims[i];
    Value tap = ir.splatInt(numbers, shift[i] * of.stride);
    if (of.stride > 1)
      tap = ir.add(tap, ir.iota(numbers, static_cast<int64_t>(2 * i + 2)));
    if ((shift[i] + 1) * of.stride > of.window) {
      Value inside =
          ir.compare(ir::Predicate::lt, tap, ir.splatInt(numbers, of.window));
      reached = reached ? ir.binary<ir::AndOp>(reached, inside) : inside;
    }
    number = ir.add(ir.mul(number, ir.splatInt(numbers, of.window)), tap);
  }
  return reached ? ir.select(reached, number, ir.splatInt(numbers, -1))
                 : number;
}

Shaped WindowLowering::imageOfPhases(Value value, Dim batch,
                                     llvm::ArrayRef<Dim> channels) {
  Dims joined = {batch}, image = {batch}, starts = {Dim::known(0)};
  bool isStartKnown = true;
  for (size_t i = 0; i < ofDims.size(); ++i) {
    const Phases &of = ofDims[i];
    joined.push_back(dims.mul(of.rows, Dim::known(of.stride)));
    image.push_back(windows[i].input);
    starts.push_back(of.start);
    isStartKnown &= of.start.isKnown();
  }
  joined.insert(joined.end(), channels.begin(), channels.end());
  image.insert(image.end(), channels.begin(), channels.end());
  starts.resize(image.size(), Dim::known(0));
  Value whole = reshape(value, joined).value;
  RankedTensorType type = ir.tensorType(image, IrBuilder::elementOf(value));
  llvm::SmallVector<int64_t> known, ones(image.size(), 1);
  for (Dim start : starts)
    known.push_back(start.isKnown() ? start.value : 0);
  if (isStartKnown)
    return {ir.slice(whole, known, ones, type), image};
  auto places = RankedTensorType::get({static_cast<int64_t>(image.size())},
                                      ir.opBuilder().getI64Type());
  return {ir::SliceOp::create(ir.opBuilder(), ir.location(), type, whole,
                              ir.contents(places, starts),
                              llvm::SmallVector<int64_t>(image.size(), 0),
                              ones),
          image};
}

} // namespace kiln
