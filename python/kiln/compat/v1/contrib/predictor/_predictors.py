"""What gives the outputs of a signature for its inputs."""

from kiln.compat import v1 as tf

_DEFAULT = "serving_default"


class Predictor:
    """A function of a dict of arrays, which gives a dict of arrays.

    feed_tensors, fetch_tensors: dicts of tensors by name. session, graph: those that it runs.
    Source: tf.contrib.predictor's Predictor.
    """

    def __init__(self, session, graph, feed_tensors, fetch_tensors):
        self._session, self._graph = session, graph
        self._feed_tensors, self._fetch_tensors = feed_tensors, fetch_tensors

    @property
    def graph(self):
        return self._graph

    @property
    def session(self):
        return self._session

    @property
    def feed_tensors(self):
        return self._feed_tensors

    @property
    def fetch_tensors(self):
        return self._fetch_tensors

    def __repr__(self):
        return (
            f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors "
            f"{self._fetch_tensors}"
        )

    def __call__(self, input_dict):
        """The outputs. Errors: ValueError for inputs that there are not."""
        unexpected = set(input_dict) - set(self._feed_tensors)
        if unexpected:
            raise ValueError(
                "Got unexpected keys in input_dict: {}\nexpected: {}".format(
                    unexpected, set(self._feed_tensors)
                )
            )
        feed = {self._feed_tensors[key]: value for key, value in input_dict.items()}
        return self._session.run(fetches=self._fetch_tensors, feed_dict=feed)


def _signature(meta_graph, key):
    """A signature, which older estimators wrote under a longer key. Errors: ValueError."""
    signatures = meta_graph.signature_def
    for each in (key, f"default_input_alternative:{key}"):
        if each in signatures:
            if each != key:
                tf.logging.warning(
                    'Could not find signature def "%s". Using "%s" instead', key, each
                )
            return signatures[each]
    raise ValueError(
        f'Got signature_def_key "{key}". Available signatures are {list(signatures)}.'
    )


def from_saved_model(
    export_dir,
    signature_def_key=None,
    signature_def=None,
    input_names=None,
    output_names=None,
    tags=None,
    graph=None,
    config=None,
):
    """A Predictor of a SavedModel.

    signature_def_key: that of the signature, "serving_default" where it is None; or signature_def,
    or input_names and output_names, dicts from names to names of tensors. tags: a text of tags with
    commas between, "serve" where it is None. Errors: ValueError. Source:
    tf.contrib.predictor.from_saved_model.
    """
    given = [signature_def_key is not None, signature_def is not None, input_names is not None]
    if sum(given) > 1:
        raise ValueError(
            "You must specify at most one of signature_def_key OR signature_def OR(input_names "
            "AND output_names)."
        )
    if (input_names is None) != (output_names is None):
        raise ValueError(
            "input_names and output_names must both be specified or both be unspecified."
        )
    tags = [tag.strip() for tag in (tags or "serve").split(",")]
    graph = graph or tf.Graph()
    with graph.as_default():
        session = tf.Session(config=config)
        meta_graph = tf.saved_model.loader.load(session, tags, export_dir)
    if input_names is None:
        if signature_def is None:
            signature_def = _signature(meta_graph, signature_def_key or _DEFAULT)
        input_names = {key: info.name for key, info in signature_def.inputs.items()}
        output_names = {key: info.name for key, info in signature_def.outputs.items()}
    feeds = {key: graph.get_tensor_by_name(name) for key, name in input_names.items()}
    fetches = {key: graph.get_tensor_by_name(name) for key, name in output_names.items()}
    return Predictor(session, graph, feeds, fetches)


def from_estimator(
    estimator, serving_input_receiver_fn, output_key=None, graph=None, config=None
):
    """A Predictor of a tf.estimator.Estimator's last checkpoint.

    output_key: that of the export outputs, the default one where it is None. Errors: ValueError,
    TypeError. Source: tf.contrib.predictor.from_estimator.
    """
    if not isinstance(estimator, tf.estimator.Estimator):
        raise TypeError(f"expected a tf.estimator.Estimator, got {type(estimator)}")
    graph = graph or tf.Graph()
    with graph.as_default():
        receiver = serving_input_receiver_fn()
        tf.train.create_global_step(graph)
        spec = estimator.model_fn(
            features=receiver.features,
            labels=None,
            mode=tf.estimator.ModeKeys.PREDICT,
            config=estimator.config,
        )
        creator = tf.train.ChiefSessionCreator(
            config=config,
            checkpoint_dir=estimator.model_dir,
            scaffold=spec.scaffold,
        )
        session = tf.train.MonitoredSession(session_creator=creator)
    outputs = spec.export_outputs[output_key or _DEFAULT]
    signature = outputs.as_signature_def(receiver.receiver_tensors)
    fetches = {
        key: graph.get_tensor_by_name(info.name) for key, info in signature.outputs.items()
    }
    return Predictor(session, graph, receiver.receiver_tensors, fetches)
