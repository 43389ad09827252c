// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vectorcall protocol on top of BoundRun.
#include "python/bind/CallableType.h"

#include "python/bind/Objects.h"

#include <cstddef>
#include <new>
#include <structmember.h>

namespace kiln::python {
namespace {

namespace nb = nanobind;

struct CallableHead {
  PyObject_HEAD vectorcallfunc vectorcall;
};
struct CallableObject : CallableHead {
  std::shared_ptr<Session> session;
  std::unique_ptr<BoundRun> run;
};

PyObject *call(PyObject *self, PyObject *const *arguments, size_t flags,
               PyObject *names) {
  auto *callable = reinterpret_cast<CallableObject *>(self);
  auto count = static_cast<size_t>(PyVectorcall_NARGS(flags));
  if ((names && PyTuple_GET_SIZE(names)) ||
      count != callable->run->numFeeds()) {
    PyErr_Format(PyExc_TypeError,
                 "expected %zu values in the order of feed_list, got %zu%s",
                 callable->run->numFeeds(), count,
                 names && PyTuple_GET_SIZE(names) ? " and some by name" : "");
    return nullptr;
  }
  try {
    return callable->run->run(*callable->session, {arguments, count});
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const nb::builtin_exception &error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

void destroy(PyObject *self) {
  auto *callable = reinterpret_cast<CallableObject *>(self);
  PyTypeObject *type = Py_TYPE(self);
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
    {Py_tp_members, members},
    {Py_tp_doc, const_cast<char *>(doc)},
    {0, nullptr}};

PyType_Spec spec = {"kiln.Callable", sizeof(CallableObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                        Py_TPFLAGS_DISALLOW_INSTANTIATION,
                    slots};

PyTypeObject *type = nullptr;

} // namespace

void bindCallable(nb::module_ &module) {
  nb::object made = owned(PyType_FromSpec(&spec));
  type = reinterpret_cast<PyTypeObject *>(made.ptr());
  module.attr("Callable") = made;
}

nb::object makeCallable(std::shared_ptr<Session> session,
                        std::unique_ptr<BoundRun> run) {
  nb::object made = owned(type->tp_alloc(type, 0));
  auto *callable = reinterpret_cast<CallableObject *>(made.ptr());
  callable->vectorcall = call;
  new (&callable->session) std::shared_ptr<Session>(std::move(session));
  new (&callable->run) std::unique_ptr<BoundRun>(std::move(run));
  return made;
}

} // namespace kiln::python
