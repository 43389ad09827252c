"""What programs take apart fetches with, of TensorFlow's private module of sessions."""

from kiln.compat.v1._elements import Tensor
from kiln.compat.v1._fetches import Request


class _FetchHandler:
    """The tensors and operations in a structure of fetches, and the structure of their values.

    feeds: a dict from tensors to what they are fed. feed_handles: is not looked at. Errors: TypeError and ValueError
    for what cannot be fetched.
    """

    def __init__(self, graph, fetches, feeds, feed_handles=None):
        self._request, self._feeds = Request(graph, fetches, dict(feeds)), feeds
        self._fetches = [
            each for each in self._request._places if isinstance(each, Tensor) and each not in feeds
        ]

    def fetches(self):
        """The tensors whose values are wanted, each once; those that are fed are not among them."""
        return self._fetches

    def targets(self):
        """The operations that are to run."""
        return self._request.targets

    def build_results(self, session, tensor_values):
        """The structure of the fetches, with values in the order of fetches(). session: is not looked at."""
        values = dict(zip(self._fetches, tensor_values))
        return self._request.result([values.get(each) for each in self._request._places])
