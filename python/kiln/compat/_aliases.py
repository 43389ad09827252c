"""Where the names of TensorFlow's private modules come from: one table.

A row is a module below tensorflow.python, and where its names are looked for, in this order: single
names (`mul=multiply`: the module's `mul` is tf.multiply), then namespaces below tf (`.` is tf
itself, `nn` is tf.nn, `@` the namespace of the module's own path as far as there is one, `raw` the
functions that add one op each, as in TensorFlow's gen_*_ops); one with an underscore is a private
module of kiln.compat.v1. `is NAME`: the module itself is that one of kiln.compat.v1. `-`: it is
empty, since programs import it for gradients that are there anyway. A name that ends in `*` stands
for all that begin so, `{a, b}` for each of these, and then `train._*` for the private module
train._a of the row for a.

Before all that comes the file of the same path below kiln/compat/_python, if there is one: it has
what only TensorFlow's private module has.
"""

import functools

FRAMEWORK = """
client.session <- . _session _DeviceAttributes=_run_options.DeviceAttributes
framework.config <- config config.experimental config.optimizer config.threading
framework.constant_op <- . constant_v1=constant
framework.device <- .
framework.device_spec <- -
framework.dtypes <- .
framework.errors <- errors .
framework.errors_impl <- errors .
framework.function <- _functions
framework.graph_io <- train io
framework.graph_util <- graph_util
framework.graph_util_impl <- graph_util
framework.importer <- .
framework.indexed_slices <- . _sparse
framework.load_library <- .
framework.meta_graph <- train train._meta_graph train._scoped_meta_graphs
framework.ops <- . _convert internal_convert_to_tensor=convert_to_tensor
    convert_to_tensor_v1=convert_to_tensor
framework.random_seed <- . set_seed=set_random_seed
framework.smart_cond <- contrib.framework
framework.sparse_tensor <- .
framework.stack <- . _session_stack
framework.tensor <- .
framework.tensor_conversion <- .
framework.tensor_conversion_registry <- .
framework.tensor_shape <- .
framework.tensor_spec <- .
framework.tensor_util <- . contrib.util MakeNdarray=make_ndarray constant_value=get_static_value
    is_tf_type=is_tensor _constant_value
framework.test_util <- test _test_util TensorFlowTestCase=test.TestCase
framework.type_spec <- .
framework.versions <- version . __version__=VERSION __git_version__=GIT_VERSION
    __compiler_version__=COMPILER_VERSION
lib.io.file_io <- is _io.file_io
lib.io.python_io <- is python_io
lib.io.tf_record <- is _io.tf_record
platform.app <- is app
platform.benchmark <- test
platform.flags <- is flags
platform.gfile <- gfile ListDir=gfile.ListDirectory
platform.googletest <- test
platform.resource_loader <- is resource_loader
platform.sysconfig <- is sysconfig
platform.test <- test
platform.tf_logging <- is logging
profiler.model_analyzer <- profiler
profiler.option_builder <- profiler
pywrap_tensorflow <- train errors
pywrap_tensorflow_internal <- train errors
saved_model.{builder, builder_impl, constants, loader, loader_impl,
    signature_def_utils, signature_def_utils_impl, simple_save, utils, utils_impl} <- saved_model
    saved_model.builder saved_model.loader saved_model.constants saved_model.main_op
    saved_model.signature_def_utils saved_model.utils
saved_model.{main_op, main_op_impl} <- saved_model.main_op
saved_model.signature_constants <- saved_model.signature_constants saved_model.signature_def_utils
saved_model.tag_constants <- saved_model.tag_constants
summary.summary <- summary
summary.summary_iterator <- train
summary.writer.event_file_writer <- summary
summary.writer.writer <- summary
summary.writer.writer_cache <- summary
util.compat <- is compat
util.deprecation <- is _util.deprecation
util.nest <- is _util.nest
"""

