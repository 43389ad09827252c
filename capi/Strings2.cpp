// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// String tensors of TensorFlow 2: an array of TF_TString, whose texts the
// memory's owner frees.
#include "capi/Strings.h"
#include "tensorflow/core/platform/ctstring.h"

#include <cstdlib>
#include <memory>

namespace kiln::capi {

const char tensorflowVersion[] = "2.21.0";

namespace {

struct FreeMemory {
  void operator()(TF_TString *strings) const { std::free(strings); }
};

struct StringMemory : Buffer {
  std::unique_ptr<TF_TString, FreeMemory> strings;
  size_t count = 0;
};

void releaseStrings(Buffer *buffer) noexcept {
  std::unique_ptr<StringMemory> memory(static_cast<StringMemory *>(buffer));
  for (size_t i = 0; i < memory->count; ++i)
    TF_TString_Dealloc(memory->strings.get() + i);
}

} // namespace

bool mayHoldStrings(int64_t count, size_t bytes) {
  return static_cast<uint64_t>(count) <= bytes / sizeof(TF_TString);
}

BufferRef allocateStrings(int64_t count, size_t bytes) {
  if (!mayHoldStrings(count, bytes))
    return {};
  auto memory = std::make_unique<StringMemory>();
  memory->count = static_cast<size_t>(count);
  // Zeros are empty strings. The system has zeros without writing them.
  memory->strings.reset(static_cast<TF_TString *>(
      std::calloc(memory->count + 1, sizeof(TF_TString))));
  if (!memory->strings)
    return {};
  memory->data = memory->strings.get();
  memory->bytes = memory->count * sizeof(TF_TString);
  memory->release = releaseStrings;
  return BufferRef::adopt(memory.release());
}

BufferRef encodeStrings(const Tensor &strings) {
  const std::span<const String> texts = strings.data<String>();
  const auto count = static_cast<int64_t>(texts.size());
  BufferRef memory = allocateStrings(count, texts.size() * sizeof(TF_TString));
  if (!memory)
    return {};
  auto *copies = static_cast<TF_TString *>(memory->data);
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string_view text = texts[i];
    TF_TString_Copy(&copies[i], text.data(), text.size());
    if (TF_TString_GetSize(&copies[i]) != text.size())
      return {};
  }
  return memory;
}

StatusOr<Tensor> decodeStrings(const Shape &shape, const void *memory,
                               size_t bytes) {
  StatusOr<Tensor> made = Tensor::create(DType::String, shape);
  if (!made.ok())
    return made;
  const std::span<String> copies = made->mutableData<String>();
  if (!mayHoldStrings(static_cast<int64_t>(copies.size()), bytes))
    return invalidArgumentError(
        "expected memory for " + std::to_string(copies.size()) +
        " strings, got " + std::to_string(bytes) + " bytes");
  const auto *texts = static_cast<const TF_TString *>(memory);
  for (size_t i = 0; i < copies.size(); ++i) {
    StatusOr<String> copy = String::create(
        {TF_TString_GetDataPointer(&texts[i]), TF_TString_GetSize(&texts[i])});
    if (!copy.ok())
      return copy.status();
    copies[i] = *std::move(copy);
  }
  return made;
}

} // namespace kiln::capi
