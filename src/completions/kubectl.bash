#!/usr/bin/env bash
# Completes `kubectl assay`: kubectl looks for an executable with the name kubectl_complete-assay in $PATH, calls it with
# the words behind `kubectl assay`, the last one unfinished, and reads one proposal a line. The last line is a number for
# kubectl: 0 leaves it to the shell to propose files where there is nothing else.
source <(kubectl-assay completions bash)
COMP_WORDS=(kube-assay "$@")
COMP_CWORD=$#
# The function that bash would call.
complete=$(complete -p kube-assay)
complete=${complete##*-F }
"${complete%% *}" kube-assay "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
[ "${#COMPREPLY[@]}" -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
echo ":0"