OPS = """
ops.{array_grad, control_flow_grad, data_flow_grad, image_grad, linalg_grad, manip_grad, math_grad,
    nn_grad, random_grad, sparse_grad, spectral_grad, state_grad, tensor_array_grad} <- -
ops.array_ops <- . image quantization manip squeeze_v2=squeeze reverse_v2=reverse gather_v2=gather
    transpose_v2=transpose size_v2=size shape_v2=shape expand_dims_v2=expand_dims ones_like_v2=ones_like
    zeros_like_v2=zeros_like where_v1=where raw
ops.array_ops_stack <- .
ops.batch_ops <- .
ops.bincount_ops <- math .
ops.bitwise_ops <- bitwise
ops.candidate_sampling_ops <- nn random
ops.check_ops <- . debugging
ops.clip_ops <- .
ops.cond <- .
ops.confusion_matrix <- . math
ops.control_flow_assert <- .
ops.control_flow_case <- .
ops.control_flow_ops <- . raw contrib.framework _control_flow
ops.control_flow_switch_case <- .
ops.control_flow_util <- _control_flow
ops.control_flow_v2_toggles <- .
ops.critical_section_ops <- .
ops.ctc_ops <- nn
ops.custom_gradient <- .
ops.data_flow_ops <- . queue contrib.lookup contrib.staging raw
ops.distributions.{bernoulli, beta, categorical, dirichlet, dirichlet_multinomial, distribution,
    distributions, exponential, gamma, kullback_leibler, laplace, multinomial, normal, student_t,
    uniform} <- distributions contrib.distributions
ops.embedding_ops <- nn
ops.functional_ops <- . raw
ops.gradient_checker <- test
ops.gradients <- .
ops.gradients_impl <- .
ops.gradients_util <- .
ops.histogram_ops <- .
ops.image_ops <- image resize_images_v1=image.resize_images
ops.image_ops_impl <- image
ops.init_ops <- . initializers Constant=constant_initializer
    GlorotNormal=glorot_normal_initializer GlorotUniform=glorot_uniform_initializer
    Identity=initializers.identity Ones=ones_initializer Orthogonal=orthogonal_initializer
    RandomNormal=random_normal_initializer RandomUniform=random_uniform_initializer
    TruncatedNormal=truncated_normal_initializer
    UniformUnitScaling=uniform_unit_scaling_initializer
    VarianceScaling=variance_scaling_initializer Zeros=zeros_initializer
    identity_initializer=initializers.identity
ops.initializers_ns <- initializers
ops.io_ops <- . raw
ops.linalg.{linalg, linalg_impl, linear_operator} <- linalg
ops.linalg_ops <- . linalg raw
ops.list_ops <- raw
ops.logging_ops <- . print_v2=print summary raw
ops.lookup_ops <- . lookup contrib.lookup
ops.losses.{losses, losses_impl, util} <- losses
ops.manip_ops <- . manip
ops.map_fn <- .
ops.math_ops <- . math nn mul=multiply sub=subtract neg=negative reduce_sum_v1=reduce_sum
    reduce_mean_v1=reduce_mean reduce_max_v1=reduce_max reduce_min_v1=reduce_min
    reduce_prod_v1=reduce_prod reduce_all_v1=reduce_all reduce_any_v1=reduce_any
    reduce_logsumexp_v1=reduce_logsumexp argmax_v2=argmax argmin_v2=argmin linspace_nd=linspace
    add_v2=add mul_no_nan=math.multiply_no_nan raw
ops.metrics <- metrics
ops.metrics_impl <- metrics
ops.nn <- nn .
ops.nn_impl <- nn math
ops.nn_ops <- nn . raw softmax_v2=nn.softmax log_softmax_v2=nn.log_softmax
ops.numerics <- . debugging
ops.parsing_config <- . io
ops.parsing_ops <- . io decode_raw_v1=decode_raw
ops.partitioned_variables <- .
ops.ragged.{ragged_array_ops, ragged_concat_ops, ragged_conversion_ops, ragged_factory_ops,
    ragged_functional_ops, ragged_gather_ops, ragged_getitem, ragged_map_ops, ragged_math_ops,
    ragged_operators, ragged_string_ops, ragged_tensor, ragged_tensor_value, ragged_util} <-
    ragged . strings
ops.random_ops <- . random random_poisson_v2=random_poisson
ops.resource_variable_ops <- . raw _variables
ops.resource_variables_toggle <- .
ops.rnn <- nn
ops.rnn_cell <- nn.rnn_cell contrib.rnn
ops.rnn_cell_impl <- nn.rnn_cell contrib.rnn
ops.script_ops <- . eager_py_func=py_function
ops.session_ops <- .
ops.sets <- sets
ops.sets_impl <- sets
ops.signal.{dct_ops, fft_ops, mel_ops, mfcc_ops, reconstruction_ops, shape_ops, signal,
    spectral_ops, util_ops, window_ops} <- signal
ops.sort_ops <- .
ops.sparse_ops <- . sparse sparse_add_v2=sparse.add sparse_reduce_sum_v2=sparse.reduce_sum
ops.special_math_ops <- . math raw
ops.spectral_ops <- . signal spectral
ops.standard_ops <- .
ops.state_ops <- . raw
ops.stateful_random_ops <- random random.experimental
ops.stateless_random_ops <- random
ops.string_ops <- . strings substr_deprecated=substr string_format=strings.format
    string_to_hash_bucket_v1=string_to_hash_bucket
ops.summary_ops <- summary
ops.template <- . _template
ops.tensor_array_ops <- .
ops.unconnected_gradients <- .
ops.variable_scope <- . _variables
ops.variable_v1 <- . VariableV1=Variable
ops.variables <- . VariableV1=Variable RefVariable=Variable _variables _partitioned_variables
    _all_saveable_objects=train._saver._all_saveable_objects
ops.ref_variable <- . RefVariable=Variable
ops.weights_broadcast_ops <- _losses
ops.while_loop <- .
ops.gen_* <- raw
"""

