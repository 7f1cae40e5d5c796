"""Every planted bug can still be planted; `make mutants` sees that each is found."""

from __future__ import annotations

import pytest

from tests.mutants import MUTANTS, ROOT, Mutant, planted


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.name)
def test_a_bug_can_be_planted(mutant):
    path, changed = planted(mutant, ROOT / "cbai")
    compile(changed, mutant.file, "exec")
    assert changed != path.read_text("utf-8")
    assert (ROOT / "tests" / mutant.test).exists()


def test_what_cannot_be_planted_is_said(tmp_path):
    gone = Mutant("gone", "a.py", "text", "", "test_a.py")
    with pytest.raises(LookupError, match=r"a.py \(0 of this name\) .* 0 times, not once: 'text'"):
        planted(gone, tmp_path)
    for room in ("one", "other"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "a.py").write_text(room)
    with pytest.raises(LookupError, match="2 of this name"):
        planted(gone, tmp_path)
    assert planted(gone._replace(text="one"), tmp_path) == (tmp_path / "one" / "a.py", "")
    (tmp_path / "one" / "a.py").write_text("text text")
    with pytest.raises(LookupError, match="2 times"):
        planted(gone, tmp_path)
