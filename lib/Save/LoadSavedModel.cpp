// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads SavedModels, and opens nothing outside of their folder.
#include "kiln/SavedModel.h"

#include "kiln/GraphScopes.h"
#include "lib/IO/Formats.h"
#include "lib/Save/SavedModelFolder.h"
#include "lib/Support/File.h"
#include "lib/Support/FileAccess.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace kiln {
namespace {

namespace fs = std::filesystem;

std::string pathIn(const std::string &folder, std::string_view name) {
  return strCat(folder, "/", name);
}

std::string textOf(const std::set<std::string> &tags) {
  std::string text;
  for (const std::string &tag : tags)
    text += strCat(text.empty() ? "'" : ", '", tag, "'");
  return strCat("{", text, "}");
}

/// Everything in the folder, links followed, must be in the folder.
Status checkLinks(const std::string &folder, const FileAccess &access) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end;
       !error && at != end; at.increment(error))
    if (at->is_symlink())
      KILN_RETURN_IF_ERROR(access.check(at->path().string()));
  return okStatus();
}

/// The path of an asset, whose name is one in the folder of assets, or below.
StatusOr<std::string> assetPath(const std::string &folder,
                                const std::string &name,
                                const FileAccess &access) {
  const fs::path inside(name);
  const bool leadsOut =
      name.empty() || inside.is_absolute() || name.find('\0') != name.npos ||
      std::ranges::find(inside, fs::path("..")) != inside.end();
  if (leadsOut)
    return permissionDeniedError(strCat("expected an asset in the folder ",
                                        quote(folder), ", got the name ",
                                        quote(name)));
  std::string path = strCat(pathIn(folder, saved::assetsFolder), "/", name);
  KILN_RETURN_IF_ERROR(access.check(path));
  return path;
}

/// The operation that a signature of its own names (models of TensorFlow 2), or
/// a collection of one; empty for none.
StatusOr<std::string> mainOpOf(const MetaGraph &metaGraph) {
  const std::string key(saved::initOpKey);
  if (auto found = metaGraph.signatures.find(key);
      found != metaGraph.signatures.end())
    if (auto output = found->second.outputs.find(key);
        output != found->second.outputs.end())
      return output->second.name;
  for (std::string_view key : {saved::mainOpKey, saved::oldMainOpKey}) {
    auto found = metaGraph.collections.find(std::string(key));
    if (found == metaGraph.collections.end())
      continue;
    const auto *nodes = std::get_if<NodeNames>(&found->second);
    if (!nodes || nodes->names.size() != 1)
      return invalidArgumentError(
          strCat("expected one operation in the collection ", quote(key)));
    return nodes->names[0];
  }
  return std::string();
}

StatusOr<MetaGraph> choose(std::vector<MetaGraph> metaGraphs,
                           const std::vector<std::string> &tags) {
  const std::set<std::string> wanted(tags.begin(), tags.end());
  std::string available;
  for (MetaGraph &metaGraph : metaGraphs) {
    std::set<std::string> has(metaGraph.tags.begin(), metaGraph.tags.end());
    if (has == wanted)
      return std::move(metaGraph);
    available += strCat(available.empty() ? "" : ", ", textOf(has));
  }
  return notFoundError(
      strCat("MetaGraphDef associated with tags ", textOf(wanted),
             " could not be found in SavedModel, with available tags '[",
             available, "]'."));
}

} // namespace

StatusOr<std::vector<MetaGraph>>
readSavedModel(const std::string &folder, const GraphLoadOptions &options) {
  std::error_code error;
  std::string path = pathIn(folder, saved::modelFile);
  if (!fs::exists(path, error))
    path = pathIn(folder, saved::textModelFile);
  if (!fs::exists(path, error))
    return notFoundError(strCat("SavedModel file does not exist at: ", folder,
                                "/{", saved::textModelFile, "|",
                                saved::modelFile, "}"));
  KILN_ASSIGN_OR_RETURN(FileAccess access, FileAccess::below({folder}));
  KILN_RETURN_IF_ERROR(access.check(path));
  KILN_ASSIGN_OR_RETURN(FileBytes bytes, readFile(path, options.maxFileBytes));
  return decodeSavedModel(bytes.view(), options);
}

StatusOr<SavedModel> loadSavedModel(const std::string &folder,
                                    const std::vector<std::string> &tags,
                                    const LoadOptions &options) {
  KILN_ASSIGN_OR_RETURN(std::vector<MetaGraph> metaGraphs,
                        readSavedModel(folder, options.graph));
  KILN_ASSIGN_OR_RETURN(MetaGraph metaGraph,
                        choose(std::move(metaGraphs), tags));
  KILN_ASSIGN_OR_RETURN(FileAccess access, FileAccess::below({folder}));
  KILN_RETURN_IF_ERROR(checkLinks(folder, access));
  std::vector<Feed> assets;
  for (const AssetFile &asset : metaGraph.assets) {
    KILN_ASSIGN_OR_RETURN(std::string path,
                          assetPath(folder, asset.fileName, access));
    assets.push_back({TensorId(asset.tensor.name), Tensor::scalar(path)});
  }
  KILN_ASSIGN_OR_RETURN(std::string mainOp, mainOpOf(metaGraph));

  SavedModel model;
  if (options.into)
    model.graph = GraphBuilder(options.into);
  KILN_RETURN_IF_ERROR(importMetaGraph(metaGraph, model.graph).status());
  SessionOptions sessionOptions = options.session;
  if (!sessionOptions.fileFolders)
    sessionOptions.fileFolders = {folder};
  KILN_ASSIGN_OR_RETURN(
      model.session,
      Session::create(model.graph.graph(), std::move(sessionOptions)));
  std::error_code error;
  const std::string prefix = pathIn(folder, saved::variablesPrefix);
  if (metaGraph.saver && fs::exists(prefix + ".index", error))
    KILN_RETURN_IF_ERROR(Saver::fromDef(*metaGraph.saver, model.graph)
                             .restore(*model.session, prefix));
  if (!mainOp.empty())
    KILN_RETURN_IF_ERROR(
        model.session->run(assets, {}, {OperationId(mainOp)}).status());
  model.signatures = std::move(metaGraph.signatures);
  model.message = std::move(metaGraph.message);
  return model;
}

} // namespace kiln
