"""An optimizer that waits until several replicas have given their gradients, and makes one step of them."""

from kiln.compat import v1 as tf
from kiln.compat.v1 import logging
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.train._optimizer import Optimizer
from kiln.compat.v1.train._session_manager import _ready
from kiln.compat.v1.train._session_run_hook import SessionRunHook

_INSTEAD = (
    "The `SyncReplicaOptimizer` class is deprecated. For synchronous training, please use [Distribution Strategies]"
    "(https://github.com/tensorflow/tensorflow/tree/master/tensorflow/contrib/distribute)."
)


class SyncReplicasOptimizer(Optimizer):
    """Makes a step of another optimizer with the mean of the gradients of several replicas.

    opt: the optimizer. replicas_to_aggregate: of how many replicas a step is made; total_num_replicas: how many there
    are, the same where it is None. variable_averages: a tf.train.ExponentialMovingAverage, of variables_to_average.
    make_session_run_hook() gives the hook that lets a monitored session train so. Here all replicas are sessions or
    threads of one process. Source: tf.train.SyncReplicasOptimizer.
    """

    @deprecated(None, _INSTEAD, module="tensorflow.python.training.sync_replicas_optimizer")
    def __init__(
        self,
        opt,
        replicas_to_aggregate,
        total_num_replicas=None,
        variable_averages=None,
        variables_to_average=None,
        use_locking=False,
        name="sync_replicas",
    ):
        if total_num_replicas is None:
            total_num_replicas = replicas_to_aggregate
        super().__init__(use_locking, name)
        logging.info(
            "SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s",
            replicas_to_aggregate,
            total_num_replicas,
        )
        self._opt, self._replicas_to_aggregate = opt, replicas_to_aggregate
        self._total_num_replicas = total_num_replicas
        self._variable_averages = variable_averages
        self._variables_to_average = variables_to_average
        # Each step gives so many tokens, one for each replica's next step.
        self._tokens_per_step = max(total_num_replicas, replicas_to_aggregate)
        self._gradients_applied, self._global_step = False, None
        self._sync_token_queue = self._chief_queue_runner = None
        self._accumulator_list = []  # with the devices that they are on

    def compute_gradients(self, *args, **kwargs):
        """As the optimizer's."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """An operation that gives this replica's gradients and waits for the step that is made of all.

        Errors: ValueError without variables or without a global step.
        """
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._global_step = global_step
        self._local_step = self._make_local_step()
        self.local_step_init_op = tf.assign(self._local_step, global_step)
        chief_init_ops = [self.local_step_init_op]
        self.ready_for_local_init_op = tf.report_uninitialized_variables(tf.global_variables())
        with tf.name_scope(None, self._name):
            train_ops, aggregated = self._accumulate(grads_and_vars)
            with tf.device(global_step.device), tf.name_scope(""):
                update_op = self._opt.apply_gradients(aggregated, global_step)
                train_op = self._synchronize(train_ops, update_op)
            for accumulator, device in self._accumulator_list:
                with tf.device(device):
                    chief_init_ops.append(
                        accumulator.set_global_step(global_step, name="SetGlobalStep")
                    )
            self.chief_init_op = tf.group(*chief_init_ops)
            self._gradients_applied = True
            return train_op

    def _make_local_step(self):
        """The step whose values this replica's gradients are computed with."""
        with tf.colocate_with(tf.no_op()):
            return tf.Variable(
                initial_value=0,
                trainable=False,
                collections=[tf.GraphKeys.LOCAL_VARIABLES],
                dtype=self._global_step.dtype.base_dtype,
                name="sync_rep_local_step",
            )

    def _accumulate(self, grads_and_vars):
        """Operations that add this replica's gradients, and the means of all by variable."""
        train_ops, aggregated, wanted = [], [], self._replicas_to_aggregate
        for gradient, variable in grads_and_vars:
            with tf.device(variable.device):
                if gradient is None:
                    aggregated.append((None, variable))
                    continue
                options = {"shared_name": variable.name + "/grad_accum"}
                if isinstance(gradient, tf.Tensor):
                    made = tf.ConditionalAccumulator(
                        gradient.dtype, shape=variable.get_shape(), **options
                    )
                    train_ops.append(made.apply_grad(gradient, local_step=self._local_step))
                    aggregated.append((made.take_grad(wanted), variable))
                elif isinstance(gradient, tf.IndexedSlices):
                    made = tf.SparseConditionalAccumulator(gradient.dtype, shape=(), **options)
                    train_ops.append(
                        made.apply_indexed_slices_grad(gradient, local_step=self._local_step)
                    )
                    aggregated.append((made.take_indexed_slices_grad(wanted), variable))
                else:
                    raise ValueError("Unknown grad type!")
                self._accumulator_list.append((made, variable.device))
        return train_ops, aggregated

    def _synchronize(self, train_ops, update_op):
        """An operation that waits for a token, which a step of all gives to each replica."""
        self._sync_token_queue = queue = tf.FIFOQueue(
            -1,
            self._global_step.dtype.base_dtype,
            shapes=(),
            name="sync_token_q",
            shared_name="sync_token_q",
        )
        with tf.control_dependencies(train_ops):
            token = queue.dequeue()
        train_op = tf.assign(self._local_step, token)
        with tf.control_dependencies([update_op]):
            tokens = tf.fill([self._tokens_per_step], self._global_step)
            sync_op = queue.enqueue_many((tokens,))
        if self._variable_averages is not None:
            with tf.control_dependencies([sync_op]), tf.name_scope(""):
                sync_op = self._variable_averages.apply(self._variables_to_average)
        self._chief_queue_runner = tf.train.QueueRunner(queue, [sync_op])
        return train_op

    def get_chief_queue_runner(self):
        """The runner that makes the steps. Errors: ValueError before apply_gradients()."""
        if not self._gradients_applied:
            raise ValueError("Should be called after apply_gradients().")
        return self._chief_queue_runner

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def variables(self):
        """The optimizer's."""
        return self._opt.variables()

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)

    def get_init_tokens_op(self, num_tokens=-1):
        """An operation that gives the tokens of the first step, as many as replicas_to_aggregate where it is -1.

        Errors: ValueError for too few, and before apply_gradients().
        """
        if not self._gradients_applied:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError(
                f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} (needed)"
            )
        if num_tokens <= 0:
            return tf.no_op(name="no_init_tokens")
        with tf.device(self._global_step.device), tf.name_scope(""):
            tokens = tf.fill([num_tokens], self._global_step)
            return self._sync_token_queue.enqueue_many((tokens,))

    def make_session_run_hook(self, is_chief, num_tokens=-1):
        """The hook that initializes what replicas share, and makes the steps where it is the chief's."""
        return _SyncReplicasOptimizerHook(self, is_chief, num_tokens)


