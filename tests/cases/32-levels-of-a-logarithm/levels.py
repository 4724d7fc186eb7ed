import math

import noiseless as nl

wrong = [k for k in range(2, 20001) if nl.compute_local_levels(math.log2(k)) != k]
print("wrong:", len(wrong), wrong[:3])
