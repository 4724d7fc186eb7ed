import noiseless

homes_wh = [[7000, 9000, 400], [500, 4500, 700], [300, 1000, 6000], [1000, 600, 5000]]
print(noiseless.play_membership_game(homes_wh, n=2, epsilon_bits=3, maximum_wh=10_000, rng=1))
