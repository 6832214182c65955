# brew install --HEAD ./packages/homebrew/traceq.rb, on Linux, in a checkout.
class Traceq < Formula
  desc "Offline analyzer of traces and metrics of GPU training and inference"
  license "MIT"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git, branch: "main"

  depends_on "pkg-config" => :build
  depends_on "isa-l"
  depends_on "libarchive"
  depends_on "libyaml"
  depends_on :linux
  depends_on "pcre2"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "zlib"

  def install
    system "make", "NO_INSTALL=1", "PREFIX=#{prefix}", "install"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/traceq --version") unless head?
    system bin/"traceq", "explain", "verdict"
  end
end
