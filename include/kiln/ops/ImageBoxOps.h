// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes in images, as TensorFlow's Python functions draw and choose them.
#ifndef KILN_OPS_IMAGEBOXOPS_H
#define KILN_OPS_IMAGEBOXOPS_H

#include "kiln/OpOptions.h"

#include <limits>
#include <optional>
#include <vector>

namespace kiln::ops {

// A box is [y1, x1, y2, x2]: two corners.

struct SampleDistortedBoundingBoxOptions {
  std::optional<int64_t> seed = {};
  std::optional<int64_t> seed2 = {};
  /// The share of an object that the part covers at least.
  Input minObjectCovered = 0.1;
  /// Width by height.
  std::vector<float> aspectRatioRange = {0.75f, 1.33f};
  /// Shares of the image's area.
  std::vector<float> areaRange = {0.05f, 1};
  int64_t maxAttempts = 100;
  /// Otherwise an image without boxes is an error.
  bool useImageIfNoBoundingBoxes = false;
  std::string name = {};
};
struct DistortedBox {
  /// What slice() takes: [row, column, 0], [height, width, -1].
  Output begin, size;
  Output bboxes; ///< the same as a box: [1, 1, 4]
};
/// A part of an image drawn by chance, which covers enough of one of the boxes;
/// the whole image where no attempt found one. **Shapes**: imageSize: [height,
/// width, channels], boundingBoxes: [batch, boxes, 4]. **Edges**: without a
/// seed each session draws others; the graph's seed is not asked. **Source**:
/// tf.image.sample_distorted_bounding_box, "sample_distorted_bounding_box".
KILN_EXPORT DistortedBox sampleDistortedBoundingBox(
    const Input &imageSize, const Input &boundingBoxes,
    const SampleDistortedBoundingBoxOptions &options = {});

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
