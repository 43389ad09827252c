// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of a checkpoint's files and the keys of its index, whose order is
// that of what they are made of (TensorFlow's ordered_code.cc).
#include "lib/IO/BundleIndex.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/Strings.h"

#include <bit>
#include <cstdio>

namespace kiln::io {
namespace {

/// How many bytes, and those, the highest first, without leading zeros.
void appendNumber(std::string &key, uint64_t number) {
  int length = (std::bit_width(number) + 7) / 8;
  key += static_cast<char>(length);
  for (int byte = length - 1; byte >= 0; --byte)
    key += static_cast<char>(number >> (8 * byte));
}

/// Zeros and 255 are followed by the other; an end that neither has.
void appendText(std::string &key, std::string_view text) {
  for (char c : text) {
    key += c;
    if (c == '\0')
      key += '\xff';
    else if (c == '\xff')
      key += '\0';
  }
  key += std::string_view("\0\1", 2);
}

/// Two's complement in as many bytes as seven bits each hold, big endian, in
/// which as many high bits as there are bytes are the other way round.
void appendSigned(std::string &key, int64_t number) {
  auto magnitude = static_cast<uint64_t>(number < 0 ? ~number : number);
  int length = std::bit_width(magnitude) / 7 + 1;
  unsigned char bytes[10];
  for (int i = 0; i < length; ++i) {
    int shift = 8 * (length - 1 - i);
    bytes[i] = static_cast<unsigned char>(shift >= 64 ? (number < 0 ? 0xff : 0)
                                                      : number >> shift);
  }
  for (int i = 0; i < length; ++i)
    bytes[i / 8] ^= static_cast<unsigned char>(0x80 >> (i % 8));
  key.append(reinterpret_cast<const char *>(bytes),
             static_cast<size_t>(length));
}

} // namespace

std::string indexPath(std::string_view prefix) {
  return strCat(prefix, ".index");
}

std::string dataPath(std::string_view prefix, int shard, int numShards) {
  char suffix[48];
  std::snprintf(suffix, sizeof suffix, ".data-%05d-of-%05d", shard, numShards);
  return strCat(prefix, suffix);
}

std::string sliceKey(std::string_view tensor, const TensorSlice &slice) {
  std::string key;
  appendNumber(key, 0);
  appendText(key, tensor);
  appendNumber(key, slice.extents.size());
  for (const TensorSlice::Extent &extent : slice.extents) {
    appendSigned(key, extent.start);
    appendSigned(key, extent.length);
  }
  return key;
}

proto::TensorSliceProto encodeSlice(const TensorSlice &slice) {
  proto::TensorSliceProto message;
  for (const TensorSlice::Extent &extent : slice.extents) {
    auto *to = message.add_extent();
    if (extent.length == TensorSlice::whole)
      continue;
    to->set_start(extent.start);
    to->set_length(extent.length);
  }
  return message;
}

StatusOr<TensorSlice> decodeSlice(const proto::TensorSliceProto &message) {
  TensorSlice slice;
  for (const auto &extent : message.extent()) {
    bool isWhole = extent.has_length_hack_case() ==
                   proto::TensorSliceProto::Extent::HAS_LENGTH_HACK_NOT_SET;
    if (extent.start() < 0 || (isWhole && extent.start() != 0) ||
        (!isWhole && (extent.length() <= 0 ||
                      !checkedAdd(extent.start(), extent.length()))))
      return dataLossError("a slice in the checkpoint has no size");
    slice.extents.push_back(
        {extent.start(), isWhole ? TensorSlice::whole : extent.length()});
  }
  return slice;
}

} // namespace kiln::io
