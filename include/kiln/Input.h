// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions that build graphs take: tensors of the graph, variables,
// and values that become constants.
#ifndef KILN_INPUT_H
#define KILN_INPUT_H

#include "kiln/Node.h"
#include "kiln/Tensor.h"

#include <array>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace kiln {

class Assignment;
class Variable;
struct VariableData;

/// A tensor of a graph, a variable, or a value that becomes a Const where it is
/// used. Numbers and lists of them are as Python's: an integer is an int32, or
/// an int64 where it does not fit, a floating one a float32, unless the op asks
/// for another type; a Tensor is as NumPy's array: its dtype stands, and is
/// cast where the op has one already. A list that holds tensors of the graph is
/// packed. **Source**: tf.convert_to_tensor.
class KILN_EXPORT Input {
public:
  using List = std::vector<Input>;
  /// A list, nested or not, whose elements are all of one C++ type.
  struct Array {
    Tensor elements;
  };
  using Value = std::variant<Output, std::shared_ptr<const VariableData>,
                             Tensor, Array, Shape, bool, int64_t, uint64_t,
                             double, std::string, std::shared_ptr<const List>>;

  Input(const Input &);
  Input(Input &&) noexcept;
  Input &operator=(const Input &);
  Input &operator=(Input &&) noexcept;
  ~Input();
  Input(const Output &tensor);
  /// Its value where the input is used.
  Input(const Variable &variable);
  /// The variable as the assignment leaves it.
  Input(const Assignment &assignment);
  Input(Tensor value);
  /// The extents, which must be known.
  Input(Shape shape);
  // A template: a list of one number is no bool.
  template <class T>
    requires std::is_same_v<T, bool>
  Input(T value) : stored(std::in_place_type<bool>, value) {}
  template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
  Input(T number)
      : stored(std::in_place_type<Number<T>>, static_cast<Number<T>>(number)) {}
  Input(const char *text);
  Input(std::string_view text);
  Input(std::string text);
  Input(std::initializer_list<Input> list);
  template <class T> Input(std::span<const T> list) : Input(Tensor()) {
    setList(list);
  }
  template <class T> Input(const std::vector<T> &list) : Input(Tensor()) {
    if constexpr (std::is_same_v<T, bool>)
      set(List(list.begin(), list.end()));
    else
      setList(std::span<const T>(list));
  }
  template <class T, size_t n>
  Input(const std::array<T, n> &list) : Input(Tensor()) {
    setList(std::span<const T>(list));
  }
  /// Lists of numbers that stand in an array: their type is no more than a list
  /// of numbers has.
  static Input listOf(Tensor elements) {
    Input list{Tensor()};
    list.set(Array{std::move(elements)});
    return list;
  }
  /// An operation is no tensor.
  Input(const Node *) = delete;
  Input(std::nullptr_t) = delete;

  const Value &value() const noexcept { return stored; }
  /// The tensor of the graph that this is, otherwise null.
  const Output *output() const noexcept { return std::get_if<Output>(&stored); }

private:
  /// The kind in which a number is stored.
  template <class T>
  using Number = std::conditional_t<
      std::is_floating_point_v<T>, double,
      std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
  void set(List list);
  void set(Array array);
  template <class T> void setList(std::span<const T> list) {
    if constexpr (dtypeOf<T> != DType::Invalid &&
                  !std::is_same_v<T, std::string>) {
      auto made =
          Tensor::fromValues<T>(Shape{static_cast<int64_t>(list.size())}, list);
      set(Array{made.ok() ? *std::move(made) : Tensor()});
    } else {
      set(List(list.begin(), list.end()));
    }
  }
  Value stored;
};

/// The inputs of an op that takes a list of tensors.
class InputList {
public:
  InputList(std::initializer_list<Input> list) : inputs(list) {}
  InputList(std::vector<Input> list) : inputs(std::move(list)) {}
  template <class T>
    requires(std::is_convertible_v<const T &, Input> &&
             !std::is_same_v<T, Input>)
  InputList(const std::vector<T> &list) : inputs(list.begin(), list.end()) {}
  template <class T>
    requires std::is_convertible_v<const T &, Input>
  InputList(std::span<const T> list) : inputs(list.begin(), list.end()) {}

  const std::vector<Input> &list() const noexcept { return inputs; }
  size_t size() const noexcept { return inputs.size(); }

private:
  std::vector<Input> inputs;
};

} // namespace kiln

#endif // KILN_INPUT_H
