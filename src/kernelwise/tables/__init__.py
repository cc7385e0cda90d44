"""A user's rows and targets, as the core takes them."""
