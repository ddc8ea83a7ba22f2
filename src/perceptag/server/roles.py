"""What the people whom a server knows may do."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from perceptag.server.problems import HttpProblem

ROLES = ("read", "annotate", "admin")  # each may do what those before it may


@dataclass(frozen=True, slots=True)
class Person:
    """Who has a token."""

    name: str
    role: str

    def may(self, role: str) -> bool:
        """Return whether the role of the person is this one, or one above it."""
        return ROLES.index(self.role) >= ROLES.index(role)


EVERYBODY = Person("", "admin")  # any client of a server without accounts


def require(request: Request, role: str) -> Person:
    """Return who asks; refuse one whose role is below this one."""
    person: Person = request.scope["perceptag.person"]
    if not person.may(role):
        raise HttpProblem(403, f"role: expected {role}, found {person.role}; this address is not for everybody")
    return person
