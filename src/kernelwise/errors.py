"""Errors that name an argument in the words of the library."""


class ArgumentError(ValueError):
    """A ValueError about one argument, under the library's name for it.

    The message says nothing about shells: the command line adds the option that sets the argument.
    """

    def __init__(self, message: str, argument: str = "") -> None:
        super().__init__(message)  # the only one in ``args``, so that the error can be pickled
        self.argument = argument
