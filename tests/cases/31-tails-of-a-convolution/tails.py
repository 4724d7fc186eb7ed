import math

from noiseless.accounting.epsilon import TruePositives, risk

held = []
for epsilon, answers in ((1.0, 10), (0.5, 30), (1.0, 30)):
    q = math.exp(-epsilon)
    p = 1 / (1 + q)  # each answer is a biased coin
    chances = [
        (
            math.comb(answers, j) * p**j * (1 - p) ** (answers - j),
            math.comb(answers, j) * (1 - p) ** j * p ** (answers - j),
        )
        for j in range(answers, -1, -1)
    ]
    for alarm in (1e-2, 1e-6, 1e-10, 1e-14, 1e-18, 1e-25):
        left, truth = alarm, 0.0
        for there, absent in chances:
            share = min(1.0, left / absent)
            truth, left = truth + share * there, left - share * absent
            if share < 1:
                break
        found = risk(
            TruePositives(false_alarm=alarm),
            epsilon_nats=epsilon,
            answers=answers,
            mechanism="discrete_laplace",
        )
        held.append(found.low * (1 - 1e-9) <= truth <= found.high * (1 + 1e-9))
print("within the bounds:", sum(held), "of", len(held))
