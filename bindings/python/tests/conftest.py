"""Finds the package and the library of the build: $MALPAN_BUILD, or build/ at the root."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
os.environ.setdefault("MALPAN_LIBRARY",
                      str(ROOT / os.environ.get("MALPAN_BUILD", "build") / "libmalpan.so.1"))
sys.path.insert(0, str(ROOT / "bindings/python"))
