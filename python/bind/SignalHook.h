// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A SIGINT handler before whatever handler there is.
#ifndef KILN_PYTHON_BIND_SIGNALHOOK_H
#define KILN_PYTHON_BIND_SIGNALHOOK_H

namespace kiln::python {

/// What SIGINT does in the process.
enum class InterruptHook {
  None,    ///< it is ignored or ends the process: nothing was hooked
  Kept,    ///< the hook stands where the last call put it
  Renewed, ///< there was another handler, which now stands behind the hook
};

/// Puts `notify` before the process's handler of SIGINT, unless it stands
/// there already; `notify` may do what a signal handler may. The handler is
/// called after it, with its own flags. **Thread safety**: one thread, the main
/// one.
InterruptHook hookInterrupt(void (*notify)());

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_SIGNALHOOK_H
