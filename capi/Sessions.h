// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is behind TF_Session and the options of sessions.
#ifndef KILN_CAPI_SESSIONS_H
#define KILN_CAPI_SESSIONS_H

#include "capi/Handles.h"
#include "kiln/Messages.h"

#include <shared_mutex>
#include <span>
#include <unordered_map>

struct TF_SessionOptions {
  kiln::SessionConfig config;
  std::string target;
};

namespace kiln::capi {

/// The callables of a session by what they feed, fetch and run: addresses and
/// numbers, so that a call looks at no text. **Thread safety**: free.
class CallCache {
public:
  /// One word a node or number, lists apart by a null word.
  using Key = std::vector<uintptr_t>;

  /// An invalid callable where there is none.
  Callable find(const Key &key) const;
  void add(const Key &key, Callable call);
  void clear();

private:
  struct Hash {
    size_t operator()(const Key &key) const noexcept;
  };
  mutable std::shared_mutex mutex; ///< guards calls
  std::unordered_map<Key, Callable, Hash> calls;
};

/// A session with what the C interface adds to it.
struct SessionHandle {
  std::shared_ptr<Session> session;
  std::chrono::nanoseconds operationTimeout{0};
  CallCache calls;
};

/// A list of a C program; lengths below 0 are none.
template <class T> std::span<T> listOf(T *list, int length) {
  return {list, static_cast<size_t>(length > 0 ? length : 0)};
}

/// What a call of TF_SessionRun or of its older kin asks for.
struct RunRequest {
  std::span<const TF_Output> inputs;
  std::span<TF_Tensor *const> inputValues;
  std::span<const TF_Output> outputs;
  std::span<TF_Tensor *> outputValues;
  std::span<const TF_Operation *const> targets;
  const TF_Buffer *options = nullptr;
  TF_Buffer *metadata = nullptr;
};
Status run(SessionHandle &session, const RunRequest &request);

/// Begins a run in parts; writes its handle, or the status.
void setUpParts(SessionHandle &session, std::span<const TF_Output> inputs,
                std::span<const TF_Output> outputs,
                std::span<const TF_Operation *const> targets,
                const char **handle, TF_Status *status);
void runPart(SessionHandle &session, const char *handle,
             const RunRequest &request, TF_Status *status);

/// The user's cache of code, where one can be had, as for Kiln's own programs;
/// and feeds of any shapes, as TensorFlow's sessions take them.
void adaptOptions(SessionOptions &options);

/// **Errors**: as Session::create(); UNIMPLEMENTED and NOT_FOUND for targets
/// that are not this process.
StatusOr<std::unique_ptr<SessionHandle>>
makeSession(const std::shared_ptr<Graph> &graph,
            const TF_SessionOptions *options);

/// TensorFlow's error where the session was closed; else the error as it is.
Status asSessionError(const Session &session, Status status);

} // namespace kiln::capi

struct TF_Session {
  std::unique_ptr<kiln::capi::SessionHandle> handle;
};

#endif // KILN_CAPI_SESSIONS_H
