"""The pinched law, dth = K0/(|x|+eps) (thm + beta sgn(x x') - th) |dx|, f = th x, by integration.

Legs are cut at x = 0; with ln(|x| + eps) as the variable the equation has constant coefficients.
"""

import math

from ode import integrate, show, turning_points, two_tones

K0, THM, BETA, EPS = 4.0, 2.0, 1.8, 1e-4


class Pinched:
    def __init__(self):
        self.x, self.theta, self.work = 0.0, THM, 0.0

    def piece(self, x):
        """To x on the same side of zero; y = (ln(|x| + eps), theta, work)."""
        a, c = abs(self.x), abs(x)
        grows = 1.0 if c > a else -1.0
        length = abs(math.log((c + EPS) / (a + EPS)))

        def slope(y):
            reach = math.exp(y[0])
            return [grows, K0 * (THM + grows * BETA - y[1]), grows * reach * (reach - EPS) * y[1]]

        y, _ = integrate(slope, [math.log(a + EPS), self.theta, self.work], length,
                         tolerance=1e-12)
        self.x, self.theta, self.work = x, y[1], y[2]

    def go(self, x):
        if self.x * x < 0:
            self.piece(0.0)
        if x != self.x:
            self.piece(x)

    def force(self):
        return self.theta * self.x


def figure_6_7():
    name = "biswas2018-fig6.7"
    for amplitude, n in ((0.4, 8), (0.4, 10), (0.5, 12), (0.5, 14), (0.3, 16), (0.3, 18)):
        h = f"h = {amplitude:g}*sin({n}*pi*t): "
        x, rate = two_tones(1, 2 * math.pi, amplitude, n * math.pi)
        law, largest, works = Pinched(), 0.0, {}
        times = turning_points(rate, 3)
        for i, t in enumerate(times):
            for whole in (1.0, 2.0):
                if t > whole and whole not in works:
                    law.go(x(whole))
                    works[whole] = law.work
            law.go(x(t))
            largest = max(largest, law.force())
            if i < 3:
                show(name, h + f"force at turning point {i + 1}", law.force())
        law.go(x(3.0))
        show(name, h + "turning points in three periods", len(times))
        show(name, h + "energy of the third period", law.work - works[2.0])
        show(name, h + "largest force", largest)
    law = Pinched()
    law.go(0.8)
    before = law.force()
    law.go(0.79), law.go(0.8)
    show(name, "a small reversal 0.8 → 0.79 → 0.8 misses the old force by", before - law.force())


if __name__ == "__main__":
    figure_6_7()
