// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of boxes in images, which stand in the list of Selection.cpp.
#ifndef KILN_RUNTIME_KERNELS_BOXES_H
#define KILN_RUNTIME_KERNELS_BOXES_H

#include "runtime/Abi.h"

#include <cstdint>

namespace kiln {

/// image : [b, h, w, c], boxes : f32 [n, 4], numbers of images : i32 [n], what
/// lies outside of the image : f32 -> crops : f32 [n, ch, cw, c]; [whether of
/// nearest elements]
int32_t cropAndResize(const KilnKernelCall *raw) noexcept;

/// gradient : f32 [n, ch, cw, c], boxes, numbers of images -> that of the image
/// [b, h, w, c]; [whether of nearest elements]
int32_t cropGradientOfImage(const KilnKernelCall *raw) noexcept;

/// gradient : f32 [n, ch, cw, c], image : [b, h, w, c], boxes, numbers of
/// images -> that of the boxes : f32 [n, 4]
int32_t cropGradientOfBoxes(const KilnKernelCall *raw) noexcept;

/// images : [b, h, w, c], boxes : f32 [b, n, 4], colors : f32 [m, c or more],
/// or none -> the images with the boxes' lines
int32_t drawBoundingBoxes(const KilnKernelCall *raw) noexcept;

/// boxes : [n, 4] or their overlaps [n, n], scores : [n], the largest number :
/// i32, limits of the overlap and of the score, sigma -> the numbers of those
/// that are selected : i32, their scores, how many there are : i32; finds out
/// how many, or fills up; [whether overlaps, whether it fills up]
int32_t nonMaxSuppression(const KilnKernelCall *raw) noexcept;

/// boxes : [b, n, 1 or c, 4], scores : [b, n, c], the largest numbers a class
/// and in all : i32, limits of the overlap and of the score -> the best
/// detections of all classes: boxes [b, m, 4], scores, classes [b, m] and how
/// many there are [b] : i32; [whether boxes are kept within [0, 1]]
int32_t combinedNonMaxSuppression(const KilnKernelCall *raw) noexcept;

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_BOXES_H
