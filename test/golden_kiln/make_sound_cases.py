# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records how TensorFlow reads and writes sounds, and what it hears in them. Run it with a Python that has TensorFlow."""
import os
import struct
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops


def wav(form=1, channels=1, rate=8000, bits=16, frame=None, second=None, header=16, data=b"\1\0\2\0\xff\x7f\0\x80", size=None, before=b"", between=b"", after=b"", riff=b"RIFF", wave=b"WAVE", name=b"data"):
    frame = bits * channels // 8 & 0xFFFF if frame is None else frame
    second = frame * rate & 0xFFFFFFFF if second is None else second
    part = struct.pack("<IHHIIHH", header, form, channels, rate, second, frame, bits) + (b"\0\0" if header == 18 else b"")
    return riff + struct.pack("<I", 36 + len(data)) + wave + before + b"fmt " + part + between + name + struct.pack("<I", len(data) if size is None else size) + data + after


def decoded():
    whole, junk = wav(), b"\4\0\0\0abcd"
    files = [whole, wav(channels=2), wav(channels=3), wav(header=18), wav(before=b"JUNK" + junk + b"bext" + junk), wav(between=b"LIST" + junk), wav(after=b"LIST" + junk), wav(after=b"LIST\4\0\0\0ab"), wav(size=6), wav(data=b""), wav(rate=2**31, frame=2, second=0), wav(data=bytes(range(256)))]
    bad = [b""] + [whole[:size] for size in (2, 8, 10, 14, 20, 22, 24, 28, 30, 34, 38, 44, 51)]
    bad += [wav(form=3), wav(channels=0), wav(bits=8), wav(bits=24), wav(frame=3), wav(second=5), wav(header=20), wav(size=7), wav(size=100), wav(size=2**31), wav(size=2**31 - 1), wav(before=b"LIST" + junk), wav(before=b"JUNK\xff\xff\xff\x7f"), wav(before=b"JUNK\xff\xff\xff\xff"),
            wav(after=b"LIS"), wav(after=b"LIST\0"), wav(after=b"LIST\xff\xff\xff\xff"), wav(after=b"data\0\0\0\0"), wav(name=b"dat1"), wav(riff=b"RIFX"), wav(wave=b"AVI "), wav(channels=65535, data=b"")]
    with Case("sound_decoded", "DecodeWav: channels and samples that are wanted, parts that are passed over, headers that are wrong, files cut short", rtol=0, atol=0) as case:
        contents = tf.placeholder(tf.string, None, "contents")
        for options in ({}, dict(desired_channels=2), dict(desired_channels=0), dict(desired_channels=4, desired_samples=6), dict(desired_samples=2), dict(desired_samples=0), dict(desired_samples=5000)):
            made = raw.DecodeWav(contents=contents, **options)
            for file in files if len(options) < 2 else files[:3]:
                case.run(list(made), {contents: file})
        for file in bad + [np.array([whole], object)]:
            case.run(raw.DecodeWav(contents=contents).audio, {contents: file})


def encoded():
    with Case("sound_encoded", "EncodeWav: samples that are rounded and clamped, shapes and rates that are refused", rtol=0, atol=0) as case:
        audio, rate = tf.placeholder(tf.float32, None, "audio"), tf.placeholder(tf.int32, None, "rate")
        made = raw.EncodeWav(audio=audio, sample_rate=rate)
        numbers = np.array([np.nan, np.inf, -np.inf, 2, -2, 1, -1, 0.5, -0.0, 1e-30] + [k / 65536 for k in range(-5, 6)] + [0.99998, 0.999985, 0.99999], "f4")
        for value, speed in ((numbers.reshape(-1, 1), 44100), (numbers.reshape(-1, 3), 8000), (numbers.reshape(1, -1), 1), (np.zeros([0, 2]), 5), (np.zeros([2, 0]), 5), (np.zeros([0, 0]), 5), (np.zeros([1, 40000]), 2**31 - 1), (np.zeros([1, 70000]), 8000), (numbers, 8000),
                             (numbers.reshape(-1, 3, 1), 8000), (numbers.reshape(-1, 1), 0), (numbers.reshape(-1, 1), -1), (numbers.reshape(-1, 1), [8000])):
            case.run(made, {audio: value, rate: speed})
        case.run(list(raw.DecodeWav(contents=made)), {audio: numbers.reshape(-1, 3), rate: 8000})


