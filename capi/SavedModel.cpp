// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sessions on SavedModels, whose graph the caller gets.
#include "kiln/SavedModel.h"
#include "capi/Sessions.h"

#include <filesystem>

using namespace kiln;
using namespace kiln::capi;

namespace {

/// TensorFlow's texts for a model, and for tags, that are not there.
Status asLoadError(const std::string &folder,
                   const std::vector<std::string> &tags, Status status) {
  if (status.code() != StatusCode::NotFound)
    return status;
  std::error_code error;
  const std::filesystem::path path(folder);
  if (!std::filesystem::exists(path / "saved_model.pb", error) &&
      !std::filesystem::exists(path / "saved_model.pbtxt", error))
    return notFoundError("Could not find SavedModel .pb or .pbtxt at supplied "
                         "export directory path: " +
                         folder +
                         ". Check that the directory exists and that you have "
                         "the right permissions for accessing it.");
  if (!status.message().starts_with("MetaGraphDef associated with tags"))
    return status;
  std::string text;
  for (const std::string &tag : tags)
    text += (text.empty() ? "" : " ") + tag;
  return notFoundError("Could not find meta graph def matching supplied tags: "
                       "{ " +
                       text +
                       " }. To inspect available tag-sets in the SavedModel, "
                       "please use the SavedModel CLI: `saved_model_cli`");
}

} // namespace

TF_Session *TF_LoadSessionFromSavedModel(
    const TF_SessionOptions *session_options, const TF_Buffer *,
    const char *export_dir, const char *const *tags, int tags_len,
    TF_Graph *graph, TF_Buffer *meta_graph_def, TF_Status *status) {
  clearStatus(status);
  std::lock_guard lock(graph->adding);
  if (graph->graph->numNodes() > 0) {
    setStatus(status, invalidArgumentError("Graph is non-empty."));
    return nullptr;
  }
  LoadOptions options;
  options.graph.keepMessage = meta_graph_def != nullptr;
  options.into = graph->graph;
  auto handle = std::make_unique<SessionHandle>();
  if (session_options) {
    options.session = session_options->config.options;
    handle->operationTimeout = session_options->config.operationTimeout;
  }
  adaptOptions(options.session);
  std::vector<std::string> wanted;
  for (const char *tag : listOf(tags, tags_len))
    wanted.emplace_back(tag);
  StatusOr<SavedModel> model = loadSavedModel(export_dir, wanted, options);
  if (!model.ok()) {
    setStatus(status, asLoadError(export_dir, wanted, model.status()));
    return nullptr;
  }
  handle->session = model->session;
  if (meta_graph_def)
    setBuffer(meta_graph_def, model->message);
  return new TF_Session{std::move(handle)};
}
