// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys as their bytes, values in rows.
#include "runtime/resources/LookupTable.h"

#include "lib/Support/Elements.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>

namespace kiln {

/// How many elements a key and a value have.
struct LookupTable::Layout {
  int64_t keyElements, valueElements;
  size_t valueBytes;
};

namespace {

int64_t elementsOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t dim : shape.dims())
    count *= dim;
  return count;
}

Shape joined(const Shape &outer, const Shape &inner) {
  Shape shape = outer;
  for (int64_t dim : inner.dims())
    shape.appendDim(dim);
  return shape;
}

/// Key number `i` as bytes; several strings with their lengths.
std::string keyAt(const Tensor &keys, int64_t i, int64_t elements) {
  if (keys.dtype() != DType::String) {
    size_t size = static_cast<size_t>(elements) * dtypeSize(keys.dtype());
    return {static_cast<const char *>(keys.rawData()) +
                static_cast<size_t>(i) * size,
            size};
  }
  auto texts = keys.data<String>().subspan(static_cast<size_t>(i * elements),
                                           static_cast<size_t>(elements));
  if (elements == 1)
    return std::string(texts[0].view());
  std::string key;
  for (const String &text : texts)
    key += strCat(text.size(), ":", text.view());
  return key;
}

/// An element as messages show it.
std::string textAt(const Tensor &tensor, int64_t i) {
  auto place = static_cast<size_t>(i);
  switch (tensor.dtype()) {
  case DType::String:
    return std::string(tensor.data<String>()[place].view());
  case DType::Int64:
    return strCat(tensor.data<int64_t>()[place]);
  case DType::Int32:
    return strCat(tensor.data<int32_t>()[place]);
  case DType::Float32:
    return strCat(tensor.data<float>()[place]);
  case DType::Float64:
    return strCat(tensor.data<double>()[place]);
  default:
    return "another";
  }
}

Status notInitialized() {
  return failedPreconditionError("Table not initialized.");
}

} // namespace

LookupTable::Layout LookupTable::layout() const {
  int64_t elements = elementsOf(theSpec.valueShape);
  return {elementsOf(theSpec.keyShape), elements,
          static_cast<size_t>(elements) * dtypeSize(theSpec.valueType)};
}

int64_t LookupTable::size() const {
  std::lock_guard guard(mutex);
  return static_cast<int64_t>(entries.rows.size());
}

bool LookupTable::isInitialized() const {
  std::lock_guard guard(mutex);
  return initialized || theSpec.kind != TableKind::Hash;
}

size_t LookupTable::heldBytes() const noexcept {
  std::lock_guard guard(mutex);
  constexpr size_t node = 2 * sizeof(std::string) + 4 * sizeof(void *);
  return entries.keys.size() * node + entries.bytes.capacity() +
         entries.texts.capacity() * sizeof(String);
}

/// Keys that are tensors stand one behind the other along dimension 0. As in
/// TensorFlow only the number of elements counts: keys that are scalars may
/// have any shape whose other dimensions are 1, or be one.
Status LookupTable::checkKeys(const Tensor &keys) const {
  if (theSpec.kind != TableKind::MutableDense)
    return okStatus();
  const int outerRank = keys.rank() - theSpec.keyShape.rank();
  Shape last;
  for (int i = std::max(outerRank, 0); i < keys.rank(); ++i)
    last.appendDim(keys.dim(i));
  if (last != theSpec.keyShape)
    return invalidArgumentError(strCat(
        "Input key shape ", keys.shape().toString(),
        " must end with the table's key shape ", theSpec.keyShape.toString()));
  Shape expected({keys.rank() > 0 ? keys.dim(0) : 1});
  expected = joined(expected, theSpec.keyShape);
  if (StatusOr<int64_t> count = expected.numElements();
      count.ok() && keys.numElements() == *count)
    return okStatus();
  return invalidArgumentError(strCat("Expected key shape ", expected.toString(),
                                     " got ", keys.shape().toString()));
}

Status LookupTable::checkAllowed(std::string_view key) const {
  if (theSpec.kind != TableKind::MutableDense)
    return okStatus();
  int64_t elements = layout().keyElements;
  if (key == keyAt(theSpec.emptyKey, 0, elements))
    return invalidArgumentError(
        "Using the empty_key as a table key is not allowed");
  if (key == keyAt(theSpec.deletedKey, 0, elements))
    return invalidArgumentError(
        "Using the deleted_key as a table key is not allowed");
  return okStatus();
}

/// The shape that values of these keys have.
static Shape shapeOfValues(const TableSpec &spec, const Tensor &keys) {
  if (spec.kind != TableKind::MutableDense)
    return joined(keys.shape(), spec.valueShape);
  Shape outer;
  for (int i = 0; i < keys.rank() - spec.keyShape.rank(); ++i)
    outer.appendDim(keys.dim(i));
  return joined(outer, spec.valueShape);
}

