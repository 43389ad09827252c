// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The encoding of strings in tensors of TensorFlow 1: a length in groups of
// seven bits, the lowest first, then the bytes.
#include "tensorflow/c/tf_string_encoding.h"

#include "capi/Handles.h"

#include <cstring>

using namespace kiln;
using namespace kiln::capi;

size_t TF_StringEncodedSize(size_t len) {
  size_t size = len + 1;
  for (size_t rest = len; rest >= 0x80; rest >>= 7)
    ++size;
  return size;
}

size_t TF_StringEncode(const char *src, size_t src_len, char *dst,
                       size_t dst_len, TF_Status *status) {
  clearStatus(status);
  const size_t size = TF_StringEncodedSize(src_len);
  if (size < src_len) {
    setStatus(status,
              invalidArgumentError("src string is too large to encode"));
    return 0;
  }
  if (dst_len < size) {
    setStatus(status,
              invalidArgumentError("dst_len (" + std::to_string(dst_len) +
                                   ") too small to encode a " +
                                   std::to_string(src_len) + "-byte string"));
    return 0;
  }
  for (size_t rest = src_len;; rest >>= 7) {
    *dst++ = static_cast<char>(rest >= 0x80 ? (rest & 0x7f) | 0x80 : rest);
    if (rest < 0x80)
      break;
  }
  if (src_len)
    std::memcpy(dst, src, src_len);
  return size;
}

size_t TF_StringDecode(const char *src, size_t src_len, const char **dst,
                       size_t *dst_len, TF_Status *status) {
  clearStatus(status);
  uint64_t length = 0;
  size_t at = 0;
  for (int shift = 0; at < src_len && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(src[at++]);
    length |= uint64_t{byte & 0x7fu} << shift;
    if (byte >= 0x80)
      continue;
    if (length > src_len - at)
      break;
    *dst = src + at;
    *dst_len = static_cast<size_t>(length);
    return at + *dst_len;
  }
  setStatus(status, invalidArgumentError(
                        "invalid string encoding or truncated src buffer"));
  return 0;
}
