"""What all tests of the Python package begin with."""

import signal

# Jobs in the background begin with Ctrl-C's signal ignored, and so would what they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
