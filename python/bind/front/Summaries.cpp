// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summaries and the files that they go to.
#include "kiln/Summary.h"
#include "python/bind/Errors.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Modules.h"

#include <nanobind/stl/string.h>

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

std::string_view bytesIn(const nb::bytes &bytes) {
  return {bytes.c_str(), bytes.size()};
}

PyMethodDef functions[] = {function_<&summary::scalar>("scalar_summary"),
                           function_<&summary::histogram>("histogram_summary"),
                           function_<&summary::image>("image_summary"),
                           function_<&summary::audio>("audio_summary"),
                           function_<&summary::text>("text_summary"),
                           function_<&summary::tensorSummary>("tensor_summary"),
                           function_<&summary::merge>("merge_summaries"),
                           {nullptr, nullptr, 0, nullptr}};

using summary::FileWriter;

} // namespace

void bindSummaries(nb::module_ &module) {
  addFunctions(module, functions);
  nb::class_<FileWriter>(module, "EventWriter")
      .def("add_summary",
           [](FileWriter &self, const nb::bytes &message, int64_t step) {
             check(self.addSummary(bytesIn(message), step));
           })
      .def("add_event",
           [](FileWriter &self, const nb::bytes &event) {
             check(self.addEvent(bytesIn(event)));
           })
      .def("add_graph",
           [](FileWriter &self, const GraphObject &graph, int64_t step,
              bool hasMetaGraph) {
             check(self.addGraph(graph.builder, step, hasMetaGraph));
           })
      .def("flush", [](FileWriter &self) { check(self.flush()); })
      .def("close", [](FileWriter &self) { check(self.close()); })
      .def("reopen", [](FileWriter &self) { check(self.reopen()); })
      .def_prop_ro("path", [](const FileWriter &self) { return self.path(); });
  module.def("open_event_writer", [](const std::string &logdir, int maxQueue,
                                     int flushSeconds,
                                     const std::string &suffix) {
    return check(FileWriter::create(logdir, {.maxQueue = maxQueue,
                                             .flushSeconds = flushSeconds,
                                             .filenameSuffix = suffix}));
  });
}

} // namespace kiln::python::front
