"""Tests in a browser."""

import pytest

pytest.register_assert_rewrite("tests.browser.changes")
