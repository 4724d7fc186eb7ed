"""
A survey
========

People give their weight and height. The reports must not tell who is obese (a body mass index of 30
or more) near that limit, and the rest should stay as it is.
"""

# %%
# Made-up people, and the public range of the answers.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import noiseless as nl

rng = np.random.default_rng(4)
height_cm = rng.normal(172, 9, 1_500).clip(120, 220)
weight_kg = (24 + rng.gamma(4, 1.5, 1_500) - 5) * (height_cm / 100) ** 2
people = pd.DataFrame({"weight_kg": weight_kg.clip(30, 200), "height_cm": height_cm})
public = nl.PublicRange([30, 120], [200, 220])

# %%
# The limit: 30 kg/m² is ``0.003 x²`` kg at a height of ``x`` cm. Within ``1 / rho`` kg of it,
# reports do not tell the side.

limit = nl.build_polynomial_threshold((0, 0, 0.003))
for policy in (nl.CollapseBlurring, nl.StretchBlurring):
    blurring = policy(limit, public, rho=0.1)
    reports = blurring.release(people)
    moved = (reports["weight_kg"] - people["weight_kg"]).abs()
    decided = blurring.is_decided(reports)
    print(
        f"{policy.__name__}: {(moved > 0).mean():.0%} of the people report another weight, "
        f"by {moved[moved > 0].mean():.1f} kg on average; {np.mean(decided):.0%} of the reports "
        "tell the side"
    )

plt.scatter(people["height_cm"], people["weight_kg"], s=3, label="told")
plt.scatter(reports["height_cm"], reports["weight_kg"], s=3, label="reported")
plt.xlabel("height (cm)")
plt.ylabel("weight (kg)")
plt.legend()
plt.show()

# %%
# What does a release tell of a secret? :func:`~noiseless.leakage_bits` rates the most telling
# report, :func:`~noiseless.maximin_information_bits` what secret and report have in common for
# certain.

coarse = nl.Quantizer(nl.Domain((30,), (200,), "kg"), 8).release(people["weight_kg"])
obese = people["weight_kg"] >= 0.003 * people["height_cm"] ** 2
print(f"leakage of the side: {nl.leakage_bits(obese, coarse):.2f} bits")
print(f"in common for certain: {nl.maximin_information_bits(obese, coarse):.2f} bits")
