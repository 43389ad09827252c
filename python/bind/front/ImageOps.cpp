// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of tf.image.
#include "kiln/ops/ImageOps.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Modules.h"

namespace kiln::python::front {

template <> struct From<ops::ResizeMethod> {
  static ops::ResizeMethod convert(PyObject *value) {
    int64_t method = integerFrom(value);
    if (method < 0 || method > 3)
      throw nanobind::value_error(
          ("Resize method is not implemented: " + std::to_string(method))
              .c_str());
    return static_cast<ops::ResizeMethod>(method);
  }
};

namespace {

using namespace ops;

PyMethodDef functions[] = {
    function_<&flipLeftRight>("flip_left_right"),
    function_<&flipUpDown>("flip_up_down"),
    function_<&randomFlipLeftRight>("random_flip_left_right"),
    function_<&randomFlipUpDown>("random_flip_up_down"),
    function_<&rot90>("rot90"),
    function_<&transposeImage>("transpose_image"),
    function_<&centralCrop>("central_crop"),
    function_<&cropToBoundingBox>("crop_to_bounding_box"),
    function_<&padToBoundingBox>("pad_to_bounding_box"),
    function_<&resizeImageWithCropOrPad>("resize_image_with_crop_or_pad"),
    function_<&randomCrop>("random_crop"),
    function_<&resizeImages>("resize_images"),
    function_<&resizeImageWithPad>("resize_image_with_pad"),
    function_<&ops::resizeBilinear>("resize_bilinear"),
    function_<&ops::resizeBicubic>("resize_bicubic"),
    function_<&ops::resizeNearestNeighbor>("resize_nearest_neighbor"),
    function_<&convertImageDType>("convert_image_dtype"),
    function_<&perImageStandardization>("per_image_standardization"),
    function_<&adjustBrightness>("adjust_brightness"),
    function_<&adjustContrast>("adjust_contrast"),
    function_<&adjustGamma>("adjust_gamma"),
    function_<&ops::adjustHue>("adjust_hue"),
    function_<&ops::adjustSaturation>("adjust_saturation"),
    function_<&randomBrightness>("random_brightness"),
    function_<&randomContrast>("random_contrast"),
    function_<&randomHue>("random_hue"),
    function_<&randomSaturation>("random_saturation"),
    function_<&rgbToGrayscale>("rgb_to_grayscale"),
    function_<&grayscaleToRgb>("grayscale_to_rgb"),
    function_<&rgbToYiq>("rgb_to_yiq"),
    function_<&yiqToRgb>("yiq_to_rgb"),
    function_<&rgbToYuv>("rgb_to_yuv"),
    function_<&yuvToRgb>("yuv_to_rgb"),
    function_<&isJpeg>("is_jpeg"),
    function_<&ops::sampleDistortedBoundingBox>(
        "sample_distorted_bounding_box"),
    function_<&ops::drawBoundingBoxes>("draw_bounding_boxes"),
    function_<&ops::nonMaxSuppression>("non_max_suppression"),
    function_<&nonMaxSuppressionWithScores>("non_max_suppression_with_scores"),
    function_<&nonMaxSuppressionPadded>("non_max_suppression_padded"),
    function_<&nonMaxSuppressionOverlaps>("non_max_suppression_overlaps"),
    function_<&ops::combinedNonMaxSuppression>("combined_non_max_suppression"),
    function_<&totalVariation>("total_variation"),
    function_<&psnr>("psnr"),
    function_<&ssim>("ssim"),
    function_<&ssimMultiscale>("ssim_multiscale"),
    function_<&imageGradients>("image_gradients"),
    function_<&sobelEdges>("sobel_edges"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindImages(nanobind::module_ &module) { addFunctions(module, functions); }

} // namespace kiln::python::front
