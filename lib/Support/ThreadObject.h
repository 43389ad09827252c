// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object of the calling thread that functions of exit() may use as well.
#ifndef KILN_LIB_SUPPORT_THREADOBJECT_H
#define KILN_LIB_SUPPORT_THREADOBJECT_H

#include <utility>

namespace kiln {

/// The thread's T, made at first use and destroyed with the thread. exit()
/// destroys it before it calls what atexit() was given and the destructors of
/// static objects: asked for again there, it is another one, which stays. One
/// object a type: who asks has the type for itself.
template <class T> T &threadObject() {
  static thread_local constinit T *object = nullptr;
  struct Owner {
    ~Owner() { delete std::exchange(object, nullptr); }
  };
  if (!object) [[unlikely]] {
    object = new T;
    static thread_local Owner owner;
    static_cast<void>(owner);
  }
  return *object;
}

} // namespace kiln

#endif // KILN_LIB_SUPPORT_THREADOBJECT_H
