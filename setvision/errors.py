"""The faults a user can meet, one exit code each."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the command line; documented in the README."""

    ANSWERED = 0
    INTERNAL = 1
    USAGE = 2
    FILE_MISSING = 3
    BAD_PICTURE = 4
    NO_CARDS = 5
    CANNOT_WRITE = 6
    NOT_INSTALLED = 7
    SOME_FAILED = 8


class SetVisionError(Exception):
    """A fault that one clear sentence explains; the base of all others here."""

    exit_code = ExitCode.INTERNAL


class FileMissing(SetVisionError):
    """The named file or folder does not exist or may not be read."""

    exit_code = ExitCode.FILE_MISSING


class BadPicture(SetVisionError):
    """The file exists, but it is not a picture that can be read whole."""

    exit_code = ExitCode.BAD_PICTURE


class CannotWrite(SetVisionError):
    """The output place does not take the file."""

    exit_code = ExitCode.CANNOT_WRITE


class NotInstalled(SetVisionError):
    """Something that an optional feature or the system must supply is missing."""

    exit_code = ExitCode.NOT_INSTALLED
