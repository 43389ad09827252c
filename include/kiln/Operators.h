// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators on tensors of a graph, and slices of them.
#ifndef KILN_OPERATORS_H
#define KILN_OPERATORS_H

#include "kiln/Variable.h"

#include <concepts>
#include <initializer_list>
#include <optional>
#include <span>

namespace kiln {

/// What operators add nodes for.
template <class T>
concept Symbolic = std::same_as<std::remove_cvref_t<T>, Output> ||
                   std::same_as<std::remove_cvref_t<T>, Variable> ||
                   std::same_as<std::remove_cvref_t<T>, Assignment>;
/// The operands of an operator, one of them a tensor of a graph.
template <class A, class B>
concept Operands =
    (Symbolic<A> || Symbolic<B>) && std::convertible_to<const A &, Input> &&
    std::convertible_to<const B &, Input>;

namespace detail {
/// Adds what Python's operator adds, in a scope of its name. The left operand
/// is made a tensor before the scope where it is a variable; a value takes the
/// other operand's dtype.
KILN_EXPORT Output binaryOperator(std::string_view name, const Input &x,
                                  const Input &y, bool isReflected);
/// Comparisons have the name of their op.
KILN_EXPORT Output comparison(std::string_view op, const Input &x,
                              const Input &y);
KILN_EXPORT Output unaryOperator(std::string_view op, const Input &x);
} // namespace detail

/// AddV2, in the scope "add".
template <class A, class B>
  requires Operands<A, B>
Output operator+(const A &a, const B &b) {
  return detail::binaryOperator("add", a, b, !Symbolic<A>);
}
/// Sub, in the scope "sub".
template <class A, class B>
  requires Operands<A, B>
Output operator-(const A &a, const B &b) {
  return detail::binaryOperator("sub", a, b, !Symbolic<A>);
}
/// Mul, in the scope "mul".
template <class A, class B>
  requires Operands<A, B>
Output operator*(const A &a, const B &b) {
  return detail::binaryOperator("mul", a, b, !Symbolic<A>);
}
/// RealDiv, in the scope "truediv"; integers are cast to float64 before.
template <class A, class B>
  requires Operands<A, B>
Output operator/(const A &a, const B &b) {
  return detail::binaryOperator("truediv", a, b, !Symbolic<A>);
}
/// FloorMod, in the scope "mod": the result has the sign of b.
template <class A, class B>
  requires Operands<A, B>
Output operator%(const A &a, const B &b) {
  return detail::binaryOperator("mod", a, b, !Symbolic<A>);
}
/// LogicalAnd, in the scope "and".
template <class A, class B>
  requires Operands<A, B>
Output operator&(const A &a, const B &b) {
  return detail::binaryOperator("and", a, b, !Symbolic<A>);
}
/// LogicalOr, in the scope "or".
template <class A, class B>
  requires Operands<A, B>
Output operator|(const A &a, const B &b) {
  return detail::binaryOperator("or", a, b, !Symbolic<A>);
}

// Comparisons. == and != compare handles, as TensorFlow 1 does.

template <class A, class B>
  requires Operands<A, B>
Output operator<(const A &a, const B &b) {
  return Symbolic<A> ? detail::comparison("Less", a, b)
                     : detail::comparison("Greater", b, a);
}
template <class A, class B>
  requires Operands<A, B>
Output operator<=(const A &a, const B &b) {
  return Symbolic<A> ? detail::comparison("LessEqual", a, b)
                     : detail::comparison("GreaterEqual", b, a);
}
template <class A, class B>
  requires Operands<A, B>
Output operator>(const A &a, const B &b) {
  return Symbolic<A> ? detail::comparison("Greater", a, b)
                     : detail::comparison("Less", b, a);
}
template <class A, class B>
  requires Operands<A, B>
Output operator>=(const A &a, const B &b) {
  return Symbolic<A> ? detail::comparison("GreaterEqual", a, b)
                     : detail::comparison("LessEqual", b, a);
}

template <Symbolic A> Output operator-(const A &a) {
  return detail::unaryOperator("Neg", a);
}
/// The negation of booleans.
template <Symbolic A> Output operator!(const A &a) {
  return detail::unaryOperator("LogicalNot", a);
}

/// One axis of a slice: a number or tensor takes one element and the axis away,
/// slice(begin, end, step) takes several, ellipsis() stands for all axes that
/// are not mentioned, newAxis() for a new one of extent 1:
/// x[{slice(1, 3), 0}] is Python's x[1:3, 0].
struct SliceIndex {
  enum class Kind { Element, Slice, Ellipsis, NewAxis };
  template <class T>
    requires std::convertible_to<const T &, Input>
  SliceIndex(const T &element) : begin(Input(element)) {}
  SliceIndex(Kind kind, std::optional<Input> begin, std::optional<Input> end,
             std::optional<Input> step)
      : kind(kind), begin(std::move(begin)), end(std::move(end)),
        step(std::move(step)) {}

  Kind kind = Kind::Element;
  std::optional<Input> begin, end, step;
};

/// As Output::operator[], of a list that is made while the program runs.
KILN_EXPORT Output sliced(const Output &tensor,
                          std::span<const SliceIndex> indices);

/// Python's begin:end:step.
inline SliceIndex slice(const Input &begin, const Input &end,
                        std::optional<Input> step = {}) {
  return {SliceIndex::Kind::Slice, begin, end, std::move(step)};
}
/// Python's begin:.
inline SliceIndex sliceFrom(const Input &begin,
                            std::optional<Input> step = {}) {
  return {SliceIndex::Kind::Slice, begin, {}, std::move(step)};
}
/// Python's :end.
inline SliceIndex sliceTo(const Input &end, std::optional<Input> step = {}) {
  return {SliceIndex::Kind::Slice, {}, end, std::move(step)};
}
/// Python's ":" and "::step".
inline SliceIndex sliceAll(std::optional<Input> step = {}) {
  return {SliceIndex::Kind::Slice, {}, {}, std::move(step)};
}
inline SliceIndex ellipsis() {
  return {SliceIndex::Kind::Ellipsis, {}, {}, {}};
}
inline SliceIndex newAxis() { return {SliceIndex::Kind::NewAxis, {}, {}, {}}; }

} // namespace kiln

#endif // KILN_OPERATORS_H
