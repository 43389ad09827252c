# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records how TensorFlow reads and writes files of pictures. Run it with a Python that has TensorFlow and Pillow."""
import io
import os
import struct
import sys
import zlib

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from PIL import Image
from recorder import Case

raw = tf.raw_ops


def texts(*elements):
    return np.array(elements, object)


def chunk(name, data, crc=None):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data) if crc is None else crc)


def png(width, height, depth, color, rows, before=b"", interlace=0, data=None):
    data = chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) if data is None else data
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlace)) + before + data + chunk(b"IEND", b"")


def pngs():
    palette = chunk(b"PLTE", bytes(range(1, 13)))
    files = [png(2, 2, 8, 0, [b"\1\2", b"\3\xff"]), png(2, 1, 8, 2, [bytes([10, 20, 30, 200, 100, 50])]), png(2, 1, 8, 6, [bytes([10, 20, 30, 128, 200, 100, 50, 0])]), png(2, 1, 8, 4, [bytes([10, 20, 30, 128])]),
             png(3, 1, 8, 3, [bytes([0, 1, 2])], palette), png(3, 1, 8, 3, [bytes([0, 1, 2])], palette + chunk(b"tRNS", bytes([0, 100]))), png(4, 1, 2, 3, [bytes([0b00011011])], palette),
             png(2, 1, 8, 0, [b"\5\6"], chunk(b"tRNS", b"\0\5")), png(2, 1, 8, 2, [bytes([1, 2, 3, 4, 5, 6])], chunk(b"tRNS", b"\0\1\0\2\0\3")),
             png(2, 1, 16, 0, [struct.pack(">HH", 258, 65535)]), png(1, 1, 16, 2, [struct.pack(">HHH", 258, 65535, 1000)]), png(1, 1, 16, 4, [struct.pack(">HH", 258, 999)]), png(1, 1, 16, 6, [struct.pack(">HHHH", 1, 65535, 1000, 32768)]),
             png(9, 1, 1, 0, [bytes([0b10110011, 0b10000000])]), png(3, 1, 4, 0, [b"\x1f\x70"]), png(3, 1, 4, 0, [b"\x1f\x70"], chunk(b"tRNS", b"\0\1")),
             png(2, 1, 8, 2, [bytes([10, 20, 30, 200, 100, 50])], chunk(b"sRGB", b"\0")), png(2, 1, 8, 2, [bytes([10, 20, 30, 200, 100, 50])], chunk(b"gAMA", struct.pack(">I", 100000))),
             png(2, 2, 8, 0, [b"\1", b"\2", b"\3\4"], interlace=1), png(2, 1, 8, 0, [b"\1\2", b"\3\4"]), png(3, 1, 8, 3, [bytes([0, 1, 9])], chunk(b"PLTE", b"\1\2\3")),
             png(2, 1, 8, 0, [b"\1\2"], chunk(b"abCd", b"x")), png(2, 1, 8, 0, [b"\1\2"], chunk(b"tEXt", b"k\0v", crc=5)), png(2, 1, 8, 0, [b"\1\2"], chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(10000000)))), png(2, 1, 8, 0, [b"\1\2"]) + b"more"]
    with Case("picture_png", "DecodePng: every form of a pixel, into one, three or four channels of a byte or two", rtol=0, atol=0) as case:
        contents = tf.placeholder(tf.string, None, "contents")
        forms = [raw.DecodePng(contents=contents, channels=channels, dtype=dtype) for channels in (0, 1, 3, 4) for dtype in (tf.uint8, tf.uint16)]
        for file in files:
            case.run(forms, {contents: file})
        case.run([tf.reduce_mean(tf.cast(forms[4], tf.float32), [0, 1]), tf.shape(forms[0])], {contents: files[1]})
    whole = files[0]
    data = whole.index(b"IDAT")
    bad = [whole[:size] for size in (0, 4, 8, 20, 33, 40, 45, len(whole) - 13, len(whole) - 12, len(whole) - 1)]
    bad += [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:] for at in (29, data + 8, len(whole) - 17, len(whole) - 1)]
    bad += [png(width, height, 8, 0, [b"\1\2"]) for width, height in ((0, 2), (2, 0), (2**31 - 1, 2**31 - 1), (2**32 - 1, 1), (1 << 28, 2), (1000001, 1), (65536, 65536), (20000, 20000), (1, 20000), (2, 5))]
    bad += [png(2, 1, 3, 0, [b"\1\2"]), png(2, 1, 8, 5, [b"\1\2"]), png(2, 2, 8, 0, [b"\1", b"\2", b"\3\4"], interlace=7), png(3, 1, 8, 3, [bytes([0, 1, 2])]), png(2, 1, 8, 0, [], data=chunk(b"IDAT", b"garbage")), png(2, 1, 8, 0, [], data=b""),
            png(2, 1, 8, 0, [b"\1\2"], chunk(b"ABCD", b"x")), png(2, 1, 8, 0, [], data=chunk(b"IDAT", zlib.compress(b"\x09\1\2"))), b"hello, this is no picture", b"BM" + bytes(60)]
    with Case("picture_png_errors", "DecodePng: files cut short, changed, of sizes that they do not hold, and of other formats", rtol=0, atol=0) as case:
        contents = tf.placeholder(tf.string, None, "contents")
        picture = raw.DecodePng(contents=contents)
        for file in bad + [texts(whole)]:
            case.run(picture, {contents: file})
        for channels in (2, 5):
            case.run(raw.DecodePng(contents=contents, channels=channels), {contents: whole})
    with Case("picture_png_encoded", "EncodePng: one to four channels of a byte or two, batches, levels, and shapes that are no pictures", rtol=0, atol=0) as case:
        for dtype in (tf.uint8, tf.uint16):
            image = tf.placeholder(dtype, None, f"image_{dtype.name}")
            made = raw.EncodePng(image=image)
            for shape in ([2, 3, 1], [2, 3, 2], [2, 3, 3], [2, 3, 4], [2, 2, 3, 3], [0, 2, 2, 1], [1, 2, 1, 1, 1], [2, 3], [0, 3, 1], [3, 0, 1], [2, 2, 0], [2, 2, 5], [2, 0, 2, 3], [2, 0, 2, 2, 1]):
                case.run(made, {image: np.arange(np.prod(shape, dtype=int)).reshape(shape) * 7 % 251})
            for level in (-2, -1, 0, 9, 10):
                case.run(raw.DecodePng(contents=raw.EncodePng(image=image, compression=level), dtype=dtype), {image: np.arange(12).reshape(2, 2, 3) * 20})


