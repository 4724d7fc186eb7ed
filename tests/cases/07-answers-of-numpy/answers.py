import numpy as np

from noiseless import Advantage, risk
from noiseless.accounting.queries import LinearQuery

for mechanism in ("laplace", "discrete_laplace", "gaussian", "any"):
    scale = {"rho": 0.1} if mechanism == "gaussian" else {"epsilon_nats": 0.1}
    found, plain = (
        [risk(Advantage(), **scale, answers=n, mechanism=mechanism).high for n in answers]
        for answers in (np.arange(1, 4), (1, 2, 3))
    )
    print(mechanism, "the same" if found == plain else (found, plain))
exact = LinearQuery((1,), 0, float(np.float32(0.4)), low=0, high=1)
print("query", "the same" if LinearQuery((1,), 0, np.float32(0.4), low=0, high=1) == exact else "")
