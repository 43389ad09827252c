"""Clusters and servers. A server here is this process alone, whose sessions share their variables."""

import itertools

import kiln
from kiln.compat.v1 import _messages, _targets, errors
from kiln.compat.v1.compat import as_bytes


def _tasks_by_index(job_name, tasks):
    if isinstance(tasks, (list, tuple)):
        return dict(enumerate(tasks))
    if isinstance(tasks, dict):
        return {int(index): address for index, address in tasks.items()}
    raise TypeError(
        f"The tasks for job {job_name!r} must be a list or a dictionary from integers to strings."
    )


class ClusterSpec:
    """The tasks of a cluster: jobs by name, each with the network addresses of its tasks.

    cluster: a dict from names of jobs to lists of addresses, or to dicts from a task's number to its address; a
    ClusterDef; another ClusterSpec. Errors: TypeError. Source: tf.train.ClusterSpec.
    """

    def __init__(self, cluster):
        if isinstance(cluster, dict):
            self._cluster_spec = {job: _tasks_by_index(job, tasks) for job, tasks in cluster.items()}
            self._make_cluster_def()
            return
        if isinstance(cluster, ClusterSpec):
            self._cluster_def = _messages.ClusterDef()
            self._cluster_def.MergeFrom(cluster.as_cluster_def())
        elif isinstance(cluster, _messages.ClusterDef):
            self._cluster_def = cluster
        else:
            raise TypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or a "
                "`ClusterDef` protocol buffer"
            )
        self._cluster_spec = {job.name: dict(job.tasks.items()) for job in self._cluster_def.job}

    def __bool__(self):
        return bool(self._cluster_spec)

    def __eq__(self, other):
        return self._cluster_spec == other

    def __ne__(self, other):
        return self._cluster_spec != other

    __hash__ = None

    def __repr__(self):
        items = (f"{job!r}: {tasks!r}" for job, tasks in sorted(self.as_dict().items()))
        return "ClusterSpec({" + ", ".join(items) + "})"

    def as_dict(self):
        """Addresses by job: a list, or a dict by number where numbers are left out."""
        found = {}
        for job in self.jobs:
            indices = self.task_indices(job)
            if indices and indices[-1] + 1 == len(indices):
                found[job] = self.job_tasks(job)
            else:
                found[job] = {index: self.task_address(job, index) for index in indices}
        return found

    def as_cluster_def(self):
        """A ClusterDef."""
        return self._cluster_def

    @property
    def jobs(self):
        """The names of the jobs."""
        return list(self._cluster_spec)

    def _job(self, job_name):
        try:
            return self._cluster_spec[job_name]
        except KeyError:
            raise ValueError(f"No such job in cluster: {job_name!r}") from None

    def num_tasks(self, job_name):
        """How many tasks a job has. Errors: ValueError for a job that is not there."""
        return len(self._job(job_name))

    def task_indices(self, job_name):
        """The numbers of a job's tasks, the smallest first. Errors: ValueError."""
        return sorted(self._job(job_name))

    def task_address(self, job_name, task_index):
        """A task's address. Errors: ValueError."""
        try:
            return self._job(job_name)[task_index]
        except KeyError:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}") from None

    def job_tasks(self, job_name):
        """The addresses of a job's tasks; None for a number that is left out. Errors: ValueError."""
        job = self._job(job_name)
        return [job.get(index) for index in range(max(job) + 1)]

    def _make_cluster_def(self):
        self._cluster_def = _messages.ClusterDef()
        for job_name, tasks in sorted(self._cluster_spec.items()):
            job = self._cluster_def.job.add()
            job.name = _text(job_name, f"Job name {job_name!r} must be bytes or unicode")
            for index, address in sorted(tasks.items()):
                job.tasks[index] = _text(address, f"Task address {address!r} must be bytes or unicode")


def _text(value, words):
    try:
        return as_bytes(value).decode()
    except TypeError:
        raise TypeError(words) from None


def _only(found, name):
    if len(found) != 1:
        raise ValueError(f"Must specify an explicit `{name}`.")
    return found[0]


def _make_server_def(server_or_cluster_def, job_name, task_index, protocol, config):
    server_def = _messages.ServerDef()
    if isinstance(server_or_cluster_def, _messages.ServerDef):
        server_def.MergeFrom(server_or_cluster_def)
    else:
        try:
            cluster = ClusterSpec(server_or_cluster_def)
        except TypeError:
            raise TypeError(
                "Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or `tf.train.ClusterSpec`."
            ) from None
        job_name = _only(cluster.jobs, "job_name") if job_name is None else job_name
        if task_index is None:
            task_index = _only(cluster.task_indices(job_name), "task_index")
        server_def.cluster.CopyFrom(cluster.as_cluster_def())
        protocol = "grpc" if protocol is None else protocol
    if job_name is not None:
        server_def.job_name = job_name
    if task_index is not None:
        server_def.task_index = task_index
    if protocol is not None:
        server_def.protocol = protocol
    if config is not None:
        server_def.default_session_config.MergeFrom(config)
    return server_def


# Ports for tasks that ask for any.
_ports = itertools.count(49152)


class Server:
    """A cluster of one task, which is this process: sessions whose target is server.target share their variables.

    server_or_cluster_def: a ServerDef, or what ClusterSpec takes. job_name, task_index: which task this is; may be
    left out where there is only one. config: the ConfigProto of sessions that have none. start: starts it. Errors:
    ValueError, TypeError; UnimplementedError for a cluster of several tasks, since Kiln does not run graphs on several
    machines or processes yet. Source: tf.train.Server.
    """

    def __init__(
        self,
        server_or_cluster_def,
        job_name=None,
        task_index=None,
        protocol=None,
        config=None,
        start=True,
    ):
        self._server_def = _make_server_def(
            server_or_cluster_def, job_name, task_index, protocol, config
        )
        cluster = ClusterSpec(self._server_def.cluster)
        tasks = sum(cluster.num_tasks(job) for job in cluster.jobs)
        if tasks > 1:
            raise errors.UnimplementedError(
                None,
                None,
                f"Kiln runs graphs in one process; a cluster of {tasks} tasks needs several processes or machines, "
                "which Kiln does not support yet. A cluster of one task works: "
                "tf.train.Server.create_local_server().",
            )
        address = cluster.task_address(self._server_def.job_name, self._server_def.task_index)
        port = address.rpartition(":")[2]
        self._target = f"grpc://localhost:{port if port != '0' else next(_ports)}"
        self._is_started = False
        if start:
            self.start()

    def start(self):
        """Lets sessions reach it; does nothing where it is started already."""
        if not self._is_started:
            self._is_started = True
            _targets.add(self._target, kiln.ResourceManager(), self._server_def)

    def join(self):
        """Waits for ever, as a task does that others use; Ctrl-C ends it."""
        import threading

        while True:
            threading.Event().wait(1.0)

    @property
    def server_def(self):
        """A ServerDef."""
        return self._server_def

    @property
    def target(self):
        """What tf.Session() takes as its target."""
        return self._target

    @staticmethod
    def create_local_server(config=None, start=True):
        """A server of its own, with one task, "localhost"."""
        return Server({"localhost": ["localhost:0"]}, protocol="grpc", config=config, start=start)
