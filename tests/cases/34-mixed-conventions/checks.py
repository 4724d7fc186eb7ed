import warnings

from sklearn.utils.estimator_checks import check_estimator

from noiseless.integrations.scikit_learn import BudgetQuantizer

warnings.simplefilter("ignore")
found = check_estimator(BudgetQuantizer(epsilon_bits=2, lower=-100, upper=100), on_fail=None)
failed = [each["check_name"] for each in found if each["status"] not in ("passed", "skipped")]
print("more than 40 checks:", len(found) > 40, "failed:", failed)
