# `cargo ci release-files` fills in the values. The result goes into the folder Formula of a tap.
class KubeAssay < Formula
  desc "Conformance suite and load generator for Kubernetes API servers"
  homepage "{{repository}}"
  version "{{version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{repository}}/releases/download/v{{version}}/kube-assay-{{version}}-aarch64-apple-darwin.tar.gz"
      sha256 "{{sha256 aarch64-apple-darwin}}"
    end
    on_intel do
      url "{{repository}}/releases/download/v{{version}}/kube-assay-{{version}}-x86_64-apple-darwin.tar.gz"
      sha256 "{{sha256 x86_64-apple-darwin}}"
    end
  end

  on_linux do
    on_arm do
      url "{{repository}}/releases/download/v{{version}}/kube-assay-{{version}}-aarch64-unknown-linux-musl.tar.gz"
      sha256 "{{sha256 aarch64-unknown-linux-musl}}"
    end
    on_intel do
      url "{{repository}}/releases/download/v{{version}}/kube-assay-{{version}}-x86_64-unknown-linux-musl.tar.gz"
      sha256 "{{sha256 x86_64-unknown-linux-musl}}"
    end
  end

  def install
    bin.install "kube-assay"
    bin.install_symlink "kube-assay" => "kubectl-assay"
    generate_completions_from_executable(bin/"kube-assay", "completions")
    system bin/"kube-assay", "man", "--output-dir", man1
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kube-assay --version")
    assert_match "rv-list-is-exact", shell_output("#{bin}/kube-assay list clauses")
  end
end
