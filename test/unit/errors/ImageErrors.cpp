// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said of images that functions do not take, and of numbers out of
// their ranges.
#include "test/unit/errors/ErrorTable.h"

namespace kiln::testing {
namespace {

Output image(const Shape &shape = {4, 5, 3}) {
  return ops::placeholder(DType::Float32, shape, {.name = "x"});
}

std::vector<ErrorCase> shapeErrors() {
  return {
      {"images/flip_rank_2", [] { ops::flipLeftRight(image({4, 5})); }},
      {"images/flip_rank_5",
       [] { ops::flipLeftRight(image({1, 1, 4, 5, 3})); }},
      {"images/flip_empty", [] { ops::flipUpDown(image({4, 0, 3})); }},
      {"images/random_flip_rank_5",
       [] { ops::randomFlipLeftRight(image({1, 1, 4, 5, 3})); }},
      {"images/rot90_rank_5", [] { ops::rot90(image({1, 1, 4, 5, 3})); }},
      {"images/transpose_rank_5",
       [] { ops::transposeImage(image({1, 1, 4, 5, 3})); }},
      {"images/rot90_vector",
       [] { ops::rot90(image(), {.k = Input::List{1}}); }},
      {"images/central_crop_zero", [] { ops::centralCrop(image(), 0.0); }},
      {"images/central_crop_above_one", [] { ops::centralCrop(image(), 1.5); }},
      {"images/central_crop_rank",
       [] { ops::centralCrop(image(Shape::unknownRank()), 0.5); }},
      {"images/crop_rank",
       [] { ops::cropToBoundingBox(image({4, 5}), 0, 0, 1, 1); }},
      {"images/resize_no_shape",
       [] { ops::resizeImages(image(Shape::unknownRank()), {2, 2}); }},
      {"images/resize_rank", [] { ops::resizeImages(image({4, 5}), {2, 2}); }},
      {"images/grayscale_channels", [] { ops::grayscaleToRgb(image()); }},
      {"images/grayscale_rank", [] { ops::grayscaleToRgb(image({4})); }},
      {"images/standardization_empty",
       [] { ops::perImageStandardization(image({4, 5, 0})); }},
      {"images/total_variation_rank",
       [] { ops::totalVariation(image({4, 5})); }},
      {"images/gradients_rank", [] { ops::imageGradients(image({4, 5, 3})); }},
      {"images/psnr_shapes",
       [] { ops::psnr(image(), ops::zeros({4, 4, 3}), 1.0); }},
      {"images/ssim_rank", [] { ops::ssim(image(), ops::zeros({4, 5}), 1.0); }},
      {"images/ssim_batches",
       [] {
         ops::ssim(image({3, 12, 12, 3}), ops::zeros({2, 12, 12, 3}), 1.0);
       }},
  };
}

std::vector<ErrorCase> boxErrors() {
  return {
      {"images/crop_offset_height",
       [] { ops::cropToBoundingBox(image(), -1, 0, 2, 2); }},
      {"images/crop_offset_width",
       [] { ops::cropToBoundingBox(image(), 0, -1, 2, 2); }},
      {"images/crop_target_height",
       [] { ops::cropToBoundingBox(image(), 0, 0, 0, 2); }},
      {"images/crop_target_width",
       [] { ops::cropToBoundingBox(image(), 0, 0, 2, 0); }},
      {"images/crop_height",
       [] { ops::cropToBoundingBox(image(), 3, 0, 2, 2); }},
      {"images/crop_width",
       [] { ops::cropToBoundingBox(image(), 0, 4, 2, 2); }},
      {"images/pad_offset_height",
       [] { ops::padToBoundingBox(image(), -1, 0, 9, 9); }},
      {"images/pad_offset_width",
       [] { ops::padToBoundingBox(image(), 0, -1, 9, 9); }},
      {"images/pad_height", [] { ops::padToBoundingBox(image(), 6, 0, 9, 9); }},
      {"images/pad_width", [] { ops::padToBoundingBox(image(), 0, 6, 9, 9); }},
      {"images/crop_or_pad_height",
       [] { ops::resizeImageWithCropOrPad(image(), 0, 2); }},
      {"images/crop_or_pad_width",
       [] { ops::resizeImageWithCropOrPad(image(), 2, 0); }},
      {"images/resize_floats", [] { ops::resizeImages(image(), {2.5, 2.5}); }},
      {"images/resize_three_sizes",
       [] { ops::resizeImages(image(), {2, 2, 2}); }},
      {"images/resize_scalar", [] { ops::resizeImages(image(), 2); }},
      {"images/resize_method",
       [] {
         ops::resizeImages(image(), {2, 2},
                           {.method = static_cast<ops::ResizeMethod>(7)});
       }},
      {"images/resize_with_pad_height",
       [] { ops::resizeImageWithPad(image(), 0, 2); }},
  };
}

std::vector<ErrorCase> colorErrors() {
  return {
      {"images/type_of_a_text",
       [] {
         ops::convertImageDType(ops::constant(Input::List{"a"}),
                                DType::Float32);
       }},
      {"images/type_bool",
       [] { ops::convertImageDType(image(), DType::Bool); }},
      {"images/gamma", [] { ops::adjustGamma(image(), {.gamma = -1}); }},
      {"images/random_brightness",
       [] { ops::randomBrightness(image(), -0.5); }},
      {"images/random_hue_negative", [] { ops::randomHue(image(), -0.5); }},
      {"images/random_hue_large", [] { ops::randomHue(image(), 0.6); }},
      {"images/random_contrast_order",
       [] { ops::randomContrast(image(), 1.0, 1.0); }},
      {"images/random_contrast_negative",
       [] { ops::randomContrast(image(), -1.0, 1.0); }},
      {"images/random_saturation_order",
       [] { ops::randomSaturation(image(), 2.0, 1.0); }},
  };
}

} // namespace

std::vector<ErrorCase> imageErrors() {
  std::vector<ErrorCase> all = shapeErrors();
  for (auto *section : {boxErrors, colorErrors})
    for (ErrorCase &each : section())
      all.push_back(std::move(each));
  return all;
}

} // namespace kiln::testing
