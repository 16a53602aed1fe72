"""Field errors: what the API server reports about one place of an object."""

from __future__ import annotations

from enum import StrEnum

from dractl.api.path import FieldPath
from dractl.records import NamedTuple


class ErrorType(StrEnum):
    """The kinds of field error, spelled as the reason of a cause in the server's ``Status``."""

    REQUIRED = "FieldValueRequired"
    INVALID = "FieldValueInvalid"
    DUPLICATE = "FieldValueDuplicate"
    FORBIDDEN = "FieldValueForbidden"
    TOO_MANY = "FieldValueTooMany"
    TOO_LONG = "FieldValueTooLong"
    TOO_SHORT = "FieldValueTooShort"
    NOT_SUPPORTED = "FieldValueNotSupported"
    NOT_FOUND = "FieldValueNotFound"
    TYPE_INVALID = "FieldValueTypeInvalid"
    INTERNAL = "InternalError"


OMITTED = "<value omitted>"
"""The bad value of an error whose value would be too large to repeat."""


class FieldError(NamedTuple):
    """One refusal: which rule, where, what was there, and what to write instead.

    ``path`` is the path that the server reports, ``bad_value`` what it repeats (JSON-like). ``place`` is
    where it is in the object if the reported path does not lead there. ``covered`` means that a declarative
    rule of the same meaning replaces this one where both refuse. ``offset`` counts characters into the text
    at ``path`` where only a part of it is wrong.
    """

    rule: str
    type: ErrorType
    path: FieldPath
    bad_value: object
    message: str
    hint: str = ""
    place: FieldPath | None = None
    covered: bool = False
    offset: int | None = None
