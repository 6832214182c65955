# On Linux, in a checkout; Homebrew takes a formula from a tap alone, and of the environment what begins with HOMEBREW_:
#   brew tap-new "$USER/local" && cp packages/homebrew/traceq.rb "$(brew --repository "$USER/local")/Formula/"
#   HOMEBREW_TRACEQ_REPO="$PWD" brew install --HEAD "$USER/local/traceq"
class Traceq < Formula
  desc "Offline analyzer of traces and metrics of GPU training and inference"
  license "MIT"
  head "file://#{ENV.fetch("HOMEBREW_TRACEQ_REPO", Dir.pwd)}", using: :git, branch: "main"

  depends_on "pkgconf" => :build
  depends_on "isa-l"
  depends_on "libarchive"
  depends_on "libyaml"
  depends_on :linux
  depends_on "pcre2"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "zlib"

  def install
    system "make", "NO_INSTALL=1", "DISTRO=1", "PREFIX=#{prefix}", "install"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/traceq --version") unless head?
    system bin/"traceq", "explain", "verdict"
  end
end
