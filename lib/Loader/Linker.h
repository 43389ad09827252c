// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links object code into the process; the code lives as long as its handle.
#ifndef KILN_LIB_LOADER_LINKER_H
#define KILN_LIB_LOADER_LINKER_H

#include "kiln/CodeOptions.h"
#include "kiln/Status.h"
#include "lib/Compiled/LinkedCode.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// Links relocatable objects with each other through ORC and looks up their
/// entry.
///
/// They are on their own: a reference to anything but memcpy, memmove,
/// memset, fmod, fmodf and the conversions of half is an error, which keeps the
/// math library and the unwinder out of generated code; the runtime is reached
/// through KilnRunArgs.
/// **Errors**: INTERNAL for objects that do not link, with the names that
/// they lack; those of addToPerfMap().
/// **Thread safety**: any thread; links take turns. **Cost**: 34 us for a small
/// object, 7 us to free it (minima, EPYC, November 2026); 8 KiB of ORC's own
/// while it lives.
StatusOr<std::shared_ptr<LinkedCode>>
linkObjects(std::span<const std::string> objects, std::string_view entryName,
            const InspectOptions &inspect = {});

/// Bytes of the pages of all linked code of the process.
size_t linkedBytes();

} // namespace kiln

#endif // KILN_LIB_LOADER_LINKER_H
