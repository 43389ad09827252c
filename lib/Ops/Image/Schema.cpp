// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Image: images of other sizes and colors, boxes in them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Image/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"ResizeBilinear", "images: T, size: int32", "resized_images: float32",
     "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, float16, "
     "float32, float64}; align_corners: bool = false; half_pixel_centers: "
     "bool = false",
     "Images of another size, by linear interpolation between four elements.",
     inferResize},
    {"ResizeBilinearGrad", "grads: float32, original_image: T", "output: T",
     "T: nnFloats; align_corners: bool = false; half_pixel_centers: bool = "
     "false",
     "The gradient of ResizeBilinear.", inferResizeLike, stopsGradient},
    {"ResizeNearestNeighbor", "images: T, size: int32", "resized_images: T",
     "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, float16, "
     "float32, float64}; align_corners: bool = false; half_pixel_centers: "
     "bool = false",
     "Images of another size, by the nearest elements.", inferResize},
    {"ResizeNearestNeighborGrad", "grads: T, size: int32", "output: T",
     "T: {uint8, int8, int32, float16, float32, float64, bfloat16}; "
     "align_corners: bool = false; half_pixel_centers: bool = false",
     "The gradient of ResizeNearestNeighbor.", inferResizeGradient},
    {"ResizeBicubic", "images: T, size: int32", "resized_images: float32",
     "T: {int8, uint8, int16, uint16, int32, int64, float16, float32, float64, "
     "bfloat16}; align_corners: bool = false; half_pixel_centers: bool = false",
     "Images of another size, by cubic interpolation between 16 elements.",
     inferResize},
    {"ResizeBicubicGrad", "grads: float32, original_image: T", "output: T",
     "T: {float32, float64}; align_corners: bool = false; half_pixel_centers: "
     "bool = false",
     "The gradient of ResizeBicubic.", inferResizeLike},
    {"ResizeArea", "images: T, size: int32", "resized_images: float32",
     "T: {int8, uint8, int16, uint16, int32, int64, float16, float32, float64, "
     "bfloat16}; align_corners: bool = false",
     "Images of another size, by means over the areas that elements cover.",
     inferResize},
    {"SampleDistortedBoundingBox", "image_size: T, bounding_boxes: float32",
     "begin: T, size: T, bboxes: float32",
     "T: {uint8, int8, int16, int32, int64}; seed: int = 0; seed2: int = 0; "
     "min_object_covered: float = 0.1; aspect_ratio_range: list(float) = "
     "[0.75, 1.33]; area_range: list(float) = [0.05, 1]; max_attempts: int = "
     "100; use_image_if_no_bounding_boxes: bool = false",
     "A part of an image drawn by chance, which covers enough of one of the "
     "boxes.",
     inferSampledBox, stateful | draws | stopsGradient},
    {"SampleDistortedBoundingBoxV2",
     "image_size: T, bounding_boxes: float32, min_object_covered: float32",
     "begin: T, size: T, bboxes: float32",
     "T: {uint8, int8, int16, int32, int64}; seed: int = 0; seed2: int = 0; "
     "aspect_ratio_range: list(float) = [0.75, 1.33]; area_range: list(float) "
     "= [0.05, 1]; max_attempts: int = 100; use_image_if_no_bounding_boxes: "
     "bool = false",
     "A part of an image drawn by chance, which covers enough of one of the "
     "boxes.",
     inferSampledBox, stateful | draws | stopsGradient},
    {"StatelessSampleDistortedBoundingBox",
     "image_size: T, bounding_boxes: float32, min_object_covered: float32, "
     "seed: Tseed",
     "begin: T, size: T, bboxes: float32",
     "T: {uint8, int8, int16, int32, int64}; Tseed: {int32, int64}; "
     "aspect_ratio_range: list(float) = [0.75, 1.33]; area_range: list(float) "
     "= [0.05, 1]; max_attempts: int = 100; use_image_if_no_bounding_boxes: "
     "bool = false",
     "SampleDistortedBoundingBoxV2 by a seed that is an input.",
     inferSampledBox},
    {"AdjustContrastv2", "images: T, contrast_factor: float32", "output: T",
     "T: {float16, float32} = float32",
     "Each element's distance from the mean of its image and channel times a "
     "factor.",
     inferAdjusted},
    {"AdjustHue", "images: T, delta: float32", "output: T",
     "T: {float16, float32} = float32",
     "Images of three channels with their hues moved around the circle.",
     inferAdjusted},
    {"AdjustSaturation", "images: T, scale: float32", "output: T",
     "T: {float16, float32} = float32",
     "Images of three channels with their saturations times a factor.",
     inferAdjusted},
    {"RGBToHSV", "images: T", "output: T", "T: nnFloats = float32",
     "Hue, saturation and value of red, green and blue.", inferColors},
    {"HSVToRGB", "images: T", "output: T", "T: nnFloats = float32",
     "Red, green and blue of hue, saturation and value.", inferColors,
     stopsGradient},
    {"DrawBoundingBoxes", "images: T, boxes: float32", "output: T",
     "T: {float32, float16} = float32",
     "Images with the lines of boxes in ten colors.", inferDrawnBoxes,
     stopsGradient},
    {"DrawBoundingBoxesV2", "images: T, boxes: float32, colors: float32",
     "output: T", "T: {float32, float16} = float32",
     "Images with the lines of boxes in given colors.", inferDrawnBoxes},
    {"CropAndResize",
     "image: T, boxes: float32, box_ind: int32, crop_size: int32",
     "crops: float32",
     "T: {uint8, uint16, int8, int16, int32, int64, float16, float32, "
     "float64}; method: string {bilinear, nearest} = bilinear; "
     "extrapolation_value: float = 0",
     "Boxes of images as images of one size.", inferCrops},
    {"CropAndResizeGradImage",
     "grads: float32, boxes: float32, box_ind: int32, image_size: int32",
     "output: T",
     "T: {float32, float16, float64}; method: string {bilinear, nearest} = "
     "bilinear",
     "The gradient of CropAndResize for the image.", inferCropsOfImage},
    {"CropAndResizeGradBoxes",
     "grads: float32, image: T, boxes: float32, box_ind: int32",
     "output: float32",
     "T: {uint8, uint16, int8, int16, int32, int64, float16, float32, "
     "float64}; method: string {bilinear} = bilinear",
     "The gradient of CropAndResize for the boxes.", inferCropsOfBoxes},
    {"ExtractGlimpse", "input: float32, size: int32, offsets: float32",
     "glimpse: float32",
     "centered: bool = true; normalized: bool = true; uniform_noise: bool = "
     "true; noise: string = uniform",
     "Parts of images around places, with noise where they reach beyond.",
     inferGlimpses, hostBody | stopsGradient},
    {"ExtractGlimpseV2", "input: float32, size: int32, offsets: float32",
     "glimpse: float32",
     "centered: bool = true; normalized: bool = true; uniform_noise: bool = "
     "true; noise: string = uniform",
     "As ExtractGlimpse, with other offsets.", inferGlimpses, hostBody},
    {"ImageProjectiveTransformV2",
     "images: dtype, transforms: float32, output_shape: int32",
     "transformed_images: dtype",
     "dtype: {uint8, int32, int64, float16, bfloat16, float32, float64}; "
     "interpolation: string; fill_mode: string = CONSTANT",
     "Images under projective transforms, which map places of the result to "
     "places of the image.",
     inferTransformed, hostBody},
    {"ImageProjectiveTransformV3",
     "images: dtype, transforms: float32, output_shape: int32, fill_value: "
     "float32",
     "transformed_images: dtype",
     "dtype: {uint8, int32, int64, float16, bfloat16, float32, float64}; "
     "interpolation: string; fill_mode: string = CONSTANT",
     "As ImageProjectiveTransformV2, with a value for what lies beyond the "
     "image.",
     inferTransformed, hostBody},
    {"ScaleAndTranslate",
     "images: T, size: int32, scale: float32, translation: float32",
     "resized_images: float32",
     "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, float16, "
     "float32, float64}; kernel_type: string = lanczos3; antialias: bool = "
     "true",
     "Images of another size, scaled and moved, by sums that a kernel weighs.",
     inferScaled, hostBody},
    {"ScaleAndTranslateGrad",
     "grads: T, original_image: T, scale: float32, translation: float32",
     "output: T",
     "T: {float32}; kernel_type: string = lanczos3; antialias: bool = true",
     "The gradient of ScaleAndTranslate.", inferScaledGradient, hostBody},
    {"NonMaxSuppression",
     "boxes: float32, scores: float32, max_output_size: int32",
     "selected_indices: int32", "iou_threshold: float = 0.5",
     "The best of boxes that overlap.", inferSuppression, stopsGradient},
    {"NonMaxSuppressionV2",
     "boxes: T, scores: T, max_output_size: int32, iou_threshold: "
     "T_threshold",
     "selected_indices: int32",
     "T: {float16, float32} = float32; T_threshold: {float16, float32} = "
     "float32",
     "The best of boxes that overlap.", inferSuppression, stopsGradient},
    {"NonMaxSuppressionV3",
     "boxes: T, scores: T, max_output_size: int32, iou_threshold: "
     "T_threshold, score_threshold: T_threshold",
     "selected_indices: int32",
     "T: {float16, float32} = float32; T_threshold: {float16, float32} = "
     "float32",
     "The best of boxes that overlap, above a score.", inferSuppression},
    {"NonMaxSuppressionV4",
     "boxes: T, scores: T, max_output_size: int32, iou_threshold: "
     "T_threshold, score_threshold: T_threshold",
     "selected_indices: int32, valid_outputs: int32",
     "T: {float16, float32} = float32; T_threshold: {float16, float32} = "
     "float32; pad_to_max_output_size: bool = false",
     "The best of boxes that overlap, above a score, and how many there are.",
     inferSuppression},
    {"NonMaxSuppressionV5",
     "boxes: T, scores: T, max_output_size: int32, iou_threshold: T, "
     "score_threshold: T, soft_nms_sigma: T",
     "selected_indices: int32, selected_scores: T, valid_outputs: int32",
     "T: {float16, float32} = float32; pad_to_max_output_size: bool = false",
     "The best of boxes whose scores others that they overlap have lowered.",
     inferSuppression},
    {"NonMaxSuppressionWithOverlaps",
     "overlaps: float32, scores: float32, max_output_size: int32, "
     "overlap_threshold: float32, score_threshold: float32",
     "selected_indices: int32", "",
     "The best of boxes whose overlaps are given.", inferSuppression,
     stopsGradient},
    {"CombinedNonMaxSuppression",
     "boxes: float32, scores: float32, max_output_size_per_class: int32, "
     "max_total_size: int32, iou_threshold: float32, score_threshold: "
     "float32",
     "nmsed_boxes: float32, nmsed_scores: float32, nmsed_classes: float32, "
     "valid_detections: int32",
     "pad_per_class: bool = false; clip_boxes: bool = true",
     "The best of boxes that overlap, of all classes of each image.",
     inferCombinedSuppression},
};

} // namespace

OpFamily imageFamily() {
  return {"Image", "images of other sizes and colors, boxes in them", records};
}

} // namespace kiln
