// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of the ops with two operands, comparisons and select.
#include "dialect/Kiln.h"
#include "lib/Eval/ElementwiseKernels.h"
#include "runtime/ElementaryScalar.h"
#include "runtime/ReductionOrder.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

namespace kiln::eval {
namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;

struct Add {
  template <class T> T operator()(T x, T y) const {
    return reduction::Sum::combine<T>(x, y);
  }
};
struct Sub {
  template <class T> T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Unsigned<T>>(x) -
                            static_cast<Unsigned<T>>(y));
    else
      return x - y;
  }
};
struct Mul {
  template <class T> T operator()(T x, T y) const {
    return reduction::Prod::combine<T>(x, y);
  }
};
struct Max {
  template <class T> T operator()(T x, T y) const {
    T taken = (bool(x > y) | bool(x != x)) ? x : y;
    if constexpr (std::is_floating_point_v<T>)
      return reduction::flushed(taken);
    else
      return taken;
  }
};
struct Min {
  template <class T> T operator()(T x, T y) const {
    T taken = (bool(x < y) | bool(x != x)) ? x : y;
    if constexpr (std::is_floating_point_v<T>)
      return reduction::flushed(taken);
    else
      return taken;
  }
};
struct And {
  template <class T> T operator()(T x, T y) const {
    return static_cast<T>(x & y);
  }
};
struct Or {
  template <class T> T operator()(T x, T y) const {
    return static_cast<T>(x | y);
  }
};
struct Xor {
  template <class T> T operator()(T x, T y) const {
    return static_cast<T>(x ^ y);
  }
};

/// A count of bits to shift by, brought into its range.
template <class T> int shiftCount(T y) {
  constexpr T last = std::numeric_limits<T>::digits - !std::is_signed_v<T>;
  return static_cast<int>(y < T(0) ? T(0) : y > last ? last : y);
}
struct ShiftLeft {
  template <class T> T operator()(T x, T y) const {
    return static_cast<T>(static_cast<uint64_t>(x) << shiftCount(y));
  }
};
struct ShiftRight {
  template <class T> T operator()(T x, T y) const {
    return static_cast<T>(x >> shiftCount(y));
  }
};

// Divisions. A divisor of -1 is a negation: the smallest integer has no
// quotient.
template <class T> bool isMinusOne(T y) {
  return std::is_signed_v<T> && y == static_cast<T>(-1);
}
struct Div {
  template <class T> T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>)
      return isMinusOne(y) ? Sub()(T(0), x) : static_cast<T>(x / y);
    else
      return x / y;
  }
};
struct Rem {
  template <class T> T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>)
      return isMinusOne(y) ? T(0) : static_cast<T>(x % y);
    else
      return std::fmod(x, y);
  }
};
struct FloorDiv {
  template <class T> T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) {
      T quotient = Div()(x, y);
      bool roundsDown = Rem()(x, y) != 0 && (x < 0) != (y < 0);
      return static_cast<T>(quotient - roundsDown);
    } else {
      return std::floor(x / y);
    }
  }
};
struct FloorMod {
  template <class T> T operator()(T x, T y) const {
    T remainder = Rem()(x, y);
    bool moves = remainder != 0 && (y < 0) != (remainder < 0);
    return moves ? static_cast<T>(remainder + y) : remainder;
  }
};

/// The loop of a division, which stops at a zero integer divisor.
template <class T, class Function>
ErrorKind divide(const void *const *ins, void *out, int64_t count) {
  if constexpr (std::is_integral_v<T>) {
    const T *divisors = static_cast<const T *>(ins[1]);
    for (int64_t i = 0; i < count; ++i)
      if (divisors[i] == 0)
        return ErrorKind::IntegerDivisionByZero;
  }
  return mapBinary<T, T, Function>(ins, out, count);
}

template <elementary::ElementaryFunction function, class T>
ErrorKind elementaryLoop(const void *const *ins, void *out, int64_t count) {
  elementary::evaluate(function, static_cast<const T *>(ins[0]),
                       static_cast<const T *>(ins[1]), static_cast<T *>(out),
                       count);
  return ErrorKind::None;
}

