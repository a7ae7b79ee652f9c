"""Share of slipping states of the two-state model for which the printed code of Biswas and Chatterjee
(2015), App. B.2, returns a wrong direction, with the eigenvectors in the order of LAPACK, which Matlab
calls as well. Needs numpy, unlike the other programs, and is run by hand.

States as in reproduce/biswas2015_misprints.cpp: A = diag(σ, 1), σ uniform in (0.02, 0.98), c at any
angle on 1 to 1.5 times its ellipse.
"""

import numpy as np


def slip(A, c, count):
    """The printed function with its loop over the first `count` eigenvectors."""
    m = len(c)
    values, vectors = np.linalg.eig(np.block([[A, np.outer(c, c)], [A, A]]))
    best, least = np.zeros(m), np.inf
    for k in range(count):
        if values[k].imag != 0:
            continue
        eta = vectors[:m, k].real
        eta = -eta / np.linalg.norm(eta) * np.sign(eta @ c)
        y = np.sqrt(eta @ A @ eta) + eta @ c
        if y < least:
            best, least = eta, y
    return best


def by_search(A, c, angles=np.linspace(0, 2 * np.pi, 20001)):
    etas = np.array([np.cos(angles), np.sin(angles)])
    y = np.sqrt((etas * (A @ etas)).sum(axis=0)) + c @ etas
    return etas[:, y.argmin()]


random = np.random.default_rng(1)
states, wrong = 4000, {2: 0, 4: 0}
for _ in range(states):
    A = np.diag([random.uniform(0.02, 0.98), 1.0])
    angle, reach = random.uniform(0, 2 * np.pi), random.uniform(1, 1.5)
    c = reach * np.sqrt(np.diag(A)) * [np.cos(angle), np.sin(angle)]
    right = by_search(A, c)
    for count in wrong:
        wrong[count] += np.linalg.norm(slip(A, c, count) - right) > 1e-3
for count, name in ((2, "k = 1:m, as printed"), (4, "k = 1:2*m")):
    print(f"biswas2015-misprints\tshare of wrong directions, {name}\t{wrong[count] / states:.4f}")
