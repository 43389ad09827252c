// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads JPEG files with libjpeg-turbo, which jumps where something goes wrong.
#include "lib/IO/Jpeg.h"
#include "lib/IO/JpegErrors.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

namespace kiln::io {
namespace {

/// Of a picture: TensorFlow's limit.
constexpr int64_t mostElements = int64_t{1} << 29;
/// What libjpeg may take beside the picture, mostly for progressive files.
constexpr long mostWorkingBytes = long{1} << 31;
/// Of a progressive file, whose every scan may cover the whole picture: files
/// of real pictures have some ten.
constexpr int mostScans = 500;

/// In a row, from one place of a file that ends there: more than the bytes of a
/// block's codes, even if they are read one by one.
constexpr int mostRereads = 4096;

/// The bytes of a file, and what comes after its end. libjpeg knows it by its
/// first member.
struct Source {
  jpeg_source_mgr manager;
  bool recoversTruncated;
  const JOCTET *reread; ///< where
  int rereads;
};

/// Behind the end, as in TensorFlow: within a block libjpeg waits for bytes
/// that do not come, or reads its last bytes once more; between blocks that is
/// an error, or the end of the picture.
boolean fillInput(j_decompress_ptr cinfo) {
  static const JOCTET endOfImage[] = {0xff, JPEG_EOI};
  auto &source = *reinterpret_cast<Source *>(cinfo->src);
  jpeg_source_mgr &manager = source.manager;
  if (manager.bytes_in_buffer > 0) {
    if (manager.next_input_byte !=
        std::exchange(source.reread, manager.next_input_byte))
      source.rereads = 0;
    // TensorFlow does this for ever where nothing is found in the bytes.
    if (++source.rereads > mostRereads)
      cinfo->err->error_exit(reinterpret_cast<j_common_ptr>(cinfo));
    return source.recoversTruncated ? TRUE : FALSE;
  }
  if (!source.recoversTruncated || manager.next_input_byte == endOfImage)
    cinfo->err->error_exit(reinterpret_cast<j_common_ptr>(cinfo));
  manager.next_input_byte = endOfImage;
  manager.bytes_in_buffer = sizeof endOfImage;
  return TRUE;
}

void skipInput(j_decompress_ptr cinfo, long count) {
  jpeg_source_mgr &manager = *cinfo->src;
  if (count <= 0)
    return;
  const size_t skipped =
      std::min(static_cast<size_t>(count), manager.bytes_in_buffer);
  manager.next_input_byte += skipped;
  manager.bytes_in_buffer -= skipped;
}

void watchScans(j_common_ptr common) {
  auto *cinfo = reinterpret_cast<j_decompress_ptr>(common);
  if (cinfo->input_scan_number > mostScans)
    common->err->error_exit(common);
}

/// A file that is being read. No function that libjpeg may jump out of keeps
/// anything that has a destructor.
class Reader {
public:
  Reader(std::string_view file, bool recoversTruncated) {
    source.manager.next_input_byte =
        reinterpret_cast<const JOCTET *>(file.data());
    source.manager.bytes_in_buffer = file.size();
    source.manager.init_source = [](j_decompress_ptr) {};
    source.manager.fill_input_buffer = fillInput;
    source.manager.skip_input_data = skipInput;
    source.manager.resync_to_restart = jpeg_resync_to_restart;
    source.manager.term_source = [](j_decompress_ptr) {};
    source.recoversTruncated = recoversTruncated;
    source.reread = nullptr;
    source.rereads = 0;
    progress.progress_monitor = watchScans;
    cinfo.err = jpeg::silent(errors);
  }
  ~Reader() {
    // What begin() made; it jumps nowhere.
    jpeg_destroy_decompress(&cinfo);
  }
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  /// Reads what stands before the pixels.
  bool begin() {
    if (setjmp(errors.jump) != 0)
      return false;
    jpeg_create_decompress(&cinfo);
    cinfo.mem->max_memory_to_use = mostWorkingBytes;
    cinfo.src = &source.manager;
    cinfo.progress = &progress;
    return jpeg_read_header(&cinfo, TRUE) == JPEG_HEADER_OK;
  }

  /// Says how the pixels are to come, and how many there will be.
  bool choose(const JpegReading &how) {
    if (setjmp(errors.jump) != 0)
      return false;
    channels =
        how.channels != 0 ? how.channels : std::min(cinfo.num_components, 3);
    const bool isCmyk = cinfo.jpeg_color_space == JCS_CMYK ||
                        cinfo.jpeg_color_space == JCS_YCCK;
    if (channels == 1)
      cinfo.out_color_space = JCS_GRAYSCALE;
    else if (channels == 3)
      cinfo.out_color_space = isCmyk ? JCS_CMYK : JCS_RGB;
    else
      return false;
    cinfo.do_fancy_upsampling = how.isFancy ? TRUE : FALSE;
    cinfo.scale_num = 1;
    cinfo.scale_denom = static_cast<unsigned>(how.ratio);
    cinfo.dct_method = how.isAccurate ? JDCT_ISLOW : JDCT_IFAST;
    jpeg_calc_output_dimensions(&cinfo);
    height = cinfo.output_height;
    width = cinfo.output_width;
    return height > 0 && width > 0 &&
           height * width * cinfo.num_components < mostElements;
  }

