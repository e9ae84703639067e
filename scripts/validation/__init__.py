"""The validation book as a program: scripts/validate runs it."""
