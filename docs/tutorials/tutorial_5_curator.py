"""
A curator
=========

A curator answers questions about people, each by one random bit, and stops before a person's
answers have told more than a budget.
"""

# %%
# This *privacy filter* bounds what the answers about one person have really told: the realized
# loss, often far less than the sum of the epsilons.

import tempfile
from pathlib import Path

import numpy as np

import noiseless as nl

rng = np.random.default_rng(5)
domain = nl.Box([0, 0], [1, 1])
queries = [nl.LogisticQuery(rng.normal(size=2), rng.normal(), epsilon_nats=0.3) for _ in range(12)]
privacy_filter = nl.BayesianFilter(1.0, domain)
answers = nl.answer_queries(queries, [0.3, 0.6], privacy_filter, rng)
answered = sum(answer is not None for answer in answers)
loss = privacy_filter.loss()
print("answers:", answers)
print(f"{answered} answers at 0.3 nats each have told {loss.lower:.3f} to {loss.upper:.3f} nats")

# %%
# :func:`~noiseless.realized_loss` does the same for recorded answers.

asked = [query for query, answer in zip(queries, answers, strict=True) if answer is not None]
given = [answer for answer in answers if answer is not None]
print(nl.realized_loss(asked, given, domain))

# %%
# A ledger keeps the answers in a file, so that a crash gives no budget back.

people = {"ada": (0.2, 0.9), "bob": (0.7, 0.1)}
with tempfile.TemporaryDirectory() as folder:
    ledger = nl.CuratorLedger.create(Path(folder) / "people.sqlite", box=domain, budget_nats=0.5)
    for name, value in people.items():
        ledger.enroll(name, value)
    for name in people:
        try:
            for query in queries:
                ledger.answer(name, query)
        except nl.UserError as refusal:
            print(refusal)
        print(f"{name}: at most {ledger.loss(name).upper:.3f} of 0.5 nats are spent")

# %%
# :doc:`/curator` says what is promised.
