// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colors and types of images, as TensorFlow's Python functions change them.
#ifndef KILN_OPS_IMAGECOLOROPS_H
#define KILN_OPS_IMAGECOLOROPS_H

#include "kiln/OpOptions.h"

#include <optional>

namespace kiln::ops {

struct ConvertImageDTypeOptions {
  /// Values beyond the type's ends become its ends.
  bool saturate = false;
  std::string name = {};
};
/// Images of another type: floats from 0 to 1 stand for integers from 0 to the
/// largest one. **Errors** of the graph: INVALID_ARGUMENT for types that are
/// neither. **Source**: tf.image.convert_image_dtype, "convert_image".
KILN_EXPORT Output
convertImageDType(const Input &image, DType dtype,
                  const ConvertImageDTypeOptions &options = {});

/// Each image less its mean, by its standard deviation, which counts as at
/// least one by the root of the number of elements. **Source**:
/// tf.image.per_image_standardization.
KILN_EXPORT Output perImageStandardization(const Input &image);

// Images of other types than float16 and float32 are changed as float32 and
// converted back.

/// **Source**: tf.image.adjust_brightness.
KILN_EXPORT Output adjustBrightness(const Input &image, const Input &delta);
/// The distance from the mean of its channel times a factor. **Source**:
/// tf.image.adjust_contrast.
KILN_EXPORT Output adjustContrast(const Input &images,
                                  const Input &contrastFactor);
struct AdjustGammaOptions {
  Input gamma = 1;
  Input gain = 1;
};
/// gain * image ^ gamma. **Source**: tf.image.adjust_gamma.
KILN_EXPORT Output adjustGamma(const Input &image,
                               const AdjustGammaOptions &options = {});
/// **Source**: tf.image.adjust_hue, "adjust_hue".
KILN_EXPORT Output adjustHue(const Input &image, const Input &delta,
                             const OpOptions &options = {});
/// **Source**: tf.image.adjust_saturation, "adjust_saturation".
KILN_EXPORT Output adjustSaturation(const Input &image,
                                    const Input &saturationFactor,
                                    const OpOptions &options = {});

struct RandomAdjustmentOptions {
  std::optional<int64_t> seed = {};
};
// The bounds of what is drawn are numbers, no tensors.

/// Brighter or darker by up to maxDelta. **Source**:
/// tf.image.random_brightness.
KILN_EXPORT Output
randomBrightness(const Input &image, const Input &maxDelta,
                 const RandomAdjustmentOptions &options = {});
/// **Source**: tf.image.random_hue.
KILN_EXPORT Output randomHue(const Input &image, const Input &maxDelta,
                             const RandomAdjustmentOptions &options = {});
/// By a factor between the two. **Source**: tf.image.random_contrast.
KILN_EXPORT Output randomContrast(const Input &image, const Input &lower,
                                  const Input &upper,
                                  const RandomAdjustmentOptions &options = {});
/// **Source**: tf.image.random_saturation.
KILN_EXPORT Output
randomSaturation(const Input &image, const Input &lower, const Input &upper,
                 const RandomAdjustmentOptions &options = {});

/// **Shapes**: [..., 3] to [..., 1]. **Source**: tf.image.rgb_to_grayscale,
/// "rgb_to_grayscale".
KILN_EXPORT Output rgbToGrayscale(const Input &images,
                                  const OpOptions &options = {});
/// **Shapes**: [..., 1] to [..., 3]. **Source**: tf.image.grayscale_to_rgb,
/// "grayscale_to_rgb".
KILN_EXPORT Output grayscaleToRgb(const Input &images,
                                  const OpOptions &options = {});
/// **Source**: tf.image.rgb_to_yiq.
KILN_EXPORT Output rgbToYiq(const Input &images);
/// **Source**: tf.image.yiq_to_rgb.
KILN_EXPORT Output yiqToRgb(const Input &images);
/// **Source**: tf.image.rgb_to_yuv.
KILN_EXPORT Output rgbToYuv(const Input &images);
/// **Source**: tf.image.yuv_to_rgb.
KILN_EXPORT Output yuvToRgb(const Input &images);

/// Whether it begins as a JPEG file does. **Source**: tf.image.is_jpeg,
/// "is_jpeg".
KILN_EXPORT Output isJpeg(const Input &contents, const OpOptions &options = {});

struct EncodePngOptions {
  /// From 0 to 9; -1 for zlib's own.
  int64_t compression = -1;
  std::string name = {};
};
/// **Source**: tf.image.encode_png, "EncodePng".
KILN_EXPORT Output encodePng(const Input &image,
                             const EncodePngOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_IMAGECOLOROPS_H
