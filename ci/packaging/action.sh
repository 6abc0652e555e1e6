#!/usr/bin/env bash
# The steps of the GitHub Action, action.yml: `action.sh install` and `action.sh run`.
#
# The inputs of the action are environment variables, INPUT_AREA for `area`.
set -euo pipefail

fail() {
  echo "::error::$1"
  exit 2
}

# The binary of the release that the workflow names, `uses: OWNER/REPOSITORY@v1.2.3`; at another ref, built from its source.
install() {
  local bin=$RUNNER_TEMP/kube-assay-bin
  mkdir -p "$bin"
  # The runner checks an action out below _actions/OWNER/REPOSITORY/REF.
  if [[ $ACTION_PATH =~ /_actions/([^/]+/[^/]+)/v([0-9][^/]*)$ ]]; then
    download "$GITHUB_SERVER_URL/${BASH_REMATCH[1]}/releases/download/v${BASH_REMATCH[2]}" "${BASH_REMATCH[2]}" "$bin"
  else
    echo "The action is not at the tag of a release: building kube-assay from its source."
    cargo install --quiet --locked --path "$ACTION_PATH" --root "$bin/built"
    mv "$bin/built/bin/kube-assay" "$bin"
  fi
  "$bin/kube-assay" --version
  echo "$bin" >>"$GITHUB_PATH"
}

# download URL VERSION DIR
download() {
  local name archive digest
  name=kube-assay-$2-$(target)
  archive=$name.tar.gz
  cd "$RUNNER_TEMP"
  curl --fail --silent --show-error --location --retry 3 --remote-name-all "$1/$archive" "$1/SHA256SUMS"
  digest=$(if command -v sha256sum >/dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi)
  grep -qFx "${digest%% *}  $archive" SHA256SUMS || fail "failed to verify $archive: SHA256SUMS has another digest"
  tar -xzf "$archive"
  mv "$name/kube-assay" "$3"
}

target() {
  case "$(uname -s) $(uname -m)" in
    "Linux x86_64") echo x86_64-unknown-linux-musl ;;
    "Linux aarch64") echo aarch64-unknown-linux-musl ;;
    "Darwin x86_64") echo x86_64-apple-darwin ;;
    "Darwin arm64") echo aarch64-apple-darwin ;;
    *) fail "failed to install kube-assay: there is no binary for $(uname -s) $(uname -m)" ;;
  esac
}

# each FLAG LINES: the flag with each line that is not empty; without a flag, the lines alone.
each() {
  local line
  while IFS= read -r line; do
    [ -z "$line" ] || flags+=("${1:+$1=}$line")
  done <<<"$2"
}

run() {
  local name value code=0 output_dir=${INPUT_OUTPUT_DIR:-assay-report} flags=()
  # Without a server, kube-assay would test its own reference server, and the step would be green.
  [ -n "${INPUT_SERVER:-}${INPUT_KUBECONFIG:-}" ] || fail "no server is named: set the input kubeconfig or server"
  for name in kubeconfig context server token-file certificate-authority profile area clause skip known-failures; do
    value=INPUT_$(tr a-z- A-Z_ <<<"$name")
    each "--$name" "${!value:-}"
  done
  each "" "${INPUT_ARGS:-}"

  kube-assay run --output-dir "$output_dir" "${flags[@]}" || code=$?

  {
    echo "exit-code=$code"
    echo "conclusion=$(conclusion "$output_dir/summary.json")"
    echo "report=$output_dir"
  } >>"$GITHUB_OUTPUT"
  exit "$code"
}

# conclusion FILE: empty if the run did not begin.
conclusion() {
  [ ! -f "$1" ] || sed -nE 's/^ *"conclusion": "([^"]*)".*/\1/p' "$1" | head -n 1
}

"$1"
