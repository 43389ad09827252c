"""Complex numbers: tf.complex, tf.real, tf.conj."""

from kiln._kiln import front as _c

__all__ = ["angle", "complex", "conj", "imag", "real"]


def complex(real, imag, name=None):
    """Complex numbers of real and imaginary parts, both float32 or both float64.

    Errors: TypeError for other types. Source: tf.complex.
    """
    try:
        return _c.complex(real, imag, name)
    except ValueError as error:
        if "incorrect types" in str(error):
            raise TypeError(str(error)) from None
        raise


def real(input, name=None):
    """The real parts; numbers that are real as they are. Source: tf.real."""
    return _c.real(input, name)


def imag(input, name=None):
    """The imaginary parts; zeros of real numbers. Source: tf.imag."""
    return _c.imag(input, name)


def angle(input, name=None):
    """The arguments of complex numbers, between -pi and pi. Source: tf.angle."""
    return _c.angle(input, name)


def conj(x, name=None):
    """The conjugates; numbers that are real as they are. Source: tf.conj."""
    return _c.conj(x, name)
