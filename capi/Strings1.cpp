// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// String tensors of TensorFlow 1: where each text begins, as 64-bit numbers
// that count from behind the last of them, then the texts, each with its
// length (StringEncoding.cpp).
#include "capi/Strings.h"
#include "tensorflow/c/tf_string_encoding.h"

#include <cstring>
#include <memory>

namespace kiln::capi {

const char tensorflowVersion[] = "1.15.0";

namespace {

struct DeleteStatus {
  void operator()(TF_Status *status) const { TF_DeleteStatus(status); }
};
using OwnedStatus = std::unique_ptr<TF_Status, DeleteStatus>;

} // namespace

// What the bytes hold is looked at when they are read.
bool mayHoldStrings(int64_t, size_t) { return true; }

BufferRef allocateStrings(int64_t, size_t bytes) {
  BufferRef memory = allocateBuffer(bytes);
  if (memory)
    std::memset(memory->data, 0, bytes);
  return memory;
}

BufferRef encodeStrings(const Tensor &strings) {
  const std::span<const String> texts = strings.data<String>();
  size_t bytes = texts.size() * sizeof(uint64_t);
  for (const String &text : texts)
    bytes += TF_StringEncodedSize(text.size());
  BufferRef memory = allocateStrings(0, bytes);
  if (!memory)
    return {};
  const OwnedStatus status(TF_NewStatus());
  auto *offsets = static_cast<char *>(memory->data);
  char *const begin = offsets + texts.size() * sizeof(uint64_t);
  char *const end = offsets + bytes;
  char *place = begin;
  for (const String &text : texts) {
    const auto offset = static_cast<uint64_t>(place - begin);
    std::memcpy(offsets, &offset, sizeof offset);
    offsets += sizeof offset;
    const std::string_view view = text;
    place += TF_StringEncode(view.data(), view.size(), place,
                             static_cast<size_t>(end - place), status.get());
  }
  return memory;
}

StatusOr<Tensor> decodeStrings(const Shape &shape, const void *memory,
                               size_t bytes) {
  StatusOr<Tensor> made = Tensor::create(DType::String, shape);
  if (!made.ok())
    return made;
  const std::span<String> copies = made->mutableData<String>();
  if (copies.size() > bytes / sizeof(uint64_t))
    return invalidArgumentError("Malformed TF_STRING tensor; too short to hold "
                                "number of elements");
  const OwnedStatus status(TF_NewStatus());
  const auto *offsets = static_cast<const char *>(memory);
  const char *const begin = offsets + copies.size() * sizeof(uint64_t);
  const size_t length = bytes - copies.size() * sizeof(uint64_t);
  for (size_t i = 0; i < copies.size(); ++i) {
    uint64_t offset = 0;
    std::memcpy(&offset, offsets + i * sizeof offset, sizeof offset);
    if (offset >= length)
      return invalidArgumentError("Malformed TF_STRING tensor; element " +
                                  std::to_string(i) + " out of range");
    const char *text = nullptr;
    size_t size = 0;
    TF_StringDecode(begin + offset, length - offset, &text, &size,
                    status.get());
    if (TF_GetCode(status.get()) != TF_OK)
      return invalidArgumentError(TF_Message(status.get()));
    StatusOr<String> copy = String::create({text, size});
    if (!copy.ok())
      return copy.status();
    copies[i] = *std::move(copy);
  }
  return made;
}

} // namespace kiln::capi
