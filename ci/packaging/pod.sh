#!/busybox/sh
# shellcheck shell=sh
# The image has no /bin/sh.
#
# Runs kube-assay in a pod, and leaves its reports for whoever collects them.
#
#   kube-assay-pod DIR [flags of kube-assay run]
#
# DIR receives assay-report.tar.gz, and then the file `done` with the path of that archive: Sonobuoy expects both.
# The script exits as kube-assay does.
dir=$1
shift

# A pod that is deleted gets SIGTERM: kube-assay then removes what it created.
trap 'kill -TERM "$run" 2>/dev/null' TERM INT
kube-assay run --in-cluster --output-dir "$dir/assay-report" "$@" &
run=$!
# A signal ends `wait` before kube-assay has ended.
while wait "$run"; code=$?; kill -0 "$run" 2>/dev/null; do :; done

mkdir -p "$dir/assay-report"
tar -C "$dir" -czf "$dir/assay-report.tar.gz" assay-report
echo "$dir/assay-report.tar.gz" >"$dir/done"
exit "$code"
