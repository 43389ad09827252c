// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In libkiln.so, the functions that need protobuf load libkiln-io.so when one
// of them is first called.
//
// A process may hold another protobuf with all of its symbols global, as
// TensorFlow's. RTLD_DEEPBIND lets the module and Debian's libprotobuf.so see
// each other first; linked in the ordinary way they met TensorFlow's symbols
// and died (cmake/package/README.md).
#include "cmake/package/IoFunctions.h"

#include <dlfcn.h>

namespace kiln {
namespace {

/// A sanitizer in the program ends it at RTLD_DEEPBIND.
bool hasSanitizer() {
  for (const char *name :
       {"__asan_init", "__hwasan_init", "__msan_init", "__tsan_init"})
    if (dlsym(RTLD_DEFAULT, name))
      return true;
  return false;
}

/// Beside this library. A search would go by the run path of whoever calls
/// dlopen, and that is a sanitizer's library where it has put itself between.
std::string modulePath() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&modulePath), &info) == 0)
    return KILN_IO_MODULE;
  std::string_view library = info.dli_fname;
  return std::string(library.substr(0, library.rfind('/') + 1)) +
         KILN_IO_MODULE;
}

StatusOr<const IoFunctions *> loadModule() {
  void *module =
      dlopen(modulePath().c_str(),
             RTLD_NOW | RTLD_LOCAL | (hasSanitizer() ? 0 : RTLD_DEEPBIND));
  void *entry = module ? dlsym(module, "kilnIoFunctions") : nullptr;
  if (!entry) {
    const char *reason = dlerror();
    return failedPreconditionError(
        std::string("loading " KILN_IO_MODULE ": ") +
        (reason ? reason : "kilnIoFunctions is null"));
  }
  return reinterpret_cast<decltype(&kilnIoFunctions)>(entry)();
}

const StatusOr<const IoFunctions *> &ioFunctions() {
  static const StatusOr<const IoFunctions *> functions = loadModule();
  return functions;
}

/// Calls a function of the table, or says why there is none.
template <class Result, class... Parameters, class... Arguments>
Result forward(Result (*IoFunctions::*function)(Parameters...),
               Arguments &&...arguments) {
  if (!ioFunctions().ok())
    return ioFunctions().status();
  return ((*ioFunctions())->*function)(std::forward<Arguments>(arguments)...);
}

/// Calls the body with this number among those of lib/IO/IoOps.def.
template <size_t number> Status callIoOp(const HostCall &call) {
  if (!ioFunctions().ok())
    return ioFunctions().status();
  return (*ioFunctions())->ioOps()[number].run(call);
}

} // namespace

StatusOr<std::shared_ptr<Graph>> loadGraphDef(std::string_view bytes,
                                              const GraphLoadOptions &options) {
  return forward(&IoFunctions::loadGraphDef, bytes, options);
}

StatusOr<std::shared_ptr<Graph>>
loadGraphDefFile(const std::string &path, const GraphLoadOptions &options) {
  return forward(&IoFunctions::loadGraphDefFile, path, options);
}

Status extendGraphDef(Graph &graph, std::string_view bytes,
                      const GraphLoadOptions &options) {
  return forward(&IoFunctions::extendGraphDef, graph, bytes, options);
}

StatusOr<std::string> toGraphDef(const Graph &graph, GraphDefFormat format) {
  return forward(&IoFunctions::toGraphDef, graph, format);
}

Status saveGraphDefFile(const Graph &graph, const std::string &path,
                        GraphDefFormat format) {
  return forward(&IoFunctions::saveGraphDefFile, graph, path, format);
}

StatusOr<MetaGraph> loadMetaGraph(std::string_view bytes,
                                  const GraphLoadOptions &options) {
  return forward(&IoFunctions::loadMetaGraph, bytes, options);
}

StatusOr<MetaGraph> loadMetaGraphFile(const std::string &path,
                                      const GraphLoadOptions &options) {
  return forward(&IoFunctions::loadMetaGraphFile, path, options);
}

