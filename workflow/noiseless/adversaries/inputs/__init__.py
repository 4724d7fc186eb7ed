"""What adversaries are given: training data, and what they see of each game.

Below :mod:`noiseless.adversaries.interface`: no module of this folder imports an adversary.
"""
