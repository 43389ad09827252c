// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs with what belongs to them, variables and other collections, a saver,
// signatures: exported for other programs, and imported.
#ifndef KILN_METAGRAPH_H
#define KILN_METAGRAPH_H

#include "kiln/GraphBuilder.h"
#include "kiln/GraphDef.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kiln {

/// The nodes that save and restore. **Source**: SaverDef.
struct SaverDef {
  std::string filenameTensorName;
  std::string saveTensorName;
  std::string restoreOpName;
  int maxToKeep = 5; ///< 0: all
  bool sharded = false;
  float keepCheckpointEveryNHours = 10000;
  /// 2: what Kiln writes.
  int version = 2;
  bool operator==(const SaverDef &) const = default;
};

/// A tensor of a signature: by its name, or of three names where it is sparse.
struct TensorInfo {
  std::string name = {};
  DType dtype = DType::Invalid;
  Shape shape = Shape::unknownRank();
  /// Where it is sparse: values, indices, dense shape; no name then.
  std::vector<std::string> sparseNames = {};
  bool operator==(const TensorInfo &) const = default;
};
/// What is said of a tensor of a graph. **Source**: build_tensor_info.
KILN_EXPORT TensorInfo tensorInfo(const Output &tensor);

/// What a caller feeds and fetches, by names of its own. **Source**:
/// SignatureDef.
struct SignatureDef {
  std::map<std::string, TensorInfo> inputs = {};
  std::map<std::string, TensorInfo> outputs = {};
  std::string methodName = {};
  bool operator==(const SignatureDef &) const = default;
};
/// The signature of a model that predicts. **Source**: predict_signature_def.
KILN_EXPORT SignatureDef
predictSignature(const std::map<std::string, Output> &inputs,
                 const std::map<std::string, Output> &outputs);

/// A file that a graph reads: its name is in the folder of assets, and is fed
/// to the tensor.
struct AssetFile {
  TensorInfo tensor;
  std::string fileName;
  bool operator==(const AssetFile &) const = default;
};

/// Names of nodes and tensors.
struct NodeNames {
  std::vector<std::string> names;
  bool operator==(const NodeNames &) const = default;
};
/// What a collection holds: names, messages (variables among them) or numbers.
using CollectionDef = std::variant<NodeNames, std::vector<std::string>,
                                   std::vector<int64_t>, std::vector<float>>;

/// A graph with what belongs to it. **Source**: MetaGraphDef.
struct MetaGraph {
  std::string tensorflowVersion = {};
  std::vector<std::string> tags = {};
  /// What its ops are, an OpList message: by it TensorFlow reads graphs with
  /// attributes that it does not know yet. **Source**: stripped_op_list.
  std::string opList = {};
  /// Attributes that have the default of their op are not written.
  bool stripsDefaultAttrs = false;
  std::shared_ptr<Graph> graph = nullptr;
  std::optional<SaverDef> saver = {};
  std::map<std::string, CollectionDef> collections = {};
  std::map<std::string, SignatureDef> signatures = {};
  std::vector<AssetFile> assets = {};
  /// What it was read from, a binary MetaGraphDef, where
  /// GraphLoadOptions::keepMessage asks for it.
  std::string message = {};
};

/// Parses a MetaGraphDef, binary or text (told by the bytes). **Errors**: as
/// loadGraphDef(). **Thread safety**: free.
KILN_EXPORT StatusOr<MetaGraph>
loadMetaGraph(std::string_view bytes, const GraphLoadOptions &options = {});
/// The same from a file. **Errors**: also NOT_FOUND and the like, with the
/// path.
KILN_EXPORT StatusOr<MetaGraph>
loadMetaGraphFile(const std::string &path,
                  const GraphLoadOptions &options = {});
/// Serializes it, with the shapes of all outputs; deterministic. **Errors**: as
/// toGraphDef().
KILN_EXPORT StatusOr<std::string>
toMetaGraphDef(const MetaGraph &metaGraph,
               GraphDefFormat format = GraphDefFormat::Binary);
/// The same to a file that is replaced in one step. **Errors**: also those of
/// the system, with the path.
KILN_EXPORT Status
saveMetaGraphFile(const MetaGraph &metaGraph, const std::string &path,
                  GraphDefFormat format = GraphDefFormat::Binary);

struct ExportMetaGraphOptions {
  std::optional<SaverDef> saver = {};
  /// Which collections; nothing: all.
  std::optional<std::vector<std::string>> collections = {};
  bool clearDevices = false;
  /// So that TensorFlows of before an attribute read the graph.
  bool stripDefaultAttrs = false;
  /// Only what stands below this scope, under names without it.
  std::string exportScope = {};
};
/// Takes a graph with its collections: variables as VariableDef messages, what
/// has a name by it, texts and numbers as they are; what is of none of these
/// kinds is left out. Placeholders stand for tensors that a scope takes from
/// outside; the collection "unbound_inputs" names them. **Errors**: what went
/// wrong while the graph was being built. **Ownership**: shares the graph,
/// unless devices are cleared or a scope is exported.
/// **Source**: tf.train.export_meta_graph, which writes no placeholders.
KILN_EXPORT StatusOr<MetaGraph>
exportMetaGraph(const GraphBuilder &graph = GraphBuilder::current(),
                const ExportMetaGraphOptions &options = {});

struct ImportMetaGraphOptions {
  /// A scope for all names, made unique; empty: the names as they are.
  std::string importScope = {};
  bool clearDevices = false;
  /// Tensors in place of those of the MetaGraph, by their names there: "a:0",
  /// or "a" for its first output.
  std::map<std::string, Output> inputMap = {};
};
/// Adds the nodes, as importGraphDef() does, and the collections to a graph;
/// returns the scope that the names have got, with a slash, or nothing. Nodes
/// whose names are in use get others, but collections name those that had the
/// names before, as in TensorFlow. What stands for tensors from outside is not
/// added. **Errors**: INVALID_ARGUMENT for collections that name what is not in
/// the graph, and "Graph contains unbound inputs: …" for one that the input map
/// does not have; UNIMPLEMENTED for a function library where the graph has
/// another one. **Source**: tf.train.import_meta_graph, whose saver is
/// Saver::imported().
KILN_EXPORT StatusOr<std::string>
importMetaGraph(const MetaGraph &metaGraph,
                const GraphBuilder &graph = GraphBuilder::current(),
                const ImportMetaGraphOptions &options = {});

/// The variable that a VariableDef message means, whose nodes the graph has.
/// scope: what stands before the names of the message, with a slash.
/// **Errors**: NOT_FOUND for a node that is not there; INVALID_ARGUMENT.
/// **Source**: tf.Variable.from_proto.
KILN_EXPORT StatusOr<Variable>
variableFromDef(const std::string &bytes,
                const GraphBuilder &graph = GraphBuilder::current(),
                const std::string &scope = {});

} // namespace kiln

#endif // KILN_METAGRAPH_H
