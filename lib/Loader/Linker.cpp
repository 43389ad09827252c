// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links through ORC and hands out what was linked as handles.
#include "lib/Loader/Linker.h"

#include "lib/Loader/CodeNames.h"
#include "lib/Loader/OrcSession.h"
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
    debuggerEntries.clear(); // while the code is still there
    OrcSession::process().remove(std::move(code));
  }
  void *entry() const noexcept override { return code.entry; }
  size_t bytes() const noexcept override { return code.bytes; }

  std::vector<std::unique_ptr<CodeNames>> debuggerEntries;

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
linkObjects(std::span<const std::string> objects, std::string_view entryName,
            const InspectOptions &inspect) {
  Placement placement;
  const bool asked = inspect.perfMap || inspect.gdb;
  auto code = OrcSession::process().link(objects, entryName,
                                         asked ? &placement : nullptr);
  if (!code) {
    size_t bytes = 0;
    for (const std::string &object : objects)
      bytes += object.size();
    return linkError(code.takeError(), bytes);
  }
  auto linked = std::make_shared<Linked>(std::move(*code));
  if (inspect.perfMap)
    KILN_RETURN_IF_ERROR(addToPerfMap(placement.functions));
  for (size_t i = 0; inspect.gdb && i < objects.size(); ++i)
    linked->debuggerEntries.push_back(
        registerWithGdb(objects[i], placement.sections[i]));
  return std::shared_ptr<LinkedCode>(std::move(linked));
}

size_t linkedBytes() { return OrcSession::process().bytesInUse(); }

} // namespace kiln
