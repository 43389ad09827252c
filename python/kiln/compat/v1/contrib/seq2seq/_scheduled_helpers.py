"""Helpers that take some inputs from the batch and some from outputs, https://arxiv.org/abs/1506.03099."""

import kiln.compat.v1 as tf
from kiln.compat.v1._util import nest
from kiln.compat.v1.contrib.seq2seq._helpers import TrainingHelper, embedding_function, unstacked
from kiln.compat.v1.contrib.seq2seq._samples import bernoulli_sample, categorical_sample
from kiln.compat.v1.nn._rnn_shapes import transpose_batch_time


def _probability(value):
    value = tf.convert_to_tensor(value, name="sampling_probability")
    if value.get_shape().ndims not in (0, 1):
        raise ValueError(f"sampling_probability must be either a scalar or a vector. saw shape: {value.get_shape()}")
    return value


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Inputs of a batch, some of which are replaced by embeddings of ids that are drawn by the outputs.

    embedding: a function of ids, or a matrix. sampling_probability: that an input is replaced, a
    scalar or [batch]. seed: of the ids; scheduling_seed: of which are replaced. Source:
    tf.contrib.seq2seq.ScheduledEmbeddingTrainingHelper.
    """

    def __init__(
        self, inputs, sequence_length, embedding, sampling_probability, time_major=False, seed=None,
        scheduling_seed=None, name=None,
    ):  # fmt: skip
        with tf.name_scope(name, "ScheduledEmbeddingSamplingWrapper", [embedding, sampling_probability]):
            self._embedding_fn = embedding_function(embedding)
            self._sampling_probability = _probability(sampling_probability)
            self._seed, self._scheduling_seed = seed, scheduling_seed
            super().__init__(inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name)

    def sample(self, time, outputs, state, name=None):
        """Ids where inputs are replaced, -1 elsewhere."""
        with tf.name_scope(name, "ScheduledEmbeddingTrainingHelperSample", [time, outputs, state]):
            replaced = bernoulli_sample(
                probs=self._sampling_probability, dtype=tf.bool, sample_shape=self.batch_size,
                seed=self._scheduling_seed,
            )  # fmt: skip
            return tf.where(
                replaced, categorical_sample(logits=outputs, seed=self._seed), tf.fill([self.batch_size], -1)
            )

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with tf.name_scope(
            name, "ScheduledEmbeddingTrainingHelperNextInputs", [time, outputs, state, sample_ids]
        ):
            finished, base, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )

            def replace():
                replaced = tf.cast(tf.where(sample_ids > -1), tf.int32)
                kept = tf.cast(tf.where(sample_ids <= -1), tf.int32)
                ids = tf.gather_nd(sample_ids, replaced)
                rest = tf.gather_nd(base, kept)
                embedded = self._embedding_fn(ids)
                shape = tf.shape(base)
                return tf.scatter_nd(indices=replaced, updates=embedded, shape=shape) + tf.scatter_nd(
                    indices=kept, updates=rest, shape=shape
                )

            return finished, tf.cond(tf.reduce_all(finished), lambda: base, replace), state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """Inputs of a batch, some of which are replaced by outputs.

    sampling_probability: that an input is replaced, a scalar or [batch]. seed: of which are
    replaced. next_inputs_fn: makes inputs of outputs. auxiliary_inputs: what stands beside all
    inputs, [batch, time, ...]. Source: tf.contrib.seq2seq.ScheduledOutputTrainingHelper.
    """

    def __init__(
        self, inputs, sequence_length, sampling_probability, time_major=False, seed=None, next_inputs_fn=None,
        auxiliary_inputs=None, name=None,
    ):  # fmt: skip
        with tf.name_scope(
            name, "ScheduledOutputTrainingHelper", [inputs, auxiliary_inputs, sampling_probability]
        ):
            self._sampling_probability = _probability(sampling_probability)
            self._auxiliary_input_tas = None
            if auxiliary_inputs is not None:
                inputs = tf.convert_to_tensor(inputs, name="inputs")
                auxiliary_inputs = tf.convert_to_tensor(auxiliary_inputs, name="auxiliary_inputs")
                inputs = tf.concat((inputs, auxiliary_inputs), -1)
                if not time_major:
                    auxiliary_inputs = transpose_batch_time(auxiliary_inputs)
                self._auxiliary_input_tas = unstacked(auxiliary_inputs)
            self._seed, self._next_inputs_fn = seed, next_inputs_fn
            super().__init__(inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name)

    def sample(self, time, outputs, state, name=None):
        """1 where inputs are replaced."""
        with tf.name_scope(name, "ScheduledOutputTrainingHelperSample", [time, outputs, state]):
            return bernoulli_sample(
                probs=self._sampling_probability, sample_shape=self.batch_size, seed=self._seed
            )

    def _with_auxiliary(self, outputs, time, indices=None):
        if self._auxiliary_input_tas is None:
            return outputs
        auxiliary = self._auxiliary_input_tas.read(time + 1)
        if indices is not None:
            auxiliary = tf.gather_nd(auxiliary, indices)
        return nest.map_structure(lambda x: tf.concat((x, auxiliary), -1), outputs)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with tf.name_scope(
            name, "ScheduledOutputTrainingHelperNextInputs", [time, outputs, state, sample_ids]
        ):
            finished, base, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )
            sample_ids = tf.cast(sample_ids, tf.bool)

            def replace():
                if self._next_inputs_fn is None:
                    return tf.where(sample_ids, self._with_auxiliary(outputs, time), base)
                replaced = tf.cast(tf.where(sample_ids), tf.int32)
                kept = tf.cast(tf.where(tf.logical_not(sample_ids)), tf.int32)
                chosen = tf.gather_nd(outputs, replaced)
                rest = tf.gather_nd(base, kept)
                chosen = self._with_auxiliary(self._next_inputs_fn(chosen), time, replaced)
                shape = tf.shape(base)
                return tf.scatter_nd(indices=replaced, updates=chosen, shape=shape) + tf.scatter_nd(
                    indices=kept, updates=rest, shape=shape
                )

            all_finished = tf.reduce_all(finished)
            none_replaced = tf.logical_not(tf.reduce_any(sample_ids))
            next_inputs = tf.cond(tf.logical_or(all_finished, none_replaced), lambda: base, replace)
            return finished, next_inputs, state
