"""Budgets and side knowledge for the tests of the prrelation experiments."""

NOTHING = {"rho_p": 0, "rho_c": 0, "rho_t": 0}
KNOWLEDGE = {"none": NOTHING, "time": {"rho_p": 0.2, "rho_c": 0.1, "rho_t": 0.1}}
BUDGETS = {
    "epsilon_nats": [0.1, 1, 5],
    "delta": 1e-5,
    "gaussian_epsilon_nats": 1,
    "deltas": [1e-5, 1e-2],
}
