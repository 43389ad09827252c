// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C while a run lasts.
#ifndef KILN_PYTHON_BIND_INTERRUPT_H
#define KILN_PYTHON_BIND_INTERRUPT_H

#include "kiln/RunOptions.h"
#include "kiln/Status.h"

#include <concepts>
#include <functional>

namespace kiln::python {

/// Work of a run, without the GIL; ends early when the cancellation says so,
/// which is null where no code could ask for it.
class RunWork {
public:
  template <class F>
    requires(!std::same_as<F, RunWork>)
  RunWork(F &function)
      : object(&function), call([](void *object, Cancellation *cancel) {
          return (*static_cast<F *>(object))(cancel);
        }) {}
  Status operator()(Cancellation *cancel) const { return call(object, cancel); }

private:
  void *object;
  Status (*call)(void *, Cancellation *);
};

/// Lets go of the GIL and does the work. On the main thread a SIGINT is heard
/// meanwhile, and what its Python handler raises is thrown (nb::python_error):
/// - Python's own handler always raises: the work is cancelled at once, by a
///   thread that the signal wakes;
/// - a handler of the user's must be asked: it runs on the main thread while
///   the work goes on in another one. Work that took less than 20 ms the last
///   time (`lastNs`, which this function keeps) stays on the main thread, and
///   the handler waits for its end.
/// Handlers stay the ones that signal.signal() installed. Throws what a handler
/// raised, also before the work.
Status runInterruptibly(RunWork work, int64_t &lastNs);

/// Before anything else here; holds the GIL.
void initInterrupts();

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_INTERRUPT_H
