"""The six-state model of Biswas (2018), eqs (2.23)-(2.25), as plasticity with an ellipsoid.

s = b f - K q stays in s'A^-1 s <= 1 and q moves along A^-1 s: integrated as an ordinary
differential equation in the load f. The answer is xi = b'q.
"""

import math

from ode import integrate, show, turning_points, two_tones


def symmetric(*upper):
    m, it = [[0.0] * 6 for _ in range(6)], iter(upper)
    for i in range(6):
        for j in range(i, 6):
            m[i][j] = m[j][i] = next(it)
    return m


A = symmetric(69.7660, -16.7609, 5.0974, -0.4140, 6.0795, 0.0735, 54.7643, 21.1285, -11.5050,
              9.9094, 1.1897, 53.1705, 29.9240, -1.0899, 1.6273, 60.6932, 0.2900, -1.1642, 79.8739,
              0.7324, 83.5902)
K = symmetric(0.3887, 0.5313, -0.1284, 0.0080, -0.0117, 0.0328, 1.2884, -0.5771, -0.0405, -0.3183,
              0.0362, 1.3397, -0.9649, 0.1496, 0.0970, 1.4136, 0.2534, -0.1983, 1.1416, -0.2764,
              1.1035)
b = [-25.6657, -25.5468, 8.7604, -0.9557, 1.6718, 0.1085]


def dot(x, y):
    return sum(p * q for p, q in zip(x, y))


def times(m, x):
    return [dot(row, x) for row in m]


def inverse(m):
    n = len(m)
    rows = [list(r) + [float(i == j) for j in range(n)] for i, r in enumerate(m)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[p] = rows[p], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i])]
    return [r[n:] for r in rows]


INVERSE_A = inverse(A)


def canonical_form():
    """lambda and |b| where K is the unit matrix and A is diagonal: Cholesky, then Jacobi."""
    n = 6
    L = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = K[i][j] - dot(L[i][:j], L[j][:j])
            L[i][j] = math.sqrt(rest) if i == j else rest / L[j][j]
    W = inverse(L)
    Wt = [list(c) for c in zip(*W)]
    C = [[dot(row, col) for col in zip(*Wt)] for row in
         [[dot(row, col) for col in zip(*A)] for row in W]]
    V = [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(30):
        for p in range(n):
            for q in range(p + 1, n):
                if abs(C[p][q]) < 1e-18:
                    continue
                t = 0.5 * math.atan2(2 * C[p][q], C[q][q] - C[p][p])
                c, s = math.cos(t), math.sin(t)
                for m in (C, V):
                    for row in m:
                        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
                C[p], C[q] = ([c * x - s * y for x, y in zip(C[p], C[q])],
                              [s * x + c * y for x, y in zip(C[p], C[q])])
    order = sorted(range(n), key=lambda i: C[i][i])
    turned = times([list(c) for c in zip(*V)], times(W, b))
    return [C[i][i] for i in order], [abs(turned[i]) for i in order]


class SixState:
    def __init__(self):
        self.f, self.q = 0.0, [0.0] * 6

    def go(self, f):
        d, way = (1.0 if f > self.f else -1.0), abs(f - self.f)
        s = [x * self.f - y for x, y in zip(b, times(K, self.q))]
        nb, ns = times(INVERSE_A, b), times(INVERSE_A, s)
        bb, sb, c = dot(b, nb), d * dot(s, nb), dot(s, ns) - 1
        if c > -1e-9:
            elastic = 0.0 if sb > 0 else -2 * sb / bb
        else:
            elastic = (-sb + math.sqrt(sb * sb - bb * c)) / bb
        if elastic < way:
            s = [x + d * y * elastic for x, y in zip(s, b)]

            def slope(y):
                n = times(INVERSE_A, y[:6])
                rate = d * dot(n, b) / dot(n, times(K, n))
                if rate < 0:
                    raise ArithmeticError("the model sticks again inside a leg")
                return [d * p - rate * r for p, r in zip(b, times(K, n))] + [rate * x for x in n]

            y, _ = integrate(slope, s + self.q, way - elastic, tolerance=1e-10)
            self.q = y[6:]
        self.f = f

    def xi(self):
        return dot(b, self.q)


def figure(identifier, cases):
    for kind, values in zip(("canonical λ", "canonical b"), canonical_form()):
        for i, value in enumerate(values):
            show(identifier, f"{kind} {i + 1}", value)
    for title, (load, rate) in cases:
        model, answers = SixState(), []
        times_of = turning_points(rate, 20)
        show(identifier, f"{title}: turning points of the load", len(times_of))
        for i, t in enumerate(times_of):
            model.go(load(t))
            answers.append(model.xi())
            if i < 5:
                show(identifier, f"{title}: load at turning point {i + 1}", load(t))
                show(identifier, f"{title}: displacement at turning point {i + 1}", answers[-1])
        model.go(load(20.0))
        answers.append(model.xi())
        show(identifier, f"{title}: lowest displacement", min(answers))
        show(identifier, f"{title}: highest displacement", max(answers))


if __name__ == "__main__":
    w = 4.16753
    figure("biswas2018-fig2.8",
           [(name, two_tones(p, 1, q, w)) for name, p, q in
            (("0.4 sin t + sin wt", 0.4, 1), ("sin t + 0.4 sin wt", 1, 0.4),
             ("sin t + 1.5 sin wt", 1, 1.5), ("1.5 sin t + sin wt", 1.5, 1),
             ("sin t + 3 sin wt", 1, 3), ("3 sin t + sin wt", 3, 1))])
    figure("biswas2018-fig2.9",
           [(f"Ω = {name}", two_tones(1, 1, 1.5, v * math.pi)) for name, v in
            (("π/4", 1 / 4), ("π/2", 1 / 2), ("π", 1), ("5π/4", 5 / 4), ("3π/2", 3 / 2),
             ("2π", 2))])
