// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes sorted tables of LevelDB's format.
#ifndef KILN_LIB_IO_LEVELTABLEWRITER_H
#define KILN_LIB_IO_LEVELTABLEWRITER_H

#include "kiln/Status.h"

#include <functional>
#include <string>
#include <string_view>

namespace kiln::io {

/// Adds an entry behind those before: keys come in rising order.
using AddEntry = std::function<void(std::string_view key, std::string_view)>;

/// Writes the entries that `addAll` adds to a file, under a temporary name
/// first, and brings its name to the disk. **Errors**: as FileWriter.
Status writeLevelTable(const std::string &path,
                       const std::function<void(const AddEntry &)> &addAll);

} // namespace kiln::io

#endif // KILN_LIB_IO_LEVELTABLEWRITER_H
