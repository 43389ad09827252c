"""What all metrics take."""


def options(weights, metrics_collections, updates_collections, name):
    """What C++ takes behind a metric's own arguments."""
    return weights, _keys(metrics_collections), _keys(updates_collections), name or ""


def _keys(collections):
    if not collections:
        return ()
    return (collections,) if isinstance(collections, str) else tuple(str(key) for key in collections)
