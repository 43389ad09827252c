// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets ORC up for code that runs where it is linked and asks nothing of it.
//
// ORC's own perf plugin writes a jitdump, which perf reads only after `perf
// inject`, and its debugger plugin keeps a second copy of every object in code
// memory: the names of CodeNames.h come from a plugin of ours.
#include "lib/Loader/OrcSession.h"

#include "kiln/Float16.h"

#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutorProcessControl.h"
#include "llvm/TargetParser/Host.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <mutex>
#include <unistd.h>

using namespace llvm;

namespace kiln {
namespace {

/// This process, as far as ORC has to know it: a triple, a pool of names and
/// tasks that run in place. ORC calls nothing in it.
class ThisProcess final : public orc::ExecutorProcessControl {
public:
  ThisProcess()
      : ExecutorProcessControl(std::make_shared<orc::SymbolStringPool>(),
                               std::make_unique<orc::InPlaceTaskDispatcher>()) {
    TargetTriple = Triple(sys::getProcessTriple());
    PageSize = static_cast<unsigned>(sysconf(_SC_PAGESIZE));
  }
  Expected<int32_t> runAsMain(orc::ExecutorAddr,
                              ArrayRef<std::string>) override {
    return callsNothing();
  }
  Expected<int32_t> runAsVoidFunction(orc::ExecutorAddr) override {
    return callsNothing();
  }
  Expected<int32_t> runAsIntFunction(orc::ExecutorAddr, int) override {
    return callsNothing();
  }
  void callWrapperAsync(orc::ExecutorAddr, IncomingWFRHandler onComplete,
                        ArrayRef<char>) override {
    onComplete(orc::shared::WrapperFunctionBuffer::createOutOfBandError(
        "expected no call through ORC"));
  }
  Error disconnect() override { return Error::success(); }

private:
  static Error callsNothing() {
    return createStringError("expected no call through ORC");
  }
};

// What LLVM calls on a CPU without conversions between half and float (F16C).
float widenHalf(_Float16 value) {
  return floatOfHalfBits(std::bit_cast<uint16_t>(value));
}
_Float16 roundToHalf(float value) {
  return std::bit_cast<_Float16>(halfBitsOf(value));
}

/// The functions outside that code generation may call.
orc::SymbolMap allowedFunctions(orc::ExecutionSession &session) {
  orc::SymbolMap symbols;
  auto allow = [&](StringRef name, auto *function) {
    symbols[session.intern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                     JITSymbolFlags::Exported |
                                         JITSymbolFlags::Callable};
  };
  allow("memcpy",
        static_cast<void *(*)(void *, const void *, size_t)>(std::memcpy));
  allow("memmove",
        static_cast<void *(*)(void *, const void *, size_t)>(std::memmove));
  allow("memset", static_cast<void *(*)(void *, int, size_t)>(std::memset));
  // exact for all operands, so the evaluator's bits
  allow("fmod", static_cast<double (*)(double, double)>(std::fmod));
  allow("fmodf", static_cast<float (*)(float, float)>(std::fmod));
  // for a CPU without FMA; they round once, as the evaluator's
  allow("fma", static_cast<double (*)(double, double, double)>(std::fma));
  allow("fmaf", static_cast<float (*)(float, float, float)>(std::fma));
  allow("__extendhfsf2", &widenHalf);
  allow("__truncsfhf2", &roundToHalf);
  return symbols;
}

} // namespace

/// Records where a link put things, if that was asked for.
class OrcSession::Placements final : public orc::ObjectLinkingLayer::Plugin {
public:
  explicit Placements(OrcSession &owner) : owner(owner) {}

