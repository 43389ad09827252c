"""The threads of a tf.train.Supervisor: summaries, steps per second, checkpoints."""

import time

from kiln.compat.v1 import _messages, logging
from kiln.compat.v1.train._coordinator import LooperThread
from kiln.compat.v1.train._training_util import global_step


class SVSummaryThread(LooperThread):
    """Writes the supervisor's summaries at intervals."""

    def __init__(self, sv, sess):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self):
        step = None
        if self._sv.global_step is not None:
            summary, step = self._sess.run([self._sv.summary_op, self._sv.global_step])
        else:
            summary = self._sess.run(self._sv.summary_op)
        if self._sv.summary_writer:
            logging.info("Recording summary at step %s.", step)
            self._sv.summary_writer.add_summary(summary, step)


class SVStepCounterThread(LooperThread):
    """Writes steps per second at intervals. step_counter: the supervisor's global step where it is None."""

    def __init__(self, sv, sess, step_counter=None):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess
        self._last_time, self._last_step = 0.0, 0
        self._step_counter = sv.global_step if step_counter is None else step_counter
        self._summary_tag = f"{self._step_counter.op.name}/sec"

    def start_loop(self):
        self._last_time = time.time()
        self._last_step = global_step(self._sess, self._step_counter)

    def run_loop(self):
        step, now = global_step(self._sess, self._step_counter), time.time()
        steps, seconds = step - self._last_step, now - self._last_time
        self._last_step, self._last_time = step, now
        rate = steps / seconds if seconds > 0 else float("inf")
        summary = _messages.Summary()
        summary.value.add(tag=self._summary_tag, simple_value=rate)
        if self._sv.summary_writer:
            self._sv.summary_writer.add_summary(summary, step)
        logging.log_first_n(logging.INFO, "%s: %g", 10, self._summary_tag, rate)


class SVTimerCheckpointThread(LooperThread):
    """Saves at intervals."""

    def __init__(self, sv, sess):
        super().__init__(sv.coord, sv.save_model_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self):
        sv = self._sv
        logging.info("Saving checkpoint to path %s", sv.save_path)
        sv.saver.save(self._sess, sv.save_path, global_step=sv.global_step)
        if sv.summary_writer and sv.global_step is not None:
            saved = _messages.SessionLog(
                status=_messages.SessionLog.CHECKPOINT, checkpoint_path=sv.save_path
            )
            sv.summary_writer.add_session_log(saved, global_step(self._sess, sv.global_step))
