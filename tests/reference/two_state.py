"""The two-state law as plasticity with an ellipse: the angle on it by integration in u.

s = b u - alpha q; elastic while s'A^-1 s < 1, A = mu diag(sigma, 1); on the ellipse
s = (sqrt(a1) cos th, sqrt(a2) sin th), and the slip q' along A^-1 s turns th.
"""

import math

from ode import integrate, show, step, turning_points, two_tones


class TwoState:
    def __init__(self, alpha, sigma, b1, b2, mu=1.0, ks=0.0):
        self.alpha, self.b, self.ks = alpha, (b1, b2), ks
        self.root = (math.sqrt(mu * sigma), math.sqrt(mu))
        self.u = self.work = 0.0
        self.s = (0.0, 0.0)

    @classmethod
    def normalized(cls, alpha, sigma):
        return cls(alpha, sigma, math.sqrt(alpha * (1 - alpha) / (1 - sigma)),
                   math.sqrt(alpha * (alpha - sigma) / (1 - sigma)))

    def force(self, u=None, s=None):
        u, s = (self.u if u is None else u), (self.s if s is None else s)
        return (1 + self.ks) * u - sum(b * (b * u - x) for b, x in zip(self.b, s)) / self.alpha

    def on_ellipse(self, angle):
        return self.root[0] * math.cos(angle), self.root[1] * math.sin(angle)

    def elastic_way(self, d):
        """How far until the ellipse is reached, from a point in it."""
        x = [s / r for s, r in zip(self.s, self.root)]
        v = [d * b / r for b, r in zip(self.b, self.root)]
        vv, xv, c = sum(a * a for a in v), sum(a * b for a, b in zip(x, v)), sum(a * a for a in x)
        if c >= 1 - 1e-14:
            return 0.0 if xv > 0 else -2 * xv / vv
        return (-xv + math.sqrt(xv * xv + vv * (1 - c))) / vv

    def go(self, u, small=False):
        """To u; `small` takes one step on the ellipse, for paths of very many rows."""
        if u == self.u:
            return
        d = 1.0 if u > self.u else -1.0
        way, elastic = abs(u - self.u), self.elastic_way(d)
        part = min(way, elastic)
        before, here = self.force(), self.u + d * part
        self.s = tuple(s + d * b * part for s, b in zip(self.s, self.b))
        self.work += d * part * 0.5 * (before + self.force(here))
        self.u = here
        if elastic >= way:
            self.u = u
            return
        angle = math.atan2(self.s[1] / self.root[1], self.s[0] / self.root[0])
        r1, r2 = self.root

        def slope(y):
            s = self.on_ellipse(y[1])
            n = (s[0] / r1 ** 2, s[1] / r2 ** 2)
            b = (d * self.b[0], d * self.b[1])
            rate = (n[0] * b[0] + n[1] * b[1]) / (n[0] ** 2 + n[1] ** 2)
            moved = (b[0] - rate * n[0], b[1] - rate * n[1])
            along = (-r1 * math.sin(y[1]), r2 * math.cos(y[1]))
            turn = sum(a * m for a, m in zip(along, moved)) / sum(a * a for a in along)
            return [d, turn, d * self.force(y[0], s)]

        y = [self.u, angle, self.work]
        y = step(slope, y, way - part)[0] if small else integrate(slope, y, way - part)[0]
        self.u, self.s, self.work = u, self.on_ellipse(y[1]), y[2]


def figure_4_7():
    name = "biswas2018-fig4.7"
    law = TwoState.normalized(0.5, 0.49)
    law.go(5)
    for i in range(1, 5):
        show(name, f"(a) force at turning point {i}", law.force())
        if i == 4:
            break
        if i == 3:
            law.go(0)  # downwards, not the row of the figure
        law.go(-5 if i % 2 else 5)
    law = TwoState.normalized(0.5, 0.49)
    for u in (5, -5, 0):
        law.go(u)
    for u in (5, -5):
        law.go(u)
    law.go(0)
    show(name, "(a) force at u = 0, t = 4π", law.force())
    works = []
    for _ in range(2):
        works.append(law.work)
        law.go(5), law.go(-5), law.go(0)
    works.append(law.work)
    show(name, "(a) energy of a steady cycle", works[2] - works[1])

    u, rate = two_tones(3, 1, 1.5, 5)
    law = TwoState.normalized(0.5, 0.49)
    times = turning_points(rate, 6 * math.pi)
    works = [0.0]
    for i, t in enumerate(times):
        law.go(u(t))
        if i < 5:
            show(name, f"(b) displacement of turning point {i + 1}", law.u)
        if i < 10:
            show(name, f"(b) force at turning point {i + 1}", law.force())
        if i % 10 == 9:
            law.go(0.0)
            works.append(law.work)
    for i in range(3):
        show(name, f"(b) work in cycle {i + 1}", works[i + 1] - works[i])


