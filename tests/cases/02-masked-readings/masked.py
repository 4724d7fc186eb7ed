import numpy as np

import noiseless as nl
from noiseless.errors import UserError

readings = np.ma.array([1.2, 999999.0, 19.5], mask=[0, 1, 0])
homes = np.ma.array(
    [[7000, 9000, 400], [500, 999999, 700], [300, 1000, 6000], [1000, 600, 5000]],
    mask=[[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]],
)
quantizer = nl.Quantizer(nl.Domain((0,), (20,), "kwh"), levels=4)
for release in (
    lambda: quantizer.release(readings),
    lambda: nl.play_membership_game(homes, n=2, epsilon_bits=3, maximum_wh=10_000, rng=1),
):
    try:
        print("released:", release())
    except UserError as error:
        print(error)
