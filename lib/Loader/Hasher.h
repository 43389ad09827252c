// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Digests of values that are made of parts.
#ifndef KILN_LIB_LOADER_HASHER_H
#define KILN_LIB_LOADER_HASHER_H

#include "kiln/Tensor.h"
#include "lib/Compiled/Digest.h"

#include "llvm/Support/BLAKE3.h"

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace kiln {

/// Takes parts one after the other. Texts and tensors bring their lengths, so
/// that different parts in a row never make the same bytes.
class Hasher {
public:
  template <class T>
    requires(std::integral<T> || std::is_enum_v<T>)
  Hasher &add(T number) {
    auto wide = static_cast<int64_t>(number);
    return addBytes(&wide, sizeof wide);
  }
  Hasher &add(std::string_view text) {
    add(text.size());
    return addBytes(text.data(), text.size());
  }
  Hasher &add(const Digest &digest) {
    return addBytes(digest.data(), digest.size());
  }
  Hasher &add(const Shape &shape) {
    add(shape.rank());
    return addBytes(shape.dims().data(), shape.dims().size_bytes());
  }
  /// Its dtype, shape and elements.
  Hasher &add(const Tensor &tensor);
  Digest digest() { return state.result<std::tuple_size_v<Digest>>(); }

private:
  Hasher &addBytes(const void *bytes, size_t size) {
    state.update({static_cast<const uint8_t *>(bytes), size});
    return *this;
  }
  llvm::BLAKE3 state;
};

inline Hasher &Hasher::add(const Tensor &tensor) {
  add(tensor.dtype()).add(tensor.shape());
  if (tensor.dtype() != DType::String)
    return addBytes(tensor.rawData(), tensor.byteSize());
  for (const String &text : tensor.data<String>())
    add(text.view());
  return *this;
}

inline Digest digestOf(const Tensor &tensor) {
  return Hasher().add(tensor).digest();
}
inline Digest digestOf(std::string_view bytes) {
  return Hasher().add(bytes).digest();
}

} // namespace kiln

#endif // KILN_LIB_LOADER_HASHER_H