Status LookupTable::checkEntries(const Tensor &keys,
                                 const Tensor &values) const {
  KILN_RETURN_IF_ERROR(checkKeys(keys));
  Shape expected = shapeOfValues(theSpec, keys);
  if (values.shape() != expected)
    return invalidArgumentError(strCat("Expected shape ", expected.toString(),
                                       " for value, got ",
                                       values.shape().toString()));
  int64_t elements = layout().keyElements;
  for (int64_t i = 0; i * elements < keys.numElements(); ++i)
    KILN_RETURN_IF_ERROR(checkAllowed(keyAt(keys, i, elements)));
  return okStatus();
}

void LookupTable::put(Entries &to, std::string key, const Tensor &values,
                      int64_t row) const {
  auto [numElements, elements, bytes] = layout();
  (void)numElements;
  auto count = static_cast<size_t>(elements);
  auto found = to.rows.find(key);
  if (found == to.rows.end()) {
    // What throws leaves rows that no key has yet.
    const size_t next = to.rows.size();
    to.keys.resize(next + 1);
    if (theSpec.valueType == DType::String)
      to.texts.resize((next + 1) * count);
    else
      to.bytes.resize((next + 1) * bytes);
    to.keys[next] = key;
    found = to.rows.emplace(std::move(key), next).first;
  }
  if (theSpec.valueType == DType::String)
    std::copy_n(values.data<String>().begin() + row * elements, count,
                to.texts.begin() +
                    static_cast<ptrdiff_t>(found->second * count));
  else if (bytes != 0)
    std::memcpy(to.bytes.data() + found->second * bytes,
                static_cast<const char *>(values.rawData()) +
                    static_cast<size_t>(row) * bytes,
                bytes);
}

bool LookupTable::hasValue(const Entries &in, size_t row, const Tensor &values,
                           int64_t other) const {
  auto [numElements, elements, bytes] = layout();
  (void)numElements;
  if (theSpec.valueType == DType::String)
    return std::equal(values.data<String>().begin() + other * elements,
                      values.data<String>().begin() + (other + 1) * elements,
                      in.texts.begin() +
                          static_cast<ptrdiff_t>(row) * elements);
  return std::memcmp(in.bytes.data() + row * bytes,
                     static_cast<const char *>(values.rawData()) +
                         static_cast<size_t>(other) * bytes,
                     bytes) == 0;
}

StatusOr<Tensor> LookupTable::find(const Tensor &keys,
                                   const Tensor &fallback) const {
  KILN_RETURN_IF_ERROR(checkKeys(keys));
  Shape shape = shapeOfValues(theSpec, keys);
  const bool isWhole = fallback.shape() == shape;
  if (!isWhole && fallback.shape() != theSpec.valueShape)
    return invalidArgumentError(
        strCat("Expected shape ", theSpec.valueShape.toString(), " or ",
               shape.toString(), " for default value, got ",
               fallback.shape().toString()));
  KILN_ASSIGN_OR_RETURN(Tensor values,
                        Tensor::create(theSpec.valueType, shape));
  std::lock_guard guard(mutex);
  if (theSpec.kind == TableKind::Hash && !initialized)
    return notInitialized();
  auto [keyElements, elements, bytes] = layout();
  for (int64_t i = 0; i * keyElements < keys.numElements(); ++i) {
    std::string key = keyAt(keys, i, keyElements);
    KILN_RETURN_IF_ERROR(checkAllowed(key));
    auto found = entries.rows.find(key);
    if (found == entries.rows.end()) {
      copyElements(values, i * elements, fallback, isWhole ? i * elements : 0,
                   elements);
    } else if (theSpec.valueType == DType::String) {
      std::copy_n(entries.texts.begin() +
                      static_cast<ptrdiff_t>(found->second) * elements,
                  elements,
                  values.mutableData<String>().begin() + i * elements);
    } else if (bytes != 0) {
      std::memcpy(static_cast<char *>(values.mutableRawData()) +
                      static_cast<size_t>(i) * bytes,
                  entries.bytes.data() + found->second * bytes, bytes);
    }
  }
  return values;
}

Status LookupTable::insert(const Tensor &keys, const Tensor &values) {
  if (theSpec.kind == TableKind::Hash)
    return unimplementedError("Insert not supported by "
                              "InitializableLookupTable implementations");
  KILN_RETURN_IF_ERROR(checkEntries(keys, values));
  std::lock_guard guard(mutex);
  int64_t elements = layout().keyElements;
  for (int64_t i = 0; i * elements < keys.numElements(); ++i)
    put(entries, keyAt(keys, i, elements), values, i);
  return okStatus();
}