def smooth(height, width, channels, seed=0):
    """Something like a photograph: waves, and a little noise."""
    random = np.random.RandomState(seed)
    y, x, c = np.mgrid[0:height, 0:width, 0:channels]
    waves = 128 + 90 * np.sin(x / 5.0 + c) * np.cos(y / 7.0 - c) + random.normal(0, 12, y.shape)
    return np.clip(waves, 0, 255).astype("u1")


def saved(pixels, kind, mode=None, **options):
    file = io.BytesIO()
    Image.fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels, mode).save(file, kind, **options)
    return file.getvalue()


GRAY, COLOR, INKS = smooth(37, 51, 1), smooth(37, 51, 3, 1), smooth(37, 51, 4, 2)


def jpegs():
    """Files of all kinds, by name."""
    files = {"gray": saved(GRAY, "JPEG"), "gray_progressive": saved(GRAY, "JPEG", progressive=True), "cmyk": saved(INKS, "JPEG", "CMYK")}
    for sampling in (0, 1, 2):  # 4:4:4, 4:2:2, 4:2:0
        files[f"color_{sampling}"] = saved(COLOR, "JPEG", subsampling=sampling, quality=85)
    files["progressive"] = saved(COLOR, "JPEG", progressive=True, quality=60)
    files["optimized"] = saved(COLOR, "JPEG", optimize=True, quality=100)
    files["restarts"] = saved(COLOR, "JPEG", restart_marker_blocks=3)
    files["tiny"] = saved(COLOR[:1, :1], "JPEG")
    files["poor"] = saved(COLOR, "JPEG", quality=1)
    files["rgb"] = saved(COLOR, "JPEG", keep_rgb=True)
    inverted = files["cmyk"].index(b"Adobe")
    files["ycck"] = files["cmyk"][: inverted + 11] + b"\2" + files["cmyk"][inverted + 12 :]
    files["cmyk_plain"] = files["cmyk"][: inverted - 4] + files["cmyk"][inverted + 12 :]
    files["more"] = files["gray"] + b"more"
    return files


