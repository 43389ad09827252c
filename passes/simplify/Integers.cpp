// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic of constant folding: it wraps, and never meets the host's
// undefined behaviour.
#include "passes/simplify/Integers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

namespace {

int64_t wrappedAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + b);
}
int64_t wrappedSub(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - b);
}
int64_t wrappedMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * b);
}

/// Rounds towards zero; a divisor of -1 is a negation, which wraps where the
/// host would trap.
int64_t quotient(int64_t a, int64_t b) {
  return b == -1 ? wrappedSub(0, a) : a / b;
}
int64_t remainder(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }

bool roundsDown(int64_t a, int64_t b) {
  int64_t rest = remainder(a, b);
  return rest != 0 && (rest < 0) != (b < 0);
}

int64_t power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (; exponent > 0; exponent >>= 1, base = wrappedMul(base, base))
    if (exponent & 1)
      result = wrappedMul(result, base);
  return result;
}

bool holds(Predicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case Predicate::eq:
    return a == b;
  case Predicate::ne:
    return a != b;
  case Predicate::lt:
    return a < b;
  case Predicate::le:
    return a <= b;
  case Predicate::gt:
    return a > b;
  case Predicate::ge:
    return a >= b;
  }
  return false;
}

/// An op that is an error of the run where `defined` does not hold.
std::optional<int64_t> where(bool defined,
                             llvm::function_ref<int64_t()> value) {
  return defined ? std::optional<int64_t>(value()) : std::nullopt;
}

} // namespace

int64_t wrapTo(Type element, int64_t value) {
  if (element.isInteger(1))
    return value != 0;
  return element.isInteger(32) ? llvm::SignExtend64<32>(value) : value;
}

std::optional<int64_t> evaluate(Operation *op, ArrayRef<int64_t> operands,
                                Type result) {
  int64_t x = operands[0], y = operands.size() > 1 ? operands[1] : 0;
  using Maybe = std::optional<int64_t>;
  Maybe value =
      llvm::TypeSwitch<Operation *, Maybe>(op)
          .Case<NegOp>([&](auto) { return wrappedSub(0, x); })
          .Case<AbsOp>([&](auto) { return x < 0 ? wrappedSub(0, x) : x; })
          .Case<SignOp>([&](auto) { return (x > 0) - (x < 0); })
          .Case<NotOp>([&](auto) { return result.isInteger(1) ? !x : ~x; })
          .Case<CastOp>([&](auto) { return x; })
          .Case<AddOp>([&](auto) { return wrappedAdd(x, y); })
          .Case<SubOp>([&](auto) { return wrappedSub(x, y); })
          .Case<MulOp>([&](auto) { return wrappedMul(x, y); })
          .Case<DivOp>([&](auto) {
            return where(y != 0, [&] { return quotient(x, y); });
          })
          .Case<RemOp>([&](auto) {
            return where(y != 0, [&] { return remainder(x, y); });
          })
          .Case<FloorDivOp>([&](auto) {
            return where(y != 0,
                         [&] { return quotient(x, y) - roundsDown(x, y); });
          })
          .Case<FloorModOp>([&](auto) {
            return where(y != 0, [&] {
              return remainder(x, y) + (roundsDown(x, y) ? y : 0);
            });
          })
          .Case<PowOp>(
              [&](auto) { return where(y >= 0, [&] { return power(x, y); }); })
          .Case<MaxOp>([&](auto) { return std::max(x, y); })
          .Case<MinOp>([&](auto) { return std::min(x, y); })
          .Case<AndOp>([&](auto) { return x & y; })
          .Case<OrOp>([&](auto) { return x | y; })
          .Case<CompareOp>([&](CompareOp compare) {
            return holds(compare.getPredicate(), x, y);
          })
          .Case<SelectOp>([&](auto) { return x ? operands[1] : operands[2]; })
          .Default([](auto) { return Maybe(); });
  return value ? Maybe(wrapTo(result, *value)) : Maybe();
}

int64_t combine(ReduceKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case ReduceKind::sum:
    return wrappedAdd(a, b);
  case ReduceKind::prod:
    return wrappedMul(a, b);
  case ReduceKind::max:
    return std::max(a, b);
  case ReduceKind::min:
    return std::min(a, b);
  case ReduceKind::all:
    return a & b;
  case ReduceKind::any:
    return a | b;
  }
  return 0;
}

int64_t neutralOf(ReduceKind kind, Type element) {
  bool wide = element.isInteger(64);
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::any:
    return 0;
  case ReduceKind::prod:
  case ReduceKind::all:
    return 1;
  case ReduceKind::max:
    return wide ? INT64_MIN : INT32_MIN;
  case ReduceKind::min:
    return wide ? INT64_MAX : INT32_MAX;
  }
  return 0;
}

} // namespace kiln::passes
