SERVER=${SERVER:-@ADDRESS@}
RUN=r$(printf '%05x' $((($$ * 31 + $(date +%s)) % 1048576)))
D=${TMPDIR:-/tmp}/kube-assay-$RUN
P=""
mkdir -m 700 "$D" || exit 3

# url PATH: the URL of a path on the server; a path with the address of a replica is one.
url() { case $1 in /*) printf '%s' "$SERVER$1" ;; *) printf '%s' "$1" ;; esac; }
# send NUMBER IDENTITY METHOD PATH [OPTION…]: sends a request with the body in B; the status is in X.
send() {
  n=$1 i=$2 m=$3 t=$4; shift 4
  case $m in HEAD) set -- -I "$@" ;; *) set -- -X "$m" "$@" ;; esac
  [ "$i" = anonymous ] || set --@CREDENTIAL@ "$@"
  X=$(printf '%s' "$B" | @CURL@ -g -m 60 -A kube-assay/script -o "$D/$n" -D "$D/$n.head" -w '%{http_code}' "$@" @URL@)
  # curl also writes the head of a response to HEAD as its body.
  if [ "$m" = HEAD ]; then : >"$D/$n"; fi
  B=""
}
# open NUMBER IDENTITY PATH [OPTION…]: opens a stream in the background, and waits for the head of the response.
open() {
  n=$1 i=$2 t=$3; shift 3
  [ "$i" = anonymous ] || set --@CREDENTIAL@ "$@"
  : >"$D/$n"
  @CURL@ -g -N -m 120 -A kube-assay/script -D "$D/$n.head" "$@" @URL@ >"$D/$n" 2>/dev/null &
  P="$P $!" w=0
  echo "$!" >"$D/$n.pid"
  date +%s >"$D/$n.began"
  while ! [ -s "$D/$n.head" ] && [ $w -lt 50 ]; do w=$((w + 1)); sleep 0.1; done
  X=$(status "$n")
}
# status NUMBER: the status code of a response.
status() { sed -n 's/^HTTP[^ ]* \([0-9]*\).*/\1/p' "$D/$1.head" 2>/dev/null | tail -n 1; }
# text NUMBER KEY N: the N-th text of a key in a response.
text() {
  # shellcheck disable=SC2020 # each of these characters becomes a line feed
  tr ',{}[]' '\n\n\n\n\n' <"$D/$1" | sed -n 's/^[[:blank:]]*"'"$2"'":[[:blank:]]*"\([^"]*\)".*/\1/p' | sed -n "$3p"
}
# compare NUMBER KIND RECORDED: the status code and the resourceVersion of a response, beside the recorded ones.
compare() {
  case $2 in
    stream | list) v="" ;;
    *) v=$(text "$1" resourceVersion 1 2>/dev/null | tr -d '\000-\037\177') ;;
  esac
  printf '%s. %s %s%s (recorded: %s)\n' "$1" "$2" "$X" "${v:+ resourceVersion $v}" "$3"
}
# value NUMBER KEY N: the same as text. An event may arrive late.
value() {
  w=0
  while :; do
    v=$(text "$1" "$2" "$3")
    if [ -n "$v" ]; then printf '%s' "$v"; return; fi
    w=$((w + 1)); [ $w -lt 30 ] || break
    sleep 0.1
  done
  return 1
}
# is_open NUMBER: whether a stream has not ended.
is_open() { kill -0 "$(cat "$D/$1.pid")" 2>/dev/null; }
# settle: waits until no stream grows any more.
settle() {
  s="" w=0
  while l=$(cat "$D"/* | wc -c) && [ "$l" != "$s" ] && [ $w -lt 8 ]; do s=$l w=$((w + 1)); sleep 2; done
}
# state NUMBER: whether a stream has ended. One that is to end may take some seconds.
state() {
  w=0
  while is_open "$1" && [ $w -lt 3 ]; do w=$((w + 1)); sleep 2; done
  if is_open "$1"; then e="is still open"; else e="has ended"; fi
  echo "stream $1 $e, $(($(date +%s) - $(cat "$D/$1.began"))) s after it was opened"
}
# show NUMBER: head and body of a response, without control characters, at most 20000 bytes of each.
show() {
  for f in "$D/$1.head" "$D/$1"; do dd bs=1000 count=20 2>/dev/null <"$f" | tr -d '\000-\010\013-\037\177'; done
  echo
}
# end_early NUMBER: the response is unlike the recorded one, so that the next request cannot be made.
end_early() {
  echo "the script ends: response $1 is unlike the recorded one"
  echo "response $1, now:"
  show "$1"
  exit 3
}
clean() { B=$3; send clean own "$1" "$2" -H 'Accept: application/json' ${3:+-H "Content-Type: ${4:-application/json}" --data-binary @-} 2>/dev/null; }
# free PATH: takes off the finalizers of an object.
free() { clean PATCH "$1" '{"metadata":{"finalizers":null}}' application/merge-patch+json; }
remove() { clean DELETE "$1?gracePeriodSeconds=0"; }
# gone PATH: waits until the server has removed an object, for at most 10 s, and says if it is still there.
gone() {
  w=0
  while clean GET "$1"; [ "$X" != 404 ]; do
    w=$((w + 1)); [ $w -lt 50 ] || { echo "left behind: $1"; return; }
    sleep 0.2
  done
}
# remove_namespace NAME: without a namespace controller, which creates an account in each namespace, it also finalizes.
remove_namespace() {
  clean GET "/api/v1/namespaces/$1/serviceaccounts/default"; controller=$X
  clean DELETE "/api/v1/namespaces/$1"
  [ "$controller" = 200 ] || clean PUT "/api/v1/namespaces/$1/finalize" \
    '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"'"$1"'"},"spec":{"finalizers":[]}}'
}
