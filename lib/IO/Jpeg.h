// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures as JPEG files, with libjpeg-turbo.
#ifndef KILN_LIB_IO_JPEG_H
#define KILN_LIB_IO_JPEG_H

#include "kiln/Tensor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kiln::io {

/// A part of a picture, in pixels.
struct CropWindow {
  int64_t top, left, height, width;
};

/// How a JPEG file is read; as it stands, as TensorFlow reads one.
struct JpegReading {
  int channels = 0;    ///< 1 or 3; 0: as the file has them, 3 of four
  int ratio = 1;       ///< 1, 2, 4 or 8: how much smaller the picture becomes
  bool isFancy = true; ///< smooth upsampling of colors
  bool isAccurate = false;        ///< the slower inverse transform
  bool recoversTruncated = false; ///< repeats the last row that is there
  float leastFraction = 1;        ///< of the rows that have to be there
  std::optional<CropWindow> crop = std::nullopt;
};

/// The picture of a JPEG file as [height, width, channels] of uint8, rows that
/// are missing and may be black. CMYK becomes RGB as in TensorFlow. **Errors**:
/// TensorFlow's, which say no more than that it failed; so do a picture of 2^29
/// elements or more, one that needs more than 2 GiB of working memory, and
/// more than 500 scans.
StatusOr<Tensor> decodeJpeg(std::string_view file, const JpegReading &how);

/// Height, width and channels from the header of a JPEG file; none where it has
/// no valid one.
std::optional<std::array<int64_t, 3>> jpegSizes(std::string_view file);

/// How a JPEG file is written; as it stands, as TensorFlow writes one.
struct JpegWriting {
  int quality = 95; ///< 0 to 100
  bool isProgressive = false;
  bool isOptimized = false;               ///< Huffman codes of its own
  bool halvesColors = true;               ///< along both sides
  bool isDensityPerCm = false;            ///< else per inch
  int64_t xDensity = 300, yDensity = 300; ///< modulo 2^16
  std::string xmp = {};                   ///< metadata
};

/// Makes a JPEG file of rows of pixels of one channel, or of three. **Errors**:
/// INTERNAL where libjpeg-turbo refuses it: a side of no or more than 65,500
/// pixels, metadata of more than 64 KiB.
StatusOr<std::string> encodeJpeg(int64_t height, int64_t width, int channels,
                                 std::span<const uint8_t> bytes,
                                 const JpegWriting &how);

} // namespace kiln::io

#endif // KILN_LIB_IO_JPEG_H
