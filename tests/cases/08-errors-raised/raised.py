import numpy as np

from noiseless import Advantage, risk

plain = risk(Advantage(), epsilon_nats=0.1, answers=1000)
np.seterr(all="raise")
print("the same:", risk(Advantage(), epsilon_nats=0.1, answers=1000) == plain)
