// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's one session of ORC: its linking layer on our code memory, and
// the library of the few functions that generated code may call.
#ifndef KILN_LIB_LOADER_ORCSESSION_H
#define KILN_LIB_LOADER_ORCSESSION_H

#include "lib/Loader/CodeMemory.h"
#include "lib/Loader/CodeNames.h"
#include "runtime/threads/ForkMutex.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Where functions and sections were put.
struct Placement {
  std::vector<CodeSymbol> functions;
  std::vector<std::vector<CodeSection>> sections; ///< by object
};

/// Dylibs of linked code, one an executable, so that equal names do not clash
/// and each goes by itself.
///
/// Process-lifetime, never destroyed: code may run until the very end of the
/// process. ORC's tasks run in place: it has no threads, and a link has ended
/// when link() returns.
///
/// Invariants: (1) what ORC keeps is proportional to the dylibs that live; (2)
/// nothing is printed.
/// Thread safety: any thread. `mutex` guards the ORC session, the code memory
/// and what a link leaves behind for link(): no child of fork() finds one of
/// ORC's own mutexes locked, since all of them are taken under it.
class OrcSession {
public:
  static OrcSession &process();

  struct Code {
    llvm::orc::JITDylibSP dylib;
    void *entry = nullptr;
    size_t bytes = 0; ///< of its pages
  };
  /// Links the objects into a dylib of their own; fills `placement` unless it
  /// is null. **Errors**: what ORC reports, in order.
  llvm::Expected<Code> link(std::span<const std::string> objects,
                            std::string_view entryName, Placement *placement);
  /// Frees the code.
  void remove(Code code);
  /// Bytes of the pages of all linked code.
  size_t bytesInUse() const { return memory.bytesInUse(); }

private:
  class Placements;
  OrcSession();
  llvm::Expected<Code> linkLocked(std::span<const std::string> objects,
                                  std::string_view entryName);
  llvm::Error removeLocked(llvm::orc::JITDylibSP dylib);

  ForkMutex mutex;
  CodeMemory memory;
  llvm::orc::ExecutionSession session;
  llvm::orc::ObjectLinkingLayer layer;
  llvm::orc::JITDylib &library;
  uint64_t links = 0;
  Placement *asked = nullptr; ///< of the link in progress
  llvm::Error reported;       ///< by ORC since it was last taken
};

} // namespace kiln

#endif // KILN_LIB_LOADER_ORCSESSION_H