  /// Begins with the pixels, of a part of the picture where one is wanted.
  bool start(const CropWindow *crop) {
    if (setjmp(errors.jump) != 0)
      return false;
    // What an incomplete progressive file needs is an error of the rows.
    std::ignore = jpeg_start_decompress(&cinfo);
    if (!crop)
      return true;
    if (crop->left < 0 || crop->top < 0 || crop->width <= 0 ||
        crop->height <= 0 || crop->left + crop->width > width ||
        crop->top + crop->height > height)
      return false;
    auto left = static_cast<JDIMENSION>(crop->left),
         wide = static_cast<JDIMENSION>(crop->width);
    jpeg_crop_scanline(&cinfo, &left, &wide);
    const auto top = static_cast<JDIMENSION>(crop->top);
    height = crop->height;
    width = crop->width;
    return jpeg_skip_scanlines(&cinfo, top) == top;
  }

  /// The elements that a row has in libjpeg: more than are wanted where the
  /// part does not begin with a block, four a pixel of CMYK.
  size_t rowElements() const {
    return static_cast<size_t>(cinfo.output_width) *
           static_cast<size_t>(cinfo.output_components);
  }

  /// Reads the rows, as far as they are there, by way of one of rowElements().
  bool readRows(uint8_t *to, uint8_t *row) {
    if (setjmp(errors.jump) != 0)
      return false;
    const bool isCmyk = cinfo.out_color_space == JCS_CMYK;
    if (cinfo.output_components != (isCmyk ? 4 : channels))
      return false;
    const size_t pitch =
        static_cast<size_t>(width) * static_cast<size_t>(channels);
    const uint8_t *begin =
        row +
        (static_cast<size_t>(cinfo.output_width) - static_cast<size_t>(width)) *
            static_cast<size_t>(cinfo.output_components);
    for (; rowsRead < height; ++rowsRead, to += pitch) {
      JSAMPROW place = row;
      if (jpeg_read_scanlines(&cinfo, &place, 1) == 0)
        return true;
      if (isCmyk)
        toRgb(begin, to);
      else
        std::memcpy(to, begin, pitch);
    }
    return true;
  }

  /// Reads what stands behind the pixels, which may be wrong, too.
  bool finish() {
    if (setjmp(errors.jump) != 0)
      return false;
    if (cinfo.output_scanline < cinfo.output_height)
      jpeg_skip_scanlines(&cinfo, cinfo.output_height - cinfo.output_scanline);
    std::ignore = jpeg_finish_decompress(&cinfo);
    return true;
  }

  std::array<int64_t, 3> sizes() const {
    return {cinfo.image_height, cinfo.image_width, cinfo.num_components};
  }

  int64_t height = 0, width = 0; ///< of the picture to be made
  int64_t rowsRead = 0;
  int channels = 0;

private:
  /// Adobe's files have inverted numbers.
  void toRgb(const uint8_t *cmyk, uint8_t *rgb) const {
    const int inverted = cinfo.saw_Adobe_marker ? 0 : 255;
    for (int64_t i = 0; i < width; ++i, cmyk += 4, rgb += 3)
      for (int j = 0; j < 3; ++j)
        rgb[j] = static_cast<uint8_t>((cmyk[3] ^ inverted) *
                                      (cmyk[j] ^ inverted) / 255);
  }

  jpeg::Errors errors;
  Source source;
  jpeg_progress_mgr progress = {};
  jpeg_decompress_struct cinfo = {};
};

/// What missing rows become: those above them, or black.
void fillRows(std::span<uint8_t> rows, size_t pitch, size_t count,
              bool repeats) {
  for (size_t at = count * pitch; at < rows.size(); at += pitch)
    if (repeats && at > 0)
      std::memcpy(&rows[at], &rows[at - pitch], pitch);
    else
      std::memset(&rows[at], 0, pitch);
}

} // namespace

StatusOr<Tensor> decodeJpeg(std::string_view file, const JpegReading &how) {
  const Status invalid = invalidArgumentError(
      "jpeg::Uncompress failed. Invalid JPEG data or crop window.");
  Reader reader(file, how.recoversTruncated);
  if (!reader.begin() || !reader.choose(how) ||
      !reader.start(how.crop ? &*how.crop : nullptr))
    return invalid;
  KILN_ASSIGN_OR_RETURN(
      Tensor picture,
      Tensor::create(DType::UInt8,
                     Shape({reader.height, reader.width, reader.channels})));
  std::vector<uint8_t> row(reader.rowElements());
  std::span<uint8_t> bytes = picture.mutableData<uint8_t>();
  if (!reader.readRows(bytes.data(), row.data()))
    return invalid;
  if (reader.rowsRead == reader.height)
    return reader.finish() ? StatusOr<Tensor>(std::move(picture)) : invalid;
  const float fraction =
      static_cast<float>(reader.rowsRead) / static_cast<float>(reader.height);
  if (!how.recoversTruncated && fraction < std::min(1.0f, how.leastFraction))
    return invalid;
  fillRows(bytes,
           static_cast<size_t>(reader.width) *
               static_cast<size_t>(reader.channels),
           static_cast<size_t>(reader.rowsRead), how.recoversTruncated);
  return picture;
}

std::optional<std::array<int64_t, 3>> jpegSizes(std::string_view file) {
  Reader reader(file, /*recoversTruncated=*/false);
  return reader.begin() ? std::optional(reader.sizes()) : std::nullopt;
}

} // namespace kiln::io
