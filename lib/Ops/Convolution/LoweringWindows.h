// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows as ops of the dialect: padding, one element of every window, and the
// way back from windows to what they were taken from.
#ifndef KILN_LIB_OPS_CONVOLUTION_LOWERINGWINDOWS_H
#define KILN_LIB_OPS_CONVOLUTION_LOWERINGWINDOWS_H

#include "lib/Import/LoweringContext.h"
#include "lib/Ops/Convolution/WindowAttrs.h"

namespace kiln {

/// The elements of a window, or shifts of windows, that code is written for.
inline constexpr int64_t maxTaps = 4096;

/// A value with its dimensions.
struct Shaped {
  Value value;
  Dims dims;
};

/// Writes the code of one node with windows. Images are channels last: [B,
/// S..., C].
class WindowLowering {
public:
  WindowLowering(LoweringContext &ctx, int spatial)
      : ctx(ctx), ir(ctx.ir()), dims(ctx.dims()),
        spec(windowSpecOf(ctx, ctx.opDef(), spatial)) {}

  /// Where the windows of an image lie; before all that follows. **Errors**: as
  /// planWindow(), which inference has found.
  Status plan(const Dims &image, const Dims &windows);

  /// Input i with the channels last.
  Shaped image(int i);
  Dims outputDims(int i = 0) const {
    return kiln::channelsLast(ctx.outputDims(i), spec.channelsFirst);
  }
  void setOutput(int i, Value image) { ctx.setOutput(i, channelsBack(image)); }
  /// As data_format says, with the channels last, and back.
  Shaped channelsLast(Shaped whole);
  Value channelsBack(Value image);

  Shaped reshape(Value value, Dims to) {
    return {ir.reshape(value, ir.tensorType(to, IrBuilder::elementOf(value))),
            to};
  }
  Shaped transpose(const Shaped &x, llvm::ArrayRef<int64_t> permutation);
  /// With these amounts of a scalar before and behind each dimension.
  Shaped pad(Shaped x, const Dims &low, const Dims &high, Value padding);
  /// The image with the padding of its windows.
  Shaped padForWindows(Shaped image, Value padding);
  /// What kiln.convolve may leave out of its sums: the rows of padding before
  /// and behind an image, whose windows have `taps` columns at `places` columns
  /// of it. None where that is not known or not worth it: sums that leave out
  /// some rows do not go across rows of places.
  static llvm::SmallVector<int64_t, 2> paddedRows(Dim low, Dim high, Dim taps,
                                                  Dim places);
  /// The same of padForWindows().
  llvm::SmallVector<int64_t, 2> paddedRows() const;
  /// For the gradient of filters with so many channels, of the columns too.
  llvm::SmallVector<int64_t, 2> paddedForFilter(Dim channels) const;

  /// The product of all windows' extents. **Errors**: UNIMPLEMENTED where one
  /// is not known.
  StatusOr<int64_t> numTaps() const;
  /// The same, at most maxTaps. **Errors**: also UNIMPLEMENTED for more.
  StatusOr<int64_t> someTaps() const;
  /// Whether windows have elements, and it is known that they have at most
  /// maxTaps; else see OpenWindows.
  bool hasFewTaps() const;
  /// Whether there is one window, which is the image.
  bool isWholeImage() const;
  /// Calls for each element of a window, the last index running.
  void forEachTap(llvm::function_ref<void(llvm::ArrayRef<int64_t>)> body) const;
  /// That element of every window of a padded image: [B, O..., C].
  Shaped tapOf(const Shaped &padded, llvm::ArrayRef<int64_t> tap);

  // The way back. Row i of an image is in phase r of row q where i + low = q *
  // stride + r, and element k = stride * t + r of window q - t reaches it (with
  // a dilation instead of a stride: element t of window q - dilation * t). So
  // what an image gets from its windows is a sum over t of windows that are
  // shifted by t, one for each phase.
  struct Phases {
    int64_t taps = 0;    ///< values of t
    int64_t spacing = 1; ///< of their shifts
    int64_t stride = 1;  ///< phases of a row
    int64_t window = 0;
    Dim rows, low, high; ///< of q, and the padding of windows for all shifts
    Dim start;           ///< the image's first index among rows and phases
  };
  /// Splits all dimensions. **Errors**: UNIMPLEMENTED for windows of unknown
  /// size, for more than maxTaps shifts, and for strides with dilations.
  Status planPhases();
  const std::vector<Phases> &phases() const { return ofDims; }
  /// What there is for each window, padded so that it can be shifted.
  Shaped padForShifts(Shaped windows, Value padding);
  /// Calls for each combination of shifts.
  void
  forEachShift(llvm::function_ref<void(llvm::ArrayRef<int64_t>)> body) const;
  /// Shifted, and repeated for each phase: [B, Q1, s1, Q2, s2, ..., C].
  Value shifted(const Shaped &padded, llvm::ArrayRef<int64_t> shift);
  /// [B, Q1, s1, Q2, s2, ..., C...].
  Dims phasesDims(Dim batch, llvm::ArrayRef<Dim> channels) const;
  /// An image's own elements by rows and phases: [B, Q1, s1, Q2, s2, ..., C].
  Value phasesOfImage(const Shaped &image, Value padding);
  /// The number of the window's element by which each phase is reached with
  /// this shift, in i32; -1 where there is none.
  Value tapNumbers(RankedTensorType type, llvm::ArrayRef<int64_t> shift);
  /// Whether all phases are reached by each shift.
  bool allPhasesReached() const;
  /// The image [B, S..., C...] out of its rows and phases.
  Shaped imageOfPhases(Value phases, Dim batch, llvm::ArrayRef<Dim> channels);

  LoweringContext &ctx;
  IrBuilder &ir;
  DimSpace &dims;
  WindowSpec spec;
  std::vector<WindowDim> windows;

private:
  static void
  forEachIndex(llvm::ArrayRef<int64_t> counts,
               llvm::function_ref<void(llvm::ArrayRef<int64_t>)> body);

  std::vector<Phases> ofDims;
};

} // namespace kiln

#endif // KILN_LIB_OPS_CONVOLUTION_LOWERINGWINDOWS_H
