// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sessions: run parts of a graph as native code, and keep its variables.
#ifndef KILN_SESSION_H
#define KILN_SESSION_H

#include "kiln/Request.h"
#include "kiln/ResourceManager.h"
#include "kiln/RunOptions.h"
#include "kiln/RunStats.h"
#include "kiln/SessionOptions.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kiln {

class SessionCore;

/// A signature bound once, for calls that cost next to nothing. It keeps the
/// memory for its temporaries between calls.
///
/// Ownership: a handle; copies are the same callable. It outlives its session,
/// then calls end with FAILED_PRECONDITION. Thread safety: calls from any
/// number of threads at once.
class KILN_EXPORT Callable {
public:
  Callable() = default;

  /// Runs with the feeds in the order given to makeCallable(), and writes one
  /// tensor a fetch. A result whose buffer is its alone and that fits is
  /// written again by native code; otherwise it becomes a new tensor. A tensor
  /// may be feed and result; memory borrowed from a result may not be fed.
  /// **Shapes**: any that the graph allows; dimensions may change from call to
  /// call. **Errors**: INVALID_ARGUMENT for another number of feeds or results
  /// and for feeds that do not fit; otherwise as Session::run(). After an
  /// error the results' elements are undefined.
  /// **Cost**: once native code is there (SessionOptions::tiering), while
  /// shapes stay the same, no allocation, no hashing, no strings.
  Status operator()(std::span<const Tensor> feeds,
                    std::span<Tensor> results) const;
  /// The same with a time limit or a Cancellation, which end a call as they end
  /// Session::run(). **Cost**: a mutex each.
  Status operator()(std::span<const Tensor> feeds, std::span<Tensor> results,
                    const RunOptions &options) const;

  bool isValid() const noexcept { return impl != nullptr; }

private:
  friend class Session;
  struct KILN_HIDDEN Impl;
  explicit Callable(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  std::shared_ptr<Impl> impl;
};

/// Runs parts of a graph, compiled when first asked for, and keeps the
/// variables that they read and write. Sessions share nothing but the graph,
/// unless they are made with one ResourceManager.
///
/// A run that ends well is atomic: other runs see all of its assignments or
/// none. A run that uses queues, or other resources and files, is cut there
/// into parts, each of which is atomic; while it waits at a queue it holds no
/// variable, and of the ops on queues that no edge orders the first one that
/// can go on does. So is one with an op whose results have any rank. A run that
/// fails keeps what it had assigned, put into queues and taken from them (but a
/// dequeue that is cut short gives back). **Difference** from TensorFlow: runs
/// that write the same variable are serialized.
///
/// In a run, what no edge orders reads a reference variable before it is
/// assigned, in every run. **Difference** from TensorFlow, where it is the one
/// in some runs and the other in the rest: see lib/Plan/Prune.h. Where it
/// matters, a control edge says what comes first.
///
/// Thread safety: all functions, from any number of threads. One thread at a
/// time may add nodes to the graph meanwhile.
///
/// | fact | guarded by |
/// | --- | --- |
/// | open or closed, number of runs | two atomics |
/// | runs to cancel | CancelToken::mutex, one a session |
/// | cache: keys, entries, order of use, bytes | CompileCache::mutex |
/// | a program, once compiled | constant |
/// | which keys are being compiled | CompileCache::mutex |
/// | variables, queues: which exist | ResourceTable::mutex, one a manager |
/// | random streams: which exist | StreamTable::mutex |
/// | which sessions share resources | SharedResources::mutex |
/// | a variable's elements, shape, has a value | its SlotLock |
/// | a queue's elements, and runs that wait | Queue::mutex |
/// | idle result buffers | BufferPool::Core::mutex |
/// | idle arenas | ArenaPool::mutex |
/// | bound states | a mutex in each executable, callable |
/// | partial runs: which are open | SessionCore::partialMutex |
/// | a partial run | PartialRun::mutex, held while the call runs |
/// | compile threads and their queue | CompileThreads::mutex, one a process |
///
/// No mutex is held while another is taken, while code is compiled or run, or
/// while a SlotLock is waited for.
///
/// **Compiling** is done by threads of the process with stacks of their own.
/// close() and ~Session() do not wait for what is being compiled: it stops at
/// the compiler's next step and keeps alive what it needs. exit() waits for
/// nothing: compilations end with the process, and Kiln's static objects are
/// never destroyed. libkiln.so stays loaded (dlclose() leaves it).
///
/// **fork()**: waits for the compiler's present step, since a child could not
/// compile while LLVM's own locks are taken: milliseconds, but seconds while
/// LLVM works on a run of very many nodes. The child has its own
/// threads, made when first needed, and may use every session that no other
/// thread of the parent was in; in the others, and in those that share
/// resources with them, all calls end with FAILED_PRECONDITION and close() does
/// nothing. The parent goes on.
class KILN_EXPORT Session {
public:
  /// **Errors**: what went wrong while the graph was being built;
  /// INVALID_ARGUMENT for no graph, for an option out of its range,
  /// for a processor that is unknown or whose code this one cannot run;
  /// FAILED_PRECONDITION for resources that were lost in a fork().
  static StatusOr<std::unique_ptr<Session>> create(std::shared_ptr<Graph> graph,
                                                   SessionOptions options = {});
  /// As close().
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  /// Runs what fetches and targets need and returns one tensor a fetch.
  /// **Errors**, the first in this order: FAILED_PRECONDITION for a closed
  /// session (ABORTED after a reset); INVALID_ARGUMENT for a negative timeout;
  /// what went wrong while the graph was being built; FAILED_PRECONDITION for
  /// an empty graph; for feeds NOT_FOUND (no such
  /// tensor) and INVALID_ARGUMENT (fed twice, dtype, shape); NOT_FOUND for
  /// fetches and targets; INVALID_ARGUMENT for a placeholder that is needed and
  /// not fed; what the compiler cannot do; FAILED_PRECONDITION for variables
  /// without a value, all that are needed by name; the run's own, with its
  /// node; CANCELLED, DEADLINE_EXCEEDED (with the node where the run waits at a
  /// queue); RESOURCE_EXHAUSTED beyond one of the limits. The session is as
  /// usable as before.
  /// **Ownership**: results are the caller's; no later run changes them.
  /// **Cost**: compiles when the signature is new (a short run is answered by
  /// the evaluator meanwhile: SessionOptions::tiering): fetches, targets,
  /// dtypes and ranks of feeds, and where broadcasting depends on it, whether
  /// extents are equal or 1. A new batch size is not a new signature.
  /// **Source**: tf.Session.run.
  StatusOr<std::vector<Tensor>>
  run(const std::vector<Feed> &feeds, const std::vector<Fetch> &fetches,
      const std::vector<OperationId> &targets = {},
      const RunOptions &options = {}, RunStats *stats = nullptr);

