// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array whose size a call knows, without an allocation where it is small.
#ifndef KILN_PYTHON_BIND_INLINEARRAY_H
#define KILN_PYTHON_BIND_INLINEARRAY_H

#include <cstddef>
#include <memory>
#include <span>

namespace kiln::python {

/// `count` elements, as their default constructor makes them.
template <class T, size_t inlineCount = 4> class InlineArray {
public:
  explicit InlineArray(size_t count)
      : heap(count > inlineCount ? new T[count]() : nullptr), count(count) {}
  InlineArray(const InlineArray &) = delete;
  InlineArray &operator=(const InlineArray &) = delete;

  T *data() { return heap ? heap.get() : inlined; }
  T *begin() { return data(); }
  T *end() { return data() + count; }
  T &operator[](size_t i) { return data()[i]; }
  size_t size() const { return count; }
  operator std::span<T>() { return {data(), count}; }
  operator std::span<const T>() { return {data(), count}; }

private:
  T inlined[inlineCount] = {};
  const std::unique_ptr<T[]> heap;
  const size_t count;
};

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_INLINEARRAY_H
