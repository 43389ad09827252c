"""Kiln runs TensorFlow 1 graphs as native code.

A graph is loaded, a session is asked for some of its tensors:

    import kiln, numpy as np

    graph = kiln.Graph.load("linear_regression.pb")     # a GraphDef, or its bytes
    print(graph)                                        # what can be fed and fetched
    with kiln.Session(graph) as session:
        session.run(graph.initializers)
        rows, labels = np.ones((100, 11), "f4"), np.ones((100, 1), "f4")
        for _ in range(10):
            loss, _ = session.run(["mse:0", "train_op"], {"X:0": rows, "y:0": labels})

Names are TensorFlow's: "mse:0" is the first output of the operation "mse", which
is fetched; "train_op" is an operation, which is run. Fetches may be nested in
lists, tuples, named tuples and dicts, and values come back in the same structure.

Arrays are not copied. A feed borrows the array while the run lasts (and as long
as a queue holds it: do not change it then); a result is an array on Kiln's memory,
which no later run changes.

In a loop that counts microseconds, bind the names once:

    step = session.make_callable(["mse:0", "train_op"], ["X:0", "y:0"])
    loss, _ = step(rows, labels)

Errors are those of kiln.errors, with TensorFlow's names and codes and the node
that failed. Runs let go of the GIL, and Ctrl-C ends them.

To look into the compiler: session.explain("mse:0", stage="fuse"). To look into a
run: session.run(..., stats=kiln.RunStats()), with regions=True also
kiln.cost_report([stats]) and kiln.chrome_trace([stats]).
"""

from kiln import _html, errors
from kiln._kiln import (
    Callable,
    Graph,
    Operation,
    RegionStats,
    ResourceManager,
    RunStats,
    Session,
    SessionStats,
    Tensor,
    __version__,
    chrome_trace,
    cost_report,
    save_chrome_trace,
)

Graph._repr_html_ = _html.graph_html

__all__ = [
    "Callable",
    "Graph",
    "Operation",
    "RegionStats",
    "ResourceManager",
    "RunStats",
    "Session",
    "SessionStats",
    "Tensor",
    "chrome_trace",
    "cost_report",
    "errors",
    "save_chrome_trace",
]
