"""The fuzzer: ``python -m tests.fuzz --minutes N`` runs dractl on hostile inputs and reports what goes wrong.

A case is a command line with files; it follows from a seed and a number alone. Worker processes run cases
with limits and judge what came of them; the smallest case of each fault is kept.
"""
