// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes in images.
#include "kiln/GraphScopes.h"
#include "kiln/ops/Image.h"
#include "kiln/ops/ImageBoxOps.h"
#include "lib/Build/Ops/Helpers.h"

namespace kiln::ops {

DistortedBox
sampleDistortedBoundingBox(const Input &imageSize, const Input &boundingBoxes,
                           const SampleDistortedBoundingBoxOptions &options) {
  FunctionScope scope(options.name, "sample_distorted_bounding_box",
                      {&imageSize, &boundingBoxes});
  auto box = rawOps::sampleDistortedBoundingBoxV2(
      imageSize, boundingBoxes, options.minObjectCovered,
      {.seed = options.seed.value_or(0),
       .seed2 = options.seed2.value_or(0),
       .aspectRatioRange = options.aspectRatioRange,
       .areaRange = options.areaRange,
       .maxAttempts = options.maxAttempts,
       .useImageIfNoBoundingBoxes = options.useImageIfNoBoundingBoxes,
       .name = options.name});
  return {box.begin, box.size, box.bboxes};
}

Output drawBoundingBoxes(const Input &images, const Input &boxes,
                         const DrawBoundingBoxesOptions &options) {
  if (!options.colors)
    return rawOps::drawBoundingBoxes(images, boxes, {.name = options.name});
  return rawOps::drawBoundingBoxesV2(images, boxes, *options.colors,
                                     {.name = options.name});
}

Output nonMaxSuppression(const Input &boxes, const Input &scores,
                         const Input &maxOutputSize,
                         const NonMaxSuppressionOptions &options) {
  FunctionScope scope(options.name, "non_max_suppression", {&boxes, &scores});
  Output overlap = convert(options.iouThreshold, "iou_threshold");
  Output least = convert(options.scoreThreshold, "score_threshold");
  return rawOps::nonMaxSuppressionV3(boxes, scores, maxOutputSize, overlap,
                                     least);
}

ScoredBoxes
nonMaxSuppressionWithScores(const Input &boxes, const Input &scores,
                            const Input &maxOutputSize,
                            const NonMaxSuppressionWithScoresOptions &options) {
  FunctionScope scope(options.name, "non_max_suppression_with_scores",
                      {&boxes, &scores});
  Output overlap = convert(options.iouThreshold, "iou_threshold");
  Output least = convert(options.scoreThreshold, "score_threshold");
  Output sigma = convert(options.softNmsSigma, "soft_nms_sigma");
  auto chosen = rawOps::nonMaxSuppressionV5(boxes, scores, maxOutputSize,
                                            overlap, least, sigma);
  return {chosen.selectedIndices, chosen.selectedScores};
}

PaddedBoxes
nonMaxSuppressionPadded(const Input &boxes, const Input &scores,
                        const Input &maxOutputSize,
                        const NonMaxSuppressionPaddedOptions &options) {
  FunctionScope scope(options.name, "non_max_suppression_padded",
                      {&boxes, &scores});
  Output overlap = convert(options.iouThreshold, "iou_threshold");
  Output least = convert(options.scoreThreshold, "score_threshold");
  auto chosen = rawOps::nonMaxSuppressionV4(
      boxes, scores, maxOutputSize, overlap, least,
      {.padToMaxOutputSize = options.padToMaxOutputSize});
  return {chosen.selectedIndices, chosen.validOutputs};
}

Output
nonMaxSuppressionOverlaps(const Input &overlaps, const Input &scores,
                          const Input &maxOutputSize,
                          const NonMaxSuppressionOverlapsOptions &options) {
  FunctionScope scope(options.name, "non_max_suppression_overlaps",
                      {&overlaps, &scores});
  Output overlap = convert(options.overlapThreshold, "overlap_threshold");
  return rawOps::nonMaxSuppressionWithOverlaps(overlaps, scores, maxOutputSize,
                                               overlap, options.scoreThreshold);
}

CombinedBoxes
combinedNonMaxSuppression(const Input &boxes, const Input &scores,
                          const Input &maxOutputSizePerClass,
                          const Input &maxTotalSize,
                          const CombinedNonMaxSuppressionOptions &options) {
  FunctionScope scope(options.name, "combined_non_max_suppression",
                      {&boxes, &scores});
  Output overlap =
      convert(options.iouThreshold, "iou_threshold", DType::Float32);
  Output least =
      convert(options.scoreThreshold, "score_threshold", DType::Float32);
  Output total = valueOf(maxTotalSize);
  auto chosen = rawOps::combinedNonMaxSuppression(
      boxes, scores, maxOutputSizePerClass, total, overlap, least,
      {.padPerClass = options.padPerClass, .clipBoxes = options.clipBoxes});
  return {chosen.nmsedBoxes, chosen.nmsedScores, chosen.nmsedClasses,
          chosen.validDetections};
}

} // namespace kiln::ops
