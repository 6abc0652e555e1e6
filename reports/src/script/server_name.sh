# endpoint PATH: host and port that curl connects to.
endpoint() {
  e=$(url "$1") && e=${e#*://} && e=${e%%/*}
  case $e in *]) e=$e:443 ;; *:*) ;; *) e=$e:443 ;; esac
  printf '%s' "$e"
}
# by_name PATH: its URL by the name in the server's certificate.
by_name() {
  u=$(url "$1") && u=${u#*://} && h=${u%%/*} && e=$(endpoint "$1")
  printf 'https://%s:%s%s' @NAME@ "${e##*:}" "${u#"$h"}"
}