class _SyncReplicasOptimizerHook(SessionRunHook):
    """Starts the steps of a SyncReplicasOptimizer."""

    def __init__(self, sync_optimizer, is_chief, num_tokens):
        self._sync_optimizer, self._is_chief = sync_optimizer, is_chief
        self._num_tokens = num_tokens

    def begin(self):
        optimizer = self._sync_optimizer
        if not optimizer._gradients_applied:
            raise ValueError(
                "SyncReplicasOptimizer.apply_gradient should be called before using the hook."
            )
        self._ready_for_local_init_op = optimizer.ready_for_local_init_op
        if self._is_chief:
            self._local_init_op = optimizer.chief_init_op
            self._q_runner = optimizer.get_chief_queue_runner()
            self._init_tokens_op = optimizer.get_init_tokens_op(self._num_tokens)
        else:
            self._local_init_op = optimizer.local_step_init_op
            self._q_runner = self._init_tokens_op = None

    def after_create_session(self, session, coord):
        is_ready, reason = _ready(
            self._ready_for_local_init_op,
            session,
            "Model is not ready for SyncReplicasOptimizer local init.",
        )
        if not is_ready:
            raise RuntimeError(
                "Init operations did not make model ready for SyncReplicasOptimizer local_init. "
                f"Init op: {self._local_init_op.name}, error: {reason}"
            )
        session.run(self._local_init_op)
        if self._init_tokens_op is not None:
            session.run(self._init_tokens_op)
        if self._q_runner is not None:
            self._q_runner.create_threads(session, coord=coord, daemon=True, start=True)
