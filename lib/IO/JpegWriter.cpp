// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes JPEG files with libjpeg-turbo, which jumps where something goes wrong.
#include "lib/IO/Jpeg.h"
#include "lib/IO/JpegErrors.h"

#include <cstdlib>
#include <limits>

namespace kiln::io {
namespace {

/// A file that is being written. No function that libjpeg may jump out of keeps
/// anything that has a destructor.
class Writer {
public:
  Writer() { cinfo.err = jpeg::silent(errors); }
  ~Writer() {
    jpeg_destroy_compress(&cinfo);
    std::free(buffer);
  }
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;

  bool write(const uint8_t *rows, const JpegWriting &how,
             std::span<const JOCTET> metadata, int64_t height, int64_t width,
             int channels) {
    if (setjmp(errors.jump) != 0)
      return false;
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, &buffer, &size);
    cinfo.image_width = static_cast<JDIMENSION>(width);
    cinfo.image_height = static_cast<JDIMENSION>(height);
    cinfo.input_components = channels;
    cinfo.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&cinfo);
    cinfo.optimize_coding = how.isOptimized ? TRUE : FALSE;
    cinfo.density_unit = how.isDensityPerCm ? 2 : 1;
    cinfo.X_density = static_cast<UINT16>(how.xDensity);
    cinfo.Y_density = static_cast<UINT16>(how.yDensity);
    jpeg_set_quality(&cinfo, how.quality, TRUE);
    if (how.isProgressive)
      jpeg_simple_progression(&cinfo);
    if (!how.halvesColors)
      for (int i = 0; i < cinfo.num_components; ++i)
        cinfo.comp_info[i].h_samp_factor = cinfo.comp_info[i].v_samp_factor = 1;
    jpeg_start_compress(&cinfo, TRUE);
    if (!metadata.empty())
      jpeg_write_marker(&cinfo, JPEG_APP0 + 1, metadata.data(),
                        static_cast<unsigned>(metadata.size()));
    const size_t pitch =
        static_cast<size_t>(width) * static_cast<size_t>(channels);
    while (cinfo.next_scanline < cinfo.image_height) {
      auto *row = const_cast<JSAMPROW>(rows + cinfo.next_scanline * pitch);
      jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    return true;
  }

  std::string_view file() const {
    return {reinterpret_cast<const char *>(buffer), size};
  }

private:
  jpeg::Errors errors;
  jpeg_compress_struct cinfo = {};
  unsigned char *buffer = nullptr;
  unsigned long size = 0;
};

} // namespace

StatusOr<std::string> encodeJpeg(int64_t height, int64_t width, int channels,
                                 std::span<const uint8_t> bytes,
                                 const JpegWriting &how) {
  const Status refused = internalError("JPEG encoding failed");
  if (height > JPEG_MAX_DIMENSION || width > JPEG_MAX_DIMENSION)
    return refused;
  std::string metadata;
  if (!how.xmp.empty()) {
    // The name of the namespace ends with a zero.
    metadata = std::string("http://ns.adobe.com/xap/1.0/") + '\0' + how.xmp;
    if (metadata.size() > std::numeric_limits<uint16_t>::max())
      return refused;
  }
  Writer writer;
  if (!writer.write(
          bytes.data(), how,
          {reinterpret_cast<const JOCTET *>(metadata.data()), metadata.size()},
          height, width, channels))
    return refused;
  return std::string(writer.file());
}

} // namespace kiln::io
