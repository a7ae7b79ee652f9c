"""Records of ten devices as a laboratory would hand them over, for trials of laws.

    python3 devices.py FOLDER

Nothing here comes from microslip: each device is integrated by itself, from its own equations, with the faults
of its sensors added. Of nine of them no law of microslip is the truth. For each there is a second record of another
motion, NAME-2.csv, which a fit to the first one has to predict.
"""
import math
import random
import sys


def runge_kutta(rates, state, u0, u1, t0, t1, steps):
    """From one row to the next; the motion between is a straight line."""
    h = (t1 - t0) / steps
    v = (u1 - u0) / (t1 - t0)
    for i in range(steps):
        t = t0 + i * h
        def at(part, s):
            return rates(t + part * h, u0 + v * (t + part * h - t0), v, s)
        a = at(0, state)
        b = at(0.5, [x + 0.5 * h * r for x, r in zip(state, a)])
        c = at(0.5, [x + 0.5 * h * r for x, r in zip(state, b)])
        d = at(1, [x + h * r for x, r in zip(state, c)])
        state = [x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(state, a, b, c, d)]
    return state


def clamp(x, most):
    return max(-most, min(most, x))


def rows_of(motion, seconds, rate):
    t = [i / rate for i in range(int(seconds * rate) + 1)]
    return t, [motion(x) for x in t]


def smooth_noise(rng, tones, low, high):
    """A random motion of mean square 1."""
    parts = [(rng.uniform(low, high), rng.uniform(0, 2 * math.pi)) for _ in range(tones)]
    scale = math.sqrt(2 / tones)
    return lambda t: scale * sum(math.sin(2 * math.pi * f * t + p) for f, p in parts)


# --------------------------------------------------------------------------------------------- devices
# Each returns headings and rows; `second` is the record to be predicted.

def friction_damper(rng, second):
    """Banded drum: the band slackens at each reversal, then takes hold over 3 mm and slips on."""
    amplitude = 12 if not second else 9
    t, u = rows_of(lambda x: amplitude * math.sin(2 * math.pi * 0.5 * x), 8, 200)
    rows, slack, force = [], 0.0, 0.0
    for i, x in enumerate(t):
        du = u[i] - u[i - 1] if i else 0
        slack = clamp(slack + du, 1.5)  # half of the clearance
        drive = du if abs(slack) >= 1.5 and slack * du > 0 else 0
        force += 4.0 * drive - 4.0 / 5.0 * force * abs(drive) - 0.9 * force * (abs(du) - abs(drive))
        rows.append((x, u[i] + rng.gauss(0, 0.01), force + 0.15 * u[i] / 12 + rng.gauss(0, 0.03)))
    return ("Time [s]", "Crosshead [mm]", "Load cell [kN]"), rows


def robot_joint(rng, second):
    """Stribeck friction with presliding, cogging 12 times a turn and the inertia of the link, slow multisine."""
    move = smooth_noise(random.Random(3 if not second else 5), 6, 0.05, 0.3)
    t, q = rows_of(lambda x: 0.4 * move(x), 30, 100)
    v = [(q[min(i + 1, len(q) - 1)] - q[max(i - 1, 0)]) * 100 / (2 if 0 < i < len(q) - 1 else 1) for i in range(len(q))]
    rows, z = [], 0.0
    for i in range(len(t)):
        for _ in range(20):
            limit = 0.012 + 0.008 * math.exp(-(abs(v[i]) / 0.05) ** 2)
            z += (v[i] - abs(v[i]) / limit * z) / 2000
        a = (v[min(i + 1, len(q) - 1)] - v[max(i - 1, 0)]) * 50
        torque = 900 * z + 4 * v[i] + 0.6 * a + 0.8 * math.sin(12 * q[i])
        rows.append((t[i], q[i], torque + rng.gauss(0, 0.15)))
    return ("time [s]", "joint angle [rad]", "motor torque [Nm]"), rows


def mr_damper(rng, second):
    """Spencer's modified Bouc-Wen model at constant current, cm and N, with an accumulator."""
    c0, k0, alpha, beta, A, c1, k1, x0 = 21.0, 46.9, 140.0, 363.0, 301.0, 283.0, 5.0, 14.3
    move = smooth_noise(random.Random(8 if not second else 9), 8, 0.5, 3.0)
    t, x = rows_of(lambda s: 0.6 * move(s) - 0.6 * move(0) * math.exp(-5 * s), 8, 250)
    def rates(_, u, v, s):
        y, z = s
        dy = (alpha * z + c0 * v + k0 * (u - y)) / (c0 + c1)
        dz = -beta * abs(v - dy) * abs(z) * z - beta * (v - dy) * z * z + A * (v - dy)
        return [dy, dz]
    rows, s = [], [0.0, 0.0]
    for i in range(len(t)):
        if i:
            s = runge_kutta(rates, s, x[i - 1], x[i], t[i - 1], t[i], 60)  # z is stiff
        v = (x[min(i + 1, len(x) - 1)] - x[max(i - 1, 0)]) * 125
        force = c1 * rates(0, x[i], v, s)[0] + k1 * (x[i] - x0)
        rows.append((t[i], x[i], force + rng.gauss(0, 15)))
    return ("t [s]", "Displacement (cm)", "Force (N)"), rows


