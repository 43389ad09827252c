// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Returns from main() while the process's first compilation goes on:
//   exits MILLISECONDS [MODULE.so]
// Kiln is linked, or loaded with the module, which is unloaded before.
#include <cstdlib>
#include <dlfcn.h>

extern "C" [[gnu::weak]] bool runLate(int milliseconds);

int main(int argc, char **argv) {
  int milliseconds = argc > 1 ? std::atoi(argv[1]) : 1;
  if (argc < 3)
    return runLate && runLate(milliseconds) ? 0 : 1;
  void *module = dlopen(argv[2], RTLD_NOW);
  auto run = module ? reinterpret_cast<bool (*)(int)>(dlsym(module, "runLate"))
                    : nullptr;
  if (!run || !run(milliseconds))
    return 1;
  dlclose(module);
  return 0;
}
