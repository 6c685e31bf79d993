#!/usr/bin/env python3
"""Tests of the rules themselves: good lines pass, and every rule refuses a line that breaks it."""

from __future__ import annotations

import unittest

import line_rules as rules
from guard import Failure

INFO = "info depth=12 mean-depth=9.3 score=-0.12 nodes=12345 time=0.012 nps=1.0 pv=32-28"


class LineRules(unittest.TestCase):
    def refused(self, check, *lines: str) -> None:
        for line in lines:
            with self.subTest(line=line), self.assertRaises(Failure):
                check(line)

    def test_id(self) -> None:
        rules.check_id('id name=Engine version=1.0 author="Some Body" country=Nowhere')
        self.refused(rules.check_id, 'id name="An Engine" version=1 author=x', 'id name="E" version=1 author=x',
                     "id version=1 name=E author=x", "id name=E version=1", "id name=E version=1 author=x flag",
                     "id name=E version=1 author=Jos\u00e9", "id name=E version=1 author=x ")

    def test_param(self) -> None:
        for line in ('param name=variant value=normal type=enum values="normal bt"',
                     "param name=threads value=1 type=int min=1 max=16",
                     'param name=log-file value="" type=string', "param name=book value=true type=bool"):
            rules.check_param(line)
        self.refused(rules.check_param, "param name=variant value=normal type=enum values=normal",
                     'param name=variant type=enum value=normal values="normal bt"',
                     'param name=variant value=normal type=enum values="normal bt" x=1',
                     'param name=variant value=losing type=enum values="normal bt"',
                     "param name=threads value=0 type=int min=1 max=16", "param name=book value=yes type=bool",
                     'param name=f value="a=b c" type=string', "param name=f value= type=string",
                     "param name=f value=1 type=float")

    def test_declarations(self) -> None:
        good = ["id name=E version=1 author=x", 'param name=variant value=a type=enum values="a b"', "wait"]
        rules.check_declarations(good)
        for bad in (good[1:], good[:2], [good[0], good[2]], [good[0], "hello", *good[1:]]):
            with self.subTest(lines=bad), self.assertRaises(Failure):
                rules.check_declarations(bad)

    def test_info(self) -> None:
        rules.check_info(INFO)
        rules.check_info('info depth=1 mean-depth=1.0 score=99.95 nodes=5 pv="28x19x23 14x23x19"')
        for old, new in ((" mean-depth=9.3", ""), ("pv=32-28", 'pv="32-28"'), ("depth=12 ", "depth=12/20 "),
                         ("nodes=12345", "nodes=1e6"), ("score=-0.12", "score=inf"), ("nps=1.0", "nps=1"),
                         ("score=-0.12", "score=100.50"), ("time=0.012", "time=0.1"), ("depth=12 ", "depth=0 "),
                         ("32-28", "28x19"), ("32-28", "28x19x24x23"), ("32-28", "07-12"), ("32-28", "a3-b4"),
                         ("nodes=12345 time=0.012", "time=0.012 nodes=12345"), (" pv", " currmove=1-6 pv"),
                         ("info ", "info string "), ("pv=32-28", "pv=32-28 19-23"), ("nodes=12345", "nodes=1 nodes=2")):
            self.assertIn(old, INFO)
            self.refused(rules.check_info, INFO.replace(old, new))
        self.refused(rules.check_info, "info")

    def test_done(self) -> None:
        self.assertEqual(rules.check_done("done move=32-28 ponder=19-23", False), "32-28")
        self.assertIsNone(rules.check_done("done", True))
        self.refused(lambda line: rules.check_done(line, False), "done", 'done move="32-28"',
                     "done ponder=32-28 move=19-23", "done move=32-28 score=1", "done move=0-0")
        self.refused(lambda line: rules.check_done(line, True), "done move=32-28")

    def test_search(self) -> None:
        rules.check_search([INFO, "done move=32-28"])
        for bad in (["done move=32-28"], [INFO, 'error message="no book"', "done move=32-28"], [INFO, INFO, "done"]):
            with self.subTest(lines=bad), self.assertRaises(Failure):
                rules.check_search(bad)


if __name__ == "__main__":
    unittest.main()