def piezo(rng, second):
    """Preisach relays on a grid and logarithmic creep; volts in, micrometres out."""
    def motion(x):
        return 50 * (1 - math.cos(2 * math.pi * x)) * (0.3 + 0.1 * min(x, 7) if not second else 0.8 - 0.08 * min(x, 8))
    t, volt = rows_of(motion, 7, 100)
    n = 60
    grid = [(a, b) for a in range(n) for b in range(a + 1)]
    relay = {g: -1 for g in grid}
    weight = {(a, b): math.exp(-((a - b) / 12.0) ** 2) for a, b in grid}
    total = sum(weight.values())
    rows, creep = [], 0.0
    for i, x in enumerate(t):
        level = volt[i] / 110 * n
        s = 0.0
        for g in grid:
            if level >= g[0]:
                relay[g] = 1
            elif level <= g[1]:
                relay[g] = -1
            s += weight[g] * relay[g]
        s = 6 * (s / total + 1) + 0.08 * volt[i]
        creep += (s - creep) * 0.01 / 20
        rows.append((x, volt[i], s + 0.05 * creep + rng.gauss(0, 0.02)))
    return ("t [s]", "Drive [V]", "Stroke [um]"), rows


def steel(rng, second):
    """A coupon: three back stresses (Chaboche), isotropic hardening, integrated explicitly; strain and MPa."""
    E, fy, Q, b = 200e3, 260.0, 60.0, 8.0
    C, g = (150e3, 25e3, 3e3), (1500.0, 250.0, 20.0)
    tips = ([0.004, -0.004, 0.006, -0.006, 0.009, -0.009, 0.012, -0.012, 0] if not second
            else [0.01, -0.002, 0.01, -0.01, 0.005, -0.01, 0.008, 0])
    strain = [0.0]
    for tip in tips:
        start = strain[-1]
        n = max(int(abs(tip - start) / 1.2e-4), 2)
        strain += [start + (tip - start) * (i + 1) / n for i in range(n)]
    rows, back, plastic, p = [], [0.0] * 3, 0.0, 0.0
    for i in range(len(strain)):
        old = strain[i - 1] if i else 0.0
        for k in range(50):
            e = old + (strain[i] - old) * (k + 1) / 50
            over = E * (e - plastic) - sum(back)
            limit = fy + Q * (1 - math.exp(-b * p))
            if abs(over) > limit:
                side = math.copysign(1, over)
                slope = E + sum(C) - side * sum(x * y for x, y in zip(g, back)) + Q * b * math.exp(-b * p)
                dp = (abs(over) - limit) / slope
                plastic += side * dp
                p += dp
                back = [x + c * side * dp - y * x * dp for x, c, y in zip(back, C, g)]
        rows.append((strain[i] + rng.gauss(0, 5e-6), E * (strain[i] - plastic) + rng.gauss(0, 2)))
    return ("Strain [-]", "Stress [MPa]"), rows


def wood_wall(rng, second):
    """A sheathed wall (Folz and Filiatrault): exponential envelope, pinched, stiffness falls with the largest drift."""
    F0, K0, r1, r4, FI, du, alpha, beta = 18.0, 2.2, 0.06, 0.03, 3.5, 45.0, 0.7, 1.1
    steps = [3, 2, 2, 6, 4, 4, 12, 9, 9, 20, 15, 15, 30, 22] if not second else [25, 18, 18, 12, 12, 6]
    u = [0.0]
    for a in steps:
        u += [a * math.sin(2 * math.pi * (i + 1) / 80) for i in range(80)]
    def envelope(x):
        return math.copysign((F0 + r1 * K0 * abs(x)) * (1 - math.exp(-K0 * abs(x) / F0)), x)
    rows, force, most = [], 0.0, 0.0
    for i in range(len(u)):
        d = u[i] - (u[i - 1] if i else 0)
        most = max(most, abs(u[i]))
        kp = K0 * (F0 / K0 / max(beta * most, F0 / K0)) ** alpha
        side = math.copysign(1, d) if d else 0
        target = envelope(u[i])
        pinched = side * FI + r4 * K0 * u[i]
        stiff = side * FI + kp * (u[i] - side * 0.35 * most) if side * u[i] > 0.35 * most else pinched
        wanted = max(stiff, pinched) if side > 0 else min(stiff, pinched)
        wanted = min(wanted, target) if side > 0 and u[i] > 0 else max(wanted, target) if side < 0 and u[i] < 0 else wanted
        unload = 1.45 * K0 * d
        force = force + unload if side * (wanted - force) > abs(unload) else wanted
        rows.append((u[i], force + rng.gauss(0, 0.1)))
    return ("Drift [mm]", "Shear [kN]"), rows


