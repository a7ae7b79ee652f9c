"""The histories of bench/gpu/field.cu as users of JAX write them: vmap over joints, scan over rows, float64.

    python field_jax.py FOLDER

FOLDER holds the energies that field_bench wrote. Sub-steps (fourth-order Runge-Kutta) are doubled until the energy is
right to 1e-8 (jenkins: its map is exact); the rate is for those. A law that does not get there says so.
"""
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def jenkins_row(state, u, u_before, dt, sub):
    f, energy = state
    elastic = f + (u - u_before)
    force = jnp.clip(elastic, -0.5, 0.5)
    return force, energy + force * (elastic - force)


def runge_kutta(rates):
    def row(state, u, u_before, dt, sub):
        du, way = (u - u_before) / sub, jnp.sign(u - u_before)
        speed = (u - u_before) / dt if dt > 0 else 0.0

        def one(_, y):
            a = rates(y[0], way, speed)
            b = rates(y[0] + 0.5 * du * a[0], way, speed)
            c = rates(y[0] + 0.5 * du * b[0], way, speed)
            d = rates(y[0] + du * c[0], way, speed)
            return tuple(x + du / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(y, a, b, c, d))

        return jax.lax.fori_loop(0, sub, one, state)

    return row


def bouc_wen(z, way, speed):  # A = 1, beta = gamma = 0.5, n = 2, k = 1, a = 0.1
    slope = 1 - z * z * (0.5 + 0.5 * jnp.sign(z * way))
    return slope, 0.9 * z * (1 - slope)


def lugre(z, way, speed):  # sigma0 = 1, sigma1 = sigma2 = 0.1, zc = 1, zs = 1.2, vs = 0.5
    g = 1 + 0.2 * jnp.exp(-((speed / 0.5) ** 2))
    slope = 1 - way * z / g
    return slope, z * (1 - slope) + 0.1 * slope * speed + 0.1 * speed


def dahl(z, way, speed):  # sigma0 = zc = n = 1
    slope = 1 - way * z
    return slope, z * (1 - slope)


LAWS = {"jenkins": (jenkins_row, 0.0), "bouc-wen": (runge_kutta(bouc_wen), 0.0),
        "lugre": (runge_kutta(lugre), 0.02), "dahl": (runge_kutta(dahl), 0.0)}


def energies(row, dt, sub):
    def one(signal, scale):
        def step(carry, u):
            state, before = carry
            return (row(state, scale * u, before, dt, sub), scale * u), None

        start = ((jnp.zeros(()), jnp.zeros(())), jnp.zeros(()))
        (state, _), _ = jax.lax.scan(step, start, signal)
        return state[1]

    return jax.jit(jax.vmap(one, in_axes=(None, 0)))


def rate(run, signal, joints):
    scale = jnp.asarray(np.random.default_rng(40).uniform(0.2, 2, joints))
    run(signal, scale).block_until_ready()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run(signal, scale).block_until_ready()
        times.append(time.perf_counter() - start)
    return joints * len(signal) / sorted(times)[1]


def main(folder):
    print("JAX", jax.__version__, jax.devices()[0])
    for name, (row, dt) in LAWS.items():
        data = np.fromfile(f"{folder}/{name}.f64")
        rows, joints = int(data[0]), int(data[1])
        signal, scale, exact = np.split(data[3:], [rows, rows + joints])
        signal = jnp.asarray(signal)
        for power in range(0, 9):
            sub = 2 ** power
            run = energies(row, dt, sub)
            slips = exact > 0  # a slider of a small joint never does
            worst = np.max(np.abs(np.asarray(run(signal, jnp.asarray(scale)))[slips] / exact[slips] - 1))
            if worst <= 1e-8 or name == "jenkins":
                break
        few = max(300, rows // sub)  # a long history says no more
        print(f"{name:12} {sub} sub-steps, energy to {worst:.1e}: {rate(run, signal[:few], 1000000):.3g} steps/s",
              flush=True)


main(sys.argv[1])
