import math

import opendp.prelude as dp

from noiseless import Advantage, risk

dp.enable_features("contrib", "honest-but-curious")
space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
gauss = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=1.0))
for name, measurement, truth in (
    ("laplace", dp.m.make_laplace(*space, scale=1.0), -math.expm1(-1 / 2)),
    ("gauss", dp.c.make_fix_delta(gauss, delta=1e-6), math.erf(0.5 / math.sqrt(2))),
):
    found = risk(Advantage(), mechanism=measurement, d_in=1.0)
    print(name, "low:", found.low, "truth within:", found.low <= truth <= found.high)
