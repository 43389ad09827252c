// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables from keys to values, which outlive runs.
#ifndef KILN_RUNTIME_RESOURCES_LOOKUPTABLE_H
#define KILN_RUNTIME_RESOURCES_LOOKUPTABLE_H

#include "kiln/Tensor.h"
#include "runtime/resources/Resource.h"

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln {

enum class TableKind : uint8_t {
  Hash,    ///< given its entries once
  Mutable, ///< values are scalars
  MutableOfTensors,
  MutableDense, ///< keys may be tensors; two of them are never keys
};

struct TableSpec {
  TableKind kind = TableKind::Hash;
  std::string name; ///< as messages show it
  DType keyType = DType::Invalid, valueType = DType::Invalid;
  Shape keyShape = {}, valueShape = {};
  /// For MutableDense: what is not allowed as a key.
  Tensor emptyKey = {}, deletedKey = {};
};

/// A table. Entries are exported in the order in which they came, but for what
/// a removal moves; TensorFlow's order is that of its hash functions.
///
/// Invariants: (1) keys[i] is the key of row i < rows.size(), rows.at(keys[i])
/// == i, and every row has its values; (2)
/// an operation that fails changes nothing, but an insert may have added keys
/// before it ran out of memory. Thread safety: all functions; `mutex` guards
/// everything. **Errors** of all, with TensorFlow's texts: INVALID_ARGUMENT for
/// shapes that do not fit; RESOURCE_EXHAUSTED. **Cost**: a hash a key; keys and
/// values are copied.
class LookupTable final : public Resource {
public:
  explicit LookupTable(TableSpec spec) : theSpec(std::move(spec)) {}

  const TableSpec &spec() const { return theSpec; }
  int64_t size() const;
  bool isInitialized() const;
  /// A bound on it, from keys and values; that of strings apart.
  size_t heldBytes() const noexcept override;

  /// The values of keys; for one that is not there the default, which is one
  /// value or one for each key. **Errors**: FAILED_PRECONDITION before a Hash
  /// table has its entries.
  StatusOr<Tensor> find(const Tensor &keys, const Tensor &fallback) const;
  Status insert(const Tensor &keys, const Tensor &values);
  Status remove(const Tensor &keys);
  /// Replaces all entries; gives a Hash table its entries.
  Status import(const Tensor &keys, const Tensor &values);
  /// Gives a Hash table its entries, once, or the same again. **Errors**:
  /// FAILED_PRECONDITION for others, and for a key with two values.
  Status initialize(const Tensor &keys, const Tensor &values);
  Status exportAll(Tensor &keys, Tensor &values) const;

private:
  /// Entries. Rows of numbers are their bytes, those of strings in `texts`.
  struct Entries {
    std::unordered_map<std::string, size_t> rows;
    std::vector<std::string> keys;
    std::vector<char> bytes;
    std::vector<String> texts;
  };
  struct Layout;

  Layout layout() const;
  Status checkKeys(const Tensor &keys) const;
  Status checkAllowed(std::string_view key) const;
  Status checkEntries(const Tensor &keys, const Tensor &values) const;
  void put(Entries &to, std::string key, const Tensor &values,
           int64_t row) const;
  bool hasValue(const Entries &in, size_t row, const Tensor &values,
                int64_t other) const;

  const TableSpec theSpec;
  mutable std::mutex mutex;
  Entries entries;
  bool initialized = false;
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_LOOKUPTABLE_H
