# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads with TensorFlow and TensorBoard what examples/save_and_log.cpp wrote: read_with_tensorflow.py FOLDER|PROGRAM.

A program is run in a new folder first. It takes a Python that has tensorflow and tensorboard, and prints what it found;
the first thing that is wrong ends it.
"""
import glob
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util import tensor_util

tf.disable_v2_behavior()
folder = sys.argv[1]
if os.path.isfile(folder):
    temporary = tempfile.TemporaryDirectory()
    subprocess.run([os.path.abspath(folder), temporary.name], check=True)
    folder = temporary.name


def expect(what, truth):
    if not truth:
        sys.exit(f"wrong: {what}")
    print(f"read: {what}")


# Checkpoints by TensorFlow's own readers.
last = tf.train.latest_checkpoint(os.path.join(folder, "steps"))
expect(f"checkpoint names {os.path.basename(last)}", last.endswith("model-200"))
expect("two steps are kept", len(tf.train.get_checkpoint_state(os.path.join(folder, "steps")).all_model_checkpoint_paths) == 2)
twice = os.path.join(folder, "latest", "model")
for prefix in (last, twice):
    reader = tf.train.load_checkpoint(prefix)
    expect(f"{prefix}: {reader.get_variable_to_shape_map()}", reader.get_variable_to_shape_map() == {"left": [32, 8], "right": [8, 32], "global_step": []})
values = {name: tf.train.load_checkpoint(last).get_tensor(name) for name in ("left", "right", "global_step")}
expect("it has two files of data", len(glob.glob(twice + ".data-*-of-00002")) == 2)
expect("a prefix that was written four times has the last values", all(np.array_equal(tf.train.load_checkpoint(twice).get_tensor(name), value) for name, value in values.items()))

# The graph beside a checkpoint, with its collections and saver.
with tf.Graph().as_default() as graph, tf.Session() as session:
    saver = tf.train.import_meta_graph(last + ".meta")
    saver.restore(session, last)
    expect("the MetaGraph's saver restores", session.run("global_step:0") == 200)
    expect("trainable variables", [v.name for v in tf.trainable_variables()] == ["left:0", "right:0"])
    before = session.run("train/loss:0")
    session.run("train/step")
    expect("TensorFlow goes on training", session.run("train/loss:0") < before and session.run("global_step:0") == 201)
    saver.save(session, twice)
    expect("and saves over the prefix", tf.train.load_checkpoint(twice).get_tensor("global_step") == 201)

# The SavedModel.
with tf.Graph().as_default(), tf.Session() as session:
    model = tf.saved_model.load(session, ["serve"], os.path.join(folder, "model"))
    signature = model.signature_def["serving_default"]
    made = session.run(signature.outputs["made"].name)
    expect("the SavedModel gives the product of the variables", np.allclose(made, values["left"] @ values["right"], rtol=1e-5, atol=1e-6))

# The event file by TensorBoard's own reader.
log = EventAccumulator(os.path.join(folder, "log"), size_guidance={"scalars": 0, "histograms": 0, "images": 0})
log.Reload()
tags = log.Tags()
expect(f"tags: {tags}", tags["scalars"] == ["loss"] and tags["images"] == ["picture/image"] and tags["graph"] and tags["meta_graph"])
losses = log.Scalars("loss")
expect(f"{len(losses)} losses from {losses[0].value:.4f} to {losses[-1].value:.6f}", [x.step for x in losses] == list(range(0, 201, 10)) and losses[-1].value < 0.01 < losses[0].value)
expect("histograms", sorted(tags["histograms"]) == ["left_1", "right_1"] and all(h.histogram_value.num == 256 for h in log.Histograms("left_1")))
image = log.Images("picture/image")[-1]
with tf.Session() as session:
    pixels = session.run(tf.image.decode_png(image.encoded_image_string))
expect(f"pictures of {pixels.shape}", pixels.shape == (32, 32, 1) == (image.height, image.width, 1) and pixels.std() > 40)
sound = log.Audio("tone/audio")[-1]
with tf.Session() as session:
    samples, rate = session.run(tf.audio.decode_wav(sound.encoded_audio_string))
expect(f"sounds of {samples.shape} at {rate}", samples.shape == (2000, 1) and rate == 8000)
expect("a text", tensor_util.make_ndarray(log.Tensors("note")[0].tensor_proto) == b"rings of a product of two matrices")
expect("the graph has the program's nodes", {"train/loss", "made", "save/restore_all"} <= {node.name for node in log.Graph().node})
metadata = log.RunMetadata("step 201")
regions = metadata.step_stats.dev_stats[0].node_stats
expect(f"a run of {len(regions)} regions: {[r.timeline_label for r in regions]}", regions and all(r.all_end_rel_nanos >= 0 for r in regions))
expect("one event file", len(glob.glob(os.path.join(folder, "log", "*"))) == 1)
print("all read")