Status LookupTable::remove(const Tensor &keys) {
  if (theSpec.kind == TableKind::Hash)
    return unimplementedError("Remove not supported by "
                              "InitializableLookupTable implementations");
  KILN_RETURN_IF_ERROR(checkKeys(keys));
  auto [keyElements, elements, bytes] = layout();
  auto count = static_cast<size_t>(elements);
  const int64_t numKeys =
      keyElements == 0 ? 0 : keys.numElements() / keyElements;
  for (int64_t i = 0; i < numKeys; ++i)
    KILN_RETURN_IF_ERROR(checkAllowed(keyAt(keys, i, keyElements)));
  std::lock_guard guard(mutex);
  for (int64_t i = 0; i < numKeys; ++i) {
    auto found = entries.rows.find(keyAt(keys, i, keyElements));
    if (found == entries.rows.end())
      continue;
    // The last row takes the place of the one that goes.
    const size_t row = found->second, last = entries.rows.size() - 1;
    entries.rows.erase(found);
    if (row != last) {
      entries.keys[row] = std::move(entries.keys[last]);
      entries.rows[entries.keys[row]] = row;
    }
    entries.keys.resize(last);
    if (theSpec.valueType == DType::String) {
      for (size_t k = 0; k < count && row != last; ++k)
        entries.texts[row * count + k] =
            std::move(entries.texts[last * count + k]);
      entries.texts.resize(last * count);
    } else {
      if (row != last)
        std::copy_n(
            entries.bytes.begin() + static_cast<ptrdiff_t>(last * bytes), bytes,
            entries.bytes.begin() + static_cast<ptrdiff_t>(row * bytes));
      entries.bytes.resize(last * bytes);
    }
  }
  return okStatus();
}

Status LookupTable::import(const Tensor &keys, const Tensor &values) {
  if (theSpec.kind == TableKind::Hash)
    return initialize(keys, values);
  KILN_RETURN_IF_ERROR(checkEntries(keys, values));
  Entries made;
  int64_t elements = layout().keyElements;
  for (int64_t i = 0; i * elements < keys.numElements(); ++i)
    put(made, keyAt(keys, i, elements), values, i);
  std::lock_guard guard(mutex);
  std::swap(entries, made);
  return okStatus();
}

Status LookupTable::initialize(const Tensor &keys, const Tensor &values) {
  if (theSpec.kind != TableKind::Hash)
    return invalidArgumentError(
        strCat("Table localhost ", theSpec.name, " is not initializable"));
  if (keys.rank() != 1)
    return invalidArgumentError(strCat("Keys must be a vector, but received "
                                       "shape",
                                       keys.shape().toString()));
  if (keys.numElements() != values.numElements())
    return invalidArgumentError(
        strCat("Keys and values must have the same size ", keys.numElements(),
               " vs ", values.numElements()));
  Entries made;
  for (int64_t i = 0; i < keys.numElements(); ++i) {
    std::string key = keyAt(keys, i, 1);
    auto known = made.rows.find(key);
    if (known == made.rows.end()) {
      put(made, std::move(key), values, i);
      continue;
    }
    if (hasValue(made, known->second, values, i))
      continue;
    int64_t first = 0;
    while (keyAt(keys, first, 1) != key)
      ++first;
    return failedPreconditionError(
        strCat("HashTable has different value for same key. Key ",
               textAt(keys, i), " has ", textAt(values, first),
               " and trying to add value ", textAt(values, i)));
  }
  std::lock_guard guard(mutex);
  if (!initialized) {
    std::swap(entries, made);
    initialized = true;
    return okStatus();
  }
  bool isSame = made.rows.size() == entries.rows.size();
  for (int64_t i = 0; i < keys.numElements() && isSame; ++i) {
    auto known = entries.rows.find(keyAt(keys, i, 1));
    isSame = known != entries.rows.end() &&
             hasValue(entries, known->second, values, i);
  }
  return isSame ? okStatus()
                : failedPreconditionError(
                      "Table was already initialized with different data.");
}

Status LookupTable::exportAll(Tensor &keys, Tensor &values) const {
  std::lock_guard guard(mutex);
  if (theSpec.kind == TableKind::Hash && !initialized)
    return abortedError("HashTable is not initialized.");
  Shape count;
  count.appendDim(static_cast<int64_t>(entries.rows.size()));
  KILN_ASSIGN_OR_RETURN(
      keys, Tensor::create(theSpec.keyType, joined(count, theSpec.keyShape)));
  KILN_ASSIGN_OR_RETURN(
      values,
      Tensor::create(theSpec.valueType, joined(count, theSpec.valueShape)));
  if (theSpec.valueType == DType::String)
    std::copy_n(entries.texts.begin(), values.numElements(),
                values.mutableData<String>().begin());
  else if (values.byteSize() != 0)
    std::memcpy(values.mutableRawData(), entries.bytes.data(),
                values.byteSize());
  auto *bytes = static_cast<char *>(keys.mutableRawData());
  for (size_t i = 0; i < entries.rows.size(); ++i) {
    const std::string &key = entries.keys[i];
    if (theSpec.keyType != DType::String) {
      std::memcpy(bytes + i * key.size(), key.data(), key.size());
    } else {
      KILN_ASSIGN_OR_RETURN(keys.mutableData<String>()[i], String::create(key));
    }
  }
  return okStatus();
}

} // namespace kiln
