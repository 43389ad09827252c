// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures out of PNG files, and such files of them.
#include "lib/Ops/Parsing/Host.h"

#include "lib/IO/Png.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln::host {

using namespace io;
namespace {

/// What other file formats get for an answer.
Status refuseFormat(std::string_view file) {
  using namespace std::string_view_literals;
  if (file.starts_with("\xff\xd8\xff"sv) || file.starts_with("GIF8"sv))
    return Status(StatusCode::Unimplemented,
                  "DecodePng reads PNG files here, got a JPEG or GIF file");
  if (file.starts_with("BM"sv))
    return invalidArgumentError(
        "Trying to decode BMP format using a wrong op. Use `decode_bmp` or "
        "`decode_image` instead. Op used: DecodePng");
  return invalidArgumentError("Unknown image file format. One of JPEG, JPEG "
                              "XL, PNG, GIF, BMP, WebP required.");
}

/// The elements' bytes; none of an empty tensor.
std::span<const uint8_t> bytesOf(const Tensor &tensor) {
  if (tensor.dtype() == DType::UInt8)
    return tensor.data<uint8_t>();
  auto elements = tensor.data<uint16_t>();
  return {reinterpret_cast<const uint8_t *>(elements.data()),
          elements.size_bytes()};
}

} // namespace

Status decodePng(const HostCall &call) {
  const Tensor &contents = call.inputs[0];
  const int64_t channels = call.node.attrOr<int64_t>("channels", 0);
  if (channels != 0 && channels != 1 && channels != 3 && channels != 4)
    return invalidArgumentError(
        strCat("`channels` must be 0, 1, 3 or 4 but got ", channels));
  if (contents.rank() != 0)
    return invalidArgumentError(
        strCat("`contents` must be scalar but got shape",
               contents.shape().toString()));
  std::string_view file = contents.data<String>()[0].view();
  if (file.empty())
    return invalidArgumentError("Input is empty.");
  if (!file.starts_with("\x89PNG\r\n\x1a\n"))
    return refuseFormat(file);
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        io::decodePng(file, static_cast<int>(channels),
                                      call.node.attrOr("dtype", DType::UInt8)));
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

} // namespace kiln::host