def appendix_f():
    name = "biswas2018-appF"

    def law():
        return TwoState(3.3311, 0.1524, 1.1334, 1.4232, ks=0.2942)

    one, works, turns = law(), [], 0
    for cycle in range(8):
        one.go(0.0)
        works.append(one.work)
        for u in (1, -1):
            one.go(u)
            turns += 1
            if turns <= 5:
                show(name, f"two-state, force at u = ±1 {turns}", one.force())
    one.go(0.0)
    works.append(one.work)
    show(name, "energy of cycle 2, one frequency 2", works[2] - works[1])
    show(name, "steady energies 2", works[8] - works[7])
    u, rate = two_tones(1, 2 * math.pi, 0.6, 8 * math.pi)
    two, works = law(), []
    for i, t in enumerate(turning_points(rate, 8)):
        if i % 8 == 0:
            two.go(u(t // 1))
            works.append(two.work)
        two.go(u(t))
        if 8 <= i < 16:
            show(name, "two-state, force at turning point of the second two-frequency cycle "
                 f"{i - 7}", two.force())
    two.go(u(8.0))
    show(name, "steady energies 4", two.work - works[7])


def figure_5_1():
    rows = 25136
    cases = ((0.6134, 0.2254, 0.3353, 0.6353, two_tones(3, 1, 0, 1)[0]),
             (5.0, 0.28, 1.5457, 1.2692, two_tones(2, 1, 0.85, 5.1524)[0]),
             (17.6663, 0.0906, 1.7959, 2.5594, two_tones(1, 1, 0.4, 4.3675)[0]),
             (7.8443, 0.5570, 1.9537, 1.9020, two_tones(5, 1, 1.9, 4.2314)[0]))
    for number, (alpha, sigma, b1, b2, u) in enumerate(cases, 1):
        law = TwoState(alpha, sigma, b1, b2)
        largest, work, before = 0.0, 0.0, 0.0
        for i in range(1, rows + 1):
            old = law.u
            law.go(u(8 * math.pi * i / rows), small=True)
            f = law.force()
            largest = max(largest, f)
            if i > rows - rows // 4:
                work += 0.5 * (f + before) * (law.u - old)
            before = f
        show("biswas2018-fig5.1", f"case {number}: largest force, exact", largest)
        show("biswas2018-fig5.1", f"case {number}: work in the last 2π, exact", work)


def figure_d_2():
    """Verlet's method, order 2; two step sizes, extrapolated."""
    def motion(b1, b2, h):
        law = TwoState(1 / 500, 0.0638, b1, b2, mu=0.117e-3)
        x, v = [1.0, 0.0], [0.0, 0.0]
        law.go(x[0])

        def acceleration():
            return -2 * x[0] + x[1] - law.force(), x[0] - x[1]

        a, seen = acceleration(), []
        for i in range(1, round(60 / h) + 1):
            v = [p + 0.5 * h * q for p, q in zip(v, a)]
            x[:] = [p + h * q for p, q in zip(x, v)]
            law.go(x[0], small=True)
            a = acceleration()
            v = [p + 0.5 * h * q for p, q in zip(v, a)]
            if i in (round(20 / h), round(60 / h)):
                seen += x
        return seen

    for name, b1, b2 in (("b as printed", 0.0326, 0.0068), ("b rotated with A", 0.0193, 0.0271)):
        coarse, fine = motion(b1, b2, 2e-3), motion(b1, b2, 1e-3)
        for i, (c, f) in enumerate(zip(coarse, fine)):
            show("biswas2018-figD.2", f"{name}: u₁, u₂ at t = 20 and at t = 60: {i + 1}",
                 f + (f - c) / 3)


if __name__ == "__main__":
    figure_4_7()
    appendix_f()
    figure_5_1()
    figure_d_2()
