// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Digests of values that are made of parts.
#ifndef KILN_LIB_LOADER_HASHER_H
#define KILN_LIB_LOADER_HASHER_H

#include "kiln/Tensor.h"
#include "lib/Compiled/Digest.h"

#include "llvm/Support/BLAKE3.h"

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
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
  Digest digest() {
    flush();
    return state.result<std::tuple_size_v<Digest>>();
  }

private:
  /// Small parts are gathered: an update of a few bytes takes as long as one of
  /// a hundred, and a graph of 2,000 nodes has a hundred thousand parts.
  Hasher &addBytes(const void *bytes, size_t size) {
    if (size > gathered.size() - count)
      flush();
    if (size > gathered.size()) {
      state.update({static_cast<const uint8_t *>(bytes), size});
    } else if (size != 0) {
      std::memcpy(gathered.data() + count, bytes, size);
      count += size;
    }
    return *this;
  }
  void flush() {
    state.update({gathered.data(), count});
    count = 0;
  }

  llvm::BLAKE3 state;
  std::array<uint8_t, 1024> gathered;
  size_t count = 0;
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
