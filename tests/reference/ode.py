"""Dormand and Prince's method of order 5 with error control, and what the references share."""

import math

C = ((1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9),
     (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
     (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
     (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84))
B4 = (5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40)


def step(f, y, h):
    """One step of an autonomous system; the new state and the estimate of its error."""
    k = [f(y)]
    for row in C:
        z = [yi + h * sum(c * kj[i] for c, kj in zip(row, k)) for i, yi in enumerate(y)]
        k.append(f(z))
    fourth = [yi + h * sum(c * kj[i] for c, kj in zip(B4, k)) for i, yi in enumerate(y)]
    return z, max(abs(a - b) for a, b in zip(z, fourth))


def integrate(f, y, length, event=None, tolerance=1e-13, largest=0.05):
    """y after `length`, or where event(y) first becomes positive; also the way that was gone."""
    x, h = 0.0, min(1e-3, length)
    while length - x > 1e-15 * max(1.0, length):
        h = min(h, length - x, largest)
        new, error = step(f, y, h)
        if error > tolerance:
            h *= max(0.2, 0.9 * (tolerance / error) ** 0.2)
            continue
        if event is not None and event(new) > 0:
            low, high = 0.0, h
            for _ in range(80):
                middle = 0.5 * (low + high)
                if event(step(f, y, middle)[0]) > 0:
                    high = middle
                else:
                    low = middle
            return step(f, y, high)[0], x + high
        x, y = x + h, new
        h *= min(4.0, 0.9 * (tolerance / max(error, 1e-20)) ** 0.2)
    return y, x


def turning_points(derivative, until, grid=20000):
    """Times at which the derivative of a signal changes its sign, by bisection."""
    times = []
    for i in range(grid):
        a, b = until * i / grid, until * (i + 1) / grid
        fa, fb = derivative(a), derivative(b)
        if fa == 0 or fa * fb >= 0:
            continue
        for _ in range(100):
            m = 0.5 * (a + b)
            if derivative(m) * fa > 0:
                a = m
            else:
                b = m
        times.append(0.5 * (a + b))
    return times


def show(identifier, quantity, value):
    print(f"{identifier}\t{quantity}\t{value:.15g}")


def two_tones(a, v, b, w):
    """a sin vt + b sin wt and its derivative."""
    return (lambda t: a * math.sin(v * t) + b * math.sin(w * t),
            lambda t: a * v * math.cos(v * t) + b * w * math.cos(w * t))
