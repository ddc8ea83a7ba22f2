"""What the file of a model over rows of features says besides its arrays, read and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.errors import ModelError, SettingError, brief
from perceptag.features import gazetteer
from perceptag.features.attributes import Attribute, is_known
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.template import Template, parse_all
from perceptag.learn.settings import MAX_SNAPSHOTS
from perceptag.recipe.recipe import UNITS
from perceptag.recipe.usercode import missing_code
from perceptag.store.model import Model


def model_templates(model: Model) -> list[Template]:
    """The templates of a model, read again."""
    if "templates" not in model.facts:
        raise ModelError("facts.templates: expected a list of strings, found nothing")
    try:
        return parse_all(model.facts["templates"], [*model.columns, *DOCUMENT_COLUMNS, gazetteer.COLUMN])
    except SettingError as error:
        raise ModelError(str(error)) from error


def model_gazetteer(model: Model) -> gazetteer.Gazetteer | None:
    """The phrases of a model, if it uses any."""
    lists, others = model.facts.get("gazetteer"), model.facts.get("gazetteer_in_any_case")
    if lists is None:
        return None
    found = gazetteer.Gazetteer.from_dict(lists)
    found.in_any_case = None if others is None else gazetteer.Gazetteer.from_dict(others)
    return found


def model_closed_words(model: Model) -> ClosedWords | None:
    """The tag dictionary of a model, if it has one."""
    facts = model.facts
    return ClosedWords.checked(facts["closed"], len(model.label_set.names)) if "closed" in facts else None


def model_unit(model: Model) -> str:
    """What the model takes as one sequence: a sentence or a document."""
    unit = model.facts.get("unit", "sentence")
    if unit not in UNITS:
        raise ModelError(f"facts.unit: expected {' or '.join(UNITS)}, found {brief(unit)}")
    return str(unit)


def model_snapshots(model: Model) -> int:
    """How many weight vectors a model has."""
    number = model.facts.get("snapshots", 1)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MAX_SNAPSHOTS:
        raise ModelError(f"facts.snapshots: expected a number from 1 to {MAX_SNAPSHOTS}, found {brief(number)}")
    return number


def check_attributes(
    templates: Sequence[Template], entries: Sequence[str], attributes: Mapping[str, Attribute]
) -> None:
    """Refuse a model that needs functions of the user which were not given."""
    wanted = [entry.partition("=")[0] for entry in entries]
    wanted += [name for t in templates for f in t.fields for name in f.attributes if not is_known(name)]
    for name in wanted:
        if name not in attributes:
            raise missing_code("attribute", name, entries)
