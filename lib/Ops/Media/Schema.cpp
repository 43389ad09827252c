// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Media: files of pictures and sounds, spectra of sounds. Host
// kernels compute them.
#include "lib/Ops/Families.h"
#include "lib/Ops/Media/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"AudioSpectrogram", "input: float32", "spectrogram: float32",
     "window_size: int; stride: int; magnitude_squared: bool = false",
     "How loud each frequency is in windows of sounds: [channels, windows, "
     "frequencies].",
     inferSpectrogram, hostBody},
    {"DecodeBmp", "contents: string", "image: uint8", "channels: int = 0",
     "The picture of a BMP file: [height, width, channels].", inferDecoded,
     hostBody},
    {"DecodeGif", "contents: string", "image: uint8", "",
     "The frames of a GIF file: [frames, height, width, 3].",
     inferDecodedFrames, hostBody},
    {"DecodeImage", "contents: string", "image: dtype",
     "channels: int = 0; dtype: {uint8, uint16, float32} = uint8; "
     "expand_animations: bool = true",
     "The picture of a BMP, JPEG or PNG file: [height, width, channels], or "
     "the frames of a GIF file.",
     inferDecodedImage, hostBody},
    {"DecodeJpeg", "contents: string", "image: uint8",
     "channels: int = 0; ratio: int = 1; fancy_upscaling: bool = true; "
     "try_recover_truncated: bool = false; acceptable_fraction: float = 1; "
     "dct_method: string =",
     "The picture of a JPEG file: [height, width, channels].", inferDecoded,
     hostBody},
    {"DecodeAndCropJpeg", "contents: string, crop_window: int32",
     "image: uint8",
     "channels: int = 0; ratio: int = 1; fancy_upscaling: bool = true; "
     "try_recover_truncated: bool = false; acceptable_fraction: float = 1; "
     "dct_method: string =",
     "A part of the picture of a JPEG file: [height, width, channels].",
     inferDecodedPart, hostBody},
    {"DecodePng", "contents: string", "image: dtype",
     "channels: int = 0; dtype: {uint8, uint16} = uint8",
     "The picture of a PNG file: [height, width, channels].", inferDecoded,
     hostBody},
    {"DecodeWav", "contents: string", "audio: float32, sample_rate: int32",
     "desired_channels: int = -1; desired_samples: int = -1",
     "The sound of a WAV file of 16 bits: [samples, channels].", inferDecodeWav,
     hostBody},
    {"EncodeJpeg", "image: uint8", "contents: string",
     "format: string {, grayscale, rgb} =; quality: int = 95; progressive: "
     "bool = false; optimize_size: bool = false; chroma_downsampling: bool = "
     "true; density_unit: string {in, cm} = in; x_density: int = 300; "
     "y_density: int = 300; xmp_metadata: string =",
     "A JPEG file of a picture.", inferEncodeJpeg, hostBody},
    {"EncodeJpegVariableQuality", "images: uint8, quality: int32",
     "contents: string", "", "A JPEG file of a picture, of a quality.",
     inferEncodeJpeg, hostBody},
    {"EncodePng", "image: T", "contents: string",
     "compression: int = -1; T: {uint8, uint16} = uint8",
     "A PNG file a picture.", inferEncodePng, hostBody},
    {"EncodeWav", "audio: float32, sample_rate: int32", "contents: string", "",
     "A WAV file of 16 bits of a sound: [samples, channels].", inferEncodeWav,
     hostBody},
    {"ExtractJpegShape", "contents: string", "image_shape: output_type",
     "output_type: {int32, int64} = int32",
     "Height, width and channels of the picture of a JPEG file.",
     inferPictureSizes, hostBody},
    {"Mfcc", "spectrogram: float32, sample_rate: int32", "output: float32",
     "upper_frequency_limit: float = 4000; lower_frequency_limit: float = 20; "
     "filterbank_channel_count: int = 40; dct_coefficient_count: int = 13",
     "Mel frequency cepstral coefficients of spectrograms.", inferMfcc,
     hostBody},
};

} // namespace

OpFamily mediaFamily() {
  return {"Media", "ops that read and write pictures and sounds", records};
}

} // namespace kiln