TRAINING = """
data <- is data
data.* <- data data.experimental
distribute.distribute_lib <- distribute
distribute.distribution_strategy_context <- distribute
checkpoint.{checkpoint, checkpoint_management} <- train train._checkpoint_management
compat.compat <- compat
eager.backprop <- .
eager.context <- .
eager.def_function <- .
eager.function <- .
eager.test <- test
estimator <- estimator
estimator.{canned, canned.baseline, canned.dnn, canned.dnn_linear_combined, canned.head,
    canned.linear, canned.metric_keys, canned.optimizers, canned.parsing_utils,
    canned.prediction_keys, early_stopping, estimator, estimator_lib, export, export.export,
    export.export_lib, export.export_output, exporter, gc, hooks, hooks.hooks, inputs,
    inputs.inputs, inputs.numpy_io, inputs.pandas_io, inputs.queues,
    inputs.queues.feeding_functions, keras, mode_keys, model_fn, run_config, tpu,
    tpu.tpu_config, tpu.tpu_context, tpu.tpu_estimator, training, util} <-
    estimator estimator.export estimator.inputs estimator.tpu
feature_column.{feature_column, feature_column_lib, feature_column_v2, sequence_feature_column} <-
    feature_column
keras <- is keras
keras.* <- @
keras.engine.* <- keras.layers keras.models keras
keras.layers.legacy_rnn.{rnn_cell_impl, rnn_cell_wrapper_impl} <- nn.rnn_cell
layers.{base, convolutional, core, layers, normalization, pooling} <- layers
    BatchNorm=layers.BatchNormalization batch_norm=layers.batch_normalization
    FullyConnected=layers.Dense fully_connected=layers.dense InputSpec=layers.InputSpec
module.module <- .
training.{adadelta, adagrad, adagrad_da, adam, basic_loops, ftrl, gradient_descent, momentum,
    proximal_adagrad, proximal_gradient_descent, py_checkpoint_reader, rmsprop, session_run_hook,
    training} <- train .
training.{checkpoint_management, checkpoint_ops, checkpoint_utils, coordinator, input,
    learning_rate_decay, moving_averages, optimizer, queue_runner, saver, slot_creator,
    training_util, warm_starting_util} <- train train._*
training.basic_session_run_hooks <- train train._hooks train._hook_timers train._logging_hooks
training.device_setter <- train train._device_setter
training.evaluation <- train contrib.training contrib.training.evaluation
training.monitored_session <- train train._monitored_session train._wrapped_sessions
training.queue_runner_impl <- train train._queue_runner
training.server_lib <- train train._server_lib
training.session_manager <- train train._session_manager
training.summary_io <- train summary SummaryWriterCache=summary.FileWriterCache
training.supervisor <- train train._supervisor train._supervisor_threads
training.sync_replicas_optimizer <- train train._sync_replicas_optimizer
training.training_ops <- raw
"""


@functools.cache
def rows():
    """The table as a dict: modules below tensorflow.python, with what stands behind the arrow."""
    table = {"": ". @"}
    for text in (FRAMEWORK, OPS, TRAINING):
        for row in text.strip().replace("\n    ", " ").splitlines():
            key, _, sources = row.partition(" <- ")
            head, _, names = key.replace(" ", "").rstrip("}").partition("{")
            for name in names.split(","):
                table[head + name] = sources.replace("._*", f"._{name}")
    return table