  void modifyPassConfig(orc::MaterializationResponsibility &,
                        jitlink::LinkGraph &,
                        jitlink::PassConfiguration &config) override {
    if (!owner.asked)
      return;
    // Calls inside of a section name no symbol, so that pruning would forget
    // what they call.
    config.PrePrunePasses.push_back([](jitlink::LinkGraph &graph) {
      for (jitlink::Symbol *symbol : graph.defined_symbols())
        if (symbol->hasName() && symbol->isCallable())
          symbol->setLive(true);
      return Error::success();
    });
    config.PostAllocationPasses.push_back([this](jitlink::LinkGraph &graph) {
      // Graphs are named by the places of their objects.
      auto &sections = owner.asked->sections[std::stoul(graph.getName())];
      for (jitlink::Section &section : graph.sections())
        if (jitlink::SectionRange range(section); range.getSize() != 0)
          sections.push_back(
              {section.getName().str(), range.getStart().getValue()});
      for (jitlink::Symbol *symbol : graph.defined_symbols())
        if (symbol->hasName() && symbol->isCallable())
          owner.asked->functions.push_back({symbol->getAddress().getValue(),
                                            symbol->getSize(),
                                            (*symbol->getName()).str()});
      return Error::success();
    });
  }
  Error notifyFailed(orc::MaterializationResponsibility &) override {
    return Error::success();
  }
  Error notifyRemovingResources(orc::JITDylib &, orc::ResourceKey) override {
    return Error::success();
  }
  void notifyTransferringResources(orc::JITDylib &, orc::ResourceKey,
                                   orc::ResourceKey) override {}

private:
  OrcSession &owner;
};

OrcSession &OrcSession::process() {
  static OrcSession &session = *new OrcSession;
  return session;
}

OrcSession::OrcSession()
    : session(std::make_unique<ThisProcess>()), layer(session, memory),
      library(session.createBareJITDylib("library")),
      reported(Error::success()) {
  (void)!!reported;
  session.setErrorReporter([this](Error error) {
    reported = joinErrors(std::move(reported), std::move(error));
  });
  layer.addPlugin(std::make_shared<Placements>(*this));
  cantFail(library.define(orc::absoluteSymbols(allowedFunctions(session))));
}

Expected<OrcSession::Code>
OrcSession::link(std::span<const std::string> objects,
                 std::string_view entryName, Placement *placement) {
  std::lock_guard lock(mutex);
  asked = placement;
  if (asked)
    asked->sections.resize(objects.size());
  auto code = linkLocked(objects, entryName);
  asked = nullptr;
  // What a lookup returns says no more than which symbols failed.
  Error details = std::exchange(reported, Error::success());
  (void)!!reported;
  if (!details)
    return code;
  if (code)
    consumeError(removeLocked(std::move(code->dylib)));
  else
    consumeError(code.takeError());
  return details;
}

Expected<OrcSession::Code>
OrcSession::linkLocked(std::span<const std::string> objects,
                       std::string_view entryName) {
  const size_t before = memory.bytesInUse();
  Code code;
  code.dylib = &session.createBareJITDylib("code" + std::to_string(++links));
  code.dylib->addToLinkOrder(library);
  Error error = Error::success();
  for (size_t i = 0; i < objects.size() && !error; ++i) {
    std::string name = std::to_string(i);
    auto graph = jitlink::createLinkGraphFromObject(
        MemoryBufferRef(objects[i], name), session.getSymbolStringPool());
    error =
        graph ? layer.add(*code.dylib, std::move(*graph)) : graph.takeError();
  }
  if (!error) {
    auto entry = session.lookup({code.dylib.get()}, StringRef(entryName));
    if (entry) {
      code.entry = entry->getAddress().toPtr<void *>();
      code.bytes = memory.bytesInUse() - before;
      return code;
    }
    error = entry.takeError();
  }
  return joinErrors(std::move(error), removeLocked(std::move(code.dylib)));
}

Error OrcSession::removeLocked(orc::JITDylibSP dylib) {
  Error error = session.removeJITDylib(*dylib);
  dylib.reset();
  session.getSymbolStringPool()->clearDeadEntries();
  return error;
}

void OrcSession::remove(Code code) {
  std::lock_guard lock(mutex);
  consumeError(removeLocked(std::move(code.dylib)));
}

} // namespace kiln