StatusOr<std::string> toMetaGraphDef(const MetaGraph &metaGraph,
                                     GraphDefFormat format) {
  return forward(&IoFunctions::toMetaGraphDef, metaGraph, format);
}

Status saveMetaGraphFile(const MetaGraph &metaGraph, const std::string &path,
                         GraphDefFormat format) {
  return forward(&IoFunctions::saveMetaGraphFile, metaGraph, path, format);
}

StatusOr<std::string> encodeSavedModel(std::span<const MetaGraph> metaGraphs) {
  return forward(&IoFunctions::encodeSavedModel, metaGraphs);
}

StatusOr<std::vector<MetaGraph>>
decodeSavedModel(std::string_view bytes, const GraphLoadOptions &options) {
  return forward(&IoFunctions::decodeSavedModel, bytes, options);
}

StatusOr<std::string> encodeSaverDef(const SaverDef &saver) {
  return forward(&IoFunctions::encodeSaverDef, saver);
}

StatusOr<SaverDef> decodeSaverDef(std::string_view bytes) {
  return forward(&IoFunctions::decodeSaverDef, bytes);
}

StatusOr<std::string> encodeVariableDef(const VariableDef &variable) {
  return forward(&IoFunctions::encodeVariableDef, variable);
}

StatusOr<VariableDef> decodeVariableDef(std::string_view bytes) {
  return forward(&IoFunctions::decodeVariableDef, bytes);
}

StatusOr<std::string> encodeQueueRunnerDef(const QueueRunnerDef &runner) {
  return forward(&IoFunctions::encodeQueueRunnerDef, runner);
}

StatusOr<QueueRunnerDef> decodeQueueRunnerDef(std::string_view bytes) {
  return forward(&IoFunctions::decodeQueueRunnerDef, bytes);
}

StatusOr<std::string> encodeOpList(std::span<const OpDef *const> ops) {
  return forward(&IoFunctions::encodeOpList, ops);
}

StatusOr<std::string> encodeContextDef(const ContextDef &context) {
  return forward(&IoFunctions::encodeContextDef, context);
}

StatusOr<ContextDef> decodeContextDef(std::string_view bytes, bool isWhile) {
  return forward(&IoFunctions::decodeContextDef, bytes, isWhile);
}

StatusOr<std::string> encodeEvent(const EventData &event,
                                  std::set<std::string> &described) {
  return forward(&IoFunctions::encodeEvent, event, described);
}

StatusOr<std::string>
encodeScalars(std::span<const std::pair<std::string, double>> values) {
  return forward(&IoFunctions::encodeScalars, values);
}

StatusOr<std::unique_ptr<StoredVariables>>
openStoredVariables(const std::string &prefix) {
  return forward(&IoFunctions::openStoredVariables, prefix);
}

StatusOr<std::string> encodeSummaryMetadata(const std::string &plugin) {
  return forward(&IoFunctions::encodeSummaryMetadata, plugin);
}

StatusOr<std::string> encodeGraphWithShapes(const Graph &graph) {
  return forward(&IoFunctions::encodeGraphWithShapes, graph);
}

StatusOr<std::string> toRunMetadata(const RunStats &stats) {
  return forward(&IoFunctions::toRunMetadata, stats);
}

StatusOr<std::string> encodeCheckpointState(const CheckpointState &state) {
  return forward(&IoFunctions::encodeCheckpointState, state);
}

StatusOr<CheckpointState> decodeCheckpointState(std::string_view text) {
  return forward(&IoFunctions::decodeCheckpointState, text);
}

// The module is loaded when a body is called first.
std::span<const HostBody> ioOps() {
  enum Number : size_t {
#define KILN_IO_OP(type, function, effect) type,
#include "lib/IO/IoOps.def"
  };
  static constexpr HostBody ops[] = {
#define KILN_IO_OP(type, function, effect)                                     \
  {#type, callIoOp<type>, HostEffect::effect},
#include "lib/IO/IoOps.def"
  };
  return ops;
}

StatusOr<std::unique_ptr<RecordSource>> makeRecordSource(const Node &node) {
  return forward(&IoFunctions::makeRecordSource, node);
}

} // namespace kiln
