// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links object code into the process; the code lives as long as its handle.
#ifndef KILN_LIB_JIT_LINKER_H
#define KILN_LIB_JIT_LINKER_H

#include "kiln/CodeOptions.h"
#include "kiln/Status.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace kiln {

/// Code that is ready to run. **Ownership**: the code is freed with the handle;
/// every run that may be inside it holds one. Freed code traps.
class LinkedCode {
public:
  virtual ~LinkedCode() = default;
  virtual void *entry() const noexcept = 0;
  /// Bytes of the pages that the code and its constants take.
  virtual size_t bytes() const noexcept = 0;
};

/// Links a relocatable object through ORC and looks up its entry.
///
/// The object is on its own: a reference to anything but memcpy, memmove,
/// memset, fmod, fmodf and the conversions of half is an error, which keeps the
/// math library and the unwinder out of generated code; the runtime is reached
/// through KilnRunArgs.
/// **Errors**: INTERNAL for an object that does not link, with the names that
/// it lacks; those of addToPerfMap().
/// **Thread safety**: any thread; links take turns. **Cost**: 34 us for a small
/// object, 7 us to free it (minima, EPYC, November 2026); 8 KiB of ORC's own
/// while it lives.
StatusOr<std::shared_ptr<LinkedCode>>
linkObject(std::string_view object, std::string_view entryName,
           const InspectOptions &inspect = {});

/// Bytes of the pages of all linked code of the process.
size_t linkedBytes();

} // namespace kiln

#endif // KILN_LIB_JIT_LINKER_H
