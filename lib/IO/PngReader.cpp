// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads PNG files with libpng, which jumps where something goes wrong.
#include "lib/IO/Png.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <bit>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <png.h>

namespace kiln::io {
namespace {

[[noreturn]] void jumpOut(png_structp png, png_const_charp) {
  png_longjmp(png, 1);
}

void ignoreWarning(png_structp, png_const_charp) {}

void readBytes(png_structp png, png_bytep to, size_t count) {
  auto &rest = *static_cast<std::string_view *>(png_get_io_ptr(png));
  if (count > rest.size())
    png_error(png, "the file ends early");
  std::memcpy(to, rest.data(), count);
  rest.remove_prefix(count);
}

/// A file that is being read. No function that libpng may jump out of keeps
/// anything that has a destructor.
class Reader {
public:
  Reader(std::string_view file, int wanted, DType dtype)
      : rest(file), wanted(wanted), isWide(dtype == DType::UInt16),
        png(png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, jumpOut,
                                   ignoreWarning)),
        info(png ? png_create_info_struct(png) : nullptr) {}
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  /// Reads what stands before the pixels and says how they are to come.
  bool begin() {
    if (!png || !info || setjmp(png_jmpbuf(png)) != 0)
      return false;
    png_set_read_fn(png, &rest, readBytes);
    png_read_info(png, info);
    height = png_get_image_height(png, info);
    width = png_get_image_width(png, info);
    depth = png_get_bit_depth(png, info);
    fileRowBytes = png_get_rowbytes(png, info);
    chooseForm(png_get_color_type(png, info));
    png_read_update_info(png, info);
    return true;
  }

  /// Reads the pixels, in rows of the form that begin() chose.
  bool readRows(uint8_t *to) {
    if (setjmp(png_jmpbuf(png)) != 0)
      return false;
    const size_t pitch = static_cast<size_t>(width) *
                         static_cast<size_t>(channels) *
                         (isWide && !isWidened() ? 2 : 1);
    if (png_get_rowbytes(png, info) > pitch)
      return false;
    for (int pass = 0; pass < passes; ++pass)
      for (size_t row = 0; row < height; ++row)
        png_read_row(png, to + row * pitch, nullptr);
    png_read_end(png, info);
    return true;
  }

  /// Whether channels of a byte have to become such of two.
  bool isWidened() const { return isWide && depth <= 8; }

  png_uint_32 height = 0, width = 0;
  size_t fileRowBytes = 0; ///< of a row before it is compressed
  int channels = 0;        ///< of a pixel that readRows gives

private:
  void chooseForm(int color) {
    const bool hasPalette = color == PNG_COLOR_TYPE_PALETTE;
    const bool hasKey = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    const bool isGray = (color & PNG_COLOR_MASK_COLOR) == 0;
    channels = wanted != 0  ? wanted
               : hasPalette ? (hasKey ? 4 : 3)
                            : png_get_channels(png, info);
    const bool wantsAlpha = channels == 4 || (channels == 2 && wanted == 0);
    if ((color & PNG_COLOR_MASK_ALPHA) == 0) {
      if (wantsAlpha && hasKey)
        png_set_tRNS_to_alpha(png);
      else if (wantsAlpha)
        // As opaque as the file's own depth can say, as in TensorFlow.
        png_set_add_alpha(png, (1U << depth) - 1, PNG_FILLER_AFTER);
    }
    if (!wantsAlpha)
      png_set_strip_alpha(png);
    if (depth > 8 && !isWide)
      png_set_strip_16(png);
    if (depth > 8 && isWide && std::endian::native == std::endian::little)
      png_set_swap(png);
    if (isGray && depth < 8)
      png_set_expand_gray_1_2_4_to_8(png);
    passes = png_set_interlace_handling(png);
    const bool wantsGray = channels < 3;
    if (hasPalette)
      png_set_palette_to_rgb(png);
    if (wantsGray && !isGray)
      // The weights of red and of green.
      png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, 0.299, 0.587);
    else if (!wantsGray && isGray)
      png_set_gray_to_rgb(png);
  }

  std::string_view rest;
  const int wanted;
  const bool isWide;
  int depth = 0, passes = 1;
  png_structp png;
  png_infop info;
};

/// Whether a file of that size may hold the rows: deflate makes at most 1,032
/// bytes out of one. The last byte of a row may be shared where rows are
/// interlaced.
bool mayHold(size_t fileSize, const Reader &reader) {
  constexpr size_t mostPerByte = 1032;
  return fileSize * mostPerByte / reader.height >= reader.fileRowBytes - 1;
}

/// Spreads the bytes at the buffer's front over its elements of two, from the
/// last on: 255 becomes 65535.
void widen(std::span<uint16_t> elements) {
  const auto *bytes = reinterpret_cast<const uint8_t *>(elements.data());
  for (size_t i = elements.size(); i-- > 0;)
    elements[i] = static_cast<uint16_t>(bytes[i] * 257);
}

} // namespace

StatusOr<Tensor> decodePng(std::string_view file, int channels, DType dtype) {
  Reader reader(file, channels, dtype);
  if (!reader.begin())
    return invalidArgumentError("Invalid PNG. Failed to initialize decoder.");
  constexpr uint64_t mostAlong = uint64_t{1} << 27, mostPixels = 1U << 29;
  const uint64_t height = reader.height, width = reader.width;
  if (height >= mostAlong || width >= mostAlong || height * width >= mostPixels)
    return invalidArgumentError(
        strCat("PNG size too large for int: ", width, " by ", height));
  Status invalid =
      invalidArgumentError(strCat("Invalid PNG data, size ", file.size()));
  if (!mayHold(file.size(), reader))
    return invalid;
  KILN_ASSIGN_OR_RETURN(
      Tensor picture, Tensor::create(dtype, Shape({static_cast<int64_t>(height),
                                                   static_cast<int64_t>(width),
                                                   reader.channels})));
  auto *bytes =
      dtype == DType::UInt16
          ? reinterpret_cast<uint8_t *>(picture.mutableData<uint16_t>().data())
          : picture.mutableData<uint8_t>().data();
  if (!reader.readRows(bytes))
    return invalid;
  if (reader.isWidened())
    widen(picture.mutableData<uint16_t>());
  return picture;
}

} // namespace kiln::io
