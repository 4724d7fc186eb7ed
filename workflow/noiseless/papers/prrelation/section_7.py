"""Section 7: what the paper leaves open."""

import pandas as pd

from noiseless.papers.prrelation import paper
from noiseless.papers.prrelation.composite import build_composite_table
from noiseless.statements import Finding, bounded, universe, widen


@universe()
def composites() -> pd.DataFrame:
    """Compare every test of a rounded answer with the best threshold, for every prior."""
    return widen(build_composite_table())


@paper.states(
    "Section 7",
    "Under this scenario, the two hypotheses of the adversary can be constructed as h_0 : "
    "d_i > gamma, h_1 : d_i <= gamma and then similar analysis in Sections 4, 5 can be "
    "conducted for implementing hypothesis testing.",
    says="Composite hypotheses d > γ, d ≤ γ can be analysed as in Sections 4 and 5.",
    over=composites,
)
def sec7_composite(composites: pd.DataFrame) -> Finding:
    """A value above a threshold against one that is not: as in Sections 4 and 5, the best test
    has one threshold on the answer, whatever the prior is, for one Laplace or Gaussian answer
    where the others' records are known. Checked against all tests of the answer in bins, as the
    number of bins or priors that break it.
    """
    broken = composites[["falls", "gained", "beaten"]].sum().sum()
    return bounded([broken], at_most=0, sharp=int(composites["below_ends"].sum()))
