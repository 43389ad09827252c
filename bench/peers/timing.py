"""How the peers in Python time a step."""
import time


def best(fn, min_time=0.8, reps=5):
    """Returns the least and the median seconds of a call of `fn`, over `reps` rounds that take `min_time` seconds together at least."""
    fn()
    fn()
    n = 1
    while True:
        begin = time.perf_counter()
        for _ in range(n):
            fn()
        taken = time.perf_counter() - begin
        if taken > min_time / reps:
            break
        n = max(n + 1, int(n * min(10, 1.2 * (min_time / reps) / max(taken, 1e-9))))
    rounds = []
    for _ in range(reps):
        begin = time.perf_counter()
        for _ in range(n):
            fn()
        rounds.append((time.perf_counter() - begin) / n)
    return min(rounds), sorted(rounds)[len(rounds) // 2]
