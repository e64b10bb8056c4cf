"""Resampling of one word: permutations, bootstrap, and what they allow to say."""
