// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the numbers in a run's error slot into a Status with TensorFlow's text.
#include "runtime/abi/RunState.h"

#include "runtime/memory/RunStrings.h"
#include "runtime/random/RandomStream.h"
#include "runtime/random/StreamLog.h"
#include "runtime/resources/VariableSlot.h"
#include "runtime/threads/Futex.h"

namespace kiln {
namespace {

struct KindInfo {
  StatusCode code;
  std::string_view text;
};

constexpr KindInfo kinds[] = {
#define KILN_ERROR_KIND(name, code, text) {StatusCode::code, text},
#include "runtime/abi/ErrorKinds.def"
};
constexpr int32_t numKinds = sizeof(kinds) / sizeof(kinds[0]);

/// What a message shows of a string, which may be as large as memory.
constexpr size_t maxTextBytes = 4096;

/// Replaces {0}..{3}, {variable} and {text}; any other text stays.
std::string format(std::string_view text, std::span<const int64_t> values,
                   std::string_view variable) {
  constexpr std::string_view variableMark = "{variable}", textMark = "{text}";
  std::string result;
  while (!text.empty()) {
    if (text.starts_with(variableMark)) {
      result += variable;
      text.remove_prefix(variableMark.size());
      continue;
    }
    if (text.starts_with(textMark) && !values.empty()) {
      auto handle = static_cast<StringHandle>(values[0]);
      std::string_view string = stringOf(handle).view();
      result += string.substr(0, maxTextBytes);
      if (string.size() > maxTextBytes)
        result += "...";
      text.remove_prefix(textMark.size());
      continue;
    }
    if (text.size() >= 3 && text[0] == '{' && text[2] == '}' &&
        text[1] >= '0' && text[1] <= '9') {
      size_t index = static_cast<size_t>(text[1] - '0');
      result += index < values.size() ? std::to_string(values[index]) : "?";
      text.remove_prefix(3);
      continue;
    }
    result += text.front();
    text.remove_prefix(1);
  }
  return result;
}

std::string_view nameAt(std::span<const std::string> names, int64_t index) {
  return index >= 0 && static_cast<uint64_t>(index) < names.size()
             ? std::string_view(names[index])
             : std::string_view();
}

} // namespace

void wakeRun(RunContext &run) noexcept {
  run.events.fetch_add(1, std::memory_order_release);
  futexWakeAll(run.events);
}

void requestCancel(KilnRunState *state, StatusCode code) noexcept {
  int32_t expected = 0;
  __atomic_compare_exchange_n(&state->cancel, &expected,
                              static_cast<int32_t>(code), false,
                              __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  if (state->context)
    wakeRun(*static_cast<RunContext *>(state->context));
}

/// True for the first caller.
static bool claimError(KilnRunState *state, StatusCode code) noexcept {
  int32_t expected = 0;
  return __atomic_compare_exchange_n(&state->errorCode, &expected,
                                     static_cast<int32_t>(code), false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void recordError(KilnRunState *state, int32_t node, Status error) noexcept {
  if (!claimError(state, error.code()))
    return;
  state->errorNode = node;
  state->errorKind = static_cast<int32_t>(ErrorKind::KernelFailed);
  static_cast<RunContext *>(state->context)->kernelError = std::move(error);
}

void recordError(KilnRunState *state, ErrorKind kind, int32_t node, int64_t v0,
                 int64_t v1, int64_t v2) noexcept {
  int32_t number = static_cast<int32_t>(kind);
  StatusCode code = number > 0 && number < numKinds ? kinds[number].code
                                                    : StatusCode::Internal;
  if (!claimError(state, code))
    return;
  state->errorNode = node;
  state->errorKind = number;
  state->errorValues[0] = v0;
  state->errorValues[1] = v1;
  state->errorValues[2] = v2;
}

void reserveRandom(const RunContext &run, int32_t stream, int64_t samples,
                   uint32_t *words) noexcept {
  RandomStream &taken = *run.streams[static_cast<size_t>(stream)];
  auto count = static_cast<uint64_t>(samples);
  if (!run.streamLog || !run.streamLog->replay(taken, count, words))
    taken.reserve(count, words);
}

Status errorStatus(ErrorKind kind, std::string_view node,
                   std::span<const int64_t> values, std::string_view variable) {
  int32_t number = static_cast<int32_t>(kind);
  if (number < 0 || number >= numKinds)
    return Status(StatusCode::Internal,
                  "unknown error kind " + std::to_string(number),
                  std::string(node));
  return Status(kinds[number].code,
                format(kinds[number].text, values, variable),
                std::string(node));
}

/// The error that a run has recorded, with the names that its numbers stand
/// for.
static Status recordedError(const KilnRunState &state, std::string_view node,
                            std::string_view variable) {
  auto kind = static_cast<ErrorKind>(state.errorKind);
  if (kind == ErrorKind::KernelFailed)
    return Status(static_cast<StatusCode>(state.errorCode),
                  std::string(static_cast<const RunContext *>(state.context)
                                  ->kernelError.message()),
                  std::string(node));
  return errorStatus(kind, node, state.errorValues, variable);
}

/// What messages call a variable of the run.
static std::string_view variableAt(const RunContext *run, int64_t number) {
  return run && number >= 0 &&
                 static_cast<uint64_t>(number) < run->variables.size()
             ? run->variables[static_cast<size_t>(number)]->name()
             : std::string_view();
}

Status runStatus(const KilnRunState &state,
                 std::span<const std::string> nodeNames) {
  if (state.errorCode != 0)
    return recordedError(
        state, nameAt(nodeNames, state.errorNode),
        variableAt(static_cast<const RunContext *>(state.context),
                   state.errorValues[0]));
  switch (static_cast<StatusCode>(cancelCode(&state))) {
  case StatusCode::Ok:
    return okStatus();
  case StatusCode::DeadlineExceeded:
    return errorStatus(ErrorKind::DeadlineExceeded, {});
  default:
    return errorStatus(ErrorKind::Cancelled, {});
  }
}

} // namespace kiln
