// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loaders that there are: the host processor's, through ORC.
#include "lib/Loader/CodeLoader.h"

#include "lib/Loader/Linker.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

class CpuLoader final : public CodeLoader {
public:
  std::string_view backend() const noexcept override { return "cpu"; }
  StatusOr<std::shared_ptr<LinkedCode>>
  load(const CompiledCode &code, const InspectOptions &inspect) const override {
    return linkObjects(code.objects, codeEntryName, inspect);
  }
};

} // namespace

const CodeLoader *findCodeLoader(std::string_view backend) noexcept {
  static const CpuLoader cpu;
  return backend == cpu.backend() ? &cpu : nullptr;
}

StatusOr<std::shared_ptr<LinkedCode>> loadCode(const CompiledCode &code,
                                               const InspectOptions &inspect) {
  const CodeLoader *loader = findCodeLoader(code.backend);
  if (!loader)
    return failedPreconditionError(
        strCat("expected code for this process's machines, got some for ",
               code.backend.empty() ? std::string_view("none")
                                    : std::string_view(code.backend)));
  return loader->load(code, inspect);
}

} // namespace kiln
