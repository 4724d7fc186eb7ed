"""`make env` installs a lock by uv and, where uv cannot, by pip, from the index that pip asks."""

import hashlib
import http.server
import importlib.util
import os
import runpy
import shutil
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
QUIET = {"PIP_CONFIG_FILE": os.devnull}  # no setting of this machine


@pytest.fixture(scope="module")
def install(root):
    return runpy.run_path(str(root / "workflow/envs/install.py"))


@pytest.fixture
def translate(install):
    def call(settings, **environment):
        return install["translate_settings"](settings, environment)

    return call


def write_wheel(folder, name, version, files):
    """Write a wheel of some files; return the line that a lock has for it."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    entry = f"{name}-{version}.dist-info"
    files = {
        **files,
        f"{entry}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{entry}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{file},,{len(text)}\n" for file, text in files.items())
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in {**files, f"{entry}/RECORD": f"{record}{entry}/RECORD,,\n"}.items():
            member = zipfile.ZipInfo(file)
            member.external_attr = 0o100755 << 16
            wheel.writestr(member, text)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


class Clone:
    """A folder with an environment, locks of two packages, and an index that has both."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder / "my clone"
        self.index = folder / "index"
        self.index.mkdir()
        script = self.folder / "workflow/envs/install.py"
        script.parent.mkdir(parents=True)
        shutil.copy(root / "workflow/envs/install.py", script)
        uv = {
            "uv-1.0.data/scripts/uv": f'#!/bin/sh\nexec "{Path(sys.executable).parent}/uv" "$@"\n'
        }
        (self.folder / "requirements-uv.lock").write_text(write_wheel(self.index, "uv", "1.0", uv))
        toy = {"toy/__init__.py": "", "toy/data.py": "ANSWER = 42\n"}
        self.lock = write_wheel(self.index, "toy", "2.0", toy)
        command = [sys.executable, "-m", "venv", "--without-pip", self.folder / ".venv"]
        subprocess.run(command, check=True)
        (self.packages,) = (self.folder / ".venv/lib").glob("python*/site-packages")
        pip = Path(importlib.util.find_spec("pip").origin).parent
        (self.packages / "pip").symlink_to(pip)

    def install(self, lock: str | None = None, **settings: str) -> subprocess.CompletedProcess:
        """Install a lock; nothing but the settings says where from."""
        (self.folder / "toy.lock").write_text(lock or self.lock)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "UV_"))}
        return subprocess.run(
            [self.folder / ".venv/bin/python", "workflow/envs/install.py", "toy.lock"],
            cwd=self.folder,
            env={**kept, "UV_CACHE_DIR": str(self.folder / "cache"), **QUIET, **settings},
            capture_output=True,
            text=True,
        )

    @property
    def here(self) -> dict[str, str]:
        """Settings with which pip takes packages from the folder alone."""
        return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.index)}

    @property
    def installer(self) -> str:
        """Who has installed the package, as its entry says."""
        entry = self.packages / "toy-2.0.dist-info/INSTALLER"
        return entry.read_text().strip() if entry.exists() else "nobody"


@pytest.fixture
def clone(root, tmp_path):
    return Clone(root, tmp_path)


