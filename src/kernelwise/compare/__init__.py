"""Methods compared on one user's table."""
