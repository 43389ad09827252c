// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads BMP files: a header, then rows from the bottom up, or from the top down
// where the height is negative, each filled up to whole words.
#include "lib/IO/Bmp.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cstdlib>
#include <limits>

namespace kiln::io {
namespace {

/// A number of the lowest byte first.
template <class T> T numberAt(std::string_view file, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < sizeof(T); ++i)
    number |= static_cast<uint32_t>(static_cast<uint8_t>(file[at + i]))
              << (8 * i);
  return static_cast<T>(number);
}

struct Layout {
  int64_t start; ///< of the pixels
  int64_t height, width, channels, pitch;
  bool isTopDown;
};

StatusOr<Layout> layoutOf(std::string_view file) {
  constexpr size_t headerSize = 32;
  if (file.size() < headerSize)
    return invalidArgumentError(
        strCat("Incomplete bmp content, requires at least 32 bytes to find the "
               "header size, width, height, and bpp, got ",
               file.size(), " bytes"));
  const int64_t start = numberAt<int32_t>(file, 10),
                width = numberAt<int32_t>(file, 18),
                height = numberAt<int32_t>(file, 22),
                channels = numberAt<int16_t>(file, 28) / 8;
  if (channels != 1 && channels != 3 && channels != 4)
    return invalidArgumentError(strCat(
        "Number of channels inherent in the image must be 1, 3 or 4, was ",
        channels));
  if (width <= 0)
    return invalidArgumentError("Width must be positive");
  if (height == 0)
    return invalidArgumentError("Height must be nonzero");
  if (start < 0)
    return invalidArgumentError("header size must be nonnegative");
  const int64_t rows = std::abs(height);
  // The product of two numbers of 32 bits.
  if (width * rows >= std::numeric_limits<int32_t>::max() / 8)
    return invalidArgumentError("Total possible pixel bytes must be less than "
                                "2^30");
  const int64_t pitch = (channels * width + 3) / 4 * 4;
  const int64_t size = start + rows * pitch,
                more = static_cast<int64_t>(file.size()) - size;
  if (more != 0)
    return invalidArgumentError(
        strCat("Input size should match (header_size + row_size * abs_height) "
               "but they differ by ",
               more));
  return Layout{start, rows, width, channels, pitch, height < 0};
}

/// Grey, or blue, green, red and opacity, as one, three or four channels.
void copyPixel(const char *from, int64_t fromChannels, uint8_t *to,
               int64_t toChannels) {
  auto byte = [&](int i) { return static_cast<uint8_t>(from[i]); };
  const bool isGrey = fromChannels == 1;
  to[0] = byte(isGrey ? 0 : 2);
  if (toChannels == 1)
    return;
  to[1] = byte(isGrey ? 0 : 1);
  to[2] = byte(0);
  if (toChannels == 4)
    to[3] = fromChannels == 4 ? byte(3) : 255;
}

} // namespace

StatusOr<Tensor> decodeBmp(std::string_view file, int channels) {
  KILN_ASSIGN_OR_RETURN(const Layout from, layoutOf(file));
  const int64_t toChannels = channels != 0 ? channels : from.channels;
  KILN_ASSIGN_OR_RETURN(
      Tensor picture,
      Tensor::create(DType::UInt8,
                     Shape({from.height, from.width, toChannels})));
  uint8_t *to = picture.mutableData<uint8_t>().data();
  for (int64_t y = 0; y < from.height; ++y) {
    const int64_t row = from.isTopDown ? y : from.height - 1 - y;
    const char *pixel = file.data() + from.start + row * from.pitch;
    for (int64_t x = 0; x < from.width;
         ++x, pixel += from.channels, to += toChannels)
      copyPixel(pixel, from.channels, to, toChannels);
  }
  return picture;
}

} // namespace kiln::io
