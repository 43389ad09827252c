// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of pictures and sounds, by the format that their first bytes say, read
// in ways that their last byte chooses.
#include "lib/IO/Bmp.h"
#include "lib/IO/Gif.h"
#include "lib/IO/Jpeg.h"
#include "lib/IO/Png.h"
#include "lib/IO/Wav.h"

#include <cmath>
#include <cstdlib>

using namespace kiln;
using namespace std::string_view_literals;

namespace {

/// Larger ones are right, too, but take their time.
constexpr int64_t mostPixels = 1 << 22;

void check(const StatusOr<Tensor> &picture) {
  if (!picture.ok())
    return;
  if (picture->rank() < 3)
    std::abort(); // no picture
  // Every element can be read.
  const auto *bytes = static_cast<const uint8_t *>(picture->rawData());
  [[maybe_unused]] static volatile uint8_t seen;
  for (int64_t i = 0; i < picture->numElements(); ++i)
    seen = bytes[i];
}

void readJpeg(std::string_view file, unsigned way) {
  const auto sizes = io::jpegSizes(file);
  if (sizes && (*sizes)[0] * (*sizes)[1] > mostPixels)
    return;
  io::JpegReading how{.channels = way % 3 == 2 ? 3 : static_cast<int>(way % 3),
                      .ratio = 1 << (way / 3 % 4),
                      .isFancy = way % 2 == 0,
                      .isAccurate = way % 5 == 0,
                      .recoversTruncated = way % 7 == 0,
                      .leastFraction = way % 11 == 0 ? 0.25f : 1};
  if (way % 4 == 1)
    how.crop = {static_cast<int64_t>(way % 13), static_cast<int64_t>(way % 17),
                1 + static_cast<int64_t>(way % 8),
                1 + static_cast<int64_t>(way % 9)};
  auto picture = io::decodeJpeg(file, how);
  check(picture);
  if (picture.ok() && how.crop &&
      (picture->dim(0) != how.crop->height ||
       picture->dim(1) != how.crop->width))
    std::abort(); // another part
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view file(reinterpret_cast<const char *>(data), size);
  const unsigned way = size > 0 ? data[size - 1] : 0;
  const int channels = way % 3 == 2 ? 3 : static_cast<int>(way % 3);
  if (file.starts_with("\xff\xd8"sv)) {
    readJpeg(file, way);
  } else if (file.starts_with("GIF"sv)) {
    check(
        io::decodeGif(file, way % 2 == 0, [](int64_t) { return okStatus(); }));
  } else if (file.starts_with("BM"sv)) {
    check(
        io::decodeBmp(file, way % 3 == 0 ? 0 : 2 + static_cast<int>(way % 3)));
  } else if (file.starts_with("RIFF"sv)) {
    const auto sound = io::readWav(file);
    if (sound.ok() && sound->frames > 0)
      // Every sample can be read.
      for (int64_t i = 0; i < sound->frames; ++i)
        if (!(std::abs(sound->sample(i, sound->channels - 1)) <= 1))
          std::abort(); // no sound
  } else {
    check(io::decodePng(file, channels,
                        way % 2 == 0 ? DType::UInt8 : DType::UInt16));
  }
  return 0;
}
