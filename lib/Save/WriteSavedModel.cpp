// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes SavedModels: variables and assets first, the file that names them
// last.
#include "kiln/SavedModel.h"

#include "kiln/GraphScopes.h"
#include "lib/IO/Formats.h"
#include "lib/Save/SavedModelFolder.h"
#include "lib/Support/File.h"
#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <filesystem>

namespace kiln {
namespace {

namespace fs = std::filesystem;

constexpr size_t maxAssetBytes = size_t(2) << 30;

/// The text of a Const. **Errors**: INVALID_ARGUMENT for others.
StatusOr<std::string> pathOf(const Output &asset) {
  auto refuse = [&] {
    return invalidArgumentError(
        strCat("expected an asset that is a constant of one string, got ",
               asset.node ? asset.name() : "nothing"));
  };
  if (!asset.node || asset.node->op() != "Const")
    return refuse();
  KILN_ASSIGN_OR_RETURN(Tensor value, asset.node->attr<Tensor>("value"));
  if (value.dtype() != DType::String || value.numElements() != 1)
    return refuse();
  return std::string(value.data<String>()[0].view());
}

} // namespace

struct SavedModelBuilder::Data {
  explicit Data(std::string folder) : folder(std::move(folder)) {
    std::error_code error;
    if (fs::exists(this->folder, error) && !fs::is_empty(this->folder, error))
      status = failedPreconditionError(
          strCat("Export directory already exists, and isn't empty. Please "
                 "choose a different export directory, or delete all the "
                 "contents of the specified directory: ",
                 this->folder));
  }

  std::string pathTo(std::string_view name) const {
    return strCat(folder, "/", name);
  }
  Status makeFolders(std::string_view name) const {
    std::error_code error;
    fs::create_directories(pathTo(name), error);
    return error ? fileError(error.value(), pathTo(name)) : okStatus();
  }
  Status add(const SavedGraphOptions &options, const GraphBuilder &graph,
             const Saver &saver);
  StatusOr<AssetFile> copyAsset(const Output &asset);

  std::string folder;
  Status status;
  bool hasVariables = false;
  std::vector<MetaGraph> metaGraphs;
  std::map<std::string, std::string> assets; ///< by their path, their name
};

StatusOr<AssetFile> SavedModelBuilder::Data::copyAsset(const Output &asset) {
  KILN_ASSIGN_OR_RETURN(std::string path, pathOf(asset));
  auto [known, isNew] = assets.try_emplace(path);
  if (isNew) {
    const std::string name = fs::path(path).filename().string();
    known->second = name;
    auto isTaken = [&] {
      return std::ranges::count_if(assets, [&](const auto &other) {
               return other.second == known->second;
             }) > 1;
    };
    for (int i = 1; isTaken(); ++i)
      known->second = strCat(name, "_", i);
    KILN_ASSIGN_OR_RETURN(FileBytes bytes, readFile(path, maxAssetBytes));
    KILN_RETURN_IF_ERROR(makeFolders(saved::assetsFolder));
    KILN_RETURN_IF_ERROR(writeFileAtomically(
        strCat(pathTo(saved::assetsFolder), "/", known->second), bytes.view()));
  }
  // As TensorFlow writes it, without dtype and shape.
  AssetFile file{{.name = asset.name(), .shape = {}}, known->second};
  return file;
}

Status SavedModelBuilder::Data::add(const SavedGraphOptions &options,
                                    const GraphBuilder &graph,
                                    const Saver &saver) {
  if (options.mainOp)
    graph.addToCollection(saved::mainOpKey, options.mainOp);
  KILN_ASSIGN_OR_RETURN(
      MetaGraph metaGraph,
      saver.exportMetaGraph({.clearDevices = options.clearDevices,
                             .stripDefaultAttrs = options.stripDefaultAttrs}));
  metaGraph.tags = options.tags;
  metaGraph.signatures = options.signatures;
  for (const Output &asset : options.assets) {
    KILN_ASSIGN_OR_RETURN(AssetFile file, copyAsset(asset));
    metaGraph.assets.push_back(std::move(file));
  }
  metaGraphs.push_back(std::move(metaGraph));
  return okStatus();
}

SavedModelBuilder::SavedModelBuilder(std::string folder)
    : data(std::make_shared<Data>(std::move(folder))) {}

static Saver saverFor(const GraphBuilder &graph) {
  GraphScope current(graph);
  return Saver({.sharded = true, .allowEmpty = true});
}

Status
SavedModelBuilder::addMetaGraphAndVariables(Session &session,
                                            const SavedGraphOptions &options,
                                            const GraphBuilder &graph) {
  KILN_RETURN_IF_ERROR(data->status);
  if (data->hasVariables)
    return failedPreconditionError(
        "Graph state including variables and assets has already been saved. "
        "Please invoke `add_meta_graph()` instead.");
  Saver saver = saverFor(graph);
  KILN_RETURN_IF_ERROR(graph.status());
  KILN_RETURN_IF_ERROR(data->makeFolders(saved::variablesFolder));
  KILN_RETURN_IF_ERROR(saver
                           .save(session, data->pathTo(saved::variablesPrefix),
                                 {.writeMetaGraph = false, .writeState = false})
                           .status());
  KILN_RETURN_IF_ERROR(data->add(options, graph, saver));
  data->hasVariables = true;
  return okStatus();
}

Status SavedModelBuilder::addMetaGraph(const SavedGraphOptions &options,
                                       const GraphBuilder &graph) {
  KILN_RETURN_IF_ERROR(data->status);
  if (!data->hasVariables)
    return failedPreconditionError(
        "Graph state including variables and assets has not been saved yet. "
        "Please invoke `add_meta_graph_and_variables()` first.");
  Saver saver = saverFor(graph);
  KILN_RETURN_IF_ERROR(graph.status());
  return data->add(options, graph, saver);
}

Status SavedModelBuilder::save() {
  KILN_RETURN_IF_ERROR(data->status);
  KILN_ASSIGN_OR_RETURN(std::string bytes, encodeSavedModel(data->metaGraphs));
  KILN_RETURN_IF_ERROR(data->makeFolders(""));
  return writeFileAtomically(data->pathTo(saved::modelFile), bytes);
}

Status simpleSave(Session &session, const std::string &folder,
                  const std::map<std::string, Output> &inputs,
                  const std::map<std::string, Output> &outputs,
                  const Node *mainOp) {
  const GraphBuilder graph = GraphBuilder::current();
  SavedModelBuilder model(folder);
  KILN_RETURN_IF_ERROR(model.addMetaGraphAndVariables(
      session,
      {.tags = {"serve"},
       .signatures = {{"serving_default", predictSignature(inputs, outputs)}},
       .assets = graph.collectionOf<Output>(keys::assetFilepaths),
       .mainOp = mainOp,
       .clearDevices = true},
      graph));
  return model.save();
}

} // namespace kiln
