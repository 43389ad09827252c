// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that turn strings into buckets, and into letters and back, rows into
// fingerprints, characters into scripts.
#include "lib/Support/MurmurHash.h"
#include "lib/Support/UnicodeScript.h"
#include "runtime/kernels/Fingerprints.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Strings.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace kiln {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// x -> i64 below a number of buckets; [kind, buckets, key, key]
int32_t stringToBucket(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  const int64_t kind = kernel.number(0);
  const auto buckets = static_cast<uint64_t>(kernel.number(1));
  const auto key0 = static_cast<uint64_t>(kernel.number(2)),
             key1 = static_cast<uint64_t>(kernel.number(3));
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    std::string_view text = kernel.text(0, i);
    uint64_t hash = kind == 0   ? murmurHash64(text)
                    : kind == 1 ? fingerprint64(text)
                                : sipHash(key0, key1, text);
    kernel.output<int64_t>(0)[i] = static_cast<int64_t>(hash % buckets);
    return true;
  });
}

/// x : rows of anything, method -> eight bytes a row: the fingerprint of the
/// bytes of its elements, of its only string, or of its strings' fingerprints.
int32_t fingerprint(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  if (kernel.text(1, 0) != "farmhash64")
    return !kernel.fail(invalidArgumentError(
        "Unsupported fingerprint method: " + std::string(kernel.text(1, 0))));
  const int64_t rows = kernel.outputDims(0)[0];
  if (rows == 0)
    return 0;
  const bool isText = kernel.inputDType(0) == DType::String;
  const int64_t columns = kernel.inputElements(0) / rows;
  const auto rowBytes =
      static_cast<size_t>(columns) * dtypeSize(kernel.inputDType(0));
  auto write = [](uint64_t hash, uint8_t *to) {
    std::memcpy(to, &hash, sizeof hash);
  };
  std::string hashes;
  return kernel.forEach(rows, [&](int64_t i) {
    uint8_t *to = kernel.output<uint8_t>(0) + i * 8;
    if (!isText) {
      const char *row =
          kernel.input<char>(0) + static_cast<size_t>(i) * rowBytes;
      write(fingerprint64({row, rowBytes}), to);
      return true;
    }
    if (columns == 1) {
      write(fingerprint64(kernel.text(0, i)), to);
      return true;
    }
    hashes.clear();
    for (int64_t j = 0; j < columns; ++j) {
      const uint64_t hash = fingerprint64(kernel.text(0, i * columns + j));
      hashes.append(reinterpret_cast<const char *>(&hash), sizeof hash);
    }
    write(fingerprint64(hashes), to);
    return true;
  });
}

/// x : characters -> their scripts
int32_t scriptsOfCharacters(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.forEach(call.outputElements(0), [&](int64_t i) {
    call.output<int32_t>(0)[i] = unicodeScript(call.input<int32_t>(0)[i]);
    return true;
  });
}

/// x -> the letters of its bits, six each; [1 to fill up with '=']
int32_t encodeBase64(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  const bool isFilled = kernel.number(0) != 0;
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    std::string_view text = kernel.text(0, i);
    const size_t rest = text.size() % 3;
    size_t size = text.size() / 3 * 4;
    if (rest > 0)
      size += isFilled ? 4 : rest + 1;
    char *to = nullptr;
    if (!kernel.make(size, kernel.output<StringHandle>(0)[i], to))
      return false;
    for (; !text.empty();
         text.remove_prefix(std::min<size_t>(3, text.size()))) {
      uint32_t bits = 0;
      for (size_t k = 0; k < 3; ++k)
        bits = bits << 8 |
               (k < text.size() ? static_cast<unsigned char>(text[k]) : 0u);
      const size_t count = std::min<size_t>(text.size() + 1, 4);
      for (size_t k = 0; k < count; ++k)
        *to++ = letters[bits >> (18 - 6 * k) & 63];
      for (size_t k = count; k < 4 && isFilled; ++k)
        *to++ = '=';
    }
    return true;
  });
}

/// By letter, its place; 64 for what is none.
constexpr std::array<uint8_t, 256> places = [] {
  std::array<uint8_t, 256> table{};
  table.fill(64);
  for (size_t i = 0; i < letters.size(); ++i)
    table[static_cast<unsigned char>(letters[i])] = static_cast<uint8_t>(i);
  return table;
}();

/// The letters without what fills them up, at most two.
std::string_view withoutFill(std::string_view text) {
  if (text.size() % 4 != 0 || !text.ends_with('='))
    return text;
  return text.substr(0, text.size() - (text[text.size() - 2] == '=' ? 2 : 1));
}

/// Letters -> the bytes whose bits they are.
int32_t decodeBase64(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  return kernel.forEach(kernel.outputElements(0), [&](int64_t i) {
    std::string_view text = withoutFill(kernel.text(0, i));
    for (char letter : text)
      if (places[static_cast<unsigned char>(letter)] == 64)
        return kernel.fail(
            invalidArgumentError("Invalid character found in base64."));
    if (text.size() % 4 == 1)
      return kernel.fail(
          invalidArgumentError("Base64 string length cannot be 1 modulo 4."));
    char *to = nullptr;
    if (!kernel.make(text.size() * 3 / 4, kernel.output<StringHandle>(0)[i],
                     to))
      return false;
    for (; !text.empty();
         text.remove_prefix(std::min<size_t>(4, text.size()))) {
      uint32_t bits = 0;
      for (size_t k = 0; k < 4; ++k)
        bits = bits << 6 |
               (k < text.size() ? places[static_cast<unsigned char>(text[k])]
                                : 0u);
      const size_t count = std::min<size_t>(text.size(), 4) - 1;
      for (size_t k = 0; k < count; ++k)
        *to++ = static_cast<char>(bits >> (16 - 8 * k));
    }
    return true;
  });
}

} // namespace

std::vector<Kernel> stringCodeKernels() {
  constexpr bool hasEffects = false, mayFail = false;
  return {{"DecodeBase64", decodeBase64},
          {"EncodeBase64", encodeBase64},
          {"Fingerprint", fingerprint},
          {"StringToBucket", stringToBucket, hasEffects, mayFail},
          {"UnicodeScript", scriptsOfCharacters, hasEffects, mayFail}};
}

} // namespace kiln
