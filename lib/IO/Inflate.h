// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inflates what zlib has compressed, piece by piece.
#ifndef KILN_LIB_IO_INFLATE_H
#define KILN_LIB_IO_INFLATE_H

#include "kiln/Status.h"
#include "lib/IO/InputFile.h"

#include <memory>
#include <string>
#include <string_view>

namespace kiln::io {

/// One stream; of gzip several, one behind the other. Thread safety: none.
class Inflater {
public:
  static constexpr size_t roomBytes = 256 << 10;
  enum class State : uint8_t { NeedsMore, Ended };

  explicit Inflater(Compression compression);
  ~Inflater();
  Inflater(const Inflater &) = delete;

  /// Where the next compressed bytes go, when there are none left.
  char *room() { return input.data(); }
  void take(size_t count);
  /// Writes up to `size` bytes to `to`; `size` is how many they are.
  /// **Errors**: DATA_LOSS with zlib's words.
  StatusOr<State> inflate(char *to, size_t &size);

private:
  struct Stream;
  const Compression compression;
  std::unique_ptr<Stream> stream;
  std::string input;
};

/// Inflates a string as a whole: as much as there is of one that is cut.
/// **Errors**: DATA_LOSS with zlib's words; RESOURCE_EXHAUSTED for more than
/// InputFile::maxStringBytes.
StatusOr<std::string> inflateString(std::string_view bytes,
                                    Compression compression);

} // namespace kiln::io

#endif // KILN_LIB_IO_INFLATE_H
