# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images that functions of tf.image do not take, and numbers out of their ranges."""
from error_cases import case, tf

image = tf.image


def image_case(name):
    """A program of an image."""
    def add(program):
        case("images/" + name)(lambda: program(tf.placeholder(tf.float32, [4, 5, 3], "x")))
    return add


def shaped(name, function, *shape):
    case("images/" + name)(lambda: function(tf.placeholder(tf.float32, shape or None, "x")))


shaped("flip_rank_2", image.flip_left_right, 4, 5)
shaped("flip_rank_5", image.flip_left_right, 1, 1, 4, 5, 3)
shaped("flip_empty", image.flip_up_down, 4, 0, 3)
shaped("random_flip_rank_5", image.random_flip_left_right, 1, 1, 4, 5, 3)
shaped("rot90_rank_5", image.rot90, 1, 1, 4, 5, 3)
shaped("transpose_rank_5", image.transpose_image, 1, 1, 4, 5, 3)
image_case("rot90_vector")(lambda x: image.rot90(x, [1]))

for key, fraction in {"zero": 0.0, "above_one": 1.5}.items():
    image_case(f"central_crop_{key}")(lambda x, fraction=fraction: image.central_crop(x, fraction))
shaped("central_crop_rank", lambda x: image.central_crop(x, 0.5))
shaped("crop_rank", lambda x: image.crop_to_bounding_box(x, 0, 0, 1, 1), 4, 5)
image_case("crop_offset_height")(lambda x: image.crop_to_bounding_box(x, -1, 0, 2, 2))
image_case("crop_offset_width")(lambda x: image.crop_to_bounding_box(x, 0, -1, 2, 2))
image_case("crop_target_height")(lambda x: image.crop_to_bounding_box(x, 0, 0, 0, 2))
image_case("crop_target_width")(lambda x: image.crop_to_bounding_box(x, 0, 0, 2, 0))
image_case("crop_height")(lambda x: image.crop_to_bounding_box(x, 3, 0, 2, 2))
image_case("crop_width")(lambda x: image.crop_to_bounding_box(x, 0, 4, 2, 2))
image_case("pad_offset_height")(lambda x: image.pad_to_bounding_box(x, -1, 0, 9, 9))
image_case("pad_offset_width")(lambda x: image.pad_to_bounding_box(x, 0, -1, 9, 9))
image_case("pad_height")(lambda x: image.pad_to_bounding_box(x, 6, 0, 9, 9))
image_case("pad_width")(lambda x: image.pad_to_bounding_box(x, 0, 6, 9, 9))
image_case("crop_or_pad_height")(lambda x: image.resize_image_with_crop_or_pad(x, 0, 2))
image_case("crop_or_pad_width")(lambda x: image.resize_image_with_crop_or_pad(x, 2, 0))

shaped("resize_no_shape", lambda x: image.resize_images(x, [2, 2]))
shaped("resize_rank", lambda x: image.resize_images(x, [2, 2]), 4, 5)
image_case("resize_floats")(lambda x: image.resize_images(x, [2.5, 2.5]))
image_case("resize_three_sizes")(lambda x: image.resize_images(x, [2, 2, 2]))
image_case("resize_scalar")(lambda x: image.resize_images(x, 2))
image_case("resize_method")(lambda x: image.resize_images(x, [2, 2], method=7))
image_case("resize_with_pad_height")(lambda x: image.resize_image_with_pad(x, 0, 2))

case("images/type_of_a_text")(lambda: image.convert_image_dtype(tf.constant(["a"]), tf.float32))
image_case("type_bool")(lambda x: image.convert_image_dtype(x, tf.bool))
image_case("grayscale_channels")(lambda x: image.grayscale_to_rgb(x))
shaped("grayscale_rank", image.grayscale_to_rgb, 4)
image_case("gamma")(lambda x: image.adjust_gamma(x, -1))
image_case("random_brightness")(lambda x: image.random_brightness(x, -0.5))
image_case("random_hue_negative")(lambda x: image.random_hue(x, -0.5))
image_case("random_hue_large")(lambda x: image.random_hue(x, 0.6))
image_case("random_contrast_order")(lambda x: image.random_contrast(x, 1.0, 1.0))
image_case("random_contrast_negative")(lambda x: image.random_contrast(x, -1.0, 1.0))
image_case("random_saturation_order")(lambda x: image.random_saturation(x, 2.0, 1.0))
shaped("standardization_empty", image.per_image_standardization, 4, 5, 0)

shaped("total_variation_rank", image.total_variation, 4, 5)
shaped("gradients_rank", image.image_gradients, 4, 5, 3)
image_case("psnr_shapes")(lambda x: image.psnr(x, tf.zeros([4, 4, 3]), 1.0))
image_case("ssim_rank")(lambda x: image.ssim(x, tf.zeros([4, 5]), 1.0))
shaped("ssim_batches", lambda x: image.ssim(x, tf.zeros([2, 12, 12, 3]), 1.0), 3, 12, 12, 3)
