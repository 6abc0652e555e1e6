#!/usr/bin/env bash
# Starts etcd and kube-apiserver on loopback and returns when they answer. They run on; stop them with `envtest.sh stop DIR`.
#
#   envtest.sh start DIR [flags for kube-apiserver]
#
# DIR receives ca.crt and token, which kube-assay wants, and logs and process ids.
# KUBEBUILDER_ASSETS says where the binaries are, as `setup-envtest use -p path` prints it.
set -euo pipefail

task=$1
mkdir -p "$2"
cd "$2"
shift 2
# One after the other: a kube-apiserver without its store takes long to end.
stop() {
  for name in apiserver etcd; do
    while kill "$(cat $name.pid)" 2>/dev/null; do sleep 0.2; done
  done
}
if [ "$task" = stop ]; then
  stop
  exit
fi

bin=${KUBEBUILDER_ASSETS:-/usr/local/kubebuilder/bin}
port=${ENVTEST_PORT:-6443}
etcd=http://127.0.0.1:${ENVTEST_ETCD_PORT:-2379}

rm -rf etcd certs
openssl genrsa -out sa.key 2048 2>openssl.log
openssl rand -hex 16 >token
echo "$(cat token),admin,admin,system:masters" >tokens.csv

"$bin/etcd" --data-dir etcd --listen-client-urls "$etcd" --advertise-client-urls "$etcd" \
  --listen-peer-urls http://127.0.0.1:0 --unsafe-no-fsync >etcd.log 2>&1 &
echo $! >etcd.pid
# kube-apiserver signs a certificate for 127.0.0.1 itself, and leaves it in certs.
"$bin/kube-apiserver" --etcd-servers "$etcd" --bind-address 127.0.0.1 --advertise-address 127.0.0.1 \
  --secure-port "$port" --cert-dir certs --token-auth-file tokens.csv --authorization-mode RBAC \
  --service-cluster-ip-range 10.0.0.0/24 --disable-admission-plugins ServiceAccount \
  --service-account-issuer https://kubernetes.default.svc \
  --service-account-key-file sa.key --service-account-signing-key-file sa.key "$@" >apiserver.log 2>&1 &
echo $! >apiserver.pid

for _ in $(seq 60); do
  if curl -fs --cacert certs/apiserver.crt "https://127.0.0.1:$port/readyz" >readyz 2>&1; then
    cp certs/apiserver.crt ca.crt
    echo "ready: kube-assay run --server https://127.0.0.1:$port --certificate-authority $PWD/ca.crt --token-file $PWD/token"
    exit
  fi
  { kill -0 "$(cat apiserver.pid)" && kill -0 "$(cat etcd.pid)"; } 2>/dev/null || break
  sleep 1
done
echo "kube-apiserver is not ready; the last that it and etcd said:" >&2
tail -n 5 apiserver.log etcd.log >&2
stop
exit 1
