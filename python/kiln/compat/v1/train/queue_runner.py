"""tf.train.queue_runner."""

from kiln.compat.v1.train._queue_runner import QueueRunner, add_queue_runner, start_queue_runners

__all__ = ["QueueRunner", "add_queue_runner", "start_queue_runners"]
