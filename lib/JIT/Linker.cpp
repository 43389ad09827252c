// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links through ORC and hands out what was linked as handles.
#include "lib/JIT/Linker.h"

#include "lib/JIT/CodeNames.h"
#include "lib/JIT/OrcSession.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"

#include <system_error>

using namespace llvm;

namespace kiln {
namespace {

class Linked final : public LinkedCode {
public:
  explicit Linked(OrcSession::Code code) : code(std::move(code)) {}
  ~Linked() override {
    debuggerEntry.reset(); // while the code is still there
    OrcSession::process().remove(std::move(code));
  }
  void *entry() const noexcept override { return code.entry; }
  size_t bytes() const noexcept override { return code.bytes; }

  std::unique_ptr<CodeNames> debuggerEntry;

private:
  OrcSession::Code code;
};

Status linkError(Error failure, size_t objectBytes) {
  bool isOutOfMemory = false;
  visitErrors(failure, [&](const ErrorInfoBase &error) {
    isOutOfMemory |= error.convertToErrorCode() == std::errc::not_enough_memory;
  });
  std::string text = toString(std::move(failure));
  return isOutOfMemory ? outOfMemory("code", objectBytes)
                       : internalError("linking: " + text);
}

} // namespace

StatusOr<std::shared_ptr<LinkedCode>>
linkObject(std::string_view object, std::string_view entryName,
           const InspectOptions &inspect) {
  Placement placement;
  const bool asked = inspect.perfMap || inspect.gdb;
  auto code = OrcSession::process().link(object, entryName,
                                         asked ? &placement : nullptr);
  if (!code)
    return linkError(code.takeError(), object.size());
  auto linked = std::make_shared<Linked>(std::move(*code));
  if (inspect.perfMap)
    KILN_RETURN_IF_ERROR(addToPerfMap(placement.functions));
  if (inspect.gdb)
    linked->debuggerEntry = registerWithGdb(object, placement.sections);
  return std::shared_ptr<LinkedCode>(std::move(linked));
}

size_t linkedBytes() { return OrcSession::process().bytesInUse(); }

} // namespace kiln
