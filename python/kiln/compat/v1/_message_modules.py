"""TensorFlow's modules of messages (`tensorflow.core.framework.graph_pb2`) by one table."""

import types

from kiln.compat.v1 import _messages

# Below tensorflow, without "_pb2": what the module declares. Where TensorFlow 1.15 and 2.21 differ,
# both are here.
_TABLE = """
contrib.tensorboard.plugins.projector.projector_config: ProjectorConfig EmbeddingInfo
    SpriteMetadata
contrib.training.python.training.hparam: HParamDef
core.example.example: Example SequenceExample
core.example.feature: BytesList FloatList Int64List Feature Features FeatureList FeatureLists
core.framework.allocation_description: AllocationDescription
core.framework.attr_value: AttrValue NameAttrList
core.framework.cost_graph: CostGraphDef
core.framework.device_attributes: DeviceAttributes DeviceLocality LocalLinks InterconnectLink
core.framework.full_type: FullTypeDef FullTypeId
core.framework.function: FunctionDefLibrary FunctionDef GradientDef RegisteredGradient
core.framework.graph: GraphDef
core.framework.graph_debug_info: GraphDebugInfo
core.framework.node_def: NodeDef
core.framework.op_def: OpDef OpDeprecation OpList
core.framework.resource_handle: ResourceHandleProto
core.framework.step_stats: StepStats DeviceStepStats NodeExecStats NodeOutput MemoryStats
    AllocatorMemoryUsed AllocationRecord
core.framework.summary: Summary SummaryDescription SummaryMetadata DataClass HistogramProto
core.framework.tensor: TensorProto VariantTensorDataProto
core.framework.tensor_description: TensorDescription
core.framework.tensor_shape: TensorShapeProto
core.framework.tensor_slice: TensorSliceProto
core.framework.types: DataType
core.framework.variable: VariableDef SaveSliceInfoDef VariableSynchronization VariableAggregation
core.framework.versions: VersionDef
core.lib.core.error_codes: Code
core.protobuf.cluster: ClusterDef JobDef
core.protobuf.config: ConfigProto GPUOptions GraphOptions OptimizerOptions ThreadPoolOptionProto
    RPCOptions SessionMetadata RunOptions RunMetadata CallableOptions TensorConnection
    BatchingOptions
core.protobuf.control_flow: ValuesDef ControlFlowContextDef CondContextDef WhileContextDef
core.protobuf.debug: DebugOptions DebugTensorWatch DebuggedSourceFile DebuggedSourceFiles
core.protobuf.device_filters: ClusterDeviceFilters JobDeviceFilters TaskDeviceFilters
core.protobuf.device_properties: DeviceProperties NamedDevice
core.protobuf.error_codes: Code
core.protobuf.graph_debug_info: GraphDebugInfo
core.protobuf.meta_graph: MetaGraphDef CollectionDef TensorInfo SignatureDef AssetFileDef
core.protobuf.named_tensor: NamedTensorProto
core.protobuf.queue_runner: QueueRunnerDef
core.protobuf.rewriter_config: RewriterConfig AutoParallelOptions ScopedAllocatorOptions
core.protobuf.rpc_options: RPCOptions
core.protobuf.saved_model: SavedModel
core.protobuf.saved_object_graph: SavedObjectGraph SavedObject SavedUserObject SavedAsset
    SavedFunction SavedVariable SavedConcreteFunction SavedBareConcreteFunction SavedConstant
    SavedResource CapturedTensor SaveableObject FunctionSpec
core.protobuf.saver: SaverDef
core.protobuf.struct: StructuredValue NoneValue ListValue TupleValue DictValue PairValue
    NamedTupleValue TensorSpecProto BoundedTensorSpecProto TypeSpecProto
core.protobuf.tensor_bundle: BundleHeaderProto BundleEntryProto
core.protobuf.tensorflow_server: ServerDef
core.protobuf.trackable_object_graph: TrackableObjectGraph RegisteredSaver
core.protobuf.verifier_config: VerifierConfig
core.util.event: Event LogMessage SessionLog SourceMetadata TaggedRunMetadata
core.util.saved_tensor_slice: SavedSlice SavedSliceMeta SavedTensorSliceMeta SavedTensorSlices
python.training.checkpoint_state: CheckpointState
"""
MODULES = dict(row.split(": ") for row in _TABLE.strip().replace("\n    ", " ").splitlines())


class MessageModule(types.ModuleType):
    """A module like one that protoc writes: messages, enums and their values, and DESCRIPTOR,
    each found on first use.
    """

    def __init__(self, name, declared):
        super().__init__(name, f"TensorFlow's messages {', '.join(declared)}.")
        self.__dict__["_declared"] = declared

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        found = self._find(name)
        if found is None:
            raise AttributeError(f"module {self.__name__!r} has no message, enum or value {name!r}")
        setattr(self, name, found)
        return found

    def __dir__(self):
        values = [
            value for declared in self._declared for value in _messages.names_of_enum(declared)
        ]
        return sorted({*self.__dict__, *self._declared, *values, "DESCRIPTOR"})

    def _find(self, name):
        if name == "DESCRIPTOR":
            return _messages.file_of(self._declared[0])
        if name in self._declared:
            return getattr(_messages, name)
        for declared in self._declared:
            if name in _messages.names_of_enum(declared):
                return getattr(_messages, name)
            if name == "_" + declared.upper():
                return getattr(_messages, declared).DESCRIPTOR
        return None


def make_module(name):
    """The module of that name (`tensorflow.core.framework.graph_pb2`), or None where
    TensorFlow's messages have none.
    """
    declared = (
        MODULES.get(name.removeprefix("tensorflow.").removesuffix("_pb2"))
        if name.endswith("_pb2")
        else None
    )
    return MessageModule(name, declared.split()) if declared else None
