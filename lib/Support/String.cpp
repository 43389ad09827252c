// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates the blocks behind strings: a header, then the bytes.
#include "kiln/String.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"

#include <cstring>
#include <limits>
#include <new>

namespace kiln {

StatusOr<String> String::create(size_t size, char *&bytes) {
  bytes = nullptr;
  String made;
  if (size == 0)
    return made;
  void *memory = size <= std::numeric_limits<ptrdiff_t>::max() - sizeof(Block)
                     ? allocateData(alignof(Block), sizeof(Block) + size)
                     : nullptr;
  if (!memory)
    return outOfMemory("a string", size);
  made.block = new (memory) Block{1, size};
  bytes = reinterpret_cast<char *>(made.block + 1);
  return made;
}

StatusOr<String> String::create(std::string_view text) {
  char *bytes = nullptr;
  KILN_ASSIGN_OR_RETURN(String made, create(text.size(), bytes));
  if (bytes)
    std::memcpy(bytes, text.data(), text.size());
  return made;
}

void String::free(Block *block) noexcept {
  block->~Block();
  freeData(block);
}

} // namespace kiln
