# SPDX-License-Identifier: BSD-3-Clause
"""Divides long tests into parts, one per day."""
import datetime
import re


def share_of(text):
    """(K, N) of "K/N" or "today/N", None where it is neither."""
    match = re.fullmatch(r"(\d+|today)/([1-9]\d*)", text)
    if not match:
        return None
    of = int(match[2])
    share = datetime.date.today().toordinal() % of + 1 if match[1] == "today" else int(match[1])
    return (share, of) if 1 <= share <= of else None


if __name__ == "__main__":  # "K N" for shell scripts
    import sys
    print(*(share_of(sys.argv[1]) or sys.exit(f"shares: {sys.argv[1]} must be K/N with K from 1 to N, or today/N")))
