"""Files of images that Kiln cannot read yet: graphs may have their ops, and runs refuse them."""

from kiln._kiln import front as _c
from kiln.compat.v1 import _foreign_ops, dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._graph_functions import name_scope

_LACK = (
    "Kiln reads and writes no JPEG, GIF and BMP files yet; tf.image.decode_png and tf.image.encode_png are there"
)
_DECODING = (
    "channels: int = 0; ratio: int = 1; fancy_upscaling: bool = true; try_recover_truncated: bool = false; "
    "acceptable_fraction: float = 1; dct_method: string ="
)
_ENCODING = (
    "format: string =; quality: int = 95; progressive: bool = false; optimize_size: bool = false; "
    "chroma_downsampling: bool = true; density_unit: string = in; x_density: int = 300; y_density: int = 300; "
    "xmp_metadata: string ="
)


def _image(attrs):
    return [[None, None, attrs.get("channels") or None]]


_OPS = {
    "DecodeJpeg": ("contents: string", "image: uint8", _DECODING, _image),
    "DecodeAndCropJpeg": ("contents: string, crop_window: int32", "image: uint8", _DECODING, _image),
    "DecodeBmp": ("contents: string", "image: uint8", "channels: int = 0", _image),
    "DecodeGif": ("contents: string", "image: uint8", "", lambda attrs: [[None, None, None, 3]]),
    "DecodeImage": (
        "contents: string", "image: dtype",
        "channels: int = 0; dtype: {uint8, uint16, float32} = uint8; expand_animations: bool = true",
        lambda attrs: [None] if attrs.get("expand_animations", True) else _image(attrs),
    ),
    "EncodeJpeg": ("image: uint8", "contents: string", _ENCODING, lambda attrs: [[]]),
    "ExtractJpegShape": (
        "contents: string", "image_shape: output_type", "output_type: {int32, int64} = int32",
        lambda attrs: [[3]],
    ),
}  # fmt: skip


def _add(op, name, inputs, **attrs):
    """Adds one of them, with the shape that TensorFlow infers. attrs: by name, (kind, value)."""
    _foreign_ops.register({each: _foreign_ops.without_kernel(*spec, _LACK) for each, spec in _OPS.items()})
    flat = [part for key, (kind, value) in attrs.items() for part in (key, kind, value)]
    result = _c.add_op(op, name, 0, 0, inputs, *flat)
    shape = _OPS[op][3]({key: value for key, (_, value) in attrs.items()})[0]
    if shape is not None:
        result.set_shape(shape)
    return result


def _decoding(channels, ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method):
    return {
        "channels": ("int", channels),
        "ratio": ("int", ratio),
        "fancy_upscaling": ("bool", fancy_upscaling),
        "try_recover_truncated": ("bool", try_recover_truncated),
        "acceptable_fraction": ("float", acceptable_fraction),
        "dct_method": ("string", dct_method),
    }


def decode_jpeg(
    contents,
    channels=0,
    ratio=1,
    fancy_upscaling=True,
    try_recover_truncated=False,
    acceptable_fraction=1,
    dct_method="",
    name=None,
):
    """The image of a JPEG file: [height, width, channels].

    Difference: a run that reaches it is an UnimplementedError, so in all functions of JPEG, GIF
    and BMP files. Source: tf.image.decode_jpeg.
    """
    attrs = _decoding(channels, ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method)
    return _add("DecodeJpeg", name, (contents,), **attrs)


def decode_and_crop_jpeg(
    contents,
    crop_window,
    channels=0,
    ratio=1,
    fancy_upscaling=True,
    try_recover_truncated=False,
    acceptable_fraction=1,
    dct_method="",
    name=None,
):
    """A part of the image of a JPEG file. crop_window: top, left, height, width.

    Source: tf.image.decode_and_crop_jpeg.
    """
    attrs = _decoding(channels, ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method)
    return _add("DecodeAndCropJpeg", name, (contents, crop_window), **attrs)


def decode_bmp(contents, channels=0, name=None):
    """The image of a BMP file. Source: tf.image.decode_bmp."""
    return _add("DecodeBmp", name, (contents,), channels=("int", channels))


def decode_gif(contents, name=None):
    """The images of a GIF file: [frames, height, width, 3]. Source: tf.image.decode_gif."""
    return _add("DecodeGif", name, (contents,))


def decode_image(contents, channels=None, dtype=dtypes.uint8, name=None, expand_animations=True):
    """The image of a file of any kind, and all images of a GIF file. Source: tf.image.decode_image."""
    with name_scope(name, "decode_image"):
        wanted = dtypes.as_dtype(dtype)
        own = wanted if wanted in (dtypes.uint8, dtypes.uint16, dtypes.float32) else dtypes.uint16
        image = _add(
            "DecodeImage",
            None,
            (convert_to_tensor(contents, dtypes.string, "contents"),),
            channels=("int", channels or 0),
            expand_animations=("bool", expand_animations),
            dtype=("type", own),
        )
        return image if own is wanted else _c.convert_image_dtype(image, wanted)


def encode_jpeg(
    image,
    format="",
    quality=95,
    progressive=False,
    optimize_size=False,
    chroma_downsampling=True,
    density_unit="in",
    x_density=300,
    y_density=300,
    xmp_metadata="",
    name=None,
):
    """A JPEG file of an image. Source: tf.image.encode_jpeg."""
    return _add(
        "EncodeJpeg",
        name,
        (image,),
        format=("string", format),
        quality=("int", quality),
        progressive=("bool", progressive),
        optimize_size=("bool", optimize_size),
        chroma_downsampling=("bool", chroma_downsampling),
        density_unit=("string", density_unit),
        x_density=("int", x_density),
        y_density=("int", y_density),
        xmp_metadata=("string", xmp_metadata),
    )


def extract_jpeg_shape(contents, output_type=dtypes.int32, name=None):
    """The height, the width and the channels of a JPEG file. Source: tf.image.extract_jpeg_shape."""
    return _add("ExtractJpegShape", name, (contents,), output_type=("type", dtypes.as_dtype(output_type)))
