// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One node that a recipe is making: its attributes, then its inputs in order.
#ifndef KILN_TEST_FUZZ_GRAPHS_CALL_H
#define KILN_TEST_FUZZ_GRAPHS_CALL_H

#include "test/fuzz/graphs/Maker.h"

namespace kiln::fuzz {

class Call {
public:
  /// Chooses every attribute: types among those that Kiln computes with,
  /// others by the schema.
  Call(Maker &maker, const OpDef &def);

  DType type(std::string_view attr) const;
  std::string text(std::string_view attr) const;
  bool flag(std::string_view attr) const;
  int64_t number(std::string_view attr) const;
  bool has(std::string_view attr) const {
    return def.findAttr(attr) != nullptr;
  }
  void set(std::string attr, AttrValue value) {
    attrs.set(std::move(attr), std::move(value));
  }
  /// Where the schema has the attribute.
  void setIf(std::string_view attr, AttrValue value) {
    if (has(attr))
      set(std::string(attr), std::move(value));
  }
  /// The dtype of the next input.
  DType next() const { return inputType(inputs.size()); }
  DType inputType(size_t i) const;

  /// Appends an input.
  Value in(const Value &value) {
    inputs.push_back(value);
    return value;
  }
  // Appends an input of the next type.
  Value any(int minRank = 0, int maxRank = 5) {
    return in(maker.any(next(), minRank, maxRank));
  }
  Value like(const Extents &dims) { return in(maker.like(next(), dims)); }
  Value fresh(const Extents &dims, const Fill &fill) {
    return in(maker.fresh(next(), dims, fill));
  }
  Value integers(const Extents &numbers) {
    return in(maker.integers(next(), numbers));
  }
  Value scalar(const Extent &number) {
    return in(maker.scalarInteger(next(), number));
  }
  /// Elements below \p limit; at times, where errors are wanted, one that is
  /// not.
  Value indices(const Extents &dims, const Extent &limit);
  /// A number from \p low to \p high.
  Value scalarBetween(double low, double high) {
    return fresh({}, fuzz::between(low, high));
  }

  /// Adds the node; what it gives, or nothing.
  std::optional<std::vector<Value>>
  results(const std::vector<std::string> &controls = {});
  /// Adds the node, and runs it for its effect where it gives no value.
  bool done();

  Maker &maker;
  Random &random;
  const OpDef &def;
  AttrMap attrs;
  std::vector<Value> inputs;

private:
  std::optional<AttrValue> choose(const AttrDef &attr);
};

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_CALL_H
