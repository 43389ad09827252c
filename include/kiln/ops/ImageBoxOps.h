// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes in images, as TensorFlow's Python functions draw and choose them.
#ifndef KILN_OPS_IMAGEBOXOPS_H
#define KILN_OPS_IMAGEBOXOPS_H

#include "kiln/OpOptions.h"

#include <limits>
#include <optional>

namespace kiln::ops {

// A box is [y1, x1, y2, x2]: two corners.

struct DrawBoundingBoxesOptions {
  std::string name = {};
  /// A list of colors; ten of TensorFlow's own where there is none.
  std::optional<Input> colors = {};
};
/// **Source**: tf.image.draw_bounding_boxes, "DrawBoundingBoxes",
/// "DrawBoundingBoxesV2".
KILN_EXPORT Output
drawBoundingBoxes(const Input &images, const Input &boxes,
                  const DrawBoundingBoxesOptions &options = {});

struct NonMaxSuppressionOptions {
  Input iouThreshold = 0.5;
  Input scoreThreshold = -std::numeric_limits<double>::infinity();
  std::string name = {};
};
/// The indices of the best boxes, none of which overlaps a better one by more
/// than a threshold. **Source**: tf.image.non_max_suppression,
/// "non_max_suppression".
KILN_EXPORT Output nonMaxSuppression(
    const Input &boxes, const Input &scores, const Input &maxOutputSize,
    const NonMaxSuppressionOptions &options = {});

struct NonMaxSuppressionWithScoresOptions {
  Input iouThreshold = 0.5;
  Input scoreThreshold = -std::numeric_limits<double>::infinity();
  Input softNmsSigma = 0.0;
  std::string name = {};
};
struct ScoredBoxes {
  Output selectedIndices, selectedScores;
};
/// The same, where an overlap may lower a score instead. **Source**:
/// tf.image.non_max_suppression_with_scores, "non_max_suppression_with_scores".
KILN_EXPORT ScoredBoxes nonMaxSuppressionWithScores(
    const Input &boxes, const Input &scores, const Input &maxOutputSize,
    const NonMaxSuppressionWithScoresOptions &options = {});

struct NonMaxSuppressionPaddedOptions {
  Input iouThreshold = 0.5;
  Input scoreThreshold = -std::numeric_limits<double>::infinity();
  bool padToMaxOutputSize = false;
  std::string name = {};
};
struct PaddedBoxes {
  Output selectedIndices, validOutputs;
};
/// The same indices, filled up with zeros, and how many count. **Source**:
/// tf.image.non_max_suppression_padded of TensorFlow 1,
/// "non_max_suppression_padded": one node, not the function of loops that
/// TensorFlow 2.21 has for batches.
KILN_EXPORT PaddedBoxes nonMaxSuppressionPadded(
    const Input &boxes, const Input &scores, const Input &maxOutputSize,
    const NonMaxSuppressionPaddedOptions &options = {});

struct NonMaxSuppressionOverlapsOptions {
  Input overlapThreshold = 0.5;
  Input scoreThreshold = -std::numeric_limits<double>::infinity();
  std::string name = {};
};
/// The same of boxes whose overlaps are given. **Source**:
/// tf.image.non_max_suppression_overlaps, "non_max_suppression_overlaps".
KILN_EXPORT Output nonMaxSuppressionOverlaps(
    const Input &overlaps, const Input &scores, const Input &maxOutputSize,
    const NonMaxSuppressionOverlapsOptions &options = {});

struct CombinedNonMaxSuppressionOptions {
  Input iouThreshold = 0.5;
  Input scoreThreshold = -std::numeric_limits<double>::infinity();
  bool padPerClass = false;
  bool clipBoxes = true;
  std::string name = {};
};
struct CombinedBoxes {
  Output nmsedBoxes, nmsedScores, nmsedClasses, validDetections;
};
/// The best boxes of all classes of each image. **Source**:
/// tf.image.combined_non_max_suppression, "combined_non_max_suppression".
KILN_EXPORT CombinedBoxes combinedNonMaxSuppression(
    const Input &boxes, const Input &scores, const Input &maxOutputSizePerClass,
    const Input &maxTotalSize,
    const CombinedNonMaxSuppressionOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_IMAGEBOXOPS_H
