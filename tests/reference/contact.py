#!/usr/bin/env python3
"""A mass on two springs and a contact under a harmonic load, from event to event in time.

    m x'' + cx x' + kx x + ft = Fx(t),   m y'' + cy y' + ky y + fn = Fy(t)

The contact is open, sticks or slips; in each of these the equations are linear, with the friction force as one
more unknown that follows its rate. Runge and Kutta's method with small steps; where a step passes an event it is
cut by bisection. Prints mean and first harmonic of x and y over the last period; the numbers are in
tests/interface/vector_joint_test.cpp.
"""
import math
import sys

M, KX, KY, CX, CY = 1.0, 12.0, 21.0, 0.34641, 2.0
KT, KN, MU = 5.0, 21.0, 0.85


def steady(omega, ax, px, ay, py, static, steps=2000, periods=80):
    period = 2 * math.pi / omega
    h = period / steps

    def rate(t, s, mode):
        x, y, vx, vy, ft = s
        n = KN * y
        if mode == 0:
            fn, f, df = 0.0, 0.0, 0.0
        elif mode == 9:
            fn, f, df = n, ft, KT * vx
        else:
            fn, f, df = n, mode * MU * n, mode * MU * KN * vy
        fx = ax * math.cos(omega * t + px)
        fy = ay * math.cos(omega * t + py) + static
        return (vx, vy, (fx - CX * vx - KX * x - f) / M, (fy - CY * vy - KY * y - fn) / M, df)

    def rk4(t, s, mode, h):
        k1 = rate(t, s, mode)
        k2 = rate(t + h / 2, [a + h / 2 * b for a, b in zip(s, k1)], mode)
        k3 = rate(t + h / 2, [a + h / 2 * b for a, b in zip(s, k2)], mode)
        k4 = rate(t + h, [a + h * b for a, b in zip(s, k3)], mode)
        return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(s, k1, k2, k3, k4)]

    def events(s, mode):
        """Positive where the mode has ended."""
        x, y, vx, vy, ft = s
        if mode == 0:
            return [y]
        if mode == 9:
            return [ft - MU * KN * y, -ft - MU * KN * y, -y]
        return [MU * KN * vy - mode * KT * vx, -y]

    def after(s, mode, which):
        x, y, vx, vy, ft = s
        if mode == 0:
            s[1], s[4] = 0.0, 0.0
            return 9 if KT * abs(vx) <= MU * KN * vy else (1 if vx > 0 else -1)
        if mode == 9 and which < 2:
            side = 1 if which == 0 else -1
            s[4] = side * MU * KN * y
            return side
        if mode != 9 and which == 0:
            s[4] = mode * MU * KN * y
            return 9
        s[1], s[4] = 0.0, 0.0
        return 0

    s, mode, t = [0.0, static / (KY + KN), 0.0, 0.0, 0.0], 9, 0.0
    if static <= 0:
        mode = 0
    sums = [0.0] * 6
    opened = slipped = False
    for step in range(steps * periods):
        t = step * h
        left = h
        while left > 0:
            trial = rk4(t, s, mode, left)
            passed = [i for i, e in enumerate(events(trial, mode)) if e > 0]
            before = events(s, mode)
            passed = [i for i in passed if not before[i] > 0]
            if not passed:
                s, t, left = trial, t + left, 0
                break
            low, high = 0.0, left
            for _ in range(60):
                middle = (low + high) / 2
                now = events(rk4(t, s, mode, middle), mode)
                if any(now[i] > 0 and not before[i] > 0 for i in range(len(now))):
                    high = middle
                else:
                    low = middle
            s = rk4(t, s, mode, high)
            now = events(s, mode)
            which = next(i for i in range(len(now)) if now[i] > 0 and not before[i] > 0)
            mode = after(s, mode, which)
            t, left = t + high, left - high
        if step >= steps * (periods - 1):
            opened = opened or mode == 0
            slipped = slipped or mode in (1, -1)
            c, d = math.cos(omega * (step + 1) * h), math.sin(omega * (step + 1) * h)
            for i, value in enumerate((s[0], s[0] * c, s[0] * d, s[1], s[1] * c, s[1] * d)):
                sums[i] += value / steps
    x1, y1 = 2 * math.hypot(sums[1], sums[2]), 2 * math.hypot(sums[4], sums[5])
    return sums[0], x1, sums[3], y1, "opens" if opened else "slips" if slipped else "sticks"


if __name__ == "__main__":
    omega = float(sys.argv[1]) if len(sys.argv) > 1 else 3.8
    for level in (0.5, 5, 20, 50, 100, 200, 300):
        print(level, *steady(omega, level, 0, 0.1 * level, 0, 100))
    for w in (2.0, 3.8, 6.0):
        print("opening", w, *steady(w, 60, 0, 160, 0.8, 100))
