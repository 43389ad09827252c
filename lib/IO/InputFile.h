// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that are read from their beginning to their end, compressed or not.
#ifndef KILN_LIB_IO_INPUTFILE_H
#define KILN_LIB_IO_INPUTFILE_H

#include "kiln/Status.h"
#include "lib/Support/FileStream.h"

#include <memory>
#include <string>

namespace kiln::io {

enum class Compression : uint8_t { None, Zlib, Gzip };

/// "ZLIB", "GZIP"; others are none, as in TensorFlow.
Compression compressionOf(std::string_view name);

class Inflater;

/// A window on the bytes of a file. Memory grows with what is there, not with
/// what is asked for. After an error each call gives it again. Thread safety:
/// none.
class InputFile {
public:
  /// What one string of it may hold; RESOURCE_EXHAUSTED beyond.
  static constexpr int64_t maxStringBytes = int64_t(2) << 30;

  /// **Errors**: as FileReader; that of a folder comes with the first read.
  static StatusOr<std::unique_ptr<InputFile>> open(const std::string &path,
                                                   Compression compression);
  ~InputFile();

  /// Appends the next bytes; returns how many there were: fewer than `count` at
  /// the end alone. **Errors**: as FileReader; DATA_LOSS for what is not
  /// compressed so.
  StatusOr<int64_t> read(int64_t count, std::string &to);
  StatusOr<int64_t> skip(int64_t count);
  /// The next line, without its end; false at the end of the file.
  StatusOr<bool> readLine(std::string &line);
  /// How TensorFlow says that there is no more.
  std::string_view endText() const;

private:
  InputFile(std::string path, Compression compression);
  /// Makes the window hold something; false at the end.
  StatusOr<bool> fill();
  StatusOr<bool> fillFrom(int64_t bytes);
  std::string_view window() const {
    return std::string_view(buffer).substr(place);
  }

  std::string path;
  std::unique_ptr<FileReader> file;
  std::unique_ptr<Inflater> inflater; ///< null for what is not compressed
  Status failed;
  int64_t offset = 0; ///< in the file
  std::string buffer;
  size_t place = 0; ///< in the buffer
};

/// The whole of a file. **Errors**: as InputFile.
StatusOr<std::string> readFileContents(const std::string &path);

} // namespace kiln::io

#endif // KILN_LIB_IO_INPUTFILE_H
