// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures and sounds as files, and back; spectra.
#include "lib/IO/Jpeg.h"
#include "lib/IO/Png.h"
#include "lib/IO/Wav.h"
#include "test/fuzz/graphs/Recipes.h"

namespace kiln::fuzz {
namespace {

using namespace std::string_literals;

/// The file of a small picture of the format, of one channel or three.
std::string fileOf(std::string_view format, int64_t height, int64_t width,
                   int channels) {
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < height * width * channels; ++i)
    bytes.push_back(static_cast<uint8_t>(i * 37));
  if (format == "jpeg")
    return *io::encodeJpeg(height, width, channels, bytes, {});
  if (format == "png")
    return *io::encodePng({height, width, channels, bytes});
  if (format == "gif") {
    // Two colors, and codes of three bits, the last two of four: clear, 1, 0,
    // 0, 1, end.
    return "GIF89a\2\0\2\0\x80\0\0\0\0\0\xff\x80\1,\0\0\0\0\2\0\2\0\0\2\3\x0c"
           "\x10\5\0;"s;
  }
  std::string file = "BM";
  auto append = [&](int64_t number, int size) {
    for (int i = 0; i < size; ++i)
      file += static_cast<char>(number >> (8 * i));
  };
  append(0, 8);
  append(32, 4);
  append(16, 4);
  append(width, 4);
  append(height, 4);
  append(1, 2);
  append(8 * channels, 2);
  append(0, 2);
  const int64_t pitch = (width * channels + 3) / 4 * 4;
  file.resize(static_cast<size_t>(32 + pitch * height), '\7');
  return file;
}

/// Takes files of one size and format, or now and then bytes that are none,
/// where errors are wanted.
bool decode(Call &call) {
  const std::string &op = call.def.name;
  std::string_view format = op == "DecodeBmp"   ? "bmp"
                            : op == "DecodeGif" ? "gif"
                            : op.ends_with("Png") || op == "DecodeImage"
                                ? "png"
                                : "jpeg";
  if (op == "DecodeImage")
    format = call.random.among<std::string_view>({"bmp", "gif", "jpeg", "png"});
  const int64_t height = call.random.between(1, 20),
                width = call.random.between(1, 20);
  const int channels = call.random.chance(50) ? 1 : 3;
  call.setIf("channels", int64_t(call.random.among({0, 3})));
  call.setIf("ratio", int64_t(1) << call.random.below(4));
  call.setIf("dct_method",
             call.random.among({"", "INTEGER_FAST", "INTEGER_ACCURATE"}));
  std::vector<std::string> files = {fileOf(format, height, width, channels)};
  if (std::exchange(call.maker.isHostile, false))
    files.emplace_back("no picture");
  call.fresh({}, texts(files));
  if (op == "DecodeAndCropJpeg") {
    call.set("ratio", int64_t(1));
    call.integers({call.random.below(static_cast<int>(height)),
                   call.random.below(static_cast<int>(width)), 1, 1});
  }
  return call.done();
}

bool encode(Call &call) {
  const bool isPng = call.def.name == "EncodePng";
  Extents dims = {call.random.between(1, 9), call.random.between(1, 9),
                  isPng ? call.random.between(1, 4)
                        : call.random.among<int64_t>({1, 3})};
  if (isPng && call.random.chance(30))
    dims.insert(dims.begin(), call.maker.randomExtent());
  call.setIf("compression", call.random.between(-1, 9));
  call.setIf("quality", call.random.between(0, 100));
  call.setIf("format", "");
  call.setIf("density_unit", call.random.among({"in", "cm"}));
  call.fresh(dims, between(0, 255));
  if (call.next() != DType::Invalid)
    call.scalar(call.random.between(0, 100));
  return call.done();
}

bool decodeSound(Call &call) {
  const std::vector<float> samples = {0.5f, -0.25f, 1, -1, 0, 0.75f};
  for (const char *wish : {"desired_channels", "desired_samples"})
    call.set(wish, call.random.between(-1, 7));
  std::vector<std::string> files = {io::encodeWav(
      samples, 8000, static_cast<uint16_t>(call.random.between(1, 3)))};
  if (std::exchange(call.maker.isHostile, false))
    files.emplace_back("RIFF");
  call.fresh({}, texts(files));
  return call.done();
}

bool encodeSound(Call &call) {
  call.fresh({call.maker.randomExtent(), call.random.between(1, 3)},
             between(-1.5, 1.5));
  call.scalar(call.random.between(1, 48000));
  return call.done();
}

bool spectrogram(Call &call) {
  call.set("window_size", call.random.between(2, 9));
  call.set("stride", call.random.between(1, 5));
  call.fresh({call.random.between(0, 3) * call.maker.randomExtent(),
              call.random.between(1, 2)},
             between(-1, 1));
  return call.done();
}

bool cepstrum(Call &call) {
  call.set("filterbank_channel_count", call.random.between(5, 12));
  call.set("dct_coefficient_count", call.random.between(1, 5));
  call.set("lower_frequency_limit", 20.0f);
  call.set("upper_frequency_limit", call.random.among({100.0f, 3000.0f}));
  call.fresh({call.random.between(1, 2), call.maker.randomExtent(),
              call.random.between(2, 20)},
             between(0, 4));
  call.scalar(call.random.between(4000, 48000));
  return call.done();
}

constexpr Recipe recipes[] = {
    {"AudioSpectrogram", spectrogram},
    {"DecodeWav", decodeSound},
    {"EncodeWav", encodeSound},
    {"Mfcc", cepstrum},
    {"DecodeAndCropJpeg DecodeBmp DecodeGif DecodeImage DecodeJpeg DecodePng "
     "ExtractJpegShape",
     decode},
    {"EncodeJpeg EncodeJpegVariableQuality EncodePng", encode},
};

} // namespace

std::span<const Recipe> mediaRecipes() { return recipes; }

} // namespace kiln::fuzz
