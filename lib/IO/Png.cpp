// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes PNG files with libpng, which jumps where something goes wrong.
#include "lib/IO/Png.h"

#include "lib/Support/Strings.h"

#include <bit>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <new>
#include <png.h>

namespace kiln::io {
namespace {

/// Where the file goes; what cannot be thrown through libpng.
struct Sink {
  std::string bytes;
  bool isOutOfMemory = false;
};

void append(png_structp png, png_bytep bytes, size_t count) {
  auto &sink = *static_cast<Sink *>(png_get_io_ptr(png));
  try {
    sink.bytes.append(reinterpret_cast<const char *>(bytes), count);
  } catch (const std::bad_alloc &) {
    sink.isOutOfMemory = true;
  }
}

void ignoreFlush(png_structp) {}
void ignoreWarning(png_structp, png_const_charp) {}
[[noreturn]] void jumpOut(png_structp png, png_const_charp) {
  png_longjmp(png, 1);
}

int colorTypeOf(int64_t channels) {
  constexpr int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                           PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  return types[channels - 1];
}

/// False where libpng jumped out. Nothing here has a destructor that a jump
/// would leave out.
bool writePicture(png_structp png, png_infop info, const Picture &picture,
                  int level, Sink &sink) {
  if (setjmp(png_jmpbuf(png)) != 0)
    return false;
  png_set_write_fn(png, &sink, append, ignoreFlush);
  png_set_compression_level(png, level);
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width),
               static_cast<png_uint_32>(picture.height),
               8 * picture.bytesPerChannel, colorTypeOf(picture.channels),
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (picture.bytesPerChannel == 2 &&
      std::endian::native == std::endian::little)
    png_set_swap(png);
  const size_t rowBytes = static_cast<size_t>(picture.width * picture.channels *
                                              picture.bytesPerChannel);
  for (int64_t row = 0; row < picture.height; ++row)
    png_write_row(png,
                  picture.bytes.data() + static_cast<size_t>(row) * rowBytes);
  png_write_end(png, nullptr);
  return true;
}

} // namespace

StatusOr<std::string> encodePng(const Picture &picture, int level) {
  Status refused = internalError(strCat("PNG encoding failed for a picture of ",
                                        picture.height, " x ", picture.width,
                                        " x ", picture.channels));
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr,
                                            jumpOut, ignoreWarning);
  if (!png)
    return refused;
  png_infop info = png_create_info_struct(png);
  Sink sink;
  const bool isWritten = info && writePicture(png, info, picture, level, sink);
  png_destroy_write_struct(&png, &info);
  if (!isWritten || sink.isOutOfMemory)
    return refused;
  return std::move(sink.bytes);
}

} // namespace kiln::io
