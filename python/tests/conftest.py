"""What all tests of the Python package begin with."""

import os
import signal

# A test that wants code kept on disk names a folder.
os.environ.setdefault("KILN_CACHE", "off")

# Jobs in the background begin with Ctrl-C's signal ignored, and so would what they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
