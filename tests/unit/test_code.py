"""The digest of the code that a module runs."""

import pytest

from noiseless import code
from noiseless.code import source_digest


def test_code_digest_follows_imports(tmp_path, monkeypatch):
    package = tmp_path / "noiseless"
    (package / "sub").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "sub" / "__init__.py").write_text("")
    (package / "a.py").write_text("from noiseless.sub import b\n")
    (package / "sub" / "b.py").write_text("import noiseless.sub.c\n")
    (package / "sub" / "c.py").write_text("x = 1\n")
    (package / "d.py").write_text("x = 1\n")
    monkeypatch.setattr(code, "_ROOT", tmp_path)

    def digest():
        code._imports.cache_clear()
        return source_digest("noiseless.a")

    before = digest()
    (package / "d.py").write_text("x = 2\n")
    assert digest() == before
    (package / "sub" / "c.py").write_text("x = 2\n")
    assert digest() != before
    with pytest.raises(ModuleNotFoundError):
        source_digest("noiseless.e")
    code._imports.cache_clear()
