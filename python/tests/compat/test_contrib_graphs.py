"""tf.contrib makes the nodes that TensorFlow's makes, with the same names, collections, values, errors."""

import contrib_graphs
import pytest

import kiln.compat.v1 as tf

MODULES = ["layer_helpers", "layers", "lookup", "losses", "metrics", "networks", "normalizations"]
RECORDED = {module: contrib_graphs.recorded(module) for module in MODULES}
CASES = [(module, name) for module in MODULES for name in contrib_graphs.cases_of(module)]


@pytest.mark.parametrize("module,name", CASES)
def test_case(module, name):
    case = contrib_graphs.cases_of(module)[name]
    made = contrib_graphs.describe(tf, tf.contrib, case)
    found = list(contrib_graphs.differences(RECORDED[module][name], made))
    assert not found, "\n".join(found[:10])
