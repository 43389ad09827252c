// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures as PNG files.
#ifndef KILN_LIB_IO_PNG_H
#define KILN_LIB_IO_PNG_H

#include "kiln/Tensor.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kiln::io {

/// Pixels row by row, channels of one byte or two (of this machine's order)
/// each: grey, grey and alpha, RGB, or RGB and alpha.
struct Picture {
  int64_t height, width, channels;
  std::span<const uint8_t> bytes;
  int bytesPerChannel = 1;
};

/// Makes a PNG file, with libpng's own choice of filters and, at level -1, of
/// compression, as TensorFlow does. **Errors**: INTERNAL where libpng refuses
/// the picture.
StatusOr<std::string> encodePng(const Picture &picture, int level = -1);

/// The picture of a PNG file as [height, width, channels] of uint8 or uint16;
/// `channels` 0: as many as the file has, else 1, 3 or 4. **Errors**:
/// TensorFlow's, before anything as large as the picture is allocated where
/// the file is too short to hold it.
StatusOr<Tensor> decodePng(std::string_view file, int channels, DType dtype);

} // namespace kiln::io

#endif // KILN_LIB_IO_PNG_H
