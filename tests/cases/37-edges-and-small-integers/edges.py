import numpy as np

from noiseless import Domain, Quantizer

tenths = Quantizer(Domain((0,), (1,), "kwh"), levels=10)
print(tenths.release([k / 10 for k in range(11)]).round(6).tolist())
tens = Quantizer(Domain((10,), (200,), "kwh"), levels=19)
for kind in (np.uint8, np.int8, np.uint16, np.float16, np.float32):
    print(kind.__name__, tens.release(np.array([10, 11, 120, 100], dtype=kind)).tolist())
