// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames of the program, taken when nodes are made and read when one fails.
#include "python/bind/front/Traces.h"

#include "python/bind/Objects.h"

#include <unordered_map>

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

/// How many frames of the program are remembered.
constexpr int maxFrames = 8;

/// Whether the code stands in Kiln's own package. Answers are kept by the
/// identity of the file's name, which its code objects share.
bool isOwn(PyCodeObject *code) {
  static auto *known = new std::unordered_map<PyObject *, bool>();
  auto [found, isNew] = known->try_emplace(code->co_filename, false);
  if (isNew) {
    Py_INCREF(code->co_filename);
    std::string_view file = utf8(code->co_filename);
    found->second = file.find("/kiln/compat/") != std::string_view::npos;
  }
  return found->second;
}

} // namespace

Traces::~Traces() {
  for (const TraceFrame &frame : frames)
    Py_XDECREF(frame.code);
}

void Traces::record(int first, int last) {
  if (static_cast<size_t>(last) > starts.size())
    starts.resize(static_cast<size_t>(last) + 64);
  uint32_t start = static_cast<uint32_t>(frames.size()) + 1;
  int taken = 0;
  PyFrameObject *frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  while (frame && taken < maxFrames) {
    PyCodeObject *code = PyFrame_GetCode(frame);
    if (isOwn(code)) {
      Py_DECREF(code);
    } else {
      frames.push_back(
          {reinterpret_cast<PyObject *>(code), PyFrame_GetLasti(frame)});
      ++taken;
    }
    PyFrameObject *outer = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = outer;
  }
  Py_XDECREF(frame);
  if (!taken)
    return;
  frames.push_back({nullptr, 0});
  for (int id = first; id < last; ++id)
    if (uint32_t &own = starts[static_cast<size_t>(id)]; !own)
      own = start;
}

nb::list Traces::of(int node) const {
  nb::list found;
  uint32_t start = static_cast<size_t>(node) < starts.size()
                       ? starts[static_cast<size_t>(node)]
                       : 0;
  if (!start)
    return found;
  for (size_t at = start - 1; frames[at].code; ++at) {
    auto *code = reinterpret_cast<PyCodeObject *>(frames[at].code);
    int line = PyCode_Addr2Line(code, frames[at].instruction);
    found.insert(0, nb::make_tuple(nb::borrow(code->co_filename), line,
                                   nb::borrow(code->co_name)));
  }
  return found;
}

int Traces::visit(visitproc visit, void *arg) const {
  for (const TraceFrame &frame : frames)
    Py_VISIT(frame.code);
  return 0;
}

} // namespace kiln::python::front