  /// Begins a run whose feeds come later: partialRun() takes the handle that
  /// this returns. Each node runs once, as soon as all that it needs has been
  /// fed; what needs no feed runs here. Fetches that are operations are
  /// targets.
  /// **Errors**: as run(), as far as they do not depend on feeds;
  /// INVALID_ARGUMENT "Must specify at least one target to fetch or execute."
  /// **Edges**: a placeholder that is needed and is no feed is an error of the
  /// first partialRun(). **Source**: tf.Session.partial_run_setup.
  StatusOr<std::string>
  partialRunSetup(const std::vector<TensorId> &feeds,
                  const std::vector<Fetch> &fetches,
                  const std::vector<OperationId> &targets = {});
  /// Feeds a part of the run, and returns one tensor a fetch. No lock is held
  /// between calls: what a node reads of a variable is what it holds then. The
  /// run is over when all has been fed and fetched, when it fails, and when the
  /// session closes. **Errors**: INVALID_ARGUMENT with TensorFlow's texts for a
  /// handle that is unknown or over, for a feed or fetch that was not set up or
  /// had its turn, for a fetch that needs feeds which are missing, for a
  /// fetched operation: then nothing has happened, the run goes on; of the run,
  /// as run(). **Thread safety**: calls with one handle take turns. **Source**:
  /// tf.Session.partial_run.
  StatusOr<std::vector<Tensor>> partialRun(const std::string &handle,
                                           const std::vector<Feed> &feeds,
                                           const std::vector<TensorId> &fetches,
                                           const RunOptions &options = {},
                                           RunStats *stats = nullptr);

  /// Binds a signature; compiles at the first call, or before it by prepare().
  /// **Errors**: as run(), as far as they do not depend on values.
  StatusOr<Callable> makeCallable(const std::vector<TensorId> &feeds,
                                  const std::vector<Fetch> &fetches,
                                  const std::vector<OperationId> &targets = {});

  /// Compiles to native code without running; in `stats`, arenaBytes is for
  /// these shapes, with 2 for each extent that stays unknown. Options end the
  /// wait; the compilation goes on. **Errors**: as run(), as far as they do not
  /// depend on values; INVALID_ARGUMENT for an unknown rank.
  /// **Edges**: what stands behind a queue without shapes is compiled by the
  /// run that takes its first element.
  Status prepare(const std::vector<FeedInfo> &feeds,
                 const std::vector<Fetch> &fetches,
                 const std::vector<OperationId> &targets = {},
                 RunStats *stats = nullptr, const RunOptions &options = {});

  /// Compiles apart from the cache and returns the text of the last stage.
  /// **Errors**: as prepare(); INVALID_ARGUMENT for an unknown stage; UNKNOWN
  /// when a file cannot be written.
  StatusOr<std::string> explain(const std::vector<FeedInfo> &feeds,
                                const std::vector<Fetch> &fetches,
                                const std::vector<OperationId> &targets = {},
                                const ExplainOptions &options = {});
  /// The stages in order: "plan", "import", "simplify" … "llvm-ir", "assembly".
  static std::vector<std::string_view> compileStages();

  /// Ends the session: runs under way are cancelled, waited for, and their code
  /// is freed; later calls fail. Idempotent; several threads at once all wait.
  /// Not to be called from within a run, which would wait for itself.
  void close();
  bool isClosed() const;

  /// Clears containers ("": the default one, as no container at all) and ends
  /// every session that shares the resources, as close() does: its later calls
  /// end with ABORTED. A variable in a cleared container has no value for
  /// sessions made from now on, a queue is empty and open; other containers
  /// stay. Containers that are not there are none. Not to be called from within
  /// a run. **Errors**: FAILED_PRECONDITION for resources that were lost in a
  /// fork(). **Source**: tf.Session.reset.
  static Status reset(ResourceManager &resources,
                      const std::vector<std::string> &containers = {});

  const std::shared_ptr<Graph> &graph() const;
  const SessionOptions &options() const;
  SessionStats stats() const;

private:
  explicit Session(std::shared_ptr<SessionCore> core);
  std::shared_ptr<SessionCore> core;
};

} // namespace kiln

#endif // KILN_SESSION_H
