// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request of Session.run, resolved once.
#ifndef KILN_PYTHON_BIND_BOUNDRUN_H
#define KILN_PYTHON_BIND_BOUNDRUN_H

#include "kiln/Session.h"
#include "python/bind/FetchTree.h"

#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace kiln::python {

/// Invalid where a run will say what is wrong.
DType feedDType(const Graph &graph, const TensorId &tensor);

/// Results, each the array that Python gets, in the structure of the fetches;
/// null with an exception.
PyObject *buildResults(const FetchTree &tree, std::span<Tensor> results);

/// Makes the exception Refused: of a request with names of others, a value that
/// is no array, before anything ran. Those others may know it.
void bindRefused(nanobind::module_ &module);

/// The structure of the fetches and the tensors to feed, with a callable from
/// the second run on: what runs once (an initializer) needs no memory of its
/// own.
///
/// Thread safety: the GIL guards what changes; runs let go of it.
class BoundRun {
public:
  /// Throws TypeError for what is no fetch or no feed. Names are looked up by
  /// the first run.
  BoundRun(const Graph &graph, nanobind::handle fetches,
           std::vector<TensorId> feeds, const Names &names = {});
  /// As make_callable(): names are looked up here.
  void bind(Session &session);

  /// Feeds the values in order and returns the results in the structure of the
  /// fetches; null with an exception. Nanoseconds, 0: no limit. `stats` may be
  /// null; with them `regions` asks for the regions.
  PyObject *run(Session &session, std::span<PyObject *const> values,
                std::chrono::nanoseconds timeout = {},
                RunStats *stats = nullptr, bool regions = false);

  size_t numFeeds() const { return feeds.size(); }

private:
  /// Throws.
  void convert(std::span<PyObject *const> values, std::span<Tensor> tensors);
  PyObject *runByName(Session &session, std::span<Tensor> tensors,
                      std::chrono::nanoseconds timeout, RunStats *stats,
                      bool regions);

  std::vector<Fetch> fetches; // before the tree, which fills it
  FetchTree tree;
  std::vector<TensorId> feeds;
  std::vector<DType> dtypes; ///< of the feeds; Invalid: not known
  const bool hasNames;       ///< values that are refused raise Refused
  bool hasRun = false;
  Callable callable;
  int64_t lastNs = std::numeric_limits<int64_t>::max();
};

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_BOUNDRUN_H
