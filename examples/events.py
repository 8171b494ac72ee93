#!/usr/bin/env python3
"""Prints a line for each turning point that Shogibar announces, and can hand it to another program.

usage: events.py ADDRESS [--post URL [--action NAME]]

ADDRESS   that of the pages: http://127.0.0.1:5963/TOKEN/
--post    also send each turning point there as JSON. Streamer.bot's HTTP server takes it at
          http://127.0.0.1:7474/DoAction, and runs the action of this name with the fields as arguments.
"""
import argparse
import json
import sys
import urllib.request


def states(address):
    """Yields the state of all games, once at first and after each change."""
    with urllib.request.urlopen(address.rstrip("/") + "/events") as stream:
        for line in stream:
            if line.startswith(b"data:"):
                yield json.loads(line[len(b"data:") :])


def turning_points(states):
    """Yields each announcement once, as (game, turning point)."""
    seen = set()
    for state in states:
        for game in state["games"]:
            point = game["turning_point"]
            if point and point["number"] not in seen:
                seen.add(point["number"])
                yield game, point


def words(game, point):
    """Returns a turning point in one line. Where only numbers are shown, it has no move."""
    names = " - ".join(game["names"])
    move = f"{point['ply']}: {point['move']} " if point["move"] else ""
    better = f", better {point['better_en']}" if point["better_en"] else ""
    win = f"{point['before']:.0%} -> {point['after']:.0%}"
    return f"{names}  {move}-{point['loss']}% ({win} for Black{better})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--post")
    parser.add_argument("--action", default="Shogibar")
    options = parser.parse_args()
    for game, point in turning_points(states(options.address)):
        print(words(game, point), flush=True)
        if options.post:
            order = {"action": {"name": options.action}, "args": point}
            request = urllib.request.Request(
                options.post, json.dumps(order).encode(), {"Content-Type": "application/json"}
            )
            try:
                urllib.request.urlopen(request, timeout=5).close()
            except OSError as error:
                print(f"events.py: {options.post}: {error}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(0)
    except OSError as error:
        sys.exit(f"events.py: {error}")
