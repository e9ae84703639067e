# SPDX-License-Identifier: BSD-3-Clause
"""Checks of the pages of the repository: scripts/check-docs runs them."""
