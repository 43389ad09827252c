// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures as PNG files.
#ifndef KILN_LIB_IO_PNG_H
#define KILN_LIB_IO_PNG_H

#include "kiln/Status.h"

#include <cstdint>
#include <span>
#include <string>

namespace kiln::io {

/// Pixels row by row, channels of a byte each: grey, grey and alpha, RGB, or
/// RGB and alpha.
struct Picture {
  int64_t height, width, channels;
  std::span<const uint8_t> bytes;
};

/// Makes a PNG file, with libpng's own choice of filters and compression, as
/// TensorFlow does. **Errors**: INTERNAL where libpng refuses the picture.
StatusOr<std::string> encodePng(const Picture &picture);

} // namespace kiln::io

#endif // KILN_LIB_IO_PNG_H
