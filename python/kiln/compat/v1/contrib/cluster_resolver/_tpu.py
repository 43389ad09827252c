"""The resolver that programs which are written for TPUs make."""

import os

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.cluster_resolver._resolvers import ClusterResolver, master_url

# Names that are no names of TPUs in Google's cloud but addresses.
_LOCAL = ("/bns", "localhost:", "uptc://")


class TPUClusterResolver(ClusterResolver):
    """The address of a TPU. The arguments are TensorFlow's; tpu: an address, as grpc://HOST:PORT,
    "local" or "", by default that of the environment variable TPU_NAME.

    Errors: ValueError without any; ImportError for the name of a TPU in Google's cloud, which Kiln
    does not ask. Source: tf.contrib.cluster_resolver.TPUClusterResolver.
    """

    def __init__(
        self,
        tpu=None,
        zone=None,
        project=None,
        job_name="worker",
        coordinator_name=None,
        coordinator_address=None,
        credentials="default",
        service=None,
        discovery_url=None,
    ):
        if isinstance(tpu, list):
            if not tpu:
                raise ValueError("At least one TPU must be specified.")
            if len(tpu) != 1:
                raise NotImplementedError(
                    "Using multiple TPUs in a single session is not yet implemented"
                )
            tpu = tpu[0]
        if tpu is None:
            tpu = os.environ.get("KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS", os.environ.get("TPU_NAME"))
        if tpu is None:
            raise ValueError("Please provide a TPU Name to connect to.")
        self._tpu = tf.compat.as_text(tpu)
        self.task_type, self.task_id = job_name, 0
        self._coordinator_name = coordinator_name
        self._coordinator_address = coordinator_address
        if self._tpu in ("", "local") or self._tpu.startswith(_LOCAL):
            self.rpc_layer, self._environment = None, "google"
        elif self._tpu.startswith("grpc://"):
            self.rpc_layer, self._environment = "grpc", ""
            self._tpu = self._tpu[len("grpc://") :]
        else:
            raise ImportError(
                f"the TPU {self._tpu!r} is one of Google's cloud, which Kiln does not ask for "
                "addresses; Kiln trains on the CPUs of this process"
            )

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        return master_url(self._tpu.split(",")[0], rpc_layer or self.rpc_layer)

    def get_master(self):
        return self.master()

    def get_job_name(self):
        """The job's name; None, since no addresses are asked for."""
        return None

    def cluster_spec(self):
        """The ClusterSpec, or None for the TPU of this machine."""
        if self._environment == "google":
            return None
        workers = [address.replace("grpc://", "") for address in self._tpu.split(",")]
        cluster = {self.task_type: workers}
        if self._coordinator_address:
            cluster[self._coordinator_name] = [self._coordinator_address]
        return tf.train.ClusterSpec(cluster)

    @property
    def environment(self):
        return self._environment
