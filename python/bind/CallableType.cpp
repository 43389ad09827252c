// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vectorcall protocol on top of BoundRun.
#include "python/bind/CallableType.h"

#include "python/bind/Objects.h"

#include <cstddef>
#include <new>
#include <structmember.h>
#include <vector>

namespace kiln::python {
namespace {

namespace nb = nanobind;

struct CallableHead {
  PyObject_HEAD vectorcallfunc vectorcall;
};
struct CallableObject : CallableHead {
  std::shared_ptr<Session> session;
  std::unique_ptr<BoundRun> run;
  PyObject *instead; // null: none
};

/// Null with an exception where the run fails.
PyObject *runOf(CallableObject &callable, std::span<PyObject *const> values) {
  try {
    return callable.run->run(*callable.session, values);
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const nb::builtin_exception &error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

/// Calls the function that stands in, with the exception that is set, if any.
PyObject *callInstead(CallableObject &callable, PyObject *const *arguments,
                      size_t count, PyObject *names) {
  nb::object exception = nb::none();
  if (PyErr_Occurred())
    exception = nb::borrow(nb::python_error().value());
  size_t total =
      count + (names ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0);
  std::vector<PyObject *> all = {exception.ptr()};
  all.insert(all.end(), arguments, arguments + total);
  // It may be the last reference that a call drops.
  nb::object function = nb::borrow(callable.instead);
  return PyObject_Vectorcall(function.ptr(), all.data(), count + 1, names);
}

PyObject *call(PyObject *self, PyObject *const *arguments, size_t flags,
               PyObject *names) {
  auto &callable = *reinterpret_cast<CallableObject *>(self);
  auto count = static_cast<size_t>(PyVectorcall_NARGS(flags));
  size_t expected = callable.run->numFeeds();
  bool isNamed = names && PyTuple_GET_SIZE(names);
  if (!isNamed && count == expected) [[likely]] {
    PyObject *result = runOf(callable, {arguments, count});
    if (result || !callable.instead) [[likely]]
      return result;
  }
  if (callable.instead)
    return callInstead(callable, arguments, count, names);
  PyErr_Format(PyExc_TypeError,
               "expected %zu values in the order of feed_list, got %zu%s",
               expected, count, isNamed ? " and some by name" : "");
  return nullptr;
}

int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<CallableObject *>(self)->instead);
  return 0;
}

int clear(PyObject *self) {
  Py_CLEAR(reinterpret_cast<CallableObject *>(self)->instead);
  return 0;
}

void destroy(PyObject *self) {
  auto *callable = reinterpret_cast<CallableObject *>(self);
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  callable->run.~unique_ptr();
  callable->session.~shared_ptr();
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET,
                          offsetof(CallableHead, vectorcall), READONLY,
                          nullptr},
                         {nullptr, 0, 0, 0, nullptr}};

constexpr char doc[] =
    "A request bound once by Session.make_callable(): call it with the values "
    "of feed_list, in order. It keeps its session alive.";

PyType_Slot slots[] = {
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(clear)},
    {Py_tp_members, members},
    {Py_tp_doc, const_cast<char *>(doc)},
    {0, nullptr}};

PyType_Spec spec = {"kiln.Callable", sizeof(CallableObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                        Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                    slots};

PyTypeObject *type = nullptr;

} // namespace

void bindCallable(nb::module_ &module) {
  nb::object made = owned(PyType_FromSpec(&spec));
  type = reinterpret_cast<PyTypeObject *>(made.ptr());
  module.attr("Callable") = made;
}

nb::object makeCallable(std::shared_ptr<Session> session,
                        std::unique_ptr<BoundRun> run, nb::object instead) {
  nb::object made = owned(type->tp_alloc(type, 0));
  auto *callable = reinterpret_cast<CallableObject *>(made.ptr());
  callable->vectorcall = call;
  new (&callable->session) std::shared_ptr<Session>(std::move(session));
  new (&callable->run) std::unique_ptr<BoundRun>(std::move(run));
  callable->instead = instead.is_none() ? nullptr : instead.release().ptr();
  return made;
}

} // namespace kiln::python
