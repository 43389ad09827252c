// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signature matching, idle frames and the error of missing values.
#include "lib/Exec/Program.h"

#include "lib/Compile/CompileTask.h"
#include "lib/Exec/Frame.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"
#include "runtime/threads/PerProcess.h"

#include <algorithm>

namespace kiln {

std::vector<Shape> Program::presentShapes() const {
  std::vector<Shape> shapes;
  for (const OpenShape &open : openShapes)
    shapes.push_back(open.slot ? open.slot->presentShape() : Shape());
  return shapes;
}

bool Program::matches(std::span<const FeedView> given) const {
  return openShapes.empty()
             ? !isOutdated() && signatureMatches(symbols, fedValues, given)
             : matches(given, presentShapes());
}

bool Program::matches(std::span<const FeedView> given,
                      std::span<const Shape> shapes) const {
  if (isOutdated())
    return false;
  std::vector<FeedView> all(given.begin(), given.end());
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!openShapes[i].accepts(shapes[i]))
      return false;
    all.emplace_back().dims =
        shapes[i].hasRank() ? shapes[i].dims() : std::span<const int64_t>();
  }
  return signatureMatches(symbols, fedValues, all);
}

Program::Program(SessionServices &services) : services(services) {}

Program::~Program() = default;

bool signatureMatches(const SymbolTable &symbols,
                      std::span<const FedValue> fedValues,
                      std::span<const FeedView> given) {
  if (!symbols.classesMatch([&](int32_t feed, int32_t dim) {
        return given[static_cast<size_t>(feed)].dims[static_cast<size_t>(dim)];
      }))
    return false;
  for (const FedValue &fed : fedValues) {
    const Tensor *value = given[static_cast<size_t>(fed.feed)].value;
    if (!value || !value->hasSameBits(fed.value))
      return false;
  }
  return true;
}

std::optional<std::vector<int64_t>>
Program::symbolsOf(std::span<const FeedView> given) const {
  std::vector<FeedShape> shapes;
  for (const FeedView &feed : given)
    shapes.push_back(feed.dims);
  const std::vector<Shape> present = presentShapes();
  for (size_t i = 0; i < present.size(); ++i) {
    if (!openShapes[i].accepts(present[i]))
      return std::nullopt;
    shapes.push_back(present[i].hasRank() ? present[i].dims() : FeedShape());
  }
  std::vector<int64_t> values;
  if (!symbols.evaluate(shapes, values).ok())
    return std::nullopt;
  return values;
}

bool Program::isSoonest(std::span<const FeedView> given) const {
  if (isFinal() || isKept.load(std::memory_order_relaxed))
    return true;
  auto values = symbolsOf(given);
  // What a guard refuses fails at once, whoever is to run it.
  return !values || runNs.evaluate(*values) < maxRunNs;
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
         replacedIn.load(std::memory_order_relaxed) != processGeneration();
}

int64_t Program::bytes() const {
  return executor->bytes() +
         static_cast<int64_t>(sizeof(Program) +
                              symbols.defs.size() * sizeof(SymbolDef) +
                              symbols.guards.size() * sizeof(Guard) +
                              variables.size() * sizeof(Variable));
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
  std::vector<const Variable *> missing;
  for (const Variable &variable : variables)
    if (variable.needsValue && !variable.slot->isInitialized())
      missing.push_back(&variable);
  if (missing.empty())
    return okStatus();
  // The last one is blamed, as TensorFlow's executor finds it first: it works
  // backwards through what is ready. That are nodes that only read: an update
  // waits for what it updates with.
  auto isRead = [](const Variable *variable) {
    const OpDef *reader = lookupOp(variable->readerOp);
    return !reader || !reader->writesVariable();
  };
  auto found = std::find_if(missing.rbegin(), missing.rend(), isRead);
  const Variable *blamed = found == missing.rend() ? missing.back() : *found;
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
