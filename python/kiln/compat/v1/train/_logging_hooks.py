"""Hooks that show how a training goes: in the log, in event files, as traces."""

import os

import numpy as np

from kiln.compat.v1 import _messages, logging
from kiln.compat.v1.summary._writer import FileWriterCache
from kiln.compat.v1.train import _training_util
from kiln.compat.v1.train._hook_timers import NeverTriggerTimer, SecondOrStepTimer
from kiln.compat.v1.train._hooks import _as_graph_element, step_read
from kiln.compat.v1.train._session_run_hook import SessionRunArgs, SessionRunHook


class LoggingTensorHook(SessionRunHook):
    """Logs values every so many runs, every so many seconds, or at the end.

    tensors: a dict from what stands before a value to tensors or their names, or a list of them. formatter: a
    function from the dict of values to the text. Errors: ValueError. Source: tf.train.LoggingTensorHook.
    """

    def __init__(self, tensors, every_n_iter=None, every_n_secs=None, at_end=False, formatter=None):
        is_only_end = at_end and every_n_iter is None and every_n_secs is None
        if not is_only_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError(
                "either at_end and/or exactly one of every_n_iter and every_n_secs must be provided."
            )
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        is_dict = isinstance(tensors, dict)
        self._tag_order = sorted(tensors.keys()) if is_dict else tensors
        self._tensors = tensors if is_dict else {item: item for item in tensors}
        self._formatter = formatter
        self._timer = (
            NeverTriggerTimer()
            if is_only_end
            else SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)
        )
        self._log_at_end = at_end

    def begin(self):
        self._timer.reset()
        self._iter_count = 0
        self._current_tensors = {tag: _as_graph_element(it) for tag, it in self._tensors.items()}

    def before_run(self, run_context):
        self._should_trigger = self._timer.should_trigger_for_step(self._iter_count)
        return SessionRunArgs(self._current_tensors) if self._should_trigger else None

    def _log_tensors(self, tensor_values):
        elapsed, _ = self._timer.update_last_triggered_step(self._iter_count)
        with np.printoptions(suppress=True):
            if self._formatter:
                logging.info(self._formatter(tensor_values))
                return
            shown = ", ".join(f"{tag} = {tensor_values[tag]!s}" for tag in self._tag_order)
            if elapsed is not None:
                logging.info("%s (%.3f sec)", shown, elapsed)
            else:
                logging.info("%s", shown)

    def after_run(self, run_context, run_values):
        if self._should_trigger:
            self._log_tensors(run_values.results)
        self._iter_count += 1

    def end(self, session):
        if self._log_at_end:
            self._log_tensors(session.run(self._current_tensors))


class StepCounterHook(SessionRunHook):
    """Logs the steps per second, and writes them as a summary. Errors: ValueError unless one interval is given.

    Source: tf.train.StepCounterHook.
    """

    def __init__(self, every_n_steps=100, every_n_secs=None, output_dir=None, summary_writer=None):
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_steps=every_n_steps, every_secs=every_n_secs)
        self._summary_writer, self._output_dir = summary_writer, output_dir
        self._last_global_step, self._steps_per_run = None, 1

    def _set_steps_per_run(self, steps_per_run):
        self._steps_per_run = steps_per_run

    def begin(self):
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._global_step_tensor = step_read("StepCounterHook")
        self._summary_tag = _training_util.get_global_step().op.name + "/sec"

    def before_run(self, run_context):
        return SessionRunArgs(self._global_step_tensor)

    def _log_and_record(self, elapsed_steps, elapsed_time, global_step):
        rate = elapsed_steps / elapsed_time
        if self._summary_writer is not None:
            summary = _messages.Summary()
            summary.value.add(tag=self._summary_tag, simple_value=rate)
            self._summary_writer.add_summary(summary, global_step)
        logging.info("%s: %g", self._summary_tag, rate)

    def after_run(self, run_context, run_values):
        before = run_values.results
        if self._timer.should_trigger_for_step(before + self._steps_per_run):
            step = run_context.session.run(self._global_step_tensor)
            if self._timer.should_trigger_for_step(step):
                seconds, steps = self._timer.update_last_triggered_step(step)
                if seconds is not None:
                    self._log_and_record(steps, seconds, step)
        if before == self._last_global_step:
            logging.log_first_n(
                logging.WARN,
                "It seems that global step (tf.train.get_global_step) has not been increased. Current value (could be "
                "stable): %s vs previous value: %s. You could increase the global step by passing "
                "tf.train.get_global_step() to Optimizer.apply_gradients or Optimizer.minimize.",
                5,
                before,
                self._last_global_step,
            )
        self._last_global_step = before


