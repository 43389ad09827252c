"""tf.contrib.tensorboard.plugins.projector: which tensors of a checkpoint TensorBoard projects."""

import os

from kiln.compat.v1._io import file_io

__all__ = ["EmbeddingInfo", "ProjectorConfig", "SpriteMetadata", "visualize_embeddings"]


def __getattr__(name):
    if name in ("EmbeddingInfo", "ProjectorConfig", "SpriteMetadata"):
        from kiln.compat.v1 import _messages

        globals()[name] = getattr(_messages, name)
        return globals()[name]
    if name == "projector_config_pb2":
        from kiln.compat.v1._message_modules import make_module

        return make_module(f"tensorflow.contrib.tensorboard.plugins.projector.{name}")
    from kiln.compat._missing import missing_name

    raise missing_name(__name__, name)


def visualize_embeddings(summary_writer, config):
    """Writes a ProjectorConfig where TensorBoard looks for it: projector_config.pbtxt in the
    folder of a summary writer.

    Errors: ValueError where the writer has no folder. Source:
    tf.contrib.tensorboard.plugins.projector.visualize_embeddings.
    """
    from google.protobuf import text_format

    logdir = summary_writer.get_logdir()
    if logdir is None:
        raise ValueError("Summary writer must have a logdir")
    path = os.path.join(logdir, "projector_config.pbtxt")
    file_io.write_string_to_file(path, text_format.MessageToString(config))
