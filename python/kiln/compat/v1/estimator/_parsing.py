"""What reads the features and labels of canned estimators from tf.train.Examples."""

from kiln.compat import v1 as tf
from kiln.compat.v1.feature_column._numeric import NumericColumn


def classifier_parse_example_spec(
    feature_columns, label_key, label_dtype=tf.int64, label_default=None, weight_column=None
):
    """What tf.parse_example() needs for a classifier: a dict from names of features.

    label_key: the name of the label. Errors: ValueError. Source:
    tf.estimator.classifier_parse_example_spec.
    """
    label = tf.FixedLenFeature((1,), label_dtype, label_default)
    return _with_label(feature_columns, label_key, label, weight_column)


def regressor_parse_example_spec(
    feature_columns,
    label_key,
    label_dtype=tf.float32,
    label_default=None,
    label_dimension=1,
    weight_column=None,
):
    """As classifier_parse_example_spec(), for label_dimension numbers.

    Source: tf.estimator.regressor_parse_example_spec.
    """
    label = tf.FixedLenFeature((label_dimension,), label_dtype, label_default)
    return _with_label(feature_columns, label_key, label, weight_column)


def _with_label(feature_columns, label_key, label, weight_column):
    spec = tf.feature_column.make_parse_example_spec(feature_columns)
    if label_key in spec:
        raise ValueError(
            f"label should not be used as feature. label_key: {label_key}, features: {spec.keys()}"
        )
    spec[label_key] = label
    if weight_column is None:
        return spec
    if isinstance(weight_column, str):
        weight_column = tf.feature_column.numeric_column(weight_column)
    if not isinstance(weight_column, NumericColumn):
        raise ValueError(
            "weight_column should be an instance of tf.feature_column.numeric_column. "
            f"Given type: {type(weight_column)} value: {weight_column}"
        )
    if weight_column.key in spec:
        raise ValueError(
            f"weight_column should not be used as feature. weight_column: {weight_column.key}, "
            f"features: {spec.keys()}"
        )
    spec.update(weight_column.parse_example_spec)
    return spec
