// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads GIF files with giflib, record by record: it would believe any size.
#include "lib/IO/Gif.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>
#include <gif_lib.h>
#include <memory>
#include <span>
#include <vector>

namespace kiln::io {
namespace {

constexpr int64_t channels = 3;
/// Of all frames together.
constexpr int64_t mostElements = int64_t{1} << 30;
/// That come out of a byte: codes have two bits at least, and stand for 4,096
/// pixels at most.
constexpr int64_t mostPixelsPerByte = int64_t{4} * 4096;

struct Frame {
  int64_t left, top, height, width;
  std::vector<GifColorType> colors; ///< empty: those of the file
  int transparent;                  ///< a color, or NO_TRANSPARENT_COLOR
  std::vector<uint8_t> pixels;
};

std::vector<GifColorType> colorsOf(const ColorMapObject *map) {
  return map ? std::vector(map->Colors, map->Colors + map->ColorCount)
             : std::vector<GifColorType>();
}

int readBytes(GifFileType *gif, GifByteType *to, int count) {
  auto &rest = *static_cast<std::string_view *>(gif->UserData);
  const size_t read = std::min(rest.size(), static_cast<size_t>(count));
  std::memcpy(to, rest.data(), read);
  rest.remove_prefix(read);
  return static_cast<int>(read);
}

std::string_view reasonOf(int error) {
  const char *reason = GifErrorString(error);
  return reason ? reason : "Unknown error";
}

/// A file that is being read.
class Reader {
public:
  explicit Reader(std::string_view file) : rest(file) {
    int error = D_GIF_SUCCEEDED;
    gif.reset(DGifOpen(&rest, readBytes, &error));
    if (!gif)
      problem = strCat("failed to open gif file: ", reasonOf(error));
  }

  /// Reads frames until the file ends or something is wrong with it: then the
  /// frames before are the picture, if the one that is wrong has a whole
  /// description.
  void readFrames() {
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    while (gif && record != TERMINATE_RECORD_TYPE) {
      const bool isRead = DGifGetRecordType(gif.get(), &record) == GIF_OK &&
                          (record == IMAGE_DESC_RECORD_TYPE  ? readFrame()
                           : record == EXTENSION_RECORD_TYPE ? readExtension()
                                                             : true);
      if (!isRead) {
        fail(gif->Error);
        break;
      }
    }
    if (gif && problem.empty() && frames.empty())
      fail(D_GIF_ERR_NO_IMAG_DSCR);
  }

  bool hasFrames() const { return !isUnusable && !frames.empty(); }

  std::vector<GifColorType> colors() const { return colorsOf(gif->SColorMap); }

  std::vector<Frame> frames;
  std::string problem; ///< empty: none

private:
  struct Close {
    void operator()(GifFileType *gif) const { DGifCloseFile(gif, nullptr); }
  };

  void fail(int error) {
    problem = strCat("failed to slurp gif file: ", reasonOf(error));
  }

  bool readFrame() {
    const int countBefore = gif->ImageCount;
    if (DGifGetImageDesc(gif.get()) != GIF_OK) {
      isUnusable = gif->ImageCount > countBefore;
      return false;
    }
    const GifImageDesc &image = gif->Image;
    const int64_t height = image.Height, width = image.Width,
                  count = height * width;
    elements += count * channels;
    if (height <= 0 || width <= 0 || elements >= mostElements ||
        count > mostPixelsPerByte * static_cast<int64_t>(rest.size()))
      return false;
    frames.push_back({image.Left, image.Top, height, width,
                      colorsOf(image.ColorMap), transparent,
                      std::vector<uint8_t>(static_cast<size_t>(count))});
    transparent = NO_TRANSPARENT_COLOR;
    hasControl = false;
    if (readPixels(frames.back(), image.Interlace))
      return true;
    frames.pop_back();
    return false;
  }

