#!/usr/bin/env python3
"""Writes what Open JTalk's text analysis reads, in katakana: a line for each line of the input.

usage: python3 tests/speech/readings.py <TEXTS

It needs the package pyopenjtalk-plus, which brings its own dictionary.
"""
import contextlib
import sys

# The package prints a notice about a part that is not needed here.
with contextlib.redirect_stdout(sys.stderr):
    import pyopenjtalk

for line in sys.stdin:
    print(pyopenjtalk.g2p(line.rstrip("\n"), kana=True))