template <class T>
ErrorKind power(const void *const *ins, void *out, int64_t count) {
  if constexpr (std::is_floating_point_v<T>) {
    return elementaryLoop<elementary::ElementaryFunction::Pow, T>(ins, out,
                                                                  count);
  } else {
    const T *x = static_cast<const T *>(ins[0]),
            *y = static_cast<const T *>(ins[1]);
    T *result = static_cast<T *>(out);
    for (int64_t i = 0; i < count; ++i) {
      if (y[i] < 0)
        return ErrorKind::NegativeIntegerPower;
      T product = 1, square = x[i];
      for (T rest = y[i]; rest != 0; rest = static_cast<T>(rest >> 1)) {
        if (rest & 1)
          product = Mul()(product, square);
        square = Mul()(square, square);
      }
      result[i] = product;
    }
  }
  return ErrorKind::None;
}

template <class T>
ErrorKind select(const void *const *ins, void *out, int64_t count) {
  const bool *__restrict condition = static_cast<const bool *>(ins[0]);
  const T *__restrict onTrue = static_cast<const T *>(ins[1]);
  const T *__restrict onFalse = static_cast<const T *>(ins[2]);
  T *__restrict result = static_cast<T *>(out);
  for (int64_t i = 0; i < count; ++i) {
    T a = onTrue[i], b = onFalse[i];
    result[i] = condition[i] ? a : b;
  }
  return ErrorKind::None;
}

template <class Function> Kernel number(DType type) {
  return dispatchNumber(
      type, []<class T>(T) -> Kernel { return &mapBinary<T, T, Function>; });
}
template <class Function> Kernel integer(DType type) {
  return dispatchInteger(
      type, []<class T>(T) -> Kernel { return &mapBinary<T, T, Function>; });
}
template <class Function> Kernel bitwise(DType type) {
  return type == DType::Bool ? Kernel(&mapBinary<bool, bool, Function>)
                             : integer<Function>(type);
}
template <class Function> Kernel division(DType type) {
  return dispatchNumber(
      type, []<class T>(T) -> Kernel { return &divide<T, Function>; });
}
template <class Function> Kernel comparison(DType operand) {
  return dispatchOrdered(operand, []<class T>(T) -> Kernel {
    return &mapBinary<T, bool, Function>;
  });
}

} // namespace

Kernel binaryKernel(mlir::Operation *op, DType type) {
  return llvm::TypeSwitch<mlir::Operation *, Kernel>(op)
      .Case<ir::AddOp>([&](auto) { return number<Add>(type); })
      .Case<ir::SubOp>([&](auto) { return number<Sub>(type); })
      .Case<ir::MulOp>([&](auto) { return number<Mul>(type); })
      .Case<ir::MaxOp>([&](auto) { return number<Max>(type); })
      .Case<ir::MinOp>([&](auto) { return number<Min>(type); })
      .Case<ir::DivOp>([&](auto) { return division<Div>(type); })
      .Case<ir::RemOp>([&](auto) { return division<Rem>(type); })
      .Case<ir::FloorDivOp>([&](auto) { return division<FloorDiv>(type); })
      .Case<ir::FloorModOp>([&](auto) { return division<FloorMod>(type); })
      .Case<ir::AndOp>([&](auto) { return bitwise<And>(type); })
      .Case<ir::OrOp>([&](auto) { return bitwise<Or>(type); })
      .Case<ir::XorOp>([&](auto) { return bitwise<Xor>(type); })
      .Case<ir::ShiftLeftOp>([&](auto) { return integer<ShiftLeft>(type); })
      .Case<ir::ShiftRightOp>([&](auto) { return integer<ShiftRight>(type); })
      .Case<ir::Atan2Op>([&](auto) -> Kernel {
        constexpr auto function = elementary::ElementaryFunction::Atan2;
        return type == DType::Float32 ? &elementaryLoop<function, float>
                                      : &elementaryLoop<function, double>;
      })
      .Case<ir::PowOp>([&](auto) {
        return dispatchNumber(type,
                              []<class T>(T) -> Kernel { return &power<T>; });
      })
      .Default([](auto) { return nullptr; });
}

Kernel compareKernel(mlir::Operation *op, DType operand) {
  switch (llvm::cast<ir::CompareOp>(op).getPredicate()) {
  case ir::Predicate::eq:
    return comparison<std::equal_to<>>(operand);
  case ir::Predicate::ne:
    return comparison<std::not_equal_to<>>(operand);
  case ir::Predicate::lt:
    return comparison<std::less<>>(operand);
  case ir::Predicate::le:
    return comparison<std::less_equal<>>(operand);
  case ir::Predicate::gt:
    return comparison<std::greater<>>(operand);
  case ir::Predicate::ge:
    return comparison<std::greater_equal<>>(operand);
  }
  return nullptr;
}

Kernel selectKernel(DType type) {
  return dispatchElement(type, []<class T>(T) -> Kernel { return &select<T>; });
}

} // namespace kiln::eval
