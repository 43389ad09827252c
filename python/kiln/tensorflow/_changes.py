"""Operations that TensorFlow's Python changes after they were handed over to Kiln.

Gradients with control flow v2 give If and While more outputs, and other code adds
control inputs or sets attributes. As in TensorFlow, a session that has run keeps
the operation as it was, and one that runs for the first time later sees the new form.
"""

from tensorflow.python.framework import ops

from kiln.tensorflow._graph import GraphMirror

# Each method of tf.Operation that changes it in TensorFlow's C++, with what it does.
METHODS = {
    "_add_control_input": "adding a control input",
    "_add_control_inputs": "adding control inputs",
    "_add_outputs": "adding outputs",
    "_add_while_inputs": "adding inputs",
    "_clear_attr": "removing an attribute",
    "_remove_all_control_inputs": "removing its control inputs",
    "_set_attr_with_buf": "setting an attribute",
    "_set_device_from_string": "setting its device",
    "_update_input": "replacing an input",
}

# None: inherited.
original = {name: vars(ops.Operation).get(name) for name in METHODS}


def _noting(name, change):
    method = getattr(ops.Operation, name)

    def changed(self, *arguments, **options):
        result = method(self, *arguments, **options)
        GraphMirror.note_change(self, change)
        return result

    changed.__name__ = name
    return changed


replacements = {name: _noting(name, change) for name, change in METHODS.items()}
