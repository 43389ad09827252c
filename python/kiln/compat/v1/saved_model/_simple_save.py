"""A SavedModel in one call."""

from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._util.deprecation import deprecated


@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.simple_save.",
)
def simple_save(session, export_dir, inputs, outputs, legacy_init_op=None):
    """Writes a SavedModel of the current graph with the tag "serve" and the signature "serving_default".

    inputs, outputs: tensors by name. legacy_init_op: runs when the model has been loaded. Source:
    tf.saved_model.simple_save.
    """
    from kiln.compat.v1.saved_model import signature_constants, signature_def_utils, tag_constants
    from kiln.compat.v1.saved_model.builder import SavedModelBuilder

    signature = signature_def_utils.predict_signature_def(inputs, outputs)
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session,
        tags=[tag_constants.SERVING],
        signature_def_map={signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        assets_collection=get_default_graph().get_collection("asset_filepaths"),
        main_op=legacy_init_op,
        clear_devices=True,
    )
    builder.save()
