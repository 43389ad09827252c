// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Image: images of other sizes.
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
     "The gradient of ResizeBilinear.", inferResizeLike},
    {"ResizeNearestNeighbor", "images: T, size: int32", "resized_images: T",
     "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, float16, "
     "float32, float64}; align_corners: bool = false; half_pixel_centers: "
     "bool = false",
     "Images of another size, by the nearest elements.", inferResize},
    {"ResizeNearestNeighborGrad", "grads: T, size: int32", "output: T",
     "T: {uint8, int8, int32, float16, float32, float64, bfloat16}; "
     "align_corners: bool = false; half_pixel_centers: bool = false",
     "The gradient of ResizeNearestNeighbor.", inferResizeGradient},
};

} // namespace

OpFamily imageFamily() { return {"Image", "images of other sizes", records}; }

} // namespace kiln