  bool readPixels(Frame &frame, bool isInterlaced) {
    if (!isInterlaced)
      return readLine(frame.pixels);
    const std::span pixels(frame.pixels);
    constexpr int64_t firsts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    for (int pass = 0; pass < 4; ++pass)
      for (int64_t row = firsts[pass]; row < frame.height; row += steps[pass])
        if (!readLine(pixels.subspan(static_cast<size_t>(row * frame.width),
                                     static_cast<size_t>(frame.width))))
          return false;
    return true;
  }

  bool readLine(std::span<uint8_t> pixels) {
    return DGifGetLine(gif.get(), pixels.data(),
                       static_cast<int>(pixels.size())) == GIF_OK;
  }

  /// Keeps the transparent color that the first block of control before a
  /// frame has for it.
  bool readExtension() {
    int kind = 0;
    GifByteType *block = nullptr;
    if (DGifGetExtension(gif.get(), &kind, &block) != GIF_OK)
      return false;
    if (block && kind == GRAPHICS_EXT_FUNC_CODE && !hasControl) {
      GraphicsControlBlock control;
      hasControl = true;
      // The first byte of a block is its length.
      if (DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
        transparent = control.TransparentColor;
    }
    while (block)
      if (DGifGetExtensionNext(gif.get(), &block) != GIF_OK)
        return false;
    return true;
  }

  std::string_view rest;
  std::unique_ptr<GifFileType, Close> gif;
  int64_t elements = 0;
  int transparent = NO_TRANSPARENT_COLOR;
  bool hasControl = false, isUnusable = false;
};

/// Draws a frame over what stands in `canvas`; says what is wrong with it.
std::string draw(const Frame &frame, std::span<const GifColorType> colors,
                 int64_t height, int64_t width, uint8_t *canvas) {
  for (int64_t y = frame.top; y < std::min(frame.top + frame.height, height);
       ++y)
    for (int64_t x = frame.left; x < std::min(frame.left + frame.width, width);
         ++x) {
      const uint8_t color = frame.pixels[static_cast<size_t>(
          (y - frame.top) * frame.width + x - frame.left)];
      if (color == frame.transparent)
        continue;
      if (color >= colors.size())
        return strCat("found color index ", static_cast<int>(color),
                      " outside of color map range ", colors.size());
      const GifColorType &from = colors[color];
      uint8_t *to = canvas + (y * width + x) * channels;
      to[0] = from.Red;
      to[1] = from.Green;
      to[2] = from.Blue;
    }
  return {};
}

} // namespace

StatusOr<Tensor> decodeGif(std::string_view file, bool isAnimated,
                           const std::function<Status(int64_t)> &check) {
  auto invalid = [&](std::string_view why) {
    return invalidArgumentError(
        strCat("Invalid GIF data (size ", file.size(), "), ", why));
  };
  Reader reader(file);
  reader.readFrames();
  if (!reader.hasFrames())
    return invalid(reader.problem);
  int64_t height = 0, width = 0;
  for (const Frame &frame : reader.frames) {
    height = std::max(height, frame.height);
    width = std::max(width, frame.width);
  }
  const int64_t count =
      isAnimated ? static_cast<int64_t>(reader.frames.size()) : 1;
  KILN_RETURN_IF_ERROR(check(count));
  const int64_t size = height * width * channels;
  if (size >= mostElements / count)
    return invalid(strCat("expected fewer than ", mostElements,
                          " elements, got ", count, " frames of ", height,
                          " by ", width));
  KILN_ASSIGN_OR_RETURN(
      Tensor pictures,
      Tensor::zeros(DType::UInt8, Shape({count, height, width, channels})));
  uint8_t *canvas = pictures.mutableData<uint8_t>().data();
  const std::vector<GifColorType> common = reader.colors();
  for (int64_t i = 0; i < count; ++i, canvas += size) {
    const Frame &frame = reader.frames[static_cast<size_t>(i)];
    const auto &colors = frame.colors.empty() ? common : frame.colors;
    if (colors.empty())
      return invalid(strCat("missing color map for frame ", i));
    if (i > 0)
      std::memcpy(canvas, canvas - size, static_cast<size_t>(size));
    std::string problem = draw(frame, colors, height, width, canvas);
    if (!problem.empty())
      return invalid(problem);
  }
  return pictures;
}

} // namespace kiln::io
