// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_Buffer: bytes with the function that frees them.
#include "capi/Handles.h"

#include <cstdlib>
#include <cstring>

using namespace kiln::capi;

namespace {

void freeBytes(void *data, size_t) { std::free(data); }

} // namespace

namespace kiln::capi {

void setBuffer(TF_Buffer *to, std::string_view bytes) {
  if (to->data_deallocator)
    to->data_deallocator(const_cast<void *>(to->data), to->length);
  *to = {};
  // One more: a message may be empty, and then has data all the same.
  void *copy = std::malloc(bytes.size() + 1);
  if (!copy)
    return;
  if (!bytes.empty()) // none may be a null pointer
    std::memcpy(copy, bytes.data(), bytes.size());
  *to = {copy, bytes.size(), freeBytes};
}

std::string_view bytesOf(const TF_Buffer *buffer) {
  if (!buffer || !buffer->data)
    return {};
  return {static_cast<const char *>(buffer->data), buffer->length};
}

} // namespace kiln::capi

TF_Buffer *TF_NewBuffer(void) { return new TF_Buffer{}; }

TF_Buffer *TF_NewBufferFromString(const void *proto, size_t proto_len) {
  TF_Buffer *buffer = TF_NewBuffer();
  setBuffer(buffer, {static_cast<const char *>(proto), proto_len});
  return buffer;
}

void TF_DeleteBuffer(TF_Buffer *buffer) {
  if (!buffer)
    return;
  if (buffer->data_deallocator)
    buffer->data_deallocator(const_cast<void *>(buffer->data), buffer->length);
  delete buffer;
}

TF_Buffer TF_GetBuffer(TF_Buffer *buffer) { return *buffer; }
