"""Boxes in images."""

import collections

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c

_SampledBox = collections.namedtuple("SampleDistortedBoundingBoxV2", ["begin", "size", "bboxes"])
_CombinedBoxes = collections.namedtuple(
    "CombinedNonMaxSuppression", ["nmsed_boxes", "nmsed_scores", "nmsed_classes", "valid_detections"]
)


def sample_distorted_bounding_box(
    image_size,
    bounding_boxes,
    seed=None,
    seed2=None,
    min_object_covered=0.1,
    aspect_ratio_range=None,
    area_range=None,
    max_attempts=None,
    use_image_if_no_bounding_boxes=None,
    name=None,
):
    """A random part of an image that covers a share of one of its boxes.

    Gives (begin, size, bboxes): what tf.slice takes, and the part as a box for
    draw_bounding_boxes. Source: tf.image.sample_distorted_bounding_box.
    """
    return _SampledBox(
        *_c.sample_distorted_bounding_box(
            image_size,
            bounding_boxes,
            seed,
            seed2,
            min_object_covered,
            aspect_ratio_range,
            area_range,
            max_attempts,
            use_image_if_no_bounding_boxes,
            name,
        )
    )


def draw_bounding_boxes(images, boxes, name=None, colors=None):
    """Images with the outlines of boxes.

    boxes: [batch, boxes, 4] of [top, left, bottom, right] as shares of the image. Source: tf.image.draw_bounding_boxes.
    """
    return _c.draw_bounding_boxes(images, boxes, name, colors)


def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"), name=None):
    """The indices of boxes in the order of their scores, without those that overlap a better one.

    Source: tf.image.non_max_suppression.
    """
    return _c.non_max_suppression(boxes, scores, max_output_size, iou_threshold, score_threshold, name)


def non_max_suppression_with_scores(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    soft_nms_sigma=0.0,
    name=None,
):
    """As non_max_suppression(), with the scores, which those that overlap may keep in part.

    Source: tf.image.non_max_suppression_with_scores.
    """
    return _c.non_max_suppression_with_scores(
        boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma, name
    )


def non_max_suppression_padded(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    pad_to_max_output_size=False,
    name=None,
):
    """As non_max_suppression(), with the number of boxes, the indices padded with zeros.

    Source: tf.image.non_max_suppression_padded.
    """
    return _c.non_max_suppression_padded(
        boxes, scores, max_output_size, iou_threshold, score_threshold, pad_to_max_output_size, name
    )


def non_max_suppression_overlaps(overlaps, scores, max_output_size, overlap_threshold=0.5, score_threshold=float("-inf"), name=None):
    """As non_max_suppression(), of what overlaps as a matrix says.

    Source: tf.image.non_max_suppression_overlaps.
    """
    return _c.non_max_suppression_overlaps(
        overlaps, scores, max_output_size, overlap_threshold, score_threshold, name
    )


def combined_non_max_suppression(
    boxes,
    scores,
    max_output_size_per_class,
    max_total_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    pad_per_class=False,
    clip_boxes=True,
    name=None,
):
    """non_max_suppression() of each class of each image of a batch, and the best of all classes.

    Source: tf.image.combined_non_max_suppression.
    """
    return _CombinedBoxes(
        *_c.combined_non_max_suppression(
            boxes,
            scores,
            max_output_size_per_class,
            max_total_size,
            iou_threshold,
            score_threshold,
            pad_per_class,
            clip_boxes,
            name,
        )
    )


def crop_and_resize(
    image,
    boxes,
    box_ind=None,
    crop_size=None,
    method="bilinear",
    extrapolation_value=0,
    name=None,
    box_indices=None,
):
    """Parts of images, each resized to one size.

    box_ind (or box_indices): the image of each box. Source: tf.image.crop_and_resize.
    """
    return _raw.crop_and_resize(
        image,
        boxes,
        box_ind if box_indices is None else box_indices,
        crop_size,
        method,
        extrapolation_value,
        name=name,
    )
