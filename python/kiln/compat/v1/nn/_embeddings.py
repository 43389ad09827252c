"""Rows of parameters that may lie in several parts."""

from kiln._kiln import front as _c
from kiln.compat.v1._clip_ops import clip_by_norm
from kiln.compat.v1._sparse import SparseTensor

__all__ = ["embedding_lookup", "embedding_lookup_sparse", "safe_embedding_lookup_sparse"]


def _listed(params):
    if params is None or isinstance(params, (list, tuple)) and not params:
        raise ValueError("Need at least one param")
    return _parts(params)


def _parts(params):
    return list(params) if isinstance(params, _c.PartitionedVariable) else params


def _limit(max_norm):
    """What limits the norm of rows that were found for ids; None where there is no limit."""
    if max_norm is None:
        return None

    def limit(rows, ids):
        first, rank = ids.shape.ndims, rows.shape.ndims
        if first and rank:
            return clip_by_norm(rows, max_norm, list(range(first, rank)))
        return clip_by_norm(rows, max_norm, _c.range(first or _c.rank(ids), rank or _c.rank(rows)))

    return limit


def embedding_lookup(params, ids, partition_strategy="mod", name=None, validate_indices=True, max_norm=None):
    """The rows of the parameters with these numbers.

    params: a tensor or variable, or a list of parts. partition_strategy: "mod": row i is in part
    i % n; "div": parts are behind one another. max_norm: rows are brought within this norm.
    Errors: ValueError for no parameters and other strategies. Source: tf.nn.embedding_lookup;
    validate_indices is not looked at: they are checked.
    """
    return _c.embedding_lookup(_listed(params), ids, partition_strategy, name, _limit(max_norm))


def embedding_lookup_sparse(
    params, sp_ids, sp_weights, partition_strategy="mod", name=None, combiner=None, max_norm=None
):
    """Rows of the parameters, put together for each row of the ids.

    sp_weights: a SparseTensor like sp_ids, or None for ones. combiner: "mean" (where it is None),
    "sum", or "sqrtn", the sum by the root of the sum of the weights' squares. Errors: TypeError for
    what is no SparseTensor; ValueError for other combiners. Source: tf.nn.embedding_lookup_sparse.
    """
    if combiner is None:
        from kiln.compat.v1 import logging

        logging.warning('The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.')
        combiner = "mean"
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    params = _listed(params)
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is not None:
        if not isinstance(sp_weights, SparseTensor):
            raise TypeError("sp_weights must be either None or SparseTensor")
        for part in ("values", "indices", "dense_shape"):
            getattr(sp_ids, part).shape.assert_is_compatible_with(getattr(sp_weights, part).shape)
    return _c.embedding_lookup_sparse(
        params, sp_ids, sp_weights, combiner, partition_strategy, name, _limit(max_norm)
    )


def safe_embedding_lookup_sparse(
    embedding_weights, sparse_ids, sparse_weights=None, combiner="mean", default_id=None, name=None,
    partition_strategy="div", max_norm=None,
):  # fmt: skip
    """The same without ids below 0 and those that weigh nothing, and for rows of ids that have none.

    default_id: whose row these get; zeros where it is None. sparse_ids: [..., n]. Errors: ValueError
    without parameters, and for parameters of another type than the weights. Source:
    tf.nn.safe_embedding_lookup_sparse.
    """
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    return _c.safe_embedding_lookup_sparse(
        _parts(embedding_weights), sparse_ids, sparse_weights, combiner, default_id, name, partition_strategy,
        _limit(max_norm),
    )  # fmt: skip
