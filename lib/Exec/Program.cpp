// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signature matching, idle frames and the error of missing values.
#include "lib/Exec/Program.h"

#include "lib/Exec/Frame.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"
#include "runtime/threads/PerProcess.h"

#include <algorithm>

namespace kiln {

bool Program::matches(std::span<const FeedView> given) const {
  return matches(given, binding.presentShapes());
}

bool Program::matches(std::span<const FeedView> given,
                      std::span<const Shape> shapes) const {
  return !isOutdated() && interfaceMatches(interface(), given, shapes);
}

Program::Program(SessionServices &services) : services(services) {}

Program::~Program() = default;

bool Program::isSoonest(std::span<const FeedView> given) const {
  if (isFinal() || isKept.load(std::memory_order_relaxed))
    return true;
  auto values = symbolsOf(interface(), given, binding.presentShapes());
  // What a guard refuses fails at once, native or not.
  return !values || runNs.evaluate(*values) < maxRunNs;
}

void Program::noteEvaluated(double excessNs, double ns, bool leavesCpus) const {
  constexpr double shareBesideIdle = 1. / 16;
  const double worth = services.options.tieringShare * maxRunNs *
                       (leavesCpus ? shareBesideIdle : 1);
  // The estimate may be wrong, but no run loses more than all it took.
  wastedShare.fetch_add(worth > 0 ? std::max(excessNs, ns / 2) / worth : 1,
                        std::memory_order_relaxed);
}

bool Program::claimReplacement() const {
  return tier == Tier::Behind && !isKept.load(std::memory_order_relaxed) &&
         replacedIn.exchange(processGeneration(), std::memory_order_relaxed) !=
             processGeneration();
}

void Program::keepBecause(const Status &failure) const {
  if (isKept.load(std::memory_order_relaxed))
    return;
  keptBecause = strCat("evaluated: ", failure.toString());
  isKept.store(true, std::memory_order_release);
}

std::string Program::degraded() const {
  return isKept.load(std::memory_order_acquire) ? keptBecause : stats.degraded;
}

bool Program::mustBeFound() const {
  if (tier == Tier::Final || isKept.load(std::memory_order_relaxed))
    return false;
  return tier == Tier::Once || isSuperseded.load(std::memory_order_relaxed) ||
         (isWorthReplacing() &&
          replacedIn.load(std::memory_order_relaxed) != processGeneration());
}

int64_t Program::bytes() const {
  return executor->bytes() +
         static_cast<int64_t>(
             sizeof(Program) +
             interface().symbols.defs.size() * sizeof(SymbolDef) +
             interface().symbols.guards.size() * sizeof(Guard) +
             interface().variables.size() * sizeof(ImportedVariable));
}

std::unique_ptr<Frame> Program::takeFrame() const {
  auto frame = idleFrames.take();
  return frame ? std::move(frame) : executor->makeFrame(*this);
}

void Program::giveBack(std::unique_ptr<Frame> frame) const {
  frame->releaseArena();
  idleFrames.giveBack(std::move(frame));
}

ErrorKind noValueKind(bool isResource, std::string_view op) {
  switch (noValueOf(isResource, op)) {
  case NoValue::Uninitialized:
    return ErrorKind::UninitializedVariable;
  case NoValue::Invalid:
    return ErrorKind::InvalidVariable;
  case NoValue::NotFound:
    return ErrorKind::ResourceNotFound;
  case NoValue::Missing:
    break;
  }
  return ErrorKind::ResourceMissing;
}

Status Program::uninitializedError() const {
  std::vector<const ImportedVariable *> missing;
  for (size_t i = 0; i < binding.variables.size(); ++i)
    if (interface().variables[i].needsValue &&
        !binding.variables[i]->isInitialized())
      missing.push_back(&interface().variables[i]);
  if (missing.empty())
    return okStatus();
  // The last one is blamed, as TensorFlow's executor finds it first: it works
  // backwards through what is ready. That are nodes that only read: an update
  // waits for what it updates with.
  auto isRead = [](const ImportedVariable *variable) {
    const OpDef *reader = lookupOp(variable->readerOp);
    return !reader || !reader->writesVariable();
  };
  auto found = std::find_if(missing.rbegin(), missing.rend(), isRead);
  const ImportedVariable *blamed =
      found == missing.rend() ? missing.back() : *found;
  std::string others;
  for (size_t i = missing.size(); i-- > 0;)
    if (missing[i] != blamed)
      others += strCat(others.empty() ? "" : ", ", missing[i]->name);
  Status error = errorStatus(noValueKind(blamed->isResource, blamed->readerOp),
                             blamed->reader, {}, blamed->name);
  std::string text(error.message());
  if (!others.empty())
    text += strCat(blamed->isResource ? " " : "; ",
                   "also without a value: ", others);
  return Status(error.code(), std::move(text), blamed->reader);
}

} // namespace kiln
