// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of any size, and any number of groups of channels, which only the run
// tells.
#ifndef KILN_LIB_OPS_CONVOLUTION_LOWERINGOPEN_H
#define KILN_LIB_OPS_CONVOLUTION_LOWERINGOPEN_H

#include "lib/Ops/Convolution/LoweringWindows.h"

namespace kiln {

/// The elements of all windows of an image as the rows of a matrix: one for
/// each place [B, O...] and each element [K...] of its window, of the channels
/// there. Where a product needs the matrix in memory it is as many times as
/// large as the image as windows have elements, so that this is for windows and
/// channels alone for which no code can be written before the run.
class OpenWindows {
public:
  /// After w.plan() of the image [B, S..., C].
  OpenWindows(WindowLowering &w, const Dims &image);

  Dim places() const { return numPlaces; }
  Dim taps() const { return numTaps; }
  /// Those of the image, 0 outside, with so many channels, which are at least
  /// the image's own: [places * taps, channels].
  Value elementsOf(Value image, Dim channels);
  /// The way back: the image whose elements are the sums of those of all
  /// windows where they lie.
  Value imageOf(Value elements, Dim channels);
  /// The row of the image of each row of elements, counted through B and S;
  /// as many as there are for one outside of it. i64: [places * taps].
  Value rows();
  /// How many rows the image has.
  Dim imageRows() const { return numRows; }

private:
  /// Where the windows' elements lie along spatial dimension i.
  Value placesAlong(size_t i);
  Value everywhere(Dim number);

  WindowLowering &w;
  IrBuilder &ir;
  Dims image;
  RankedTensorType indices; ///< i64: [B, O..., K...]
  Dim numPlaces, numTaps, numRows;
};

/// A convolution of images [B, S..., C] with filters [K..., C / groups, F], and
/// its gradients, where the run tells the number of groups or the windows'
/// size. An image without channels has one group of zeros.
class OpenConvolution {
public:
  /// After w.plan() of the image.
  OpenConvolution(WindowLowering &w, const Dims &image, const Dims &filter);

  Value places(Value image, Value filter, const Dims &to);
  Value filterGradient(Value image, Value gradient);
  Value imageGradient(Value filter, Value gradient);

private:
  /// [groups, places, taps * own] and back.
  Value byGroup(Value elements);
  Value elementsOfGroups(Value value);
  /// [B, O..., F] as [groups, places, filters].
  Value placesByGroup(Value value);
  /// [K..., own, F] as [groups, taps * own, filters].
  Value filterByGroup(Value value);

  WindowLowering &w;
  IrBuilder &ir;
  OpenWindows windows;
  Dims filter;
  Dim groups, own, filters; ///< the latter two of a group
};

/// One of two ways to compute a value, chosen by whether two numbers are equal:
/// in the run, where that is not known.
Value chooseIfEqual(WindowLowering &w, Dim a, Dim b, RankedTensorType type,
                    llvm::function_ref<Value()> ifEqual,
                    llvm::function_ref<Value()> otherwise);

} // namespace kiln

#endif // KILN_LIB_OPS_CONVOLUTION_LOWERINGOPEN_H
