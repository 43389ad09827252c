// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the build ids that the linker left in the process's libraries.
#include "lib/JIT/CodeIdentity.h"

#include "lib/Loader/Hasher.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <span>
#include <string_view>

namespace kiln {
namespace {

/// The library that an address lies in.
struct Search {
  uintptr_t address = 0;
  bool isFound = false;
  std::string name;
  std::string buildId;
};

/// The build id among an object's notes; empty for none.
std::string_view buildIdIn(const char *notes, size_t size) {
  auto padded = [](size_t length) { return (length + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    size_t name = padded(header.n_namesz), contents = padded(header.n_descsz);
    if (size - sizeof header < name + contents)
      return {};
    const char *owner = notes + sizeof header;
    if (header.n_type == NT_GNU_BUILD_ID &&
        std::string_view(owner, header.n_namesz) ==
            std::string_view("GNU\0", 4))
      return {owner + name, header.n_descsz};
    notes += sizeof header + name + contents;
    size -= sizeof header + name + contents;
  }
  return {};
}

int visit(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  auto headers = std::span(object->dlpi_phdr, object->dlpi_phnum);
  search.isFound = std::any_of(
      headers.begin(), headers.end(), [&](const ElfW(Phdr) & header) {
        return header.p_type == PT_LOAD &&
               search.address - (object->dlpi_addr + header.p_vaddr) <
                   header.p_memsz;
      });
  if (!search.isFound)
    return 0;
  search.name = object->dlpi_name;
  for (const ElfW(Phdr) &header : headers)
    if (header.p_type == PT_NOTE && search.buildId.empty())
      search.buildId = buildIdIn(
          reinterpret_cast<const char *>(object->dlpi_addr + header.p_vaddr),
          header.p_memsz);
  return 1;
}

StatusOr<std::string> buildIdAt(const void *address) {
  Search search;
  search.address = reinterpret_cast<uintptr_t>(address);
  dl_iterate_phdr(visit, &search);
  if (search.buildId.empty())
    return failedPreconditionError(
        strCat("expected a build id in ",
               search.name.empty() ? std::string("the program") : search.name,
               " (linked with -Wl,--build-id), got none"));
  return search.buildId;
}

/// In Kiln itself.
void here() {}

} // namespace

StatusOr<Digest> buildIdentity() {
  Hasher hasher;
  const void *const makers[] = {
      reinterpret_cast<const void *>(&here),
      reinterpret_cast<const void *>(&mlir::verify),
      reinterpret_cast<const void *>(&llvm::sys::getHostCPUName)};
  for (const void *maker : makers) {
    KILN_ASSIGN_OR_RETURN(std::string id, buildIdAt(maker));
    hasher.add(std::string_view(id));
  }
  hasher.add(std::string_view(LLVM_VERSION_STRING));
  return hasher.digest();
}

} // namespace kiln
