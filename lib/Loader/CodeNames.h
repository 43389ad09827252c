// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells profilers and debuggers what lies where in linked code.
#ifndef KILN_LIB_LOADER_CODENAMES_H
#define KILN_LIB_LOADER_CODENAMES_H

#include "kiln/CodeOptions.h"
#include "kiln/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A function of linked code.
struct CodeSymbol {
  uint64_t address = 0;
  uint64_t size = 0;
  std::string name;
};

/// A section of an object, and where it was put.
struct CodeSection {
  std::string name;
  uint64_t address = 0;
};

/// What a linked object said of itself; takes it back when it goes, which must
/// be before its code is freed.
class CodeNames {
public:
  virtual ~CodeNames() = default;
};

/// Appends the functions to /tmp/perf-PID.map, where `perf report` looks them
/// up. **Edges**: names of freed code stay until other code comes to lie there,
/// since perf reads the file after the run; two entries never overlap. A child
/// after fork has a file of its own with all of them.
/// **Errors**: what opening or writing the file gives; PERMISSION_DENIED when
/// something that is not this user's own plain file stands in its place.
/// **Thread safety**: any thread.
Status addToPerfMap(const std::vector<CodeSymbol> &symbols);
/// Where it writes.
std::string perfMapPath();

/// Registers the object through GDB's JIT interface, with the addresses of its
/// sections filled in. Null for bytes that are no 64-bit ELF object. **Edges**:
/// gdb finds the interface by a symbol of the library, which `strip` removes.
/// **Thread safety**: any thread. **Cost**: a copy of the object; a stop of the
/// process where a debugger is attached.
std::unique_ptr<CodeNames>
registerWithGdb(std::string_view object,
                const std::vector<CodeSection> &sections);

} // namespace kiln

#endif // KILN_LIB_LOADER_CODENAMES_H
