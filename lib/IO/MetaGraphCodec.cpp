// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MetaGraphs and SavedModels from and to their messages.
#include "lib/IO/AttrCodec.h"
#include "lib/IO/Formats.h"
#include "lib/IO/GraphCodec.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/MetaGraph.pb.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/File.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <google/protobuf/arena.h>

namespace kiln {
namespace {

/// For graphs that do not say: without one TensorFlow reads a graph by rules of
/// its first versions.
constexpr int defaultProducer = GraphVersions::newest;
/// The only version of SavedModel that there is.
constexpr int64_t schemaVersion = 1;
/// How deep an OpList nests: defaults of attributes may hold functions.
constexpr int opListDepth = 100;

void encode(const SaverDef &saver, proto::SaverDef &message) {
  message.set_filename_tensor_name(saver.filenameTensorName);
  message.set_save_tensor_name(saver.saveTensorName);
  message.set_restore_op_name(saver.restoreOpName);
  message.set_max_to_keep(saver.maxToKeep);
  message.set_sharded(saver.sharded);
  message.set_keep_checkpoint_every_n_hours(saver.keepCheckpointEveryNHours);
  message.set_version(
      static_cast<proto::SaverDef::CheckpointFormatVersion>(saver.version));
}

SaverDef decode(const proto::SaverDef &message) {
  return {message.filename_tensor_name(),
          message.save_tensor_name(),
          message.restore_op_name(),
          message.max_to_keep(),
          message.sharded(),
          message.keep_checkpoint_every_n_hours(),
          static_cast<int>(message.version())};
}

void encode(const TensorInfo &info, proto::TensorInfo &message) {
  if (info.sparseNames.size() == 3) {
    message.mutable_coo_sparse()->set_values_tensor_name(info.sparseNames[0]);
    message.mutable_coo_sparse()->set_indices_tensor_name(info.sparseNames[1]);
    message.mutable_coo_sparse()->set_dense_shape_tensor_name(
        info.sparseNames[2]);
  } else {
    message.set_name(info.name);
  }
  message.set_dtype(static_cast<proto::DataType>(info.dtype));
  io::encodeShape(info.shape, *message.mutable_tensor_shape());
}

StatusOr<TensorInfo> decode(const proto::TensorInfo &message) {
  TensorInfo info;
  info.name = message.name();
  info.dtype = static_cast<DType>(message.dtype());
  if (message.has_tensor_shape()) {
    KILN_ASSIGN_OR_RETURN(info.shape, io::decodeShape(message.tensor_shape()));
  }
  if (message.has_coo_sparse())
    info.sparseNames = {message.coo_sparse().values_tensor_name(),
                        message.coo_sparse().indices_tensor_name(),
                        message.coo_sparse().dense_shape_tensor_name()};
  return info;
}

void encode(const CollectionDef &collection, proto::CollectionDef &message) {
  if (const auto *nodes = std::get_if<NodeNames>(&collection))
    message.mutable_node_list()->mutable_value()->Assign(nodes->names.begin(),
                                                         nodes->names.end());
  else if (const auto *texts =
               std::get_if<std::vector<std::string>>(&collection))
    message.mutable_bytes_list()->mutable_value()->Assign(texts->begin(),
                                                          texts->end());
  else if (const auto *integers =
               std::get_if<std::vector<int64_t>>(&collection))
    message.mutable_int64_list()->mutable_value()->Assign(integers->begin(),
                                                          integers->end());
  else if (const auto *floats = std::get_if<std::vector<float>>(&collection))
    message.mutable_float_list()->mutable_value()->Assign(floats->begin(),
                                                          floats->end());
}

/// Nothing for a list of a kind that is not known here.
std::optional<CollectionDef> decode(const proto::CollectionDef &message) {
  auto list = [](const auto &values) {
    return std::vector(values.begin(), values.end());
  };
  switch (message.kind_case()) {
  case proto::CollectionDef::kNodeList:
    return NodeNames{list(message.node_list().value())};
  case proto::CollectionDef::kBytesList:
    return list(message.bytes_list().value());
  case proto::CollectionDef::kInt64List:
    return list(message.int64_list().value());
  case proto::CollectionDef::kFloatList:
    return list(message.float_list().value());
  default:
    return std::nullopt;
  }
}

void encode(const SignatureDef &signature, proto::SignatureDef &message) {
  for (const auto &[name, info] : signature.inputs)
    encode(info, (*message.mutable_inputs())[name]);
  for (const auto &[name, info] : signature.outputs)
    encode(info, (*message.mutable_outputs())[name]);
  message.set_method_name(signature.methodName);
}

StatusOr<SignatureDef> decode(const proto::SignatureDef &message) {
  SignatureDef signature;
  for (const auto &[name, info] : message.inputs()) {
    KILN_ASSIGN_OR_RETURN(signature.inputs[name], decode(info));
  }
  for (const auto &[name, info] : message.outputs()) {
    KILN_ASSIGN_OR_RETURN(signature.outputs[name], decode(info));
  }
  signature.methodName = message.method_name();
  return signature;
}

/// Gives each node the shapes of its outputs, as TensorFlow writes them here.
Status encodeWithShapes(const Graph &graph, proto::GraphDef &message) {
  KILN_RETURN_IF_ERROR(io::encodeGraph(graph, message));
  if (message.versions().producer() == 0)
    message.mutable_versions()->set_producer(defaultProducer);
  for (int id = 0; id < message.node_size(); ++id) {
    const Node &node = *graph.node(id);
    if (node.numOutputs() <= 0)
      continue;
    std::vector<Shape> shapes;
    for (int i = 0; i < node.numOutputs(); ++i)
      shapes.push_back(node.outputShape(i));
    proto::AttrValue &attr =
        (*message.mutable_node(id)->mutable_attr())["_output_shapes"];
    attr.Clear(); // a node that was imported may have those of its file
    io::encodeAttr(AttrValue(std::move(shapes)), attr);
  }
  return okStatus();
}

/// Takes the attributes away that are as the op's schema has them.
void stripDefaults(
    const std::string &op,
    google::protobuf::Map<std::string, proto::AttrValue> &attrs) {
  const OpDef *schema = lookupOp(op);
  if (!schema)
    return;
  for (const AttrDef &attr : schema->attrs) {
    auto found = attrs.find(attr.name);
    if (!attr.defaultValue || found == attrs.end())
      continue;
    proto::AttrValue standard;
    io::encodeAttr(*attr.defaultValue, standard);
    if (standard.SerializeAsString() == found->second.SerializeAsString())
      attrs.erase(found);
  }
}

/// **Source**: meta_graph.strip_graph_default_valued_attrs.
void stripDefaults(proto::GraphDef &graph) {
  for (proto::NodeDef &node : *graph.mutable_node())
    stripDefaults(node.op(), *node.mutable_attr());
  for (proto::FunctionDef &function :
       *graph.mutable_library()->mutable_function())
    for (proto::NodeDef &node : *function.mutable_node_def())
      stripDefaults(node.op(), *node.mutable_attr());
}

Status encode(const MetaGraph &metaGraph, proto::MetaGraphDef &message) {
  proto::MetaGraphDef::MetaInfoDef &info = *message.mutable_meta_info_def();
  info.set_tensorflow_version(metaGraph.tensorflowVersion);
  info.set_stripped_default_attrs(metaGraph.stripsDefaultAttrs);
  info.mutable_tags()->Assign(metaGraph.tags.begin(), metaGraph.tags.end());
  if (!metaGraph.opList.empty())
    KILN_RETURN_IF_ERROR(io::parseBinary(metaGraph.opList, opListDepth,
                                         *info.mutable_stripped_op_list()));
  if (metaGraph.graph) {
    KILN_RETURN_IF_ERROR(
        encodeWithShapes(*metaGraph.graph, *message.mutable_graph_def()));
    if (metaGraph.stripsDefaultAttrs)
      stripDefaults(*message.mutable_graph_def());
  }
  if (metaGraph.saver)
    encode(*metaGraph.saver, *message.mutable_saver_def());
  for (const auto &[key, collection] : metaGraph.collections)
    encode(collection, (*message.mutable_collection_def())[key]);
  for (const auto &[key, signature] : metaGraph.signatures)
    encode(signature, (*message.mutable_signature_def())[key]);
  for (const AssetFile &asset : metaGraph.assets) {
    proto::AssetFileDef &file = *message.add_asset_file_def();
    encode(asset.tensor, *file.mutable_tensor_info());
    file.set_filename(asset.fileName);
  }
  return okStatus();
}

StatusOr<MetaGraph> decode(const proto::MetaGraphDef &message,
                           const GraphLoadOptions &options) {
  MetaGraph metaGraph;
  const proto::MetaGraphDef::MetaInfoDef &info = message.meta_info_def();
  metaGraph.tensorflowVersion = info.tensorflow_version();
  metaGraph.stripsDefaultAttrs = info.stripped_default_attrs();
  metaGraph.tags.assign(info.tags().begin(), info.tags().end());
  if (info.has_stripped_op_list()) {
    KILN_ASSIGN_OR_RETURN(
        metaGraph.opList,
        io::serialize(info.stripped_op_list(), GraphDefFormat::Binary));
  }
  metaGraph.graph = std::make_shared<Graph>(
      options.checker ? options.checker : io::makeDefaultChecker(),
      options.limits);
  KILN_RETURN_IF_ERROR(
      io::decodeGraph(message.graph_def(), options, *metaGraph.graph));
  if (message.has_saver_def())
    metaGraph.saver = decode(message.saver_def());
  for (const auto &[key, collection] : message.collection_def())
    if (auto decoded = decode(collection))
      metaGraph.collections.emplace(key, *std::move(decoded));
  for (const auto &[key, signature] : message.signature_def()) {
    KILN_ASSIGN_OR_RETURN(metaGraph.signatures[key], decode(signature));
  }
  for (const proto::AssetFileDef &file : message.asset_file_def()) {
    KILN_ASSIGN_OR_RETURN(TensorInfo tensor, decode(file.tensor_info()));
    metaGraph.assets.push_back({std::move(tensor), file.filename()});
  }
  if (options.keepMessage) {
    KILN_ASSIGN_OR_RETURN(metaGraph.message,
                          io::serialize(message, GraphDefFormat::Binary));
  }
  return metaGraph;
}

/// Parses a message that holds graphs.
template <class Message>
Status parse(std::string_view bytes, const GraphLoadOptions &options,
             Message &message) {
  if (bytes.size() > options.maxFileBytes)
    return resourceExhaustedError(strCat("the message has ", bytes.size(),
                                         " bytes, the limit is ",
                                         options.maxFileBytes));
  return io::looksLikeText(bytes)
             ? io::parseText(bytes, options.maxDepth, message)
             : io::parseBinary(bytes, options.maxDepth, message);
}

template <class Message> Message &makeMessage(google::protobuf::Arena &arena) {
  return *google::protobuf::Arena::CreateMessage<Message>(&arena);
}

} // namespace

StatusOr<MetaGraph> loadMetaGraph(std::string_view bytes,
                                  const GraphLoadOptions &options) {
  return io::withoutExceptions<StatusOr<MetaGraph>>(
      "a MetaGraph", bytes.size(), [&]() -> StatusOr<MetaGraph> {
        google::protobuf::Arena arena;
        auto &message = makeMessage<proto::MetaGraphDef>(arena);
        KILN_RETURN_IF_ERROR(parse(bytes, options, message));
        return decode(message, options);
      });
}

StatusOr<MetaGraph> loadMetaGraphFile(const std::string &path,
                                      const GraphLoadOptions &options) {
  KILN_ASSIGN_OR_RETURN(FileBytes bytes, readFile(path, options.maxFileBytes));
  auto metaGraph = loadMetaGraph(bytes.view(), options);
  if (!metaGraph.ok())
    return Status(metaGraph.status().code(),
                  strCat(path, ": ", metaGraph.status().message()),
                  std::string(metaGraph.status().node()));
  return metaGraph;
}

StatusOr<std::string> toMetaGraphDef(const MetaGraph &metaGraph,
                                     GraphDefFormat format) {
  return io::withoutExceptions<StatusOr<std::string>>(
      "a MetaGraph", metaGraph.graph ? io::graphBytes(*metaGraph.graph) : 0,
      [&]() -> StatusOr<std::string> {
        google::protobuf::Arena arena;
        auto &message = makeMessage<proto::MetaGraphDef>(arena);
        KILN_RETURN_IF_ERROR(encode(metaGraph, message));
        return io::serialize(message, format);
      });
}

Status saveMetaGraphFile(const MetaGraph &metaGraph, const std::string &path,
                         GraphDefFormat format) {
  KILN_ASSIGN_OR_RETURN(std::string bytes, toMetaGraphDef(metaGraph, format));
  return writeFileAtomically(path, bytes);
}

StatusOr<std::string> encodeSavedModel(std::span<const MetaGraph> metaGraphs) {
  uint64_t bytes = 0;
  for (const MetaGraph &metaGraph : metaGraphs)
    bytes += metaGraph.graph ? io::graphBytes(*metaGraph.graph) : 0;
  return io::withoutExceptions<StatusOr<std::string>>(
      "a SavedModel", bytes, [&]() -> StatusOr<std::string> {
        google::protobuf::Arena arena;
        auto &message = makeMessage<proto::SavedModel>(arena);
        message.set_saved_model_schema_version(schemaVersion);
        for (const MetaGraph &metaGraph : metaGraphs)
          KILN_RETURN_IF_ERROR(encode(metaGraph, *message.add_meta_graphs()));
        return io::serialize(message, GraphDefFormat::Binary);
      });
}

StatusOr<std::vector<MetaGraph>>
decodeSavedModel(std::string_view bytes, const GraphLoadOptions &options) {
  return io::withoutExceptions<StatusOr<std::vector<MetaGraph>>>(
      "a SavedModel", bytes.size(), [&]() -> StatusOr<std::vector<MetaGraph>> {
        google::protobuf::Arena arena;
        auto &message = makeMessage<proto::SavedModel>(arena);
        KILN_RETURN_IF_ERROR(parse(bytes, options, message));
        if (message.saved_model_schema_version() > schemaVersion)
          return invalidArgumentError(
              strCat("expected a SavedModel of version ", schemaVersion,
                     ", got ", message.saved_model_schema_version()));
        std::vector<MetaGraph> metaGraphs;
        for (const proto::MetaGraphDef &metaGraph : message.meta_graphs()) {
          KILN_ASSIGN_OR_RETURN(MetaGraph decoded, decode(metaGraph, options));
          metaGraphs.push_back(std::move(decoded));
        }
        return metaGraphs;
      });
}

StatusOr<std::string> encodeGraphWithShapes(const Graph &graph) {
  return io::withoutExceptions<StatusOr<std::string>>(
      "a GraphDef", io::graphBytes(graph), [&]() -> StatusOr<std::string> {
        google::protobuf::Arena arena;
        auto &message = makeMessage<proto::GraphDef>(arena);
        KILN_RETURN_IF_ERROR(encodeWithShapes(graph, message));
        return io::serialize(message, GraphDefFormat::Binary);
      });
}

StatusOr<std::string> encodeSaverDef(const SaverDef &saver) {
  proto::SaverDef message;
  encode(saver, message);
  return io::serialize(message, GraphDefFormat::Binary);
}

StatusOr<SaverDef> decodeSaverDef(std::string_view bytes) {
  proto::SaverDef message;
  KILN_RETURN_IF_ERROR(io::parseBinary(bytes, 10, message));
  return decode(message);
}

} // namespace kiln
