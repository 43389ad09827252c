// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of plain values that needs no memory of its own as long as it is
// short.
#ifndef KILN_LIB_SUPPORT_INLINEVECTOR_H
#define KILN_LIB_SUPPORT_INLINEVECTOR_H

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>

namespace kiln {

/// As std::vector, for the functions that it has; up to N elements lie in the
/// object.
template <class T, size_t N> class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  using value_type = T;

  InlineVector() = default;
  explicit InlineVector(size_t size, const T &value = T()) {
    reserve(size);
    std::fill_n(data(), size, value);
    count = size;
  }
  InlineVector(std::initializer_list<T> values)
      : InlineVector(values.begin(), values.end()) {}
  template <std::input_iterator Iterator>
  InlineVector(Iterator first, Iterator last) {
    for (; first != last; ++first)
      push_back(*first);
  }
  InlineVector(const InlineVector &other)
      : InlineVector(other.begin(), other.end()) {}
  InlineVector &operator=(const InlineVector &other) {
    if (this == &other)
      return *this;
    count = 0;
    reserve(other.count);
    std::copy(other.begin(), other.end(), data());
    count = other.count;
    return *this;
  }
  ~InlineVector() = default;

  T *data() { return heap ? heap.get() : inlined; }
  const T *data() const { return heap ? heap.get() : inlined; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *begin() { return data(); }
  T *end() { return data() + count; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + count; }
  T &operator[](size_t i) { return data()[i]; }
  const T &operator[](size_t i) const { return data()[i]; }
  T &back() { return data()[count - 1]; }
  const T &back() const { return data()[count - 1]; }

  void push_back(T value) {
    if (count == capacity)
      reserve(2 * capacity);
    data()[count++] = value;
  }
  void insertFirst(T value) {
    push_back(value);
    std::rotate(begin(), end() - 1, end());
  }
  void clear() { count = 0; }

private:
  void reserve(size_t wanted) {
    if (wanted <= capacity)
      return;
    auto larger = std::make_unique<T[]>(wanted);
    std::copy(begin(), end(), larger.get());
    heap = std::move(larger);
    capacity = wanted;
  }

  size_t count = 0;
  size_t capacity = N;
  std::unique_ptr<T[]> heap;
  T inlined[N];
};

} // namespace kiln

#endif // KILN_LIB_SUPPORT_INLINEVECTOR_H