@pytest.fixture
def server(clone):
    """Serve the index by HTTP; what was asked for is a list."""
    asked = []
    for wheel in clone.index.glob("*.whl"):
        page = clone.index / "simple" / wheel.name.split("-")[0] / "index.html"
        page.parent.mkdir(parents=True)
        page.write_text(f'<a href="/{wheel.name}">{wheel.name}</a>')

    class Index(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(clone.index))

        def log_message(self, _, request, *__):
            asked.append(request)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index) as index:
        threading.Thread(target=index.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{index.server_port}/simple", asked
        index.shutdown()


def test_uv_installs_from_the_index_that_pip_is_set_to(clone, server, tmp_path):
    url, asked = server
    elsewhere = {"UV_INDEX_URL": "http://127.0.0.1:9/simple", "UV_OFFLINE": "1"}
    done = clone.install(PIP_INDEX_URL=url, **elsewhere)
    assert (done.stderr, done.returncode, clone.installer) == ("", 0, "uv")
    assert {"GET /simple/uv/ HTTP/1.1", "GET /simple/toy/ HTTP/1.1"} <= set(asked)
    asked.clear()
    shutil.rmtree(clone.packages / "toy-2.0.dist-info")
    file = tmp_path / "pip.conf"
    file.write_text(f"[global]\nquiet = 1\nindex-url = {url}/gone\n[install]\nindex-url = {url}\n")
    done = clone.install(PIP_CONFIG_FILE=str(file), UV_CACHE_DIR=str(tmp_path / "empty"))
    assert (done.stderr, done.returncode, clone.installer) == ("", 0, "uv")
    assert "GET /simple/toy/ HTTP/1.1" in asked


def test_an_index_beside_another_is_asked_too(clone, server):
    url, _ = server
    nothing = url.replace("/simple", "/nothing")
    done = clone.install(PIP_INDEX_URL=nothing, PIP_EXTRA_INDEX_URL=f"{nothing}/more {url}")
    assert (done.stderr, done.returncode, clone.installer) == ("", 0, "uv")


def test_pip_goes_on_and_says_why(clone):
    done = clone.install(**clone.here, PIP_NO_BINARY="other")
    assert (done.returncode, clone.installer) == (0, "pip")
    assert done.stderr.splitlines() == [
        "pip is set to no-binary, which uv does not read: pip installs, which takes about a minute."
    ]
    shutil.rmtree(clone.packages / "toy-2.0.dist-info")
    for wheel in clone.index.glob("uv-*.whl"):
        wheel.unlink()
    done = clone.install(**clone.here)
    assert (done.returncode, clone.installer) == (0, "pip")
    (line,) = done.stderr.splitlines()
    assert line.startswith("pip finds no uv for this machine (ERROR: No matching distribution")


def test_a_uv_that_does_not_run_here_is_none(clone):
    for script in ("a program of another machine", "#!/bin/sh\nexit 7\n"):
        (clone.index / "uv-1.0-py3-none-any.whl").unlink()
        files = {"uv-1.0.data/scripts/uv": script}
        (clone.folder / "requirements-uv.lock").write_text(
            write_wheel(clone.index, "uv", "1.0", files)
        )
        done = clone.install(**clone.here)
        assert (done.returncode, clone.installer) == (0, "pip")
        assert done.stderr.splitlines()[-1].startswith("uv failed: pip installs")
        for entry in clone.packages.glob("*.dist-info"):
            shutil.rmtree(entry)


def test_another_file_than_that_of_the_lock_is_refused_by_both(clone):
    done = clone.install(clone.lock[:-65] + 64 * "0" + "\n", **clone.here)
    assert done.returncode == 1
    assert "uv failed: pip installs" in done.stderr
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in done.stderr
    assert not list(clone.packages.glob("toy*"))
    # So is an uv of another content: it is not started.
    shutil.rmtree(clone.packages / "uv-1.0.dist-info")
    (clone.index / "uv-1.0-py3-none-any.whl").unlink()
    write_wheel(clone.index, "uv", "1.0", {"uv-1.0.data/scripts/uv": "#!/bin/sh\ntouch started\n"})
    assert clone.install(**clone.here).returncode == 0
    assert clone.installer == "pip"
    assert not (clone.folder / "started").exists()


def test_without_a_hash_nothing_is_installed(clone):
    done = clone.install("toy==2.0\n", **clone.here)
    assert done.returncode == 1
    assert not list(clone.packages.glob("toy*"))


def test_constraints_of_pip_hold_with_uv(clone, tmp_path):
    (tmp_path / "constraints.txt").write_text("toy<2\n")
    there = {**clone.here, "PIP_CONSTRAINT": str(tmp_path / "constraints.txt")}
    done = clone.install(**there)
    assert done.returncode == 1
    assert "uv failed: pip installs" in done.stderr
    assert not list(clone.packages.glob("toy*"))
    (tmp_path / "constraints.txt").write_text("toy<3\nother==1\n")
    done = clone.install(**there)
    assert (done.stderr, done.returncode, clone.installer) == ("", 0, "uv")


def test_what_was_changed_in_place_does_not_come_back_from_the_cache(clone):
    """A file of the environment is one with that of uv's cache, which others install from."""
    assert clone.install(**clone.here).returncode == 0
    with (clone.packages / "toy/data.py").open("a") as file:
        file.write("ANSWER = 43\n")
    for path in (clone.packages / "toy", clone.packages / "toy-2.0.dist-info"):
        shutil.rmtree(path)  # as in another environment, in which there is nothing yet
    done = clone.install(**clone.here)
    assert (done.stderr, done.returncode, clone.installer) == ("", 0, "uv")
    assert (clone.packages / "toy/data.py").read_text() == "ANSWER = 42\n"


@pytest.mark.parametrize("by_uv", [True, False])
def test_what_a_cut_left_half_installed_is_installed_again(clone, by_uv):
    settings = clone.here if by_uv else {**clone.here, "PIP_NO_BINARY": "other"}
    assert clone.install(**settings).returncode == 0
    entry = clone.packages / "toy-2.0.dist-info"
    (clone.packages / "toy/data.py").write_text("ANSWER = 4")  # within a file
    assert clone.install(**settings).returncode == 0
    assert (clone.packages / "toy/data.py").read_text() == "ANSWER = 42\n"
    (clone.packages / "toy/data.py").unlink()  # before it, as by uv, which takes them in no order
    assert clone.install(**settings).returncode == 0
    assert (clone.packages / "toy/data.py").read_text() == "ANSWER = 42\n"
    for lost in ("RECORD", "INSTALLER"):
        (entry / lost).unlink()
        (clone.packages / "toy/data.py").unlink()
        assert clone.install(**settings).returncode == 0
        assert (clone.packages / "toy/data.py").read_text() == "ANSWER = 42\n", lost


def test_a_list_of_files_that_is_only_the_wheels_is_no_end(install, tmp_path):
    """A wheel's own list is there before the scripts are, which uv writes thereafter."""
    entry = tmp_path / "toy-2.0.dist-info"
    entry.mkdir()
    (entry / "RECORD").write_text("toy-2.0.dist-info/RECORD,,\n")
    install["remove_unfinished"](tmp_path)
    assert not entry.exists()


def test_packages_of_this_environment_are_finished(install):
    """Those that pip has installed, and those of uv; what is finished is not installed twice."""
    import numpy

    is_finished = install["remove_unfinished"].__globals__["_is_finished"]
    packages = Path(numpy.__file__).parents[1]
    entries = list(packages.glob("*.dist-info"))
    assert len(entries) > 100
    assert [entry.name for entry in entries if not is_finished(entry)] == []


def test_what_pip_is_set_to_reaches_uv(translate, tmp_path):
    settings = {
        "index-url": "https://a/simple",
        "extra-index-url": "https://b/simple https://c/simple",
        "find-links": "/wheels https://d//files",
        "trusted-host": "a b:8080",
        "default-timeout": "180",
        "retries": "9",
        "cert": "/a.pem",
        "client-cert": "/mine.pem",
        "quiet": "2",
        "no-index": "false",
        "cache-dir": "/scratch/pip",
    }
    own = {"UV_INDEX_URL": "https://x", "SSL_CERT_DIR": "/certs", "HOME": "/folder/of/a"}
    assert translate(settings, **own) == (
        [],
        {
            "HOME": "/folder/of/a",
            "SSL_CERT_FILE": "/a.pem",
            "SSL_CLIENT_CERT": "/mine.pem",
            "UV_CACHE_DIR": "/scratch/pip/uv",
            "UV_DEFAULT_INDEX": "https://a/simple",
            "UV_FIND_LINKS": "/wheels,https://d//files",
            "UV_HTTP_RETRIES": "9",
            "UV_HTTP_TIMEOUT": "180",
            "UV_INDEX": "https://b/simple https://c/simple",
            "UV_INDEX_STRATEGY": "unsafe-best-match",
            "UV_INSECURE_HOST": "a b:8080",
        },
        [],
    )
    assert translate({"cert": str(tmp_path)})[1]["SSL_CERT_DIR"] == str(tmp_path)
    assert translate({}, REQUESTS_CA_BUNDLE="/b.pem")[1]["SSL_CERT_FILE"] == "/b.pem"
    assert translate({"no-index": "true", "no-cache-dir": "off"})[0] == ["--no-index", "--no-cache"]
    assert translate({"constraint": "a.txt b.txt"})[2] == ["a.txt", "b.txt"]
    kept = translate({"cache-dir": "/scratch"}, UV_CACHE_DIR="/mine")[1]
    assert kept["UV_CACHE_DIR"] == "/mine"


def test_a_proxy_of_pip_is_the_only_one(translate):
    own = {"https_proxy": "http://other", "NO_PROXY": "*", "no_proxy": "*"}
    for given in ("http://me:word@proxy:3128", "me:word@proxy:3128"):
        variables = translate({"proxy": given}, **own)[1]
        del variables["UV_INDEX_STRATEGY"]
        assert variables == dict.fromkeys(
            ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://me:word@proxy:3128"
        )
    assert translate({}, **own)[1].items() >= own.items()


@pytest.mark.parametrize("name", ["no-binary", "use-feature", "keyring-provider", "target", "new"])
def test_what_uv_has_no_word_for_is_left_to_pip(install, translate, name):
    with pytest.raises(
        install["UvCannot"], match=f"^pip is set to {name}, which uv does not read$"
    ):
        translate({"index-url": "https://a/simple", name: "yes"})


def test_an_environment_takes_the_package_beside_it(install, tmp_path):
    """Also in a copy, whose environment has the absolute path of the original."""
    original, copy = tmp_path / "original", tmp_path / "copy"
    for folder in (original, copy):
        (folder / "workflow").mkdir(parents=True)
        (folder / "workflow/which_one.py").write_text(f"NAME = {folder.name!r}")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", original / ".venv"], check=True)
    [packages] = (original / ".venv/lib").glob("python3*/site-packages")
    (packages / "__editable__.which_one-1.pth").write_text(str(original / "workflow"))
    install["add_own_package"](packages, original / "workflow")
    shutil.copytree(original / ".venv", copy / ".venv", symlinks=True)
    for folder in (original, copy):
        found = subprocess.run(
            [folder / ".venv/bin/python", "-c", "import which_one; print(which_one.NAME)"],
            capture_output=True,
            text=True,
            check=True,
            env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        )
        assert found.stdout.strip() == folder.name
