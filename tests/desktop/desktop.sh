# shellcheck shell=bash disable=SC2154
# Shared by the scripts here: a bare X server with a window manager and a compositor, and the cleanup of all started
# processes. To be sourced in the root of the checkout, with the script's name in `name`.
work=$(mktemp -d)
pids=()
finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
fail() {
  echo "$name: $1" >&2
  sed 's/^/  | /' "$work"/*.txt >&2 || true
  exit 1
}
# Repeats a command until it succeeds, on an idle machine at most for this many tenths of a second. A busy one has ten times
# as long: only a state fails a script.
within() {
  local tenths=$(($1 * 10))
  shift
  for _ in $(seq "$tenths"); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  return 1
}
gone() { ! kill -0 "$1" 2>/dev/null; }
# Starts the desktop in English, with the size `screen` in pixels. Xvfb takes the first free display and prints its
# number.
desktop() {
  Xvfb -displayfd 3 -screen 0 "${screen:-1280x720}x24" -noreset +extension GLX 3>"$work/display" 2>"$work/xvfb.txt" &
  pids+=($!)
  within 100 test -s "$work/display" || fail "Xvfb did not start"
  DISPLAY=:$(cat "$work/display")
  export DISPLAY
  unset WAYLAND_DISPLAY XDG_SESSION_TYPE LC_ALL LC_MESSAGES
  export LANG=en_US.UTF-8
  openbox >"$work/openbox.txt" 2>&1 &
  pids+=($!)
  # A window manager that is still starting swallows the request to show a window.
  within 100 managed || fail "openbox did not start"
  picom --backend xrender --no-vsync --config /dev/null >"$work/picom.txt" 2>&1 &
  compositor=$!
  pids+=("$compositor")
}
managed() { xprop -root _NET_SUPPORTING_WM_CHECK | grep -q 'window id'; }
# Ends the compositor.
uncompose() {
  kill "$compositor"
  within 50 gone "$compositor" || fail "the compositor does not end"
}
# Finds the bar's window and sets `window`.
find_window() { window=$(xdotool search --onlyvisible --name '^Shogibar$' | head -n 1) && [ -n "$window" ]; }
