"""What scikit-learn expects of a class that trains by a recipe: its arguments can be read, changed and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perceptag.errors import brief
from perceptag.models.model import Model, summary
from perceptag.recipe import auto
from perceptag.recipe.recipe import Recipe, given_recipe

if TYPE_CHECKING:
    from typing_extensions import Self


class RecipeEstimator:
    """The base of `perceptag.Tagger`. The constructor takes a recipe, keys of it, and the arguments in `_not_keys`."""

    _not_keys: tuple[str, ...] = ("recipe",)
    recipe: str | Recipe
    overrides: dict[str, Any]
    model_: Model  # after `fit`

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - scikit-learn passes it
        """The arguments of the constructor."""
        return {name: getattr(self, name) for name in self._not_keys} | self.overrides

    def set_params(self, **params: Any) -> Self:
        """Change arguments of the constructor; the next `fit` uses them."""
        changed = type(self)(**{**self.get_params(), **params})
        changed.resolved_recipe()  # raises before anything is changed
        for name in (*self._not_keys, "overrides"):
            setattr(self, name, getattr(changed, name))
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags  # only scikit-learn calls this, so it is installed

        return Tags(estimator_type=None, target_tags=TargetTags(required=True))

    def resolved_recipe(self) -> Recipe:
        """The recipe that `recipe` names, with all overrides; ``auto`` makes its choice later, in `fit`."""
        return auto.changed(self._base(), self.overrides)

    def _base(self) -> Recipe:
        return given_recipe(self.recipe)

    def __repr__(self) -> str:
        """The arguments that are not defaults, and the model in a few words if there is one."""
        params, default = self.get_params(), type(self)().get_params()
        recipe = params.pop("recipe")
        named = [f"Recipe {recipe.name!r}" if isinstance(recipe, Recipe) else brief(recipe)]
        given = [f"{k}={brief(v)}" for k, v in params.items() if k not in default or v is not default[k]]
        arguments = f"{type(self).__name__}({', '.join(named * (recipe != auto.NAME) + given)})"
        return f"<{arguments}: {summary(self.model_)}>" if hasattr(self, "model_") else arguments
