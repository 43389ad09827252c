"""Benchmarks: tf.test.Benchmark."""

import inspect
import time

import numpy as np


def benchmark_config():
    """A ConfigProto for benchmarks. Source: tf.test.benchmark_config."""
    from kiln.compat.v1 import _messages

    return _messages.ConfigProto()


class Benchmark:
    """Methods that begin with "benchmark" measure something and report it. Source: tf.test.Benchmark."""

    @classmethod
    def is_abstract(cls):
        return len(cls.__mro__) <= 2

    def _name(self, overwrite_name=None):
        """The name of the method that measures, below the class's."""
        for frame in inspect.stack()[2:]:
            if frame.function.startswith("benchmark"):
                return f"{type(self).__name__}.{overwrite_name or frame.function}"
        raise ValueError("Unable to determine calling Benchmark function.")

    def report_benchmark(
        self, iters=None, cpu_time=None, wall_time=None, throughput=None, extras=None, name=None, metrics=None
    ):
        """Prints what was measured, in seconds."""
        parts = [f"{key}: {value}" for key, value in (("iters", iters), ("wall_time", wall_time)) if value is not None]
        parts += [f"{key}: {value}" for key, value in (("cpu_time", cpu_time), ("throughput", throughput)) if value]
        parts += [f"{key}: {value}" for key, value in (extras or {}).items()]
        print(f"entry {{ name: {self._name(name)!r} {' '.join(parts)} }}")

    def run_op_benchmark(
        self,
        sess,
        op_or_tensor,
        feed_dict=None,
        burn_iters=2,
        min_iters=10,
        store_trace=False,
        store_memory_usage=True,
        name=None,
        extras=None,
        mbs=0,
    ):
        """Runs something several times, and reports the median, which is returned as a dict."""
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict)
        times = []
        for _ in range(min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict)
            times.append(time.perf_counter() - start)
        median = float(np.median(times))
        values = {"iters": min_iters, "wall_time": median, "extras": dict(extras or {}), "name": name}
        values["throughput"] = mbs / median if mbs and median else None
        self.report_benchmark(
            iters=min_iters, wall_time=median, throughput=values["throughput"], extras=extras, name=name
        )
        return values

    def evaluate(self, tensors):
        from kiln.compat.v1._session import get_default_session

        return get_default_session().run(tensors)
