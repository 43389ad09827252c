// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures out of GIF files, with giflib.
#ifndef KILN_LIB_IO_GIF_H
#define KILN_LIB_IO_GIF_H

#include "kiln/Tensor.h"

#include <functional>
#include <string_view>

namespace kiln::io {

/// All frames of a GIF file as [frames, height, width, 3] of uint8, or the
/// first alone. Each shows what the frames before it left, as in TensorFlow,
/// which knows no other disposal, and is as large as the largest frame.
/// `check` may refuse a number of frames. **Errors**: its own; else
/// TensorFlow's, "Invalid GIF data (size ...), ...", also where all frames have
/// 2^30 elements or more, or a frame more than the file can hold.
StatusOr<Tensor> decodeGif(std::string_view file, bool isAnimated,
                           const std::function<Status(int64_t)> &check);

} // namespace kiln::io

#endif // KILN_LIB_IO_GIF_H
