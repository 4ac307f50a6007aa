#!/usr/bin/env bash
# Deno 2.9.6 (npm) and Node (seen: 20.20.2) do not keep SIGHUP ignored: they change it before a
# program runs. `nohup` therefore does not protect it: SIGHUP ends it, although its parent had
# SIGHUP ignored.
#   sleep: survives
#   node: ended by 129
#   deno: ended by 129
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
echo "node: $(node --version)"
echo 'console.log("up"); setTimeout(() => {}, 2000);' > wait.js

# Sends SIGHUP to a program under nohup, and prints how the program ends.
hang_up() {
  local status=0
  nohup "$@" > out.txt 2> /dev/null &
  local program=$!
  sleep 1
  kill -HUP "$program"
  wait "$program" 2> /dev/null || status=$?
  if [ "$status" = 0 ]; then echo survives; else echo "ended by $status"; fi
}

observe sleep survives "$(hang_up sleep 2)"
observe node "ended by 129" "$(hang_up node wait.js)"
observe deno "ended by 129" "$(hang_up "$deno" run wait.js)"
