// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures out of files of any format.
#include "lib/IO/Bmp.h"
#include "lib/IO/Gif.h"
#include "lib/IO/Jpeg.h"
#include "lib/IO/Png.h"
#include "lib/Ops/Media/Host.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln::host {
namespace {

using namespace std::string_view_literals;

/// What an op asks of a file.
struct Wish {
  std::string_view op;
  int channels = 0;
  DType dtype = DType::UInt8;
  bool isAnimated = true;
  io::JpegReading jpeg = {};
};

Status wrongOp(std::string_view format, std::string_view function) {
  return invalidArgumentError(strCat("Trying to decode ", format,
                                     " format using DecodeBmp op. Use `",
                                     function, "` or `decode_image` instead."));
}

Status jpegOnly(std::string_view detected) {
  return invalidArgumentError(strCat("DecodeAndCropJpeg operation can run on "
                                     "JPEG only, but detected ",
                                     detected, "."));
}

StatusOr<Wish> wishOf(const Node &node) {
  Wish wish{.op = node.op()};
  const int64_t channels =
      node.attrOr<int64_t>("channels", wish.op == "DecodeGif" ? 3 : 0);
  io::JpegReading &jpeg = wish.jpeg;
  const int64_t ratio = node.attrOr<int64_t>("ratio", 1);
  if (ratio != 1 && ratio != 2 && ratio != 4 && ratio != 8)
    return invalidArgumentError(
        strCat("ratio must be 1, 2, 4, or 8, got ", ratio));
  const auto method = node.attrOr<std::string>("dct_method", {});
  if (!method.empty() && method != "INTEGER_FAST" &&
      method != "INTEGER_ACCURATE")
    return invalidArgumentError("dct_method must be one of {'', "
                                "'INTEGER_FAST', 'INTEGER_ACCURATE'}");
  if (channels != 0 && channels != 1 && channels != 3 && channels != 4)
    return invalidArgumentError(
        strCat("`channels` must be 0, 1, 3 or 4 but got ", channels));
  wish.channels = jpeg.channels = static_cast<int>(channels);
  wish.dtype = node.attrOr("dtype", DType::UInt8);
  wish.isAnimated = node.attrOr("expand_animations", true);
  jpeg.ratio = static_cast<int>(ratio);
  jpeg.isFancy = node.attrOr("fancy_upscaling", true);
  jpeg.isAccurate = method == "INTEGER_ACCURATE";
  jpeg.recoversTruncated = node.attrOr("try_recover_truncated", false);
  jpeg.leastFraction = node.attrOr("acceptable_fraction", 1.0f);
  return wish;
}

StatusOr<io::CropWindow> windowOf(const Tensor &window) {
  if (window.rank() != 1)
    return invalidArgumentError(strCat("crop_window must be 1-D, got shape ",
                                       window.shape().toString()));
  if (window.dim(0) != 4)
    return invalidArgumentError(strCat("crop_size must have four elements ",
                                       window.shape().toString()));
  auto parts = window.data<int32_t>();
  return io::CropWindow{parts[0], parts[1], parts[2], parts[3]};
}

/// Whether the op says nothing of frames, so that a picture gets one.
StatusOr<Tensor> asFrames(const Wish &wish, Tensor picture) {
  if (wish.op != "DecodeGif")
    return picture;
  const Shape &shape = picture.shape();
  return picture.reshaped(Shape({1, shape.dim(0), shape.dim(1), shape.dim(2)}));
}

/// Elements times `scale`, in another type.
template <class To, class From>
StatusOr<Tensor> scaled(const Tensor &picture, DType dtype, To scale) {
  KILN_ASSIGN_OR_RETURN(Tensor result, Tensor::create(dtype, picture.shape()));
  auto from = picture.data<From>();
  auto to = result.mutableData<To>();
  for (size_t i = 0; i < from.size(); ++i)
    to[i] = static_cast<To>(static_cast<To>(from[i]) * scale);
  return result;
}

/// A picture of bytes in the type that is asked for.
StatusOr<Tensor> inType(const Wish &wish, Tensor bytes) {
  if (wish.dtype == DType::UInt16)
    // As in TensorFlow: 255 becomes 65280 here, of PNG files 65535.
    return scaled<uint16_t, uint8_t>(bytes, wish.dtype, 256);
  if (wish.dtype == DType::Float32)
    return scaled<float, uint8_t>(bytes, wish.dtype,
                                  static_cast<float>(1. / 255));
  return bytes;
}

StatusOr<Tensor> jpegPicture(std::string_view file, const Wish &wish) {
  if (wish.channels == 4)
    return invalidArgumentError("JPEG does not support 4 channels");
  if (wish.op == "DecodeBmp")
    return wrongOp("JPEG", "decode_jpeg");
  KILN_ASSIGN_OR_RETURN(Tensor picture, io::decodeJpeg(file, wish.jpeg));
  KILN_ASSIGN_OR_RETURN(picture, inType(wish, std::move(picture)));
  return asFrames(wish, std::move(picture));
}

StatusOr<Tensor> pngPicture(std::string_view file, const Wish &wish) {
  if (wish.op == "DecodeBmp" || wish.op == "DecodeAndCropJpeg") {
    // What TensorFlow says of a header that is wrong comes first.
    Status read = io::decodePng(file, wish.channels, DType::UInt8).status();
    if (!read.ok() && !read.message().starts_with("Invalid PNG data"))
      return read;
    return wish.op == "DecodeBmp" ? wrongOp("PNG", "decode_png")
                                  : jpegOnly("PNG");
  }
  const bool isFloat = wish.dtype == DType::Float32;
  KILN_ASSIGN_OR_RETURN(
      Tensor picture,
      io::decodePng(file, wish.channels, isFloat ? DType::UInt16 : wish.dtype));
  if (isFloat) {
    KILN_ASSIGN_OR_RETURN(
        picture, (scaled<float, uint16_t>(picture, wish.dtype,
                                          static_cast<float>(1. / 65535))));
  }
  return asFrames(wish, std::move(picture));
}

StatusOr<Tensor> gifPicture(std::string_view file, const Wish &wish) {
  if (wish.channels != 0 && wish.channels != 3)
    return invalidArgumentError(
        strCat("channels must be 0 or 3 for GIF, got ", wish.channels));
  if (wish.op == "DecodeBmp")
    return wrongOp("GIF", "decode_gif");
  if (wish.op == "DecodeAndCropJpeg")
    return jpegOnly("GIF");
  const bool isSingle = wish.op == "DecodePng" || wish.op == "DecodeJpeg";
  auto check = [&](int64_t count) {
    return isSingle && count != 1
               ? invalidArgumentError(
                     strCat("Got ", count,
                            " frames, but animated gifs can only be decoded by "
                            "tf.io.decode_gif or tf.io.decode_image"))
               : okStatus();
  };
  KILN_ASSIGN_OR_RETURN(Tensor frames,
                        io::decodeGif(file, wish.isAnimated, check));
  KILN_ASSIGN_OR_RETURN(frames, inType(wish, std::move(frames)));
  if (!isSingle && wish.isAnimated)
    return frames;
  const Shape &shape = frames.shape();
  return frames.reshaped(Shape({shape.dim(1), shape.dim(2), shape.dim(3)}));
}

StatusOr<Tensor> bmpPicture(std::string_view file, const Wish &wish) {
  if (wish.channels == 1)
    return invalidArgumentError(
        "`channels` must be 0, 3 or 4 for BMP, but got 1");
  if (wish.op == "DecodeAndCropJpeg")
    return jpegOnly("BMP");
  if (wish.op != "DecodeBmp" && wish.op != "DecodeImage")
    return invalidArgumentError(
        strCat("Trying to decode BMP format using a wrong op. Use `decode_bmp` "
               "or `decode_image` instead. Op used: ",
               wish.op));
  KILN_ASSIGN_OR_RETURN(Tensor picture, io::decodeBmp(file, wish.channels));
  return inType(wish, std::move(picture));
}

StatusOr<Tensor> pictureOf(std::string_view file, const Wish &wish) {
  if (file.starts_with("\xff\xd8\xff"sv))
    return jpegPicture(file, wish);
  if (file.starts_with("\x89PNG\r\n\x1a\n"sv))
    return pngPicture(file, wish);
  if (file.starts_with("GIF8"sv))
    return gifPicture(file, wish);
  if (file.starts_with("BM"sv))
    return bmpPicture(file, wish);
  const bool isWebP = file.starts_with("RIFF"sv) && file.size() >= 12 &&
                      file.substr(8, 4) == "WEBP";
  if (isWebP || file.starts_with("\xff\x0a"sv) ||
      file.starts_with("\0\0\0\x0cJXL \r\n\x87\n"sv))
    return Status(StatusCode::Unimplemented,
                  strCat("Kiln reads JPEG, PNG, GIF and BMP files, got one of ",
                         isWebP ? "WebP" : "JPEG XL"));
  return invalidArgumentError("Unknown image file format. One of JPEG, JPEG "
                              "XL, PNG, GIF, BMP, WebP required.");
}

} // namespace

Status decodePicture(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Wish wish, wishOf(call.node));
  const Tensor &contents = call.inputs[0];
  if (contents.rank() != 0)
    return invalidArgumentError(
        strCat("`contents` must be scalar but got shape",
               contents.shape().toString()));
  std::string_view file = contents.data<String>()[0].view();
  if (file.empty())
    return invalidArgumentError("Input is empty.");
  if (file.size() > std::numeric_limits<int32_t>::max())
    return invalidArgumentError(
        strCat("Input contents are too large for int: ", file.size()));
  if (wish.op == "DecodeAndCropJpeg" && file.starts_with("\xff\xd8\xff"sv)) {
    KILN_ASSIGN_OR_RETURN(wish.jpeg.crop, windowOf(call.inputs[1]));
  }
  KILN_ASSIGN_OR_RETURN(call.outputs[0], pictureOf(file, wish));
  return okStatus();
}

} // namespace kiln::host
