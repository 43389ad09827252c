// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures out of BMP files.
#ifndef KILN_LIB_IO_BMP_H
#define KILN_LIB_IO_BMP_H

#include "kiln/Tensor.h"

#include <string_view>

namespace kiln::io {

/// The picture of a BMP file without compression, of 8, 24 or 32 bits a pixel,
/// as [height, width, channels] of uint8; `channels` 0: as many as the file
/// has, else 3 or 4. As in TensorFlow 8 bits are a grey, whatever palette there
/// is.
/// **Errors**: TensorFlow's.
StatusOr<Tensor> decodeBmp(std::string_view file, int channels);

} // namespace kiln::io

#endif // KILN_LIB_IO_BMP_H
