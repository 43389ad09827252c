"""Resolvers of clusters that a program or its environment names."""

import abc
import json
import os

from kiln.compat import v1 as tf


def master_url(address, rpc_layer=None):
    """An address as a session takes it: `grpc://HOST:PORT`."""
    return f"{rpc_layer}://{address}" if rpc_layer else address


class ClusterResolver(abc.ABC):
    """The addresses of a cluster. Source: tf.contrib.cluster_resolver.ClusterResolver."""

    task_type = None
    task_id = None
    rpc_layer = None

    @abc.abstractmethod
    def cluster_spec(self):
        """The ClusterSpec."""

    @abc.abstractmethod
    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """The address of a task, as a session takes it."""

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        """The numbers of accelerators by their kinds; there are none here."""
        return {}

    @property
    def environment(self):
        """Where the program runs; empty where nothing is known."""
        return ""


class SimpleClusterResolver(ClusterResolver):
    """What it was given. Errors: TypeError. Source: tf.contrib.cluster_resolver.SimpleClusterResolver."""

    def __init__(
        self,
        cluster_spec,
        master="",
        task_type=None,
        task_id=None,
        environment="",
        num_accelerators=None,
        rpc_layer=None,
    ):
        if not isinstance(cluster_spec, tf.train.ClusterSpec):
            raise TypeError("cluster_spec must be a ClusterSpec.")
        if not isinstance(master, str):
            raise TypeError("master must be a string.")
        self._cluster_spec, self._master = cluster_spec, master
        self.task_type, self.task_id, self.rpc_layer = task_type, task_id, rpc_layer
        self._environment, self._accelerators = environment, num_accelerators

    def cluster_spec(self):
        return self._cluster_spec

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        if task_type is not None and task_id is not None:
            address = self._cluster_spec.task_address(task_type, task_id)
        else:
            address = self._master
        return master_url(address, rpc_layer or self.rpc_layer)

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        return self._accelerators or {}

    @property
    def environment(self):
        return self._environment


class UnionClusterResolver(ClusterResolver):
    """The tasks of several resolvers. Errors: ValueError, TypeError.

    Source: tf.contrib.cluster_resolver.UnionClusterResolver.
    """

    def __init__(self, *args, **kwargs):
        self.task_type = kwargs.pop("task_type", None)
        self.task_id = kwargs.pop("task_id", None)
        self.rpc_layer = kwargs.pop("rpc_layer", None)
        if kwargs:
            raise ValueError(f"Unexpected kwargs provided {kwargs!r}")
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        for each in args:
            if not isinstance(each, ClusterResolver):
                raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._resolvers = args

    def cluster_spec(self):
        """All tasks: lists one behind the other, or by their numbers where one has numbers.

        Errors: KeyError where two tasks have one number.
        """
        found = {}
        for resolver in self._resolvers:
            for job, tasks in resolver.cluster_spec().as_dict().items():
                found.setdefault(job, []).append(tasks)
        return tf.train.ClusterSpec({job: _merged(parts) for job, parts in found.items()})

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        if task_type is not None and task_id is not None:
            address = self.cluster_spec().task_address(task_type, task_id)
            return master_url(address, rpc_layer or self.rpc_layer)
        return self._resolvers[0].master(rpc_layer=rpc_layer)

    @property
    def environment(self):
        return self._resolvers[0].environment


def _merged(parts):
    """The tasks of one job."""
    if all(isinstance(tasks, list) for tasks in parts):
        return [task for tasks in parts for task in tasks]
    merged = {}
    for tasks in parts:
        numbered = dict(enumerate(tasks)) if isinstance(tasks, list) else tasks
        both = set(numbered) & set(merged)
        if both:
            raise KeyError(f"Duplicate keys detected when merging two ClusterSpecs: {both!r}")
        merged.update(numbered)
    return merged


class TFConfigClusterResolver(ClusterResolver):
    """The cluster of the environment variable TF_CONFIG.

    Source: tf.contrib.cluster_resolver.TFConfigClusterResolver.
    """

    def __init__(self, task_type=None, task_id=None, rpc_layer=None, environment=None):
        self._environment = environment or ""
        given = self._given()
        task = given.get("task", {})
        self.task_type = task_type if task_type is not None else task.get("type")
        number = task_id if task_id is not None else task.get("index")
        self.task_id = None if number is None else int(number)
        self.rpc_layer = rpc_layer or given.get("rpc_layer")

    @staticmethod
    def _given():
        return json.loads(os.environ.get("TF_CONFIG", "{}"))

    def cluster_spec(self):
        return tf.train.ClusterSpec(self._given().get("cluster", {}))

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        given = self._given()
        if not given.get("cluster"):
            return given.get("session_master", "")
        task_type = self.task_type if task_type is None else task_type
        task_id = self.task_id if task_id is None else task_id
        if task_type is None or task_id is None:
            return ""
        address = self.cluster_spec().task_address(task_type, task_id)
        return master_url(address, rpc_layer or self.rpc_layer)

    @property
    def environment(self):
        return self._environment
