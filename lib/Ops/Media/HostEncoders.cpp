// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of pictures, and their sizes.
#include "lib/IO/Jpeg.h"
#include "lib/IO/Png.h"
#include "lib/Ops/Media/Host.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln::host {

namespace {

/// The elements' bytes; none of an empty tensor.
std::span<const uint8_t> bytesOf(const Tensor &tensor) {
  if (tensor.dtype() == DType::UInt8)
    return tensor.data<uint8_t>();
  auto elements = tensor.data<uint16_t>();
  return {reinterpret_cast<const uint8_t *>(elements.data()),
          elements.size_bytes()};
}

/// How a JPEG file is to be written.
StatusOr<io::JpegWriting> writingOf(const HostCall &call) {
  const Node &node = call.node;
  int64_t quality = node.attrOr<int64_t>("quality", 95);
  if (call.inputs.size() > 1) {
    const Tensor &given = call.inputs[1];
    if (given.rank() != 0)
      return invalidArgumentError(
          strCat("quality must be scalar: ", given.shape().toString()));
    quality = given.data<int32_t>()[0];
  }
  if (quality < 0 || quality > 100)
    return invalidArgumentError(
        strCat("quality must be in [0,100], got ", quality));
  return io::JpegWriting{
      .quality = static_cast<int>(quality),
      .isProgressive = node.attrOr("progressive", false),
      .isOptimized = node.attrOr("optimize_size", false),
      .halvesColors = node.attrOr("chroma_downsampling", true),
      .isDensityPerCm = node.attrOr<std::string>("density_unit", "in") == "cm",
      .xDensity = node.attrOr<int64_t>("x_density", 300),
      .yDensity = node.attrOr<int64_t>("y_density", 300),
      .xmp = node.attrOr<std::string>("xmp_metadata", {})};
}

} // namespace

Status encodeJpeg(const HostCall &call) {
  const Tensor &picture = call.inputs[0];
  KILN_ASSIGN_OR_RETURN(io::JpegWriting how, writingOf(call));
  if (picture.rank() != 3)
    return invalidArgumentError(
        strCat("image must be 3-dimensional", picture.shape().toString()));
  if (picture.numElements() >= std::numeric_limits<int32_t>::max())
    return invalidArgumentError(
        "Cannot encode images with >= max int32 elements");
  const int64_t channels = picture.dim(2);
  const auto format = call.node.attrOr<std::string>("format", {});
  if (format.empty() && channels != 1 && channels != 3)
    return invalidArgumentError(strCat("image must have 1 or 3 channels, got ",
                                       picture.shape().toString()));
  const int64_t expected = format == "grayscale" ? 1 : 3;
  if (!format.empty() && channels != expected)
    return invalidArgumentError(strCat("format ", format, " expects ", expected,
                                       " channels, got ",
                                       picture.shape().toString()));
  KILN_ASSIGN_OR_RETURN(std::string file,
                        io::encodeJpeg(picture.dim(0), picture.dim(1),
                                       static_cast<int>(channels),
                                       picture.data<uint8_t>(), how));
  call.outputs[0] = Tensor::scalar(file);
  return okStatus();
}

Status encodePng(const HostCall &call) {
  const Tensor &pictures = call.inputs[0];
  const int64_t level = call.node.attrOr<int64_t>("compression", -1);
  if (level < -1 || level > 9)
    return invalidArgumentError(
        strCat("compression should be in [-1,9], got ", level));
  const int rank = pictures.rank();
  if (rank < 3)
    return invalidArgumentError(
        strCat("images must be at least rank 3", pictures.shape().toString()));
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (pictures.numElements() >= most)
    return invalidArgumentError("image cannot have >= int32 max elements");
  const int64_t height = pictures.shape().dim(rank - 3),
                width = pictures.shape().dim(rank - 2),
                channels = pictures.shape().dim(rank - 1);
  if (channels < 1 || channels > 4)
    return invalidArgumentError(
        strCat("image must have 1, 2, 3, or 4 channels, got ", channels));
  auto dims = pictures.shape().dims();
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(DType::String,
                     Shape(dims.first(static_cast<size_t>(rank - 3)))));
  const int channelBytes = pictures.dtype() == DType::UInt16 ? 2 : 1;
  const size_t size =
      static_cast<size_t>(height * width * channels * channelBytes);
  auto bytes = bytesOf(pictures);
  std::string refused;
  auto files = call.outputs[0].mutableData<String>();
  for (size_t i = 0; i < files.size(); ++i) {
    auto file = io::encodePng(
        {height, width, channels, bytes.subspan(i * size, size), channelBytes},
        static_cast<int>(level));
    if (file.ok()) {
      KILN_ASSIGN_OR_RETURN(files[i], String::create(*file));
    } else {
      refused += strCat(refused.empty() ? "" : ", ", i);
    }
  }
  if (!refused.empty())
    return internalError(
        strCat("PNG encoding failed at the following flattened batch indices: ",
               refused));
  return okStatus();
}

Status extractJpegShape(const HostCall &call) {
  const Tensor &contents = call.inputs[0];
  if (contents.rank() != 0)
    return invalidArgumentError(strCat("contents must be scalar, got shape ",
                                       contents.shape().toString()));
  std::string_view file = contents.data<String>()[0].view();
  const auto sizes = io::jpegSizes(file);
  if (!sizes)
    return invalidArgumentError(
        strCat("Invalid JPEG data, size ", file.size()));
  const DType dtype = call.node.attrOr("output_type", DType::Int32);
  KILN_ASSIGN_OR_RETURN(call.outputs[0], Tensor::create(dtype, Shape({3})));
  for (size_t i = 0; i < 3; ++i)
    if (dtype == DType::Int64)
      call.outputs[0].mutableData<int64_t>()[i] = (*sizes)[i];
    else
      call.outputs[0].mutableData<int32_t>()[i] =
          static_cast<int32_t>((*sizes)[i]);
  return okStatus();
}

} // namespace kiln::host
