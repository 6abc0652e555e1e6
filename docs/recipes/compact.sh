#!/usr/bin/env bash
# Has etcd forget its history, and tells kube-apiserver: the `compact` hook.
#
#   compact.sh [ETCD_URL]
#
# kube-apiserver looks at the key compact_rev_key to learn what was compacted; where it is not told, it goes on answering
# for old versions from its cache.
set -euo pipefail

etcd=${1:-http://127.0.0.1:2379}
key=$(printf compact_rev_key | base64)

ask() { curl -fsS "$etcd/v3/kv/$1" -d "$2"; }
revision() { sed -E 's/.*"revision":"([0-9]+)".*/\1/'; }

now=$(ask range "{\"key\":\"$key\"}" | revision)
at=$(ask put "{\"key\":\"$key\",\"value\":\"$(printf %s $((now + 1)) | base64)\"}" | revision)
ask compaction "{\"revision\":\"$at\",\"physical\":true}"
