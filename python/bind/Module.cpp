// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln._kiln: everything of the package that is not Python.
#include "kiln/Version.h"
#include "python/bind/Arrays.h"
#include "python/bind/CallableType.h"
#include "python/bind/Foreign.h"
#include "python/bind/Handles.h"
#include "python/bind/Interrupt.h"
#include "python/bind/Sessions.h"
#include "python/bind/Stats.h"
#include "python/bind/front/Modules.h"

NB_MODULE(_kiln, module) {
  using namespace kiln::python;
  module.doc() = "Kiln's C++ interface; the package kiln is its public face.";
  module.attr("__version__") = KILN_VERSION_STRING;
  // Sessions that a program leaves open at its end are no mistake.
  nanobind::set_leak_warnings(false);
  importNumPy();
  initInterrupts();
  bindGraph(module);
  bindStats(module);
  bindRefused(module);
  bindCallable(module);
  bindSession(module);
  bindForeign(module);
  front::bindFront(module);
}
