import numpy as np

from noiseless import Advantage, risk
from noiseless.accounting.queries import LinearQuery

for mechanism in ("laplace", "discrete_laplace", "gaussian_analytic", "any"):
    delta = 1e-6 if mechanism == "gaussian_analytic" else None
    found, plain = (
        [
            risk(Advantage(), epsilon_nats=0.1, answers=n, mechanism=mechanism, delta=delta).high
            for n in answers
        ]
        for answers in (np.arange(1, 4), (1, 2, 3))
    )
    print(mechanism, "the same" if found == plain else (found, plain))
exact = LinearQuery((1,), 0, float(np.float32(0.4)), low=0, high=1)
print("query", "the same" if LinearQuery((1,), 0, np.float32(0.4), low=0, high=1) == exact else "")
