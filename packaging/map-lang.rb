# The formula for Homebrew. It needs a repository with releases in place of OWNER, and a tap to be in; `cargo xtask dist`
# writes the version and the checksums into its copy of this file.
class MapLang < Formula
  desc "Checks, verifies, plays and enforces protocols between agents"
  homepage "https://github.com/OWNER/map"
  version "VERSION"
  license any_of: ["MIT", "Apache-2.0"]

  on_linux do
    on_intel do
      url "https://github.com/OWNER/map/releases/download/vVERSION/map-VERSION-x86_64-unknown-linux-musl.tar.gz"
      sha256 "SHA256-x86_64-unknown-linux-musl"
    end
    on_arm do
      url "https://github.com/OWNER/map/releases/download/vVERSION/map-VERSION-aarch64-unknown-linux-musl.tar.gz"
      sha256 "SHA256-aarch64-unknown-linux-musl"
    end
  end

  # Binaries for macOS are built on macOS; until there are some, it is built from the sources.
  on_macos do
    url "https://github.com/OWNER/map/archive/refs/tags/vVERSION.tar.gz"
    sha256 "SHA256-sources"
    depends_on "rust" => :build
  end

  def install
    if OS.mac?
      system "cargo", "install", *std_cargo_args(path: "crates/map-cli"), "--features", "full"
      generate_completions_from_executable(bin/"map", "completions")
      system bin/"map", "man", "--output-dir", man1
    else
      bin.install "map"
      man1.install Dir["man/*.1"]
      bash_completion.install "completions/map.bash" => "map"
      fish_completion.install "completions/map.fish"
      zsh_completion.install "completions/_map"
    end
  end

  test do
    (testpath/"hello.map").write "talk[ agent(!A, %a) = skip ]"
    assert_match "terminates", shell_output("#{bin}/map verify hello.map --quiet")
  end
end