def decode_jpegs():
    files = jpegs()
    with Case("picture_jpeg", "DecodeJpeg: grey, RGB, YCbCr, CMYK and YCCK, sampled less or not, progressive, with restarts, at each ratio", rtol=0, atol=0) as case:
        contents = tf.placeholder(tf.string, [], "contents")
        plain = [raw.DecodeJpeg(contents=contents, **options) for options in ({}, dict(ratio=2), dict(ratio=4), dict(ratio=8), dict(dct_method="INTEGER_ACCURATE"), dict(fancy_upscaling=False), dict(fancy_upscaling=False, ratio=2, dct_method="INTEGER_ACCURATE"))]
        for file in files.values():
            case.run(plain + [raw.ExtractJpegShape(contents=contents), raw.ExtractJpegShape(contents=contents, output_type=tf.int64)], {contents: file})
            for channels in (1, 3):
                for ratio in (1, 2):
                    case.run(raw.DecodeJpeg(contents=contents, channels=channels, ratio=ratio), {contents: file})
        case.run([tf.reduce_mean(tf.cast(plain[0], tf.float32), [0, 1]), tf.shape(plain[1])], {contents: files["progressive"]})
    with Case("picture_jpeg_parts", "DecodeAndCropJpeg: parts on and off the edges of blocks, outside of the picture, with ratios", rtol=0, atol=0) as case:
        contents, window = tf.placeholder(tf.string, None, "contents"), tf.placeholder(tf.int32, None, "window")
        forms = [raw.DecodeAndCropJpeg(contents=contents, crop_window=window, **options) for options in ({}, dict(fancy_upscaling=False), dict(dct_method="INTEGER_ACCURATE"), dict(channels=1))]
        for kind in ("gray", "color_0", "color_1", "color_2", "progressive", "restarts"):
            for part in ([0, 0, 37, 51], [0, 0, 1, 1], [36, 50, 1, 1], [5, 7, 11, 13], [8, 16, 16, 16], [16, 15, 5, 33], [1, 0, 36, 51], [0, 33, 20, 18]):
                case.run(forms, {contents: files[kind], window: part})
        for part in ([5, 7, 11, 13], [8, 16, 16, 16]):
            case.run(forms[:3], {contents: files["cmyk"], window: part})
            case.run(raw.DecodeAndCropJpeg(contents=contents, crop_window=window, ratio=2), {contents: files["color_2"], window: np.array(part) // 2})
        for part in ([0, 0, 38, 51], [0, 0, 37, 52], [-1, 0, 4, 4], [0, -1, 4, 4], [0, 0, 0, 4], [0, 0, 4, 0], [37, 0, 1, 1], [0, 51, 1, 1], [0, 0, -1, 4], [[1, 2, 3, 4]], [1, 2, 3]):
            case.run(forms[0], {contents: files["gray"], window: part})
        case.run(raw.DecodeAndCropJpeg(contents=contents, crop_window=[5, 7, 11, 13], channels=3), {contents: files["color_2"]})


def bad_jpegs():
    files = jpegs()
    with Case("picture_jpeg_errors", "DecodeJpeg: files cut short and changed, with and without leave to be so; wrong attributes", rtol=0, atol=0) as case:
        contents = tf.placeholder(tf.string, None, "contents")
        forms = [raw.DecodeJpeg(contents=contents, **options) for options in ({}, dict(acceptable_fraction=0.5), dict(acceptable_fraction=0.0), dict(try_recover_truncated=True), dict(acceptable_fraction=-1.0), dict(acceptable_fraction=2.0), dict(channels=3))]
        forms.append(raw.ExtractJpegShape(contents=contents))
        for kind in ("gray", "color_2", "color_0", "progressive", "restarts", "cmyk"):
            whole = files[kind]
            for size in (3, 20, 100, len(whole) // 3, len(whole) // 2, len(whole) * 3 // 4, len(whole) - 20, len(whole) - 2, len(whole) - 1):
                for form in forms if kind != "cmyk" else forms[:4]:
                    # TensorFlow looks for a header, a scan or a restart forever where it may recover what is missing.
                    if form is not forms[3] or (size > 100 and kind in ("gray", "color_0", "color_2")):
                        case.run(form, {contents: whole[:size]})
            scan = whole.index(b"\xff\xda")
            for at in (4, 30, scan + 3, scan + 40, scan + 200):
                case.run(forms[0], {contents: whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]})
            case.run(forms[0], {contents: whole[: scan + 30] + b"\xff\xd9"})
            frame = whole.index(b"\xff\xc2" if kind == "progressive" else b"\xff\xc0")
            for height, width in ((0, 51), (37, 0), (65535, 65535), (65500, 65500), (37, 20), (200, 51)):
                case.run(forms[0], {contents: whole[: frame + 5] + struct.pack(">HH", height, width) + whole[frame + 9 :]})
            case.run(forms[0], {contents: whole[: frame + 4] + b"\x0c" + whole[frame + 5 :]})
        for options in (dict(ratio=3), dict(ratio=0), dict(ratio=-1), dict(dct_method="FAST"), dict(channels=2), dict(channels=4), dict(channels=5)):
            case.run(raw.DecodeJpeg(contents=contents, **options), {contents: files["gray"]})
        for value in (b"", b"\xff\xd8\xff", texts(files["gray"])):
            case.run(forms[0], {contents: value})
            case.run(forms[-1], {contents: value})


def encode_jpegs():
    with Case("picture_jpeg_encoded", "EncodeJpeg and EncodeJpegVariableQuality: every attribute, byte by byte, and shapes that are no pictures", rtol=0, atol=0) as case:
        image, quality = tf.placeholder(tf.uint8, None, "image"), tf.placeholder(tf.int32, None, "quality")
        for options in ({}, dict(quality=0), dict(quality=50), dict(quality=100), dict(progressive=True), dict(optimize_size=True), dict(chroma_downsampling=False), dict(density_unit="cm", x_density=7, y_density=70000), dict(x_density=-5),
                        dict(xmp_metadata="<x:xmpmeta/>"), dict(format="rgb"), dict(format="grayscale"), dict(quality=-1), dict(quality=101), dict(xmp_metadata="x" * 70000)):
            made = raw.EncodeJpeg(image=image, **options)
            for value in (GRAY, COLOR):
                case.run(made, {image: value})
        for shape in ([4, 5, 2], [4, 5, 4], [4, 5], [1, 4, 5, 3], [0, 5, 3], [4, 0, 3], [4, 5, 0], [65501, 1, 1], [1, 65501, 1], [1, 65500, 1], [1, 1, 3]):
            case.run(raw.EncodeJpeg(image=image), {image: np.zeros(shape)})
            case.run(raw.EncodeJpegVariableQuality(images=image, quality=quality), {image: np.zeros(shape), quality: 40})
        for value in (-1, 0, 7, 100, 101, [5], [[5]]):
            case.run(raw.EncodeJpegVariableQuality(images=image, quality=quality), {image: COLOR, quality: value})
        case.run(raw.DecodeJpeg(contents=raw.EncodeJpeg(image=image)), {image: COLOR})


def gif_frame(left, top, width, height, pixels, table=b"", interlaced=False, control=b"", size=2):
    """A frame whose codes are not compressed: a clear code comes before the table would grow."""
    clear, bits, codes = 1 << size, size + 1, []
    for i, pixel in enumerate(pixels):
        if i % (clear - 2) == 0:
            codes.append(clear)
        codes.append(pixel)
    codes.append(clear + 1)
    number = sum(code << (i * bits) for i, code in enumerate(codes))
    data = number.to_bytes((len(codes) * bits + 7) // 8, "little")
    blocks = b"".join(bytes([len(data[i : i + 255])]) + data[i : i + 255] for i in range(0, len(data), 255))
    flags = (0x40 if interlaced else 0) | (0x80 | (len(table) // 3).bit_length() - 2 if table else 0)
    return control + b"," + struct.pack("<HHHHB", left, top, width, height, flags) + table + bytes([size]) + blocks + b"\0"


def gif(frames, width=4, height=3, table=bytes(range(10, 22)), end=b";"):
    flags = 0x80 | (len(table) // 3).bit_length() - 2 if table else 0
    return b"GIF89a" + struct.pack("<HHBBB", width, height, flags, 0, 0) + table + b"".join(frames) + end


def control(color, disposal=0, flags=1, size=4):
    return b"!\xf9" + bytes([size, disposal << 2 | flags]) + b"\5\0" + bytes([color]) + b"\0" * (size - 3)


def gifs():
    whole = gif_frame(0, 0, 4, 3, [i % 4 for i in range(12)])
    part = gif_frame(1, 1, 2, 2, [3, 2, 1, 0])
    files = [gif([whole]), gif([whole, part]), gif([part, whole]), gif([part, part]), gif([gif_frame(0, 0, 4, 3, [i % 4 for i in range(12)], interlaced=True)]), gif([gif_frame(0, 0, 3, 17, [i % 3 for i in range(51)], interlaced=True)]),
             gif([whole, gif_frame(0, 0, 4, 3, [2] * 6 + [1] * 6, control=control(2))]), gif([gif_frame(0, 0, 4, 3, [2] * 6 + [1] * 6, control=control(2))]), gif([whole, gif_frame(0, 0, 4, 3, [2] * 6 + [1] * 6, control=control(2, flags=0))]),
             gif([whole, gif_frame(1, 0, 2, 2, [2, 1, 2, 1], control=control(1) + control(2)), part]), gif([whole, gif_frame(0, 0, 4, 3, [0] * 12, control=b"!\xfe\3abc\0" + control(0, 2) + b"!\xff\13NETSCAPE2.0\3\1\0\0\0")]),
             gif([gif_frame(0, 0, 4, 3, [1] * 12, table=bytes(range(100, 112)))], table=b""), gif([gif_frame(0, 0, 4, 3, [1] * 12, table=bytes(range(100, 112))), part]), gif([whole], width=9, height=9), gif([gif_frame(9, 9, 4, 3, [1] * 12)]), gif([gif_frame(2, 1, 4, 3, [1] * 12), whole]),
             gif([whole], end=b""), gif([whole, part[:12]], end=b""), gif([whole, b"!\xf9"], end=b""), gif([whole, b"x"]), gif([whole], end=b";more"), gif([whole, b"\0\0", part]), gif([whole], end=b"!\xfe\5ab")]
    pixels = smooth(9, 14, 3, 3)
    files += [saved(pixels, "GIF"), saved(pixels, "GIF", save_all=True, append_images=[Image.fromarray(smooth(9, 14, 3, i)) for i in (4, 5)])]
    bad = [b"GIF8", b"GIF89a", gif([whole])[:12], gif([]), gif([whole], table=b""), gif([part, gif_frame(0, 0, 4, 3, [1] * 12)], table=b""), gif([gif_frame(0, 0, 4, 3, [3] * 12)], table=bytes(6)), gif([gif_frame(0, 0, 0, 3, [])]), gif([gif_frame(0, 0, 4, 0, [])]),
           gif([whole, gif_frame(0, 0, 0, 3, [])]), gif([whole, part[:10]], end=b""), gif([gif_frame(0, 0, 65535, 65535, [1] * 12)]), gif([whole[:9]], end=b""), gif([b"," + bytes(9) + b"\2"], end=b""), gif([whole, b"," + struct.pack("<HHHHB", 0, 0, 4, 3, 0) + b"\x0c"]), gif([whole[:10] + b"\x63" + whole[11:]])]
    with Case("picture_gif", "DecodeGif and DecodeImage: frames over frames, parts, transparent colors, tables of colors, interlaced rows, files that end early", rtol=0, atol=0) as case:
        contents = tf.placeholder(tf.string, None, "contents")
        forms = [raw.DecodeGif(contents=contents), raw.DecodeImage(contents=contents), raw.DecodeImage(contents=contents, expand_animations=False)]
        for file in files:
            case.run(forms, {contents: file})
            case.run(raw.DecodePng(contents=contents), {contents: file})
    with Case("picture_gif_errors", "DecodeGif: files without pictures or colors, of sizes that they do not hold, cut short", rtol=0, atol=0) as case:
        contents = tf.placeholder(tf.string, None, "contents")
        for file in bad:
            case.run(raw.DecodeGif(contents=contents), {contents: file})


def bmp(width, height, bits, pixels, start=54, size=None):
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 0, 0, 0, start, 40, width, height, 1, bits, 0, 0, 0, 0, 0, 0)[: 52 if size is None else size] + bytes(pixels)


def bmps():
    with Case("picture_bmp", "DecodeBmp and DecodeImage: 8, 24 and 32 bits, both orders of rows, rows that are filled up, wrong headers, files cut short", rtol=0, atol=0) as case:
        contents = tf.placeholder(tf.string, None, "contents")
        forms = [raw.DecodeBmp(contents=contents, channels=channels) for channels in (0, 3, 4)]
        good = [bmp(width, height, bits, (np.arange(4 * ((width * bits // 8 + 3) // 4) * abs(height)) * 7 % 256).astype("u1")) for bits in (8, 24, 32) for width, height in ((3, 2), (4, 3), (5, -2), (1, 1))]
        good += [saved(GRAY, "BMP"), saved(COLOR, "BMP"), bmp(3, 2, 24, range(30), 60)]
        for file in good:
            case.run(forms + [raw.DecodeImage(contents=contents)], {contents: file})
            if file[25] < 128:  # TensorFlow ends the process where the rows of another type stand from the top down
                case.run([raw.DecodeImage(contents=contents, channels=4, dtype=tf.uint16), raw.DecodeImage(contents=contents, channels=3, dtype=tf.float32)], {contents: file})
        bad = [good[4][:size] for size in (2, 31, 32, 54, len(good[4]) - 3, len(good[4]) - 4)] + [good[0] + b"more"]
        bad += [bmp(3, 2, bits, bytes(99)) for bits in (0, 1, 4, 16, 64, -8 & 0xFFFF)] + [bmp(width, height, 24, bytes(99)) for width, height in ((0, 2), (-1, 2), (2, 0), (2**31 - 1, 2**31 - 1), (2**31 - 1, -(2**31)), (20000, 20000), (2, -(2**31)))]
        bad += [bmp(3, 2, 24, bytes(99), start) for start in (2**31, 0, 2**31 - 1, 130)]
        for file in bad:
            case.run(forms[0], {contents: file})
        for channels in (1, 2, 5):
            case.run(raw.DecodeBmp(contents=contents, channels=channels), {contents: good[0]})


def anything():
    pixels = smooth(5, 6, 3)
    files = [saved(pixels, kind) for kind in ("JPEG", "PNG", "GIF", "BMP")] + [saved(smooth(5, 6, 4), "PNG"), saved(smooth(5, 6, 1), "PNG"), saved(smooth(5, 6, 1), "JPEG"), png(2, 1, 16, 0, [struct.pack(">HH", 258, 65535)])]
    files += [saved(pixels, "GIF", save_all=True, append_images=[Image.fromarray(smooth(5, 6, 3, 7))])]
    with Case("picture_any", "each op on files of each format, in each dtype and number of channels", rtol=0, atol=0) as case:
        contents = tf.placeholder(tf.string, None, "contents")
        ops = [raw.DecodeGif(contents=contents)]
        for channels in (0, 1, 3, 4):
            ops += [op(contents=contents, channels=channels) for op in (raw.DecodeJpeg, raw.DecodePng, raw.DecodeBmp, raw.DecodeImage)]
        ops += [raw.DecodeAndCropJpeg(contents=contents, crop_window=[1, 2, 3, 2])]
        ops += [raw.DecodeImage(contents=contents, dtype=dtype, expand_animations=expands) for dtype in (tf.uint8, tf.uint16, tf.float32) for expands in (True, False)] + [raw.DecodePng(contents=contents, dtype=tf.uint16)]
        for file in files + [b"", b"BM", b"\x89PNG\r\n\x1a\n", b"GIF8", b"\xff\xd8\xff", b"RIFF" + bytes(40), b"hello, this is no picture", texts(files[0])]:
            for op in ops:
                case.run(op, {contents: file})
        case.run(tf.image.decode_image(contents, dtype=tf.float64), {contents: files[1]})
        image = tf.image.decode_image(contents, channels=3, expand_animations=False)
        case.run([tf.shape(image), tf.reduce_sum(tf.cast(image, tf.int32), [0, 1])], {contents: files[2]})


CASES = {f.__name__: f for f in (pngs, decode_jpegs, bad_jpegs, encode_jpegs, gifs, bmps, anything)}

if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        CASES[name]()
