// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requests of a session, found again by what they look like.
#ifndef KILN_PYTHON_BIND_RUNCACHE_H
#define KILN_PYTHON_BIND_RUNCACHE_H

#include "python/bind/BoundRun.h"

#include <unordered_map>

namespace kiln::python {

/// A request as words: one for each name (a str, compared by its text), for
/// each handle (two: node, index) and for each list, tuple or dict (its type,
/// then its size); where other objects may stand for tensors, one for each, by
/// its identity. No word holds a reference.
class RequestWords {
public:
  explicit RequestWords(bool takesObjects) : takesObjects(takesObjects) {}

  /// False for what has no words: a subclass of str or dict, or no fetch.
  bool append(PyObject *structure, int depth = 0);
  /// The keys of a feed_dict; null: no feeds.
  bool appendFeeds(PyObject *dict);

  bool operator==(const RequestWords &other) const;
  size_t hash() const { return state; }
  /// Takes or drops references to the names and types.
  void hold() const;
  void drop() const;

private:
  enum Tag : uintptr_t { Object = 0, Number = 1, Name = 2, TagBits = 3 };
  void push(uintptr_t word, size_t hash);
  void pushObject(PyObject *object);
  void pushNumber(uintptr_t number);
  bool appendLeaf(PyObject *leaf);

  bool takesObjects;
  std::vector<uintptr_t> words;
  size_t state = 0;
};

/// The most recently used requests. Thread safety: the GIL guards it.
class RunCache {
public:
  RunCache() = default;
  RunCache(const RunCache &) = delete;
  ~RunCache() { clear(); }

  /// `feeds`: a dict, or null. Throws TypeError for what is no request.
  std::shared_ptr<BoundRun> find(const Graph &graph, PyObject *fetches,
                                 PyObject *feeds);
  /// As find(), null for a request that is not there.
  std::shared_ptr<BoundRun> lookUp(PyObject *fetches, PyObject *feeds);

  /// What else the requests may name; before the first.
  Names names;
  void clear();

private:
  struct Entry {
    RequestWords words;
    std::shared_ptr<BoundRun> run;
    uint64_t lastUse;
  };
  std::shared_ptr<BoundRun> lookUp(const RequestWords &words);
  void evictOldest();

  /// Callables keep memory for temporaries.
  static constexpr size_t maxEntries = 64;
  std::unordered_multimap<size_t, Entry> entries;
  uint64_t numUses = 0;
};

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_RUNCACHE_H
