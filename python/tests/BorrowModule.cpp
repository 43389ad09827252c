// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For test_threads.py: drops borrowed buffers where no run would.
#include "python/bind/Borrow.h"

#include <thread>
#include <vector>

namespace nb = nanobind;

/// Borrows each object, empties the list, and lets a thread that never had an
/// interpreter drop the borrows, which are the last references: while this
/// thread holds the GIL, or after it let go of it.
static void dropElsewhere(nb::list objects, bool withGil) {
  std::vector<kiln::BufferRef> borrowed;
  for (nb::handle object : objects)
    borrowed.push_back(kiln::python::borrowFrom(object.ptr(), object.ptr(), 1));
  objects.clear();
  std::thread thread([&] { borrowed.clear(); });
  if (withGil) {
    thread.join();
    return;
  }
  nb::gil_scoped_release release;
  thread.join();
}

NB_MODULE(borrow_module, module) {
  module.def("drop_elsewhere", dropElsewhere, nb::arg("objects"),
             nb::arg("with_gil"));
}
