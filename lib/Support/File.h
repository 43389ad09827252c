// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files: reading with a limit, and writing that a crash cannot leave half
// done.
#ifndef KILN_LIB_SUPPORT_FILE_H
#define KILN_LIB_SUPPORT_FILE_H

#include "kiln/Buffer.h"
#include "kiln/Status.h"

#include <string>
#include <string_view>

namespace kiln {

/// Makes the Status of an errno: ENOENT is NOT_FOUND, EACCES PERMISSION_DENIED,
/// ENOSPC RESOURCE_EXHAUSTED, and so on; the message is "cannot <action>
/// <path>: <reason>".
Status errnoError(int number, std::string_view action, std::string_view path);

/// The contents of a file. **Ownership**: shares its memory with its copies.
class FileBytes {
public:
  FileBytes() = default;
  FileBytes(BufferRef memory, size_t size)
      : memory(std::move(memory)), size(size) {}
  std::string_view view() const noexcept {
    return memory ? std::string_view(static_cast<char *>(memory->data), size)
                  : std::string_view();
  }

private:
  BufferRef memory;
  size_t size = 0;
};

/// Reads a regular file. **Errors**: as errnoError(); INVALID_ARGUMENT for a
/// folder, device or pipe; RESOURCE_EXHAUSTED, with path and size, when it has
/// more than maxBytes or memory cannot be had.
StatusOr<FileBytes> readFile(const std::string &path, size_t maxBytes);

/// Adds to the end of a file, which is made where there is none. Does not wait
/// for the reader of a pipe. **Errors**: as errnoError(); part of the bytes may
/// be written then.
Status appendToFile(const std::string &path, std::string_view bytes);

/// Replaces a file in one step: a temporary one beside it is written, synced
/// and renamed, and the folder synced.
/// **Errors**: as errnoError(); the old file stays and the temporary one goes.
/// **Thread safety**: free; of several writers one wins.
Status writeFileAtomically(const std::string &path, std::string_view bytes);
/// The same for contents in two parts.
Status writeFileAtomically(const std::string &path, std::string_view header,
                           std::string_view bytes);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_FILE_H
