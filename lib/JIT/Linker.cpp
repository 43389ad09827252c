// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives JITLink, ORC's linker, directly: no session, dylib or symbol table
// outlives a link, so nothing grows with the number of executables, equal
// symbol names cannot clash and there is no teardown order.
#include "lib/JIT/Linker.h"

#include "kiln/Float16.h"
#include "lib/JIT/CodeMemory.h"
#include "lib/JIT/CodeNames.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"

#include "llvm/ExecutionEngine/JITLink/JITLink.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <system_error>

using namespace llvm;

namespace kiln {
namespace {

/// Process-lifetime, never destroyed: code may run until the very end of the
/// process.
CodeMemory &codeMemory() {
  static CodeMemory &memory = *new CodeMemory;
  return memory;
}

// What LLVM calls on a CPU without conversions between half and float (F16C).
float widenHalf(_Float16 value) {
  return floatOfHalfBits(std::bit_cast<uint16_t>(value));
}
_Float16 roundToHalf(float value) {
  return std::bit_cast<_Float16>(halfBitsOf(value));
}

/// The functions outside that code generation may call.
void *allowedFunction(StringRef name) {
  struct Allowed {
    StringLiteral name;
    void *address;
  };
  static const Allowed table[] = {
      {"memcpy",
       reinterpret_cast<void *>(
           static_cast<void *(*)(void *, const void *, size_t)>(std::memcpy))},
      {"memmove",
       reinterpret_cast<void *>(
           static_cast<void *(*)(void *, const void *, size_t)>(std::memmove))},
      {"memset", reinterpret_cast<void *>(
                     static_cast<void *(*)(void *, int, size_t)>(std::memset))},
      // exact for all operands, so the evaluator's bits
      {"fmod", reinterpret_cast<void *>(
                   static_cast<double (*)(double, double)>(std::fmod))},
      {"fmodf", reinterpret_cast<void *>(
                    static_cast<float (*)(float, float)>(std::fmod))},
      {"__extendhfsf2", reinterpret_cast<void *>(&widenHalf)},
      {"__truncsfhf2", reinterpret_cast<void *>(&roundToHalf)},
  };
  for (const Allowed &allowed : table)
    if (allowed.name == name)
      return allowed.address;
  return nullptr;
}

class Linked final : public LinkedCode {
public:
  ~Linked() override {
    debuggerEntry.reset(); // while the code is still there
    if (allocation)
      consumeError(codeMemory().deallocate(std::move(allocation)));
  }
  void *entry() const noexcept override { return entryAddress; }
  size_t bytes() const noexcept override {
    return CodeMemory::bytesOf(allocation);
  }

  CodeMemory::FinalizedAlloc allocation;
  void *entryAddress = nullptr;
  std::unique_ptr<CodeNames> debuggerEntry;
};

/// Where functions and sections were put.
struct Placement {
  std::vector<CodeSymbol> functions;
  std::vector<CodeSection> sections;

  void record(jitlink::LinkGraph &graph) {
    for (jitlink::Section &section : graph.sections())
      if (jitlink::SectionRange range(section); range.getSize() != 0)
        sections.push_back(
            {section.getName().str(), range.getStart().getValue()});
    for (jitlink::Symbol *symbol : graph.defined_symbols())
      if (symbol->hasName() && symbol->isCallable())
        functions.push_back({symbol->getAddress().getValue(), symbol->getSize(),
                             (*symbol->getName()).str()});
  }
};

/// One link; it ends before jitlink::link returns, because look-up and memory
/// answer at once.
class LinkContext final : public jitlink::JITLinkContext {
public:
  LinkContext(Linked &linked, std::string_view entryName, Placement *placement,
              Error &failure)
      : JITLinkContext(nullptr), linked(linked), entryName(entryName),
        placement(placement), failure(failure) {}

  jitlink::JITLinkMemoryManager &getMemoryManager() override {
    return codeMemory();
  }
  void notifyFailed(Error error) override {
    failure = joinErrors(std::move(failure), std::move(error));
  }
  void lookup(const LookupMap &symbols,
              std::unique_ptr<jitlink::JITLinkAsyncLookupContinuation>
                  continuation) override {
    jitlink::AsyncLookupResult result;
    std::string missing;
    for (auto &[name, flags] : symbols) {
      if (void *address = allowedFunction(*name))
        result[name] = {orc::ExecutorAddr::fromPtr(address),
                        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
      else
        missing += (missing.empty() ? "" : ", ") + (*name).str();
    }
    if (!missing.empty())
      return continuation->run(createStringError(
          "expected code without references outside, got " + missing));
    continuation->run(std::move(result));
  }
  Error notifyResolved(jitlink::LinkGraph &graph) override {
    if (placement)
      placement->record(graph);
    for (jitlink::Symbol *symbol : graph.defined_symbols())
      if (symbol->hasName() && *symbol->getName() == StringRef(entryName)) {
        linked.entryAddress = symbol->getAddress().toPtr<void *>();
        return Error::success();
      }
    return createStringError("expected an object that defines " +
                             Twine(StringRef(entryName)));
  }
  void notifyFinalized(
      jitlink::JITLinkMemoryManager::FinalizedAlloc allocation) override {
    linked.allocation = std::move(allocation);
  }

private:
  Linked &linked;
  std::string_view entryName;
  Placement *placement; ///< null when nobody asks
  Error &failure;
};

} // namespace

StatusOr<std::shared_ptr<LinkedCode>>
linkObject(std::string_view object, std::string_view entryName,
           const InspectOptions &inspect) {
  auto symbols =
      std::make_shared<orc::SymbolStringPool>(); // outlives what a failing link
                                                 // leaves on its way out
  auto graph = jitlink::createLinkGraphFromObject(
      MemoryBufferRef(StringRef(object), "kiln"), symbols);
  if (!graph)
    return internalError("reading object code: " + toString(graph.takeError()));
  auto linked = std::make_shared<Linked>();
  Placement placement;
  const bool asked = inspect.perfMap || inspect.gdb;
  Error failure = Error::success();
  (void)!!failure;
  jitlink::link(std::move(*graph),
                std::make_unique<LinkContext>(
                    *linked, entryName, asked ? &placement : nullptr, failure));
  if (failure) {
    bool isOutOfMemory = false;
    visitErrors(failure, [&](const ErrorInfoBase &error) {
      isOutOfMemory |=
          error.convertToErrorCode() == std::errc::not_enough_memory;
    });
    std::string text = toString(std::move(failure));
    return isOutOfMemory ? outOfMemory("code", object.size())
                         : internalError("linking: " + text);
  }
  if (inspect.perfMap)
    KILN_RETURN_IF_ERROR(addToPerfMap(placement.functions));
  if (inspect.gdb)
    linked->debuggerEntry = registerWithGdb(object, placement.sections);
  return std::shared_ptr<LinkedCode>(std::move(linked));
}

size_t linkedBytes() { return codeMemory().bytesInUse(); }

} // namespace kiln
