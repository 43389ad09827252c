// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that are mirrored, turned, cut, padded and resized, as TensorFlow's
// Python functions do it.
#ifndef KILN_OPS_IMAGEOPS_H
#define KILN_OPS_IMAGEOPS_H

#include "kiln/ops/ImageBoxOps.h"
#include "kiln/ops/ImageColorOps.h"
#include "kiln/ops/ImageQualityOps.h"

#include <optional>

namespace kiln::ops {

// An image is [height, width, channels], a batch of images has an axis before
// these. What is said of an image goes for each one of a batch. **Errors** of
// the graph: INVALID_ARGUMENT with TensorFlow's texts for other ranks, empty
// images, and numbers out of their ranges; where they are known only in a run,
// the run ends with the same words.

/// The columns in reverse order. **Source**: tf.image.flip_left_right.
KILN_EXPORT Output flipLeftRight(const Input &image);
/// The rows in reverse order. **Source**: tf.image.flip_up_down.
KILN_EXPORT Output flipUpDown(const Input &image);
struct RandomFlipOptions {
  std::optional<int64_t> seed = {};
};
/// Mirrored or not, with equal chances; each image of a batch by its own.
/// **Source**: tf.image.random_flip_left_right.
KILN_EXPORT Output randomFlipLeftRight(const Input &image,
                                       const RandomFlipOptions &options = {});
/// **Source**: tf.image.random_flip_up_down.
KILN_EXPORT Output randomFlipUpDown(const Input &image,
                                    const RandomFlipOptions &options = {});
struct Rot90Options {
  /// How often, a number or a scalar of int32.
  Input k = 1;
  std::string name = {};
};
/// Turned by quarters of a circle, counterclockwise. **Source**:
/// tf.image.rot90, "rot90".
KILN_EXPORT Output rot90(const Input &image, const Rot90Options &options = {});
/// Rows become columns. **Source**: tf.image.transpose_image, "transpose".
KILN_EXPORT Output transposeImage(const Input &image,
                                  const OpOptions &options = {});

/// The middle part of each side, of this fraction of its length: more than 0
/// and at most 1, a number or a scalar. **Source**: tf.image.central_crop.
KILN_EXPORT Output centralCrop(const Input &image,
                               const Input &centralFraction);
/// The part of this size that begins at the offset. **Source**:
/// tf.image.crop_to_bounding_box.
KILN_EXPORT Output cropToBoundingBox(const Input &image,
                                     const Input &offsetHeight,
                                     const Input &offsetWidth,
                                     const Input &targetHeight,
                                     const Input &targetWidth);
/// The image at an offset among zeros. **Source**:
/// tf.image.pad_to_bounding_box.
KILN_EXPORT Output padToBoundingBox(const Input &image,
                                    const Input &offsetHeight,
                                    const Input &offsetWidth,
                                    const Input &targetHeight,
                                    const Input &targetWidth);
/// Cut or padded with zeros on both sides. **Source**:
/// tf.image.resize_image_with_crop_or_pad.
KILN_EXPORT Output resizeImageWithCropOrPad(const Input &image,
                                            const Input &targetHeight,
                                            const Input &targetWidth);
struct RandomCropOptions {
  std::optional<int64_t> seed = {};
  std::string name = {};
};
/// A part of this size of a tensor of any rank, at a place drawn by chance.
/// **Source**: tf.random_crop, "random_crop".
KILN_EXPORT Output randomCrop(const Input &value, const Input &size,
                              const RandomCropOptions &options = {});

/// **Source**: tf.image.ResizeMethod.
enum class ResizeMethod { Bilinear, NearestNeighbor, Bicubic, Area };
struct ResizeImagesOptions {
  ResizeMethod method = ResizeMethod::Bilinear;
  bool alignCorners = false;
  bool preserveAspectRatio = false;
  std::string name = {};
};
/// Images of another size: [height, width]. **Edges**: where both sizes are
/// known and equal, the images, of their own type. **Source**:
/// tf.image.resize_images, "resize".
KILN_EXPORT Output resizeImages(const Input &images, const Input &size,
                                const ResizeImagesOptions &options = {});
struct ResizeImageWithPadOptions {
  ResizeMethod method = ResizeMethod::Bilinear;
  bool alignCorners = false;
};
/// As large as it fits, with its own ratio of sides, in the middle of zeros.
/// **Source**: tf.image.resize_image_with_pad.
KILN_EXPORT Output resizeImageWithPad(
    const Input &image, const Input &targetHeight, const Input &targetWidth,
    const ResizeImageWithPadOptions &options = {});

struct ResizeOptions {
  bool alignCorners = false;
  std::string name = {};
  bool halfPixelCenters = false;
};
/// **Source**: tf.image.resize_bilinear, "ResizeBilinear".
KILN_EXPORT Output resizeBilinear(const Input &images, const Input &size,
                                  const ResizeOptions &options = {});
/// **Source**: tf.image.resize_bicubic, "ResizeBicubic".
KILN_EXPORT Output resizeBicubic(const Input &images, const Input &size,
                                 const ResizeOptions &options = {});
/// **Source**: tf.image.resize_nearest_neighbor, "ResizeNearestNeighbor".
KILN_EXPORT Output resizeNearestNeighbor(const Input &images, const Input &size,
                                         const ResizeOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_IMAGEOPS_H
