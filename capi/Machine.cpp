// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clocks, threads and shared libraries of the machine (env.h).
#include "capi/Handles.h"
#include "tensorflow/c/env.h"

#include <chrono>
#include <dlfcn.h>
#include <pthread.h>

using namespace kiln;
using namespace kiln::capi;

struct TF_Thread {
  pthread_t thread;
  void (*work)(void *);
  void *argument;
};

namespace {

uint64_t sinceEpoch() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::system_clock::now().time_since_epoch())
          .count());
}

void *runThread(void *thread) {
  auto *own = static_cast<TF_Thread *>(thread);
  own->work(own->argument);
  return nullptr;
}

} // namespace

uint64_t TF_NowNanos(void) { return sinceEpoch(); }

uint64_t TF_NowMicros(void) { return sinceEpoch() / 1000; }

uint64_t TF_NowSeconds(void) { return sinceEpoch() / 1000000000; }

void TF_DefaultThreadOptions(TF_ThreadOptions *options) {
  *options = {.stack_size = 0, .guard_size = 0, .numa_node = -1};
}

TF_Thread *TF_StartThread(const TF_ThreadOptions *options,
                          const char *thread_name, void (*work_func)(void *),
                          void *param) {
  auto thread = std::make_unique<TF_Thread>();
  thread->work = work_func;
  thread->argument = param;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // 0, and what is too small, are the system's own choice.
  if (options && options->stack_size)
    pthread_attr_setstacksize(&attributes, options->stack_size);
  if (options && options->guard_size)
    pthread_attr_setguardsize(&attributes, options->guard_size);
  const int error =
      pthread_create(&thread->thread, &attributes, runThread, thread.get());
  pthread_attr_destroy(&attributes);
  if (error != 0)
    return nullptr;
  // The system keeps 15 letters.
  if (thread_name)
    pthread_setname_np(thread->thread,
                       std::string(thread_name).substr(0, 15).c_str());
  return thread.release();
}

void TF_JoinThread(TF_Thread *thread) {
  if (!thread)
    return;
  pthread_join(thread->thread, nullptr);
  delete thread;
}

void *TF_LoadSharedLibrary(const char *library_filename, TF_Status *status) {
  clearStatus(status);
  void *handle = dlopen(library_filename, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    setStatus(status, notFoundError(reason ? reason : library_filename));
  }
  return handle;
}

void *TF_GetSymbolFromLibrary(void *handle, const char *symbol_name,
                              TF_Status *status) {
  clearStatus(status);
  if (!handle) {
    setStatus(status, invalidArgumentError("library handle cannot be null"));
    return nullptr;
  }
  void *symbol = dlsym(handle, symbol_name);
  if (!symbol) {
    const char *reason = dlerror();
    setStatus(status, notFoundError(reason ? reason : symbol_name));
  }
  return symbol;
}
