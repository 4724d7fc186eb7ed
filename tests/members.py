"""Adversaries of the membership game who need no training, as functions of the view."""

from noiseless.games.membership import load_membership_adversaries

ADVERSARIES = {each.name: each().prefer for each in load_membership_adversaries(trained=False)}
