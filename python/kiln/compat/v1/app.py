"""tf.app: how a program begins, and its flags."""

import sys

from kiln.compat.v1 import flags, logging

__all__ = ["flags", "run"]


def run(main=None, argv=None):
    """Parses the flags, calls main with the rest of the command line, exits with what it returns.

    main: a function of one argument, or None for that of the module __main__. argv: the
    command line, or None for sys.argv; the program's name comes first. Flags that nobody has
    defined are left for main.

    Errors: absl.flags' for a wrong value; --help exits. Source: tf.app.run.
    """
    from absl import app

    logging.get_logger()  # its handler comes before absl's: messages keep their form

    def parse(arguments):
        return flags.FLAGS(sys.argv if arguments is None else arguments, known_only=True)

    app.run(main=main or sys.modules["__main__"].main, argv=argv, flags_parser=parse)
