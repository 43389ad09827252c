// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The half of a code backend that runs code: it needs no compiler.
#ifndef KILN_LIB_LOADER_CODELOADER_H
#define KILN_LIB_LOADER_CODELOADER_H

#include "kiln/CodeOptions.h"
#include "kiln/Status.h"
#include "lib/Compiled/CompiledFunction.h"
#include "lib/Compiled/LinkedCode.h"

#include <memory>
#include <string_view>

namespace kiln {

/// Takes what a CodeBackend of the same name made. Immutable. **Thread
/// safety**: any thread.
class CodeLoader {
public:
  virtual ~CodeLoader() = default;
  /// "cpu".
  virtual std::string_view backend() const noexcept = 0;
  /// **Load**: what is launched by a call of LinkedCode::entry(). **Errors**:
  /// INTERNAL for objects that do not fit together; what a machine without room
  /// gives.
  virtual StatusOr<std::shared_ptr<LinkedCode>>
  load(const CompiledCode &code, const InspectOptions &inspect) const = 0;
};

/// The loader for a backend's code; null for one that this process has none
/// for.
const CodeLoader *findCodeLoader(std::string_view backend) noexcept;

/// Loads by the loader of the backend that made the code. **Errors**: the
/// loader's; FAILED_PRECONDITION without a loader.
StatusOr<std::shared_ptr<LinkedCode>>
loadCode(const CompiledCode &code, const InspectOptions &inspect = {});

} // namespace kiln

#endif // KILN_LIB_LOADER_CODELOADER_H
