// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads sorted tables of LevelDB's format, which checkpoints are or have as
// their index.
#ifndef KILN_LIB_IO_LEVELTABLE_H
#define KILN_LIB_IO_LEVELTABLE_H

#include "kiln/Status.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::io {

/// A table of up to 2 GiB. **Thread safety**: none. **Ownership**: holds the
/// whole file.
class LevelTable {
public:
  /// **Errors**: as readWholeFile(); DATA_LOSS, with LevelDB's text, for what
  /// is no table.
  static StatusOr<LevelTable> read(const std::string &path);
  LevelTable(LevelTable &&) noexcept;
  ~LevelTable();

  /// Checks every byte but those of a first block that cannot be read, which
  /// find() tells. **Errors**: DATA_LOSS.
  Status check();
  /// The value of a key, until the next call; nothing where there is none.
  /// **Errors**: DATA_LOSS for a damaged block.
  StatusOr<std::optional<std::string_view>> find(std::string_view key);
  /// Calls `use(key, value)` in the order of the keys. **Errors**: as find();
  /// the first of `use`.
  Status
  forEach(const std::function<Status(std::string_view, std::string_view)> &use);

private:
  struct Table;
  explicit LevelTable(std::unique_ptr<Table> table);

  std::unique_ptr<Table> table;
};

} // namespace kiln::io

#endif // KILN_LIB_IO_LEVELTABLE_H
