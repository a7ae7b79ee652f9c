"""dz/du = A - |z|^n (beta sgn(u' z) + gamma), f = z, by integration in u with z = 0 located."""

import math

from ode import integrate, show, turning_points, two_tones


class BoucWen:
    def __init__(self, A, beta, gamma, n):
        self.A, self.beta, self.gamma, self.n = A, beta, gamma, n
        self.u = self.z = self.work = 0.0

    def go(self, u):
        d = 1.0 if u > self.u else -1.0
        way = abs(u - self.u)
        # y = (z d, work): the sign of z d is fixed on each of the at most two pieces.
        y = [self.z * d, self.work]
        while way > 0:
            side = 1.0 if y[0] >= 0 else -1.0

            def slope(y, side=side):
                return [self.A - abs(y[0]) ** self.n * (self.beta * side + self.gamma), y[0]]

            y, gone = integrate(slope, y, way, None if side > 0 else lambda y: y[0])
            if side < 0 and gone < way:
                y[0] = max(y[0], 0.0)
            way = way - gone if side < 0 else 0.0
            if way < 1e-14:
                break
        self.u, self.z, self.work = u, y[0] * d, y[1]


def steady(law, amplitude, cycles):
    """|z| and energy of the last of many cycles."""
    law.go(amplitude)
    for _ in range(cycles):
        before = law.work
        law.go(-amplitude)
        law.go(amplitude)
    return abs(law.z), law.work - before


def mathis():
    for figure, n in ((9, 2), (10, 1), (11, 2)):
        show(f"mathis2020-fig{figure}", "energy of a steady cycle",
             steady(BoucWen(1, 0.75, 0.25, n), 1, 30)[1])


def gavin():
    for eta in (1, 2, 3, 5, 7):
        law = BoucWen(1, 1, 0, eta)
        for u in (1, 2):
            law.go(u)
            show("gavin2018-fig1", f"η = {eta}: z({u})", law.z)
    for eta in (1, 2):
        for beta in (0.5, 0.75, 0.9, 1):
            gamma = round(1 - beta, 10)
            top, energy = steady(BoucWen(1, beta, gamma, eta), 2, 12)
            name = f"β = {beta:g}, γ = {gamma:g}, η = {eta}: "
            show("gavin2018-fig2", name + "steady |z| at u = 2", top)
            show("gavin2018-fig2", name + "energy per cycle", energy)


def appendix_f():
    law = BoucWen(1, 0.8, 0.2, 1)
    works = []
    for cycle in range(8):
        law.go(0.0)
        works.append(law.work)
        for i, u in enumerate((1, -1)):
            law.go(u)
            if cycle < 3:
                show("biswas2018-appF", f"Bouc–Wen, force at u = ±1 {2 * cycle + i + 1}", law.z)
    law.go(0.0)
    works.append(law.work)
    show("biswas2018-appF", "energy of cycle 2, one frequency 1", works[2] - works[1])
    show("biswas2018-appF", "steady energies 1", works[8] - works[7])

    u, rate = two_tones(1, 2 * math.pi, 0.6, 8 * math.pi)
    law = BoucWen(1, 0.8, 0.2, 1)
    times = turning_points(rate, 8)
    works = []
    for i, t in enumerate(times):
        if i % 8 == 0:
            law.go(u(t // 1))
            works.append(law.work)
        law.go(u(t))
        if 8 <= i < 16:
            show("biswas2018-appF",
                 f"Bouc–Wen, force at turning point of the second two-frequency cycle {i - 7}",
                 law.z)
    law.go(u(8.0))
    show("biswas2018-appF", "steady energies 3", law.work - works[7])


if __name__ == "__main__":
    mathis()
    gavin()
    appendix_f()
