#!/bin/sh
# Completes `kubectl assay`: kubectl looks for an executable with the name kubectl_complete-assay in $PATH, calls it with
# the words behind `kubectl assay`, the last one unfinished, and reads one proposal a line: the word, a tab, its meaning.
# fish reads the same. The last line is a number for kubectl: 0 leaves it to the shell to propose files where there is
# nothing else.
KUBE_ASSAY_COMPLETE=fish kubectl-assay -- kube-assay "$@"
echo ":0"