def isolator(rng, second):
    """Wire rope: asymmetric, harder in tension, its loop grows with the load (Ni and others, simplified)."""
    amplitude = 8 if not second else 6
    t, u = rows_of(lambda x: (3 + amplitude * x / 20) * math.sin(2 * math.pi * 0.5 * x), 20, 50)
    def rates(_, u, v, s):
        return [v - 0.5 * abs(v) * s[0] - 0.3 * v * abs(s[0])]
    rows, s = [], [0.0]
    for i in range(len(t)):
        if i:
            s = runge_kutta(rates, s, u[i - 1], u[i], t[i - 1], t[i], 10)
        force = (60 * s[0] * (1.4 ** (u[i] / 4))) + 12 * u[i] + 0.5 * max(u[i], 0) ** 2 + rng.gauss(0, 2)
        rows.append((t[i], u[i], force))
    return ("Time [s]", "Relative displacement [mm]", "Force [N]"), rows


def bolt(rng, second):
    """A lap joint: 300 sliders with Weibull limits under a drifting load cell; some cells are empty."""
    limits = [0.9 * (-math.log(1 - (i + 0.5) / 300)) ** 0.6 for i in range(300)]
    force = [0.0] * 300
    t, u = rows_of(lambda x: (2 + 14 * x / 20 if not second else 12) * math.sin(2 * math.pi * 0.4 * x), 20, 40)
    rows = []
    for i, x in enumerate(t):
        d = u[i] - u[i - 1] if i else u[0]
        force = [clamp(f + 0.12 * d, limit) for f, limit in zip(force, limits)]
        f = sum(force) / 10 + 0.9 * u[i] + rng.gauss(0, 0.15) + (0.04 * x if not second else 0)
        rows.append((x, u[i] + rng.gauss(0, 0.005), "" if i % 61 == 30 else f))
    return ("t (s)", "slip (um)", "load (kN)"), rows


def rocking_column(rng, second):
    """A column that tips: two corners with a plastic toe, negative stiffness beyond."""
    amplitude = 60 if not second else 45
    t, u = rows_of(lambda x: amplitude * min(x / 16, 1) * math.sin(2 * math.pi * 0.25 * x), 20, 40)
    rows, toe = [], 0.0
    for i, x in enumerate(t):
        d = u[i] - u[i - 1] if i else 0
        toe = clamp(toe + 0.4 * d, 2.5)
        lift = 30 * math.tanh(u[i] / 4) * (1 - abs(u[i]) / 200)
        rows.append((x, u[i], lift + toe + rng.gauss(0, 0.3)))
    return ("time [s]", "top [mm]", "base shear [kN]"), rows


def rubber(rng, second):
    """A lead-rubber bearing: smooth yielding, a rubber that softens with the first large stroke, warm lead."""
    t, u = rows_of(lambda x: ((40 if x < 8 else 100) if not second else 80) * math.sin(2 * math.pi * 0.5 * x), 16, 60)
    rows, z, most, heat = [], 0.0, 0.0, 0.0
    for i, x in enumerate(t):
        old = u[i - 1] if i else 0.0
        for k in range(10):
            d = (u[i] - old) / 10
            z += d / 8 * (1 - abs(z) * (0.6 + 0.4 * math.copysign(1, d * z)) * abs(z))
            heat += abs(120 * z * d) / 4e5 - heat * (1 / 60 / 10) / 30
        most = max(most, abs(u[i]))
        k = 1.1 * (0.75 + 0.25 * math.exp(-(most - abs(u[i])) / 30))
        rows.append((x, u[i], 120 * math.exp(-0.5 * heat) * z + k * u[i] + rng.gauss(0, 2)))
    return ("Time (s)", "Shear displacement (mm)", "Shear force (kN)"), rows


DEVICES = {"friction-damper": friction_damper, "robot-joint": robot_joint, "mr-damper": mr_damper, "piezo": piezo,
           "steel": steel, "wood-wall": wood_wall, "isolator": isolator, "bolt": bolt, "rocking": rocking_column,
           "rubber": rubber}


def main(folder):
    for place, (name, device) in enumerate(DEVICES.items()):
        for second in (False, True):
            headings, rows = device(random.Random(100 + 2 * place + second), second)
            with open(f"{folder}/{name}{'-2' if second else ''}.csv", "w", encoding="utf-8") as out:
                out.write(",".join(headings) + "\n")
                for row in rows:
                    out.write(",".join(x if isinstance(x, str) else f"{x:.7g}" for x in row) + "\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
