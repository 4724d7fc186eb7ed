"""The other sides of the comparisons: what each does, and what it does not do."""

from comparison import Peer

LOOP = Peer(
    "a plain loop",
    does="computes one record, game or mechanism at a time, as a reader would first write it",
    does_not="share work between them",
)
NUMPY = Peer(
    "plain NumPy",
    package="numpy",
    does="computes all points or states at once, in arrays that hold every one of them",
    does_not="bound the error of its result, or use the structure of the problem",
)
UNIQUE = Peer(
    "np.unique",
    package="numpy",
    does="sorts numbers in memory and counts those that are equal",
    does_not="make keys of trips, or keep to a limit of memory",
)
SCIPY = Peer(
    "SciPy",
    package="scipy",
    does="finds the optimum of one function at a time",
    does_not="optimise many functions in one pass",
)
NILMTK = Peer(
    "NILMTK",
    package="nilmtk-s14pe",
    does="trains models of appliances on files of meters, disaggregates other files and scores the "
    "result",
    does_not="quantize readings or vary a budget in memory: each budget needs files of its own",
)
SCIP = Peer(
    "SCIP, by PySCIPOpt",
    package="pyscipopt",
    does="bounds the global optimum of mixed-integer nonlinear programs",
    does_not="certify its bounds against rounding, or use that each logistic term depends on one "
    "linear form",
)
ALGORITHM6 = Peer(
    "Algorithm 6",
    does="bounds a realized loss by the branch and bound that `knowledge` prints, repaired",
    does_not="certify the bounds of its nodes, which a general convex solver gives",
)
QIF = Peer(
    "qif",
    package="qif",
    does="computes vulnerabilities, leakages and capacities of any channel that is given as a "
    "matrix, with random outputs too",
    does_not="compute them from a list of reports without the matrix, or treat non-stochastic "
    "information",
)
DP_ACCOUNTING = Peer(
    "dp-accounting",
    package="dp-accounting",
    does="composes the privacy losses of many mechanisms, subsampled ones too, to an upper bound "
    "or an optimistic estimate of epsilon and delta",
    does_not="bound both sides at once with the error of rounding, name an adversary's success, "
    "or account for the answers that were given (realized losses)",
)
RISKCAL = Peer(
    "riskcal",
    package="riskcal",
    does="computes advantage, trade-off curve and Bayes risk of an attack on any mechanism that "
    "dp-accounting composes, and calibrates noise to them, for training with DP-SGD too",
    does_not="bound the error of its numbers, or compute F-scores and posteriors; for one "
    "discrete Laplace answer its trade-off curve is wrong (tests/unit/accounting/"
    "test_epsilon_peers.py)",
)
OPENDP = Peer(
    "OpenDP",
    package="opendp",
    does="releases data through measurements with proved privacy maps and filters, and draws noise "
    "exactly, from a cryptographic generator",
    does_not="compute what an adversary gains, or repeat an experiment from a seed; this project's "
    "noise has the gaps of floating-point numbers and is for experiments alone",
)
HOMER = Peer(
    "Homer et al. 2008, rewritten",
    does="compares a person's distance from the released means with that from a reference's means",
    does_not="use how readings vary together, or what the mechanism does",
)
TRACING = Peer(
    "Dwork et al. 2015, rewritten",
    does="traces a person by an inner product with the released means, with a proved error for "
    "independent coordinates and distorted means",
    does_not="use how readings vary together, which are not independent here",
)
KNOCK_KNOCK = Peer(
    "Pyrgelis et al. 2018, rewritten",
    does="trains a classifier for each target on simulated aggregates, and so asks for no model of "
    "people",
    does_not="reuse what it has learned for other targets; its code and data are not taken, and "
    "tests/benchmarks/published_attacks.py names what differs from the paper",
)
