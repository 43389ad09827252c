// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of the ops with one float, and casts.
#include "lib/Eval/ElementwiseLoops.h"
#include "lib/Support/IntegerOfFloat.h"
#include "runtime/elementary/ElementaryScalar.h"

#include <type_traits>

namespace kiln::eval {
namespace {

using elementary::ElementaryFunction;

struct Neg {
  template <class T> T operator()(T x) const { return -x; }
};
struct Abs {
  template <class T> T operator()(T x) const {
    return __builtin_elementwise_abs(x);
  }
};
struct Sign {
  template <class T> T operator()(T x) const {
    T nonPositive = x < T(0) ? T(-1) : x == T(0) ? T(0) : x;
    return x > T(0) ? T(1) : nonPositive;
  }
};
struct Sqrt {
  template <class T> T operator()(T x) const {
    return __builtin_elementwise_sqrt(x);
  }
};
struct Floor {
  template <class T> T operator()(T x) const {
    return __builtin_elementwise_floor(x);
  }
};
struct Ceil {
  template <class T> T operator()(T x) const {
    return __builtin_elementwise_ceil(x);
  }
};
struct RoundEven {
  template <class T> T operator()(T x) const {
    return __builtin_elementwise_roundeven(x);
  }
};
template <class To> struct Cast {
  template <class From> To operator()(From x) const {
    using Floats = integers::ScalarFloats<From>;
    if constexpr (std::is_same_v<To, bool>)
      return x != From(0);
    else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
      return static_cast<To>(
          integers::fromFloat<8 * sizeof(To), std::is_unsigned_v<To>>(Floats(),
                                                                      x));
    else
      return static_cast<To>(x);
  }
};

/// f16 and bf16 are converted from and to f32 alone.
template <class From, class To>
constexpr bool isConversion =
    (!std::is_class_v<From> && !std::is_class_v<To>) ||
    std::is_same_v<From, float> || std::is_same_v<To, float>;

template <class Function> ElementLoop floating(DType type) {
  return type == DType::Float32
             ? bestVariant<&mapUnary<float, float, Function>>()
             : bestVariant<&mapUnary<double, double, Function>>();
}

template <ElementaryFunction function, class T>
ErrorKind elementaryLoop(const void *const *ins, void *out, int64_t count) {
  static const auto loop = elementary::unaryLoop<T>(function);
  loop(static_cast<const T *>(ins[0]), static_cast<T *>(out), count);
  return ErrorKind::None;
}
template <ElementaryFunction function>
ElementLoop elementaryLoopOf(DType type) {
  return type == DType::Float32 ? ElementLoop(&elementaryLoop<function, float>)
                                : &elementaryLoop<function, double>;
}

} // namespace

ElementLoop unaryLoop(UnaryFloat function, DType type) {
  switch (function) {
#define KILN_FUNCTION(Name)                                                    \
  case UnaryFloat::Name:                                                       \
    return floating<Name>(type);
#define KILN_ELEMENTARY_UNARY(Enum, Name)                                      \
  case UnaryFloat::Enum:                                                       \
    return elementaryLoopOf<ElementaryFunction::Enum>(type);
    KILN_FOR_EACH_UNARY_FLOAT(KILN_FUNCTION)
#include "runtime/elementary/Elementary.def"
#undef KILN_FUNCTION
  }
  return nullptr;
}

ElementLoop castLoop(DType from, DType to) {
  return dispatchElement(to, [&]<class To>(To) {
    return dispatchElement(from, []<class From>(From) -> ElementLoop {
      if constexpr (isConversion<From, To>)
        return &mapUnary<From, To, Cast<To>>;
      else
        return nullptr;
    });
  });
}

} // namespace kiln::eval
