// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of requests, and the least recently used of them.
#include "python/bind/RunCache.h"

#include "python/bind/Handles.h"
#include "python/bind/Objects.h"

#include <algorithm>

namespace kiln::python {
namespace {

namespace nb = nanobind;

constexpr int maxDepth = 50;

PyObject *objectOf(uintptr_t word) {
  return reinterpret_cast<PyObject *>(word & ~uintptr_t{3});
}

std::vector<TensorId> feedIds(PyObject *dict, const Names &names) {
  std::vector<TensorId> ids;
  PyObject *key, *value;
  for (Py_ssize_t at = 0; dict && PyDict_Next(dict, &at, &key, &value);)
    ids.push_back(tensorIdFromPython(key, names));
  return ids;
}

} // namespace

void RequestWords::push(uintptr_t word, size_t hash) {
  words.push_back(word);
  state = (state ^ hash) * 0x9e3779b97f4a7c15u;
  state ^= state >> 29;
}

void RequestWords::pushObject(PyObject *object) {
  auto word = reinterpret_cast<uintptr_t>(object);
  push(word | Object, word);
}

void RequestWords::pushNumber(uintptr_t number) {
  push(number << 2 | Number, number);
}

bool RequestWords::appendLeaf(PyObject *leaf) {
  if (PyUnicode_CheckExact(leaf)) {
    auto hash = static_cast<size_t>(PyObject_Hash(leaf));
    push(reinterpret_cast<uintptr_t>(leaf) | Name, hash);
    return true;
  }
  if (Py_TYPE(leaf) != tensorType && Py_TYPE(leaf) != operationType) {
    bool isObject =
        takesObjects && !PyDict_Check(leaf) && !PyUnicode_Check(leaf);
    if (isObject)
      pushObject(leaf);
    return isObject;
  }
  bool isTensor = Py_TYPE(leaf) == tensorType;
  Output output = isTensor
                      ? nb::inst_ptr<TensorHandle>(leaf)->output
                      : Output{nb::inst_ptr<OperationHandle>(leaf)->node, -1};
  // The session's graph keeps its nodes; one of another graph is refused, and
  // then nothing is kept.
  pushNumber(reinterpret_cast<uintptr_t>(output.node) >> 2);
  pushNumber(static_cast<uintptr_t>(output.index + 1));
  return true;
}

bool RequestWords::append(PyObject *structure, int depth) {
  bool isList = PyList_Check(structure), isTuple = PyTuple_Check(structure);
  if (!isList && !isTuple && !PyDict_CheckExact(structure))
    return appendLeaf(structure);
  if (depth > maxDepth)
    return false;
  pushObject(reinterpret_cast<PyObject *>(Py_TYPE(structure)));
  Py_ssize_t size =
      isList || isTuple ? Py_SIZE(structure) : PyDict_GET_SIZE(structure);
  pushNumber(static_cast<uintptr_t>(size));
  if (!isList && !isTuple) {
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(structure, &at, &key, &value);)
      // Results come back under these keys: by name, so that two that are equal
      // are the same (1 and True are not).
      if (!PyUnicode_CheckExact(key) || !appendLeaf(key) ||
          !append(value, depth + 1))
        return false;
    return true;
  }
  PyObject **items =
      isList ? reinterpret_cast<PyListObject *>(structure)->ob_item
             : reinterpret_cast<PyTupleObject *>(structure)->ob_item;
  for (Py_ssize_t i = 0; i < size; ++i)
    if (!append(items[i], depth + 1))
      return false;
  return true;
}

bool RequestWords::appendFeeds(PyObject *dict) {
  PyObject *key, *value;
  for (Py_ssize_t at = 0; dict && PyDict_Next(dict, &at, &key, &value);)
    if (!appendLeaf(key))
      return false;
  return true;
}

bool RequestWords::operator==(const RequestWords &other) const {
  return state == other.state && words.size() == other.words.size() &&
         std::equal(words.begin(), words.end(), other.words.begin(),
                    [](uintptr_t a, uintptr_t b) {
                      return a == b ||
                             ((a & TagBits) == Name && (b & TagBits) == Name &&
                              PyUnicode_Compare(objectOf(a), objectOf(b)) == 0);
                    });
}

void RequestWords::hold() const {
  for (uintptr_t word : words)
    if ((word & TagBits) != Number)
      Py_INCREF(objectOf(word));
}

void RequestWords::drop() const {
  for (uintptr_t word : words)
    if ((word & TagBits) != Number)
      Py_DECREF(objectOf(word));
}

std::shared_ptr<BoundRun> RunCache::lookUp(const RequestWords &words) {
  auto [first, last] = entries.equal_range(words.hash());
  for (auto it = first; it != last; ++it)
    if (it->second.words == words) {
      it->second.lastUse = ++numUses;
      return it->second.run;
    }
  return nullptr;
}

std::shared_ptr<BoundRun> RunCache::lookUp(PyObject *fetches, PyObject *feeds) {
  RequestWords words(names.is_valid());
  bool hasWords = words.append(fetches) && words.appendFeeds(feeds);
  return hasWords ? lookUp(words) : nullptr;
}

std::shared_ptr<BoundRun> RunCache::find(const Graph &graph, PyObject *fetches,
                                         PyObject *feeds) {
  RequestWords words(names.is_valid());
  bool hasWords = words.append(fetches) && words.appendFeeds(feeds);
  if (hasWords)
    if (std::shared_ptr<BoundRun> found = lookUp(words))
      return found;
  auto run =
      std::make_shared<BoundRun>(graph, fetches, feedIds(feeds, names), names);
  if (hasWords) {
    if (entries.size() >= maxEntries)
      evictOldest();
    words.hold();
    size_t hash = words.hash();
    entries.emplace(hash, Entry{std::move(words), run, ++numUses});
  }
  return run;
}

void RunCache::evictOldest() {
  auto oldest = std::min_element(entries.begin(), entries.end(),
                                 [](const auto &a, const auto &b) {
                                   return a.second.lastUse < b.second.lastUse;
                                 });
  Entry entry = std::move(oldest->second);
  entries.erase(oldest);
  entry.words.drop();
}

void RunCache::clear() {
  auto old = std::exchange(entries, {});
  for (auto &[hash, entry] : old)
    entry.words.drop();
}

} // namespace kiln::python
