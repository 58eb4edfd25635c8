"""Achievements of members: feats in their matches, found after the match."""
