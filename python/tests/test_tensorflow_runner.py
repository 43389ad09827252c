"""test/tensorflow, the runner of TensorFlow's own tests, on a test file of ours."""

import os
import subprocess
import sys

import graphs
import tensorflow_beside  # skips without TensorFlow

RUNNER = graphs.ROOT / "test/tensorflow"
FILE = """
import tensorflow.compat.v1 as tf

class OneTest(tf.test.TestCase):
    def testRuns(self):
        with self.session():
            self.assertAllEqual(tf.add([1, 2], 3), [4, 5])

    def testHasAnOpThatIsMissing(self):
        with self.session() as session:
            session.run(tf.raw_ops.SyncDevice())

    def testFailsEverywhere(self):
        with self.session() as session:
            session.run(tf.constant(1) + 1)
            self.fail("always")

    def testRunsNothing(self):
        pass
"""


def test_it_counts(tmp_path):
    file = tmp_path / "one_test.py"
    file.write_text(FILE)
    out = tmp_path / "out"
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path))
    subprocess.run([RUNNER / "run.sh", sys.executable, out, file], env=environment, check=True, capture_output=True)
    summary = subprocess.check_output([sys.executable, RUNNER / "summary.py", out], text=True)
    assert summary.splitlines() == [
        "of 2 tests in 1 files that pass on TensorFlow through a session, 1 pass on Kiln (50.0 %)",
        "without 1 whose ops keep state and are missing: 1 of 1 (100.0 %)",
        "    1 state: op SyncDevice",
    ]