def spectra():
    with Case("sound_spectra", "AudioSpectrogram: windows of any size and stride, few samples, many channels; speech and noise", rtol=2e-6, atol=1e-6) as case:
        sound = tf.placeholder(tf.float32, None, "sound")
        time = np.arange(700)
        voice = (0.5 * np.sin(time / 5.0) + 0.25 * np.sin(time / 2.3) + np.random.RandomState(1).normal(0, 0.05, 700)).astype("f4")
        for window, stride in ((2, 1), (3, 2), (8, 4), (9, 5), (64, 32), (100, 7), (256, 256), (500, 100), (512, 1), (700, 3), (701, 3)):
            made = [raw.AudioSpectrogram(input=sound, window_size=window, stride=stride, magnitude_squared=squared) for squared in (False, True)]
            for value in (voice.reshape(-1, 1)[: 700 if stride > 1 else 520], voice.reshape(-1, 7)[:, :3], np.zeros([0, 2]), np.zeros([9, 0])):
                case.run(made, {sound: value})
        case.run(made[0], {sound: voice})
        case.run(made[0], {sound: voice.reshape(7, 100, 1)})


def cepstra():
    with Case("sound_cepstra", "Mfcc: rates, limits and numbers of bands, spectra that are too short, negative or silent, what is refused", rtol=2e-6, atol=2e-6) as case:
        spectrum, rate = tf.placeholder(tf.float32, None, "spectrum"), tf.placeholder(tf.int32, None, "rate")
        loud = np.random.RandomState(2).gamma(1.0, 2.0, [2, 3, 257]).astype("f4")
        for options in ({}, dict(upper_frequency_limit=8000.0), dict(lower_frequency_limit=0.0), dict(filterbank_channel_count=13), dict(filterbank_channel_count=300, dct_coefficient_count=60), dict(dct_coefficient_count=1), dict(upper_frequency_limit=1e9), dict(lower_frequency_limit=3999.0),
                        dict(filterbank_channel_count=0), dict(filterbank_channel_count=5), dict(dct_coefficient_count=0), dict(dct_coefficient_count=41), dict(lower_frequency_limit=-1.0), dict(lower_frequency_limit=4000.0)):
            made = raw.Mfcc(spectrogram=spectrum, sample_rate=rate, **options)
            for value, speed in ((loud, 16000), (loud[:1, :, :33], 8000), (loud[..., :2], 8000), (loud[..., :3] - 1, 44100)):
                case.run(made, {spectrum: value, rate: speed})
        made = raw.Mfcc(spectrogram=spectrum, sample_rate=rate)
        for value, speed in ((loud, 100), (loud, 0), (loud, -5), (loud[..., :1], 8000), (loud[..., :0], 8000), (loud[:, :0], 8000), (loud[:0], 8000), (loud * 0, 16000), (loud, [8000]), (loud[0], 8000)):
            case.run(made, {spectrum: value, rate: speed})
        sound = tf.placeholder(tf.float32, [None, 1], "sound")
        spectra = raw.AudioSpectrogram(input=sound, window_size=480, stride=160, magnitude_squared=True)
        case.run(raw.Mfcc(spectrogram=spectra, sample_rate=16000, dct_coefficient_count=40), {sound: np.sin(np.arange(1600) / 7.0).reshape(-1, 1)})


CASES = {f.__name__: f for f in (decoded, encoded, spectra, cepstra)}

if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        CASES[name]()
