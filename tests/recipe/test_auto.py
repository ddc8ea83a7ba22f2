"""The recipe that the data chooses: every shape of data gets one that fits, and is told why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from command_line import CORPUS, run, succeed
from perceptag import Sentence, Tagger
from perceptag.errors import DataError
from perceptag.features.groups import split
from perceptag.models.model_file import to_bytes
from perceptag.recipe.auto import HUGE, LARGE, RecipeChoice, changed, choose, fitted
from perceptag.recipe.recipe import Recipe, load
from perceptag.recipe.survey import Survey, survey
from perceptag.text import read_columns
from perceptag.training.train import Training

WORDS = ["the", "old", "dog", "barks", "in", "Rome", "and", "Paris"]
TAGS = ["DT", "JJ", "NN", "VBZ", "IN", "NNP", "CC", "NNP"]
CHUNKS = ["B-NP", "I-NP", "I-NP", "B-VP", "B-PP", "B-NP", "I-NP", "I-NP"]
NAMES = ["O", "O", "O", "O", "O", "B-LOC", "O", "B-LOC"]


def sentences(count: int = 4, documents: bool = False, **columns: list[str]) -> list[Sentence]:
    """Sentences with some columns; words differ from sentence to sentence, so that tags are fewer than words."""
    return [
        Sentence({"form": [f"{w}{i}" for w in WORDS], **columns}, starts_document=documents and i % 2 == 0)
        for i in range(count)
    ]


def chosen(data: list[Sentence], label: str = "label", **settings: object) -> RecipeChoice:
    return choose(survey(data, label, tuple(settings.pop("keep", ()))), settings)  # type: ignore[arg-type]


def columns_of(choice: RecipeChoice) -> set[str]:
    """The words before the brackets of all templates."""
    return {w.split("[")[0].split(".")[0] for t in choice.recipe.templates for w in t.split() if "[" in w}


# --- names of columns that templates use otherwise, or cannot write ---


@pytest.mark.parametrize("label", ["label", "shortshape"])
def test_a_column_with_the_name_of_an_attribute_is_a_column_and_the_attribute_stays(label: str, tmp_path: Path):
    tags = ["u" if w[0].isupper() else "l" for w in WORDS]
    data = sentences(**{"lower": tags, "length": TAGS, label: TAGS})
    tagger = Tagger(epochs=2).fit(data)
    templates = tagger.model_.facts["templates"]
    assert {"lower[0]", "form.lower[0]", "form.lower.suffix3[0]", "length[0]"} <= set(templates)
    plain = Tagger(epochs=2).fit(sentences(x=tags, z=TAGS, label=TAGS)).model_.facts["templates"]
    renamed = [t.replace("x[", "lower[").replace("z[", "length[") for t in plain]
    assert [t.replace("form.", "") for t in templates] == renamed, "the same features"
    tagger.save(tmp_path / "m")
    assert Tagger.load(tmp_path / "m").predict(data) == tagger.predict(data) == [TAGS] * 4


def test_features_of_whole_spans_look_at_the_attribute_as_well():
    data = sentences(**{"lower": TAGS, "length": TAGS, "label": NAMES})
    templates = chosen(data).recipe.spans_templates
    assert {"length", "form.lower[first-1]", "form.lower[first-1] shortshape[all]"} <= set(templates)
    tagger = Tagger(epochs=2, inner_folds=0).fit(data)
    assert tagger.model_.facts["spans"]["templates"] == list(templates)
    assert tagger.predict(data) == [NAMES] * 4
    labels = sentences(lower=NAMES)  # the column of the labels has the name of an attribute
    assert Tagger("ner", epochs=2, inner_folds=0).fit(labels).predict(labels) == [NAMES] * 4


@pytest.mark.parametrize("name", ["é", "1st", "morph.case", "名"])
def test_names_that_a_template_can_write(name: str, tmp_path: Path):
    tagger = Tagger(epochs=2).fit(sentences(**{name: TAGS, "label": TAGS}))
    assert f"{name}[0]" in tagger.model_.facts["templates"]
    tagger.save(tmp_path / "m")
    assert Tagger.load(tmp_path / "m").predict(sentences(**{name: TAGS})) == [TAGS] * 4


@pytest.mark.parametrize("name", ["a b", "*", "pos[0]", "form.x", "a..b", "pos.x"])
def test_names_that_no_template_can_write(name: str):
    choice = chosen(sentences(**{"tag": TAGS, "pos": TAGS, name: TAGS, "label": TAGS}))
    told = "its name cannot be written in a template; a name of letters and digits can"
    assert f"column {name!r} is not looked at: {told}" in choice.reasons
    assert Tagger(epochs=1).fit(sentences(**{name: TAGS, "label": TAGS}))


def test_names_of_columns_that_are_computed():
    choice = chosen(sentences(doc_before=TAGS, label=TAGS))
    assert "column 'doc_before' is not looked at: perceptag computes a column of that name" in choice.reasons


def test_data_without_words_is_refused_in_terms_of_the_data():
    with pytest.raises(DataError, match="expected a column called form, which holds the words, found word, label"):
        Tagger().fit([Sentence({"word": WORDS, "label": TAGS})])


# --- which task ---


def test_labels_of_tokens():
    choice = chosen(sentences(label=TAGS))
    assert choice.recipe == load("pos")
    assert choice.reasons == ("the labels, 7 different ones, are not spans: each is a token's own",)


def test_spans_that_cover_the_text():
    choice = chosen(sentences(pos=TAGS, chunk=CHUNKS), "chunk")
    assert choice.recipe == load("chunk")
    assert choice.reasons == ("spans of 3 types in IOB2, and 0 % of the tokens are outside, as with phrases",)


@pytest.mark.parametrize(("names", "scheme"), [(NAMES, "IOB2"), (["O"] * 6 + ["I-LOC"] * 2, "IOB1")])
def test_spans_that_are_rare(names: list[str], scheme: str):
    choice = chosen(sentences(pos=TAGS, chunk=CHUNKS, ner=names), "ner")
    assert choice.recipe.name == "ner"
    assert choice.reasons[0] == f"spans of 1 type in {scheme}, and 75 % of the tokens are outside, as with names"


def test_sixty_per_cent_outside_are_still_phrases():
    found = [choose(seen(1000, scheme="IOB2", outside=share)).recipe.name for share in (0.6, 0.61)]
    assert found == ["chunk", "ner"]


def test_only_the_kept_types_count():
    assert chosen(sentences(label=CHUNKS)).recipe.name == "chunk"
    assert chosen(sentences(label=CHUNKS), keep=["VP"]).recipe.name == "ner"


def test_one_label():
    assert chosen(sentences(label=["X"] * 8)).reasons[0].startswith("the labels, 1 different one,")
    assert chosen(sentences(label=["O"] * 8)).recipe.name == "ner"  # nothing but O is a scheme, and says nothing


# --- columns ---


def test_unnamed_columns_play_the_parts_that_their_values_show():
    choice = chosen(sentences(c1=TAGS, c2=CHUNKS, label=NAMES))
    assert {"c1", "c2"} <= columns_of(choice)
    assert not {"pos", "chunk"} & columns_of(choice)
    assert choice.recipe.optional == ("c1", "c2")
    assert "column 'c1' is taken for parts of speech" in choice.reasons
    assert "column 'c2' is taken for chunks" in choice.reasons
    assert sorted(split(choice.recipe.templates, choice.recipe.groups)) == sorted(
        split(load("ner").templates, load("ner").groups)
    )


def test_unnamed_columns_in_any_order():
    choice = chosen(sentences(c1=CHUNKS, c2=TAGS, label=NAMES))
    assert choice.reasons[1:3] == ("column 'c2' is taken for parts of speech", "column 'c1' is taken for chunks")


@pytest.mark.parametrize("name", ["xpos", "upos", "tag"])
def test_usual_names_of_parts_of_speech(name: str):
    choice = chosen(sentences(**{name: TAGS, "label": CHUNKS}))
    assert f"column '{name}' is taken for parts of speech" in choice.reasons
    assert name in columns_of(choice)


def test_a_column_called_pos_is_taken_whatever_it_holds():
    lemmas = sentences(c1=TAGS, pos=TAGS, label=CHUNKS)
    choice = chosen(lemmas)
    assert {"pos", "c1"} <= columns_of(choice)
    assert "further columns with few values are looked at too: c1" in choice.reasons


def test_further_columns_with_few_values_are_looked_at():
    choice = chosen(sentences(c1=["a", "b"] * 4, label=TAGS))
    assert choice.recipe.name == "pos"
    assert "c1" in columns_of(choice)
    assert "columns" in split(choice.recipe.templates, choice.recipe.groups)


def test_columns_with_many_values_are_not():
    data = [Sentence({**s.columns, "c1": [w.upper() for w in s.tokens]}) for s in sentences(c1=TAGS, label=TAGS)]
    choice = chosen(data)
    assert "c1" not in columns_of(choice)
    assert "column 'c1' is not looked at: it has too many values" in choice.reasons


def test_the_layers_of_conllu_are_not_looked_at():
    layers = dict.fromkeys(("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"), TAGS)
    assert chosen(sentences(**layers), "xpos").recipe == load("pos")


# --- documents and size ---


def test_documents_bring_features_of_documents():
    choice = chosen(sentences(8, documents=True, label=NAMES))
    assert choice.recipe.learner == "ascent"
    assert "features of whole documents; 4 are marked" in choice.reasons


def test_without_documents_each_sentence_is_one():
    choice = chosen(sentences(8, label=NAMES))
    assert choice.recipe.learner == "ascent"
    assert "features of whole documents; none is marked, so each sentence is one" in choice.reasons


@pytest.mark.parametrize(
    ("documents", "count", "why"),
    [(1, 30, "all of the data is one document"), (2, 2400, "the documents have 1200 sentences on average")],
)
def test_documents_that_are_too_long(documents: int, count: int, why: str):
    choice = choose(Survey(count, 20 * count, 9, 3, "IOB2", ("LOC",), 0.9, documents))
    assert f"no features of whole documents: {why}" in choice.reasons
    assert (choice.recipe.learner, choice.recipe.nonlocal_features) == ("margin", ())


def test_a_learner_of_the_user_is_heeded():
    data = sentences(8, documents=True, label=NAMES)
    choice = chosen(data, learner="perceptron")
    assert "no features of whole documents: learner 'perceptron' was asked for" in choice.reasons
    recipe, _ = resolve(load("auto"), {"learner": "perceptron"}, data)
    assert recipe.learner == "perceptron"


def seen(tokens: int, **facts: object) -> Survey:
    return Survey(**{"sentences": tokens // 20, "tokens": tokens, "words": 9, "labels": 9, "scheme": "none"} | facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("pos", {}),
        ("chunk", {"scheme": "IOB2", "outside": 0.2}),
        ("ner", {"scheme": "IOB2", "outside": 0.9, "documents": 5}),
    ],
)
def test_much_data_means_less_of_everything_else(name: str, facts: dict[str, object]):
    usual, large, huge = (choose(seen(tokens, **facts)) for tokens in (LARGE, LARGE + 1, HUGE + 1))
    assert {usual.recipe.name, large.recipe.name, huge.recipe.name} == {name}
    assert large.recipe.epochs <= 8 and huge.recipe.epochs == 5  # as docs/guide/recipes.md says
    assert (usual.recipe.support, large.recipe.support, huge.recipe.support) == ("all", "gold", "gold")
    assert usual.recipe.cutoff < 2 and (large.recipe.cutoff, huge.recipe.cutoff) == (2, 3)
    assert huge.recipe.learner == "perceptron"
    assert usual.recipe.own["dropout"] == (0.1 if name == "ner" else 0)
    assert large.recipe.own["dropout"] == huge.recipe.own["dropout"] == 0
    assert usual.recipe.spans_longest == (8 if name == "ner" else 0)
    assert large.recipe.spans_longest == huge.recipe.spans_longest == 0
    assert len(huge.recipe.templates) < len(large.recipe.templates)
    assert large.reasons[-1].startswith(f"{LARGE + 1} tokens: ")


def test_much_data_has_no_features_of_whole_documents():
    facts = {"scheme": "IOB2", "outside": 0.9, "documents": LARGE // 100}
    usual, large = (choose(seen(tokens, **facts)) for tokens in (LARGE, LARGE + 1))
    assert usual.recipe.nonlocal_features and f"features of whole documents; {LARGE // 100} are marked" in usual.reasons
    assert not large.recipe.nonlocal_features
    assert f"no features of whole documents: {LARGE + 1} tokens are many" in large.reasons


# --- in use ---


def resolve(recipe: Recipe, settings: dict[str, object], data: list[Sentence]) -> tuple[Recipe, RecipeChoice | None]:
    return fitted(changed(recipe, settings), settings, data)


def test_python_users_get_it_without_asking():
    data = sentences(12, label=TAGS)
    tagger = Tagger(epochs=3).fit([s.tokens for s in data], [TAGS] * 12)
    assert tagger.model_.recipe.name == "pos"
    assert tagger.model_.recipe.epochs == 3
    assert tagger.model_.manifest["auto"] == {
        "recipe": "pos",
        "reasons": ["the labels, 7 different ones, are not spans: each is a token's own"],
    }
    assert tagger.get_params()["recipe"] == "auto"
    assert tagger.predict([data[0].tokens]) == [TAGS]


def test_the_choice_trains_to_the_same_model_as_the_recipe_by_name():
    data = list(read_columns(str(CORPUS / "train.txt"), ["form", "pos", "chunk", "ner"]))[:60]
    settings = {"epochs": 2, "labels.column": "chunk"}
    recipe, choice = resolve(load("auto"), settings, data)
    assert choice is not None
    assert "column 'ner' is not looked at: it stands after the labels" in choice.reasons
    assert recipe == load("chunk").replace(settings)

    def model(**more: dict[str, object]) -> bytes:
        training = Training(recipe, data, **more)  # type: ignore[arg-type]
        list(training.run())
        return to_bytes(replace(training.model(), manifest={}))[0]

    assert model() == model(chosen={"auto": choice.to_dict()})


def test_going_on_from_a_model_keeps_its_recipe(tmp_path: Path):
    data = sentences(12, label=TAGS)
    tagger = Tagger(epochs=1, warm_start=True).fit(data[:6])
    tagger.fit([Sentence({"form": ["in", "Rome"], "label": ["O", "B-LOC"]})])  # of itself it would be ner
    assert (tagger.model_.recipe.name, tagger.model_.recipe.epochs) == ("pos", 1)
    (tmp_path / "my.txt").write_text("in O\nRome B-LOC\n")
    tagger.save(str(tmp_path / "old"))
    told = succeed("train", "--from", tmp_path / "old", "--train", tmp_path / "my.txt", "--model", tmp_path / "new").err
    assert "chosen by the data" not in told


def test_groups_of_the_chosen_recipe_can_be_left_out(tmp_path: Path):
    recipe, _ = resolve(load("auto"), {"without": "affixes"}, sentences(label=TAGS))
    assert recipe == load("pos").replace({"without": "affixes"})
    data = sentences(12, label=TAGS)
    tagger = Tagger(epochs=1, without=["affixes"]).fit([s.tokens for s in data], [TAGS] * 12)
    assert not any("prefix2" in template for template in tagger.model_.recipe.templates)
    (tmp_path / "my.txt").write_text("in IN\nRome NNP\n")
    options = ("--train", tmp_path / "my.txt", "--model", tmp_path / "m")
    assert "found 'affix'" in run("train", *options, "--set", "without=affix").err
    succeed("train", *options, "--set", "without=affixes")


def test_empty_sentences_do_not_count():
    assert survey([Sentence({"form": [], "label": []}), *sentences(label=TAGS)], "label").sentences == 4


@pytest.mark.parametrize(("width", "name"), [(2, "pos"), (3, "chunk"), (4, "ner")])
def test_two_commands_without_any_option(tmp_path: Path, width: int, name: str):
    text = (CORPUS / "train.txt").read_text().split("\n")[:600]
    file = tmp_path / "my.txt"
    file.write_text("\n".join(" ".join(line.split(" ")[:width]) for line in text) + "\n")
    told = succeed("train", "--train", file, "--model", tmp_path / "m", "--epochs", 2).err
    assert f"recipe: {name}, chosen by the data\n  " in told
    assert succeed("tag", "--model", tmp_path / "m", file).out.count("\n") == file.read_text().count("\n") + 1
    assert f"recipe: {name}: " in (brief := succeed("inspect", tmp_path / "m").out)
    assert "chosen by the data: " in brief
