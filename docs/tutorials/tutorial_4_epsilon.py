"""
An epsilon
==========

An epsilon has no unit that a person feels. Say what an adversary may achieve, and take the largest
epsilon that keeps it so.
"""

# %%
# An adversary wants to know from a noisy answer whether you are in the data. No test may have an
# F-score (harmonic mean of precision and recall) above 0.9.

import matplotlib.pyplot as plt
import numpy as np

import noiseless as nl

choice = nl.choose_epsilon(nl.FScore(beta=1), 0.9)
print(f"epsilon = {choice.epsilon_nats:.3f} nats, noise of scale {choice.noise:.3f}")
print(choice.explanation)

# %%
# An adversary who always answers "yes" has a score, too. No noise keeps a bound below it.

print(nl.choose_epsilon(nl.FScore(beta=1), 0.5).explanation)

# %%
# The *advantage* is the share of true positives minus that of false ones. Answers add up.

epsilons_nats = np.geomspace(0.05, 5, 25)
for answers in (1, 10):
    highs = [
        nl.risk(nl.Advantage(), epsilon_nats=float(epsilon), answers=answers).high
        for epsilon in epsilons_nats
    ]
    plt.plot(epsilons_nats, highs, label=f"{answers} answer{'s' if answers > 1 else ''}")
plt.xscale("log")
plt.xlabel("epsilon of each answer (nats)")
plt.ylabel("advantage of the best adversary, at most")
plt.legend()
plt.show()

# %%
# :doc:`/choosing-epsilon` explains the measures.
