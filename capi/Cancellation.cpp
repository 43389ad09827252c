// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFE_CancellationManager: ends the ops that it was given to, and tells others
// that it did.
#include "capi/Eager.h"
#include "tensorflow/c/eager/c_api_experimental.h"

#include <condition_variable>

using namespace kiln;
using namespace kiln::capi;

/// Invariant: callbacks are called by startCancel() alone, and once.
struct TFE_CancellationManager {
  enum class State { Open, Cancelling, Cancelled };

  std::mutex mutex; ///< guards all that follows but `ops`
  std::condition_variable changed;
  State state = State::Open;
  TFE_CancellationToken nextToken = 0;
  std::map<TFE_CancellationToken, TFE_CancelCallback> callbacks;
  std::shared_ptr<Cancellation> ops = std::make_shared<Cancellation>();

  void startCancel() {
    std::map<TFE_CancellationToken, TFE_CancelCallback> called;
    {
      std::lock_guard lock(mutex);
      if (state != State::Open)
        return;
      state = State::Cancelling;
      called.swap(callbacks);
    }
    ops->cancel();
    // Without the lock: they may ask for the state.
    for (const auto &[token, callback] : called)
      callback.callback(callback.context);
    std::lock_guard lock(mutex);
    state = State::Cancelled;
    changed.notify_all();
  }
  bool is(State wanted) {
    std::lock_guard lock(mutex);
    return state == wanted;
  }
};

using State = TFE_CancellationManager::State;

TFE_CancellationManager *TFE_NewCancellationManager(void) {
  return new TFE_CancellationManager;
}

void TFE_DeleteCancellationManager(TFE_CancellationManager *manager) {
  // Who waits for a callback hears of the end.
  if (manager && !manager->callbacks.empty())
    manager->startCancel();
  delete manager;
}

bool TFE_CancellationManagerIsCancelled(TFE_CancellationManager *manager) {
  return manager->is(State::Cancelled);
}

bool TFE_CancellationManagerIsCancelling(TFE_CancellationManager *manager) {
  return manager->is(State::Cancelling);
}

void TFE_CancellationManagerStartCancel(TFE_CancellationManager *manager) {
  manager->startCancel();
}

TFE_CancellationToken
TFE_CancellationManagerGetToken(TFE_CancellationManager *manager) {
  std::lock_guard lock(manager->mutex);
  return manager->nextToken++;
}

bool TFE_CancellationManagerRegisterCallback(
    TFE_CancellationManager *manager, TFE_CancellationToken token,
    const TFE_CancelCallback *c_callback, const char *) {
  std::lock_guard lock(manager->mutex);
  if (manager->state != State::Open)
    return false;
  manager->callbacks.insert_or_assign(token, *c_callback);
  return true;
}

bool TFE_CancellationManagerDeregisterCallback(TFE_CancellationManager *manager,
                                               TFE_CancellationToken token) {
  std::unique_lock lock(manager->mutex);
  if (manager->state == State::Open) {
    manager->callbacks.erase(token);
    return true;
  }
  manager->changed.wait(lock,
                        [&] { return manager->state == State::Cancelled; });
  return false;
}

bool TFE_CancellationManagerTryDeregisterCallback(
    TFE_CancellationManager *manager, TFE_CancellationToken token) {
  std::lock_guard lock(manager->mutex);
  if (manager->state != State::Open)
    return false;
  manager->callbacks.erase(token);
  return true;
}

void TFE_OpSetCancellationManager(TFE_Op *op,
                                  TFE_CancellationManager *cancellation_manager,
                                  TF_Status *status) {
  clearStatus(status);
  op->cancellation = cancellation_manager ? cancellation_manager->ops : nullptr;
}
