// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GDB's JIT interface: a list of objects in memory, and a function that gdb
// puts a breakpoint on.
#include "lib/Loader/CodeNames.h"

#include "llvm/BinaryFormat/ELF.h"

#include <cstring>
#include <mutex>

// Names, layouts and numbers are gdb's ("JIT Compilation Interface" of its
// manual).
extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry;
  jit_code_entry *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry *relevant_entry;
  jit_code_entry *first_entry;
};

// Hidden: LLVM in another library of the process has symbols of these names.
[[gnu::visibility("hidden"),
  gnu::used]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
[[gnu::visibility("hidden"), gnu::used, gnu::noinline]] void
__jit_debug_register_code() {
  asm volatile("" ::: "memory"); // kept, and kept apart
}
}

namespace kiln {
namespace {

enum Action : uint32_t { registers = 1, unregisters = 2 };

/// Guards the descriptor and its list.
std::mutex &descriptorMutex() {
  static std::mutex &mutex = *new std::mutex;
  return mutex;
}

class GdbObject final : public CodeNames {
public:
  explicit GdbObject(std::string given) : object(std::move(given)) {
    std::lock_guard lock(descriptorMutex());
    entry = {__jit_debug_descriptor.first_entry, nullptr, object.data(),
             object.size()};
    if (entry.next_entry)
      entry.next_entry->prev_entry = &entry;
    __jit_debug_descriptor.first_entry = &entry;
    tell(registers);
  }
  ~GdbObject() override {
    std::lock_guard lock(descriptorMutex());
    (entry.prev_entry ? entry.prev_entry->next_entry
                      : __jit_debug_descriptor.first_entry) = entry.next_entry;
    if (entry.next_entry)
      entry.next_entry->prev_entry = entry.prev_entry;
    tell(unregisters);
  }

private:
  void tell(Action action) {
    __jit_debug_descriptor.relevant_entry = &entry;
    __jit_debug_descriptor.action_flag = action;
    __jit_debug_register_code();
  }

  std::string object;
  jit_code_entry entry = {};
};

/// Writes the sections' addresses into an object's headers. False for bytes
/// that are no such object.
bool placeSections(std::string &object,
                   const std::vector<CodeSection> &sections) {
  using namespace llvm::ELF;
  Elf64_Ehdr header;
  if (object.size() < sizeof header)
    return false;
  std::memcpy(&header, object.data(), sizeof header);
  if (!header.checkMagic() || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr) ||
      header.e_shstrndx >= header.e_shnum || header.e_shoff > object.size() ||
      (object.size() - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum)
    return false;
  auto place = [&](size_t i) {
    return object.data() + header.e_shoff + i * sizeof(Elf64_Shdr);
  };
  Elf64_Shdr names;
  std::memcpy(&names, place(header.e_shstrndx), sizeof names);
  if (names.sh_offset > object.size() ||
      object.size() - names.sh_offset < names.sh_size)
    return false;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, place(i), sizeof section);
    if (section.sh_name >= names.sh_size)
      return false;
    const char *name = object.data() + names.sh_offset + section.sh_name;
    std::string_view own(name, strnlen(name, names.sh_size - section.sh_name));
    for (const CodeSection &given : sections)
      if (given.name == own) {
        section.sh_addr = given.address;
        std::memcpy(place(i), &section, sizeof section);
      }
  }
  return true;
}

} // namespace

std::unique_ptr<CodeNames>
registerWithGdb(std::string_view object,
                const std::vector<CodeSection> &sections) {
  std::string copy(object);
  if (!placeSections(copy, sections))
    return nullptr;
  return std::make_unique<GdbObject>(std::move(copy));
}

} // namespace kiln