class SummarySaverHook(SessionRunHook):
    """Writes summaries every so many steps or seconds.

    output_dir: where, or summary_writer: by what. summary_op: a serialized summary or a list of them; that of the
    scaffold where it is None. Errors: ValueError unless one of the two is given. Source: tf.train.SummarySaverHook.
    """

    def __init__(
        self,
        save_steps=None,
        save_secs=None,
        output_dir=None,
        summary_writer=None,
        scaffold=None,
        summary_op=None,
    ):
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op, self._scaffold = summary_op, scaffold
        self._summary_writer, self._output_dir = summary_writer, output_dir
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self):
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next_step = None
        self._global_step_tensor = step_read("SummarySaverHook")

    def before_run(self, run_context):
        self._request_summary = self._next_step is None or self._timer.should_trigger_for_step(
            self._next_step
        )
        fetches = {"global_step": self._global_step_tensor}
        if self._request_summary:
            summary_op = self._get_summary_op()
            if summary_op is not None:
                fetches["summary"] = summary_op
        return SessionRunArgs(fetches)

    def after_run(self, run_context, run_values):
        if not self._summary_writer:
            return
        step = run_values.results["global_step"] + 1
        if self._next_step is None or self._request_summary:
            step = run_context.session.run(self._global_step_tensor)
        if self._next_step is None:
            started = _messages.SessionLog(status=_messages.SessionLog.START)
            self._summary_writer.add_session_log(started, step)
        if self._request_summary:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summary", ()):
                self._summary_writer.add_summary(summary, step)
        self._next_step = step + 1

    def end(self, session=None):
        if self._summary_writer:
            self._summary_writer.flush()

    def _get_summary_op(self):
        """A list of summaries, or None."""
        found = self._summary_op
        if found is None:
            found = self._scaffold.summary_op
        return found if found is None or isinstance(found, list) else [found]


class ProfilerHook(SessionRunHook):
    """Writes a trace for Chrome every so many steps or seconds, OUTPUT_DIR/timeline-STEP.json.

    show_dataflow, show_memory: as those of tensorflow.python.client.timeline. Source: tf.train.ProfilerHook.
    """

    def __init__(
        self, save_steps=None, save_secs=None, output_dir="", show_dataflow=True, show_memory=False
    ):
        self._output_file = os.path.join(output_dir, "timeline-{}.json")
        self._file_writer = FileWriterCache.get(output_dir)
        self._show_dataflow, self._show_memory = show_dataflow, show_memory
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self):
        self._next_step = None
        self._global_step_tensor = step_read("ProfilerHook")

    def before_run(self, run_context):
        self._request_summary = (
            self._next_step is not None and self._timer.should_trigger_for_step(self._next_step)
        )
        options = None
        if self._request_summary:
            options = _messages.RunOptions(trace_level=_messages.RunOptions.FULL_TRACE)
        return SessionRunArgs({"global_step": self._global_step_tensor}, options=options)

    def after_run(self, run_context, run_values):
        before = run_values.results["global_step"]
        if self._next_step is None:
            # The first trace comes when the interval is over.
            self._timer.update_last_triggered_step(before)
        step = before + 1
        if self._request_summary:
            step = run_context.session.run(self._global_step_tensor)
            self._timer.update_last_triggered_step(step)
            self._save(step, self._output_file.format(step), run_values.run_metadata.step_stats)
            self._file_writer.add_run_metadata(run_values.run_metadata, f"step_{step}")
        self._next_step = step + 1

    def _save(self, step, save_path, step_stats):
        from kiln.compat._python.client import timeline
        from kiln.compat.v1 import gfile

        logging.info("Saving timeline for %d into '%s'.", step, save_path)
        trace = timeline.Timeline(step_stats)
        with gfile.Open(save_path, "w") as file:
            file.write(
                trace.generate_chrome_trace_format(
                    show_dataflow=self._show_dataflow, show_memory=self._show_memory
                )
            )
