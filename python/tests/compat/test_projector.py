"""tf.contrib.tensorboard.plugins.projector."""

import pytest

from kiln.compat.v1.contrib.tensorboard.plugins import projector


class Writer:
    def __init__(self, logdir):
        self.logdir = logdir

    def get_logdir(self):
        return self.logdir


def test_the_configuration_lies_beside_the_events(tmp_path):
    config = projector.ProjectorConfig()
    embedding = config.embeddings.add(tensor_name="words", metadata_path="words.tsv")
    embedding.sprite.single_image_dim.extend([28, 28])
    projector.visualize_embeddings(Writer(str(tmp_path)), config)
    assert (tmp_path / "projector_config.pbtxt").read_text() == (
        'embeddings {\n  tensor_name: "words"\n  metadata_path: "words.tsv"\n  sprite {\n'
        "    single_image_dim: 28\n    single_image_dim: 28\n  }\n}\n"
    )
    assert isinstance(embedding, projector.EmbeddingInfo)
    assert projector.projector_config_pb2.ProjectorConfig is projector.ProjectorConfig


def test_errors():
    with pytest.raises(ValueError, match="Summary writer must have a logdir"):
        projector.visualize_embeddings(Writer(None), projector.ProjectorConfig())
    with pytest.raises(AttributeError, match="Kiln does not have it"):
        projector.nothing
