// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typed attribute values of graph nodes.
#ifndef KILN_ATTRIBUTES_H
#define KILN_ATTRIBUTES_H

#include "kiln/DType.h"
#include "kiln/Shape.h"
#include "kiln/Tensor.h"

#include <concepts>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kiln {

/// A constant as graphs hold it: a splat (all elements equal) keeps one
/// element, whatever its shape claims.
///
/// Two forms, told apart by dtype: (1) `value` has either `shape` or, as a
/// splat, one element and rank 0; (2) resource and variant constants are one
/// serialized message, `opaque`, kept for the round trip.
struct KILN_EXPORT TensorConstant {
  DType dtype = DType::Invalid;
  Shape shape;
  Tensor value;
  std::shared_ptr<const std::string> opaque;

  TensorConstant() = default;
  TensorConstant(Tensor tensor)
      : dtype(tensor.dtype()), shape(tensor.shape()), value(std::move(tensor)) {
  }
  /// Makes a splat: `element` has one element.
  TensorConstant(Tensor element, Shape fullShape)
      : dtype(element.dtype()), shape(std::move(fullShape)),
        value(std::move(element)) {}

  /// True when `value` stands for several (or no) elements by a single one.
  bool isSplat() const noexcept {
    return value.isValid() && !(value.shape() == shape);
  }
  /// Returns the full tensor. **Errors**: UNIMPLEMENTED for form 2;
  /// RESOURCE_EXHAUSTED for a splat that does not fit memory. **Cost**: a splat
  /// allocates and fills its full size; otherwise nothing is copied.
  StatusOr<Tensor> materialize() const;
  bool operator==(const TensorConstant &other) const noexcept;
};

struct NamedAttr;
class AttrValue;

/// Attributes sorted by name. Thread safety: as a std::vector.
class KILN_EXPORT AttrMap {
public:
  AttrMap();
  AttrMap(std::initializer_list<NamedAttr> attrs);
  AttrMap(const AttrMap &);
  AttrMap(AttrMap &&) noexcept;
  AttrMap &operator=(const AttrMap &);
  AttrMap &operator=(AttrMap &&) noexcept;
  ~AttrMap();

  /// Null when there is none. Valid until the map changes.
  const AttrValue *find(std::string_view name) const noexcept;
  /// Adds or replaces. **Cost**: linear in the number of attributes.
  void set(std::string name, AttrValue value);
  bool erase(std::string_view name);
  size_t size() const noexcept;
  bool empty() const noexcept { return size() == 0; }
  const NamedAttr *begin() const noexcept;
  const NamedAttr *end() const noexcept;
  bool operator==(const AttrMap &other) const;

private:
  std::vector<NamedAttr> entries;
};

/// A library function's name with attributes for its instantiation.
struct NameAttrList {
  std::string name;
  AttrMap attrs;
  bool operator==(const NameAttrList &) const = default;
};

/// Inside library functions: the name of an attribute of the function.
struct AttrPlaceholder {
  std::string name;
  bool operator==(const AttrPlaceholder &) const = default;
};

/// A list without elements read from a file, where nothing tells the elements'
/// kind; equals every other empty list.
struct EmptyList {
  bool operator==(const EmptyList &) const = default;
};

/// An attribute's value, kept in the kind it was given in.
class KILN_EXPORT AttrValue {
public:
  using Storage =
      std::variant<std::monostate, int64_t, float, bool, std::string, DType,
                   Shape, TensorConstant, NameAttrList, AttrPlaceholder,
                   EmptyList, std::vector<int64_t>, std::vector<float>,
                   std::vector<bool>, std::vector<std::string>,
                   std::vector<DType>, std::vector<Shape>,
                   std::vector<TensorConstant>, std::vector<NameAttrList>>;

  AttrValue() noexcept;
  AttrValue(const AttrValue &);
  AttrValue(AttrValue &&) noexcept;
  AttrValue &operator=(const AttrValue &);
  AttrValue &operator=(AttrValue &&) noexcept;
  ~AttrValue();
  AttrValue(bool value);
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  AttrValue(I value)
      : storage(std::in_place_type<int64_t>, static_cast<int64_t>(value)) {}
  AttrValue(float value);
  AttrValue(const char *value);
  AttrValue(std::string_view value);
  AttrValue(Tensor value);
  template <class T>
    requires(!std::is_arithmetic_v<T> &&
             std::is_constructible_v<Storage, std::in_place_type_t<T>, T>)
  AttrValue(T value) : storage(std::in_place_type<T>, std::move(value)) {}

  /// The value when it is of kind T, otherwise null; T is a member of Storage.
  template <class T> const T *getIf() const noexcept {
    return std::get_if<T>(&storage);
  }
  bool isEmpty() const noexcept {
    return std::holds_alternative<std::monostate>(storage);
  }
  bool isEmptyList() const noexcept;
  const Storage &variant() const noexcept { return storage; }

  /// The kind's name in messages: "int", "list(shape)", "func", "nothing" …
  std::string_view kindName() const noexcept;
  /// Equal kind and value; floats and tensors by their bits; empty lists of any
  /// kind are equal.
  bool operator==(const AttrValue &other) const;

private:
  Storage storage;
};

/// One attribute.
struct NamedAttr {
  std::string name;
  AttrValue value;
  bool operator==(const NamedAttr &) const = default;
};

/// The name of kind T as AttrValue::kindName gives it.
template <class T> std::string_view attrKindName() {
  return AttrValue(T()).kindName();
}

} // namespace kiln

#endif // KILN_ATTRIBUTES_H
