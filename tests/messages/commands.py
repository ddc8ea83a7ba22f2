"""What commands say to a slip of the pen, an option that cannot be, and data that do not fit."""

from __future__ import annotations

from pathlib import Path

import perceptag
from command_line import OLD_MODEL, run, toy_model
from message_rows import Not, write_files
from perceptag import Recipe, Rules, Tagger, Tokenizer
from perceptag.client import Client

NAMES = "Anna B-PER\nsings O\nin O\nOslo B-LOC\n. O\n\n"
RULES = '[[rule]]\nlabel = "PER"\nphrases = ["Anna"]\n'
TO_TRAIN = "train -r collins-np --train toy.txt --columns form,pos,chunk --no-dev -m new.model"
BY_RECIPE = "train -r mine.toml --train toy.txt --columns form,pos,chunk --no-dev -m new.model"


def prepare(folder: Path) -> None:
    """Make models with and without tags as inputs, a pipeline, data and texts."""
    toy_model(folder)
    rows = [line.split() for line in NAMES.splitlines() if line]
    words, labels = ([row[i] for row in rows] for i in range(2))
    names = Tagger("basic-ner", epochs=2).fit([words] * 8, [labels] * 8)
    names.save(folder / "m.model")
    perceptag.Pipeline({"a": names, "b": names}).save(folder / "two.pipeline")
    files = {"corpus.txt": NAMES * 8, "letter.txt": "Angela Merkel visited Paris.\n", "one.txt": "The\ndog\n"}
    project = b"SQLite format 3\0" + bytes(52) + b"ptag" + bytes(28)
    more = {"my.toml": RULES, "old.model": OLD_MODEL, "names.ptag": project, "folder/x": "", "bad.toml": "a = 3\n= 4\n"}
    write_files(folder, {**files, **more})


ROWS = [
    # a model, a file or text in the place of another
    ("tag en letter.txt", "did you mean --model en?"),
    ("tag letter.txt m.model", "did you mean --model m.model?"),
    ("eval m.model corpus.txt", "did you mean --model m.model?"),
    ("explain m.model 'Anna sings'", "did you mean --model m.model?"),
    ("serve en", "did you mean --model en?"),
    ("train corpus.txt --model new.model", "did you mean --train corpus.txt?"),
    ("train --train m.model --model new.model", "this is a perceptag model"),
    ("build .", "--treebank ."),
    ("tag --model en .", "is a folder"),
    ("tag -m en 'Anna sings in Oslo'", "expected a file, found none; text itself comes from standard input"),
    (("tag", "-m", "en", "Anna sings in Oslo. " * 20), "found none; text itself comes from standard input"),
    ("explain -m m.model letter.txt", "letter.txt is taken as a word; it is also a file: --input letter.txt"),
    ("tag -m en ''", "found an empty string; is a variable of the shell empty?"),
    ("tokenize ''", "found an empty string; is a variable of the shell empty?"),
    ("check ''", "found an empty string; is a variable of the shell empty?"),
    ("train --model x --train ''", "found an empty string; is a variable of the shell empty?"),
    ("tag -m m.model corpus.txt --out-dir ''", "--out-dir: expected the name of a folder, found ''"),
    # names of commands and options
    ("predict --model m.model corpus.txt", "did you mean 'tag'?"),
    ("tga", "no such command 'tga'; did you mean 'tag'?"),
    ("help tag", "perceptag tag --help"),
    ("list models", "perceptag list --models"),
    ("list recipes", "'perceptag list' lists them"),
    ("list colins-np", "unknown recipe 'colins-np'; did you mean 'collins-np'"),
    ("--versoin", "--versoin: no such option; did you mean '--version'?"),
    ("--version=1", "--version=1: no such option; did you mean '--version'?"),
    ("check --stat a", "--stat: no such option; did you mean '--stats'?"),
    ("tag -m m --quite", "--quite: no such option; did you mean '--quiet'?"),
    ("tag -m m -qx", "-x: no such option"),
    ("tag -m m --quiet=yes", "--quiet: expected no value, found 'yes'"),
    ("tag in.txt --model", "--model: expected FILE, found nothing"),
    ("tag --model en --json letter.txt", "did you mean '--to jsonl'?"),
    ("train --train corpus.txt -o new.model", "did you mean '--model'?"),
    ("train --train corpus.txt --model n.model --passes 5", "did you mean '--epochs'?"),
    ("tune --train corpus.txt --model m.model", Not("did you mean")),
    ("eval --model m.model corpus.txt -o scores.txt", Not("did you mean")),
    ("tag --threads x m.model", Not("did you mean")),
    ("compare a b", "missing argument: PRED_B"),
    ("pipeline -o x", "missing argument: [NAME=]MODEL"),
    ("list pos ner", "unexpected extra argument 'ner'"),
    # values of options
    ("tag -m m --nbest x", "--nbest: expected an integer from 1 to 1000000, found 'x'"),
    ("tag -m m --batch 0", "--batch: expected an integer from 1, found '0'"),
    ("tag -m m --min-confidence nan", "--min-confidence: expected a number from 0 to 1, found 'nan'"),
    ("eval -m m gold --fail-below nan", "--fail-below: expected a number, found 'nan'"),
    ("split a --by order", "--by: expected one of document, sentence, found 'order'"),
    ("tag -m m.model corpus.txt -f xml", "--format: expected columns,"),
    ("tag -m toy.model toy.txt -f colums", "did you mean 'columns'"),
    ("tag -m m.model corpus.txt --to xml", "--to: expected columns, conllu,"),
    ("tag -m m.model corpus.txt --lines space", "--lines: expected a pipeline that begins"),
    ("eval -m toy.model toy.txt --repair stric", "did you mean 'strict'"),
    ("eval -m toy.model toy.txt --label chnk", "did you mean 'chunk'"),
    ("tag -m toy.model toy.txt --to conllu --label chnk", "--label: CoNLL-U has no column 'chnk'"),
    ("tag -m toy.model toy.txt --columns form,,chunk", "--columns: expected different names"),
    ("tag -m toy.model toy.txt --columns form,pso,chunk", "did you mean 'pso'"),
    ("tag -m en letter.txt --pretty --confidence", "which can hold the confidence of a token"),
    ("tag -m m.model corpus.txt --pretty --to jsonl", "--pretty: expected no --to, since it is a format of its own"),
    ("convert toy.txt new.jsonl --label x", "--label: there is no column 'x'"),
    ("convert toy.txt a --to xml", "--to: expected columns, conllu, jsonl"),
    ("convert toy.txt a --to brat", "brat: expected a file whose name ends in .ann, found 'a'"),
    ("convert - a --from brat", "brat: expected a file whose name ends in .ann, found standard input"),
    ("convert toy.txt a --to spacy --label c1", "--label: expected labels of spans, such as B-PER, in column"),
    ("tag -m en --to crfsuite letter.txt", "files of CRFsuite are read only; write columns"),
    ("tag letter.txt", "--model: expected a model, or --rules FILE for rules alone; found neither"),
    ("eval --raw -m en none.conllu", "there is no sentence in the gold data", {"none.conllu": ""}),
    ("compare - toy.txt -", "GOLD and PRED_B: expected '-' once,"),
    ("list --models --languages x", "--languages: expected a folder, found none: x"),
    ("reproduce collins2002 --data shipped --table x --plan", "--table: expected a part"),
    ("tag -m m.model corpus.txt --out-dir toy.txt", "--out-dir: expected a folder, found a file"),
    ("tag --rules my.toml --rules en letter.txt", "--rules is given 2 times; only the last one counts: en"),
    ("--show-completion tcsh", "found 'tcsh'"),
    # columns that a model needs
    ("tag -m toy.model one.txt", "as in training (form, pos, chunk) or the same without chunk, found 1"),
    ("eval -m toy.model one.txt", "found 1; name them with --columns; the labels are in chunk, the model may look at"),
    ("tag -m toy.model one.txt --columns form", "expected column 'pos', which the model looks at; found form"),
    ("tag -m toy.model --tokenizer en letter.txt", "--recipe basic-ner"),
    ("tag -m m.model letter.txt", "if this is running text, 'perceptag tag --tokenizer en' cuts it into tokens"),
    ("tag -m en --tokenizer en letter.txt", "--tokenizer: expected a model without a tokeniser"),
    ("tag -m m.model --tokenizer m.model letter.txt", "--tokenizer: expected a model with a tokeniser"),
    ("tag -m m.model --tokenizer en --out-dir o letter.txt", "perceptag pipeline TOKENIZER MODEL"),
    ("eval -m two.pipeline --columns form,b corpus.txt", "b, the last layer, is scored; --layer chooses another one"),
    ("eval -m two.pipeline --columns form,b --layer b corpus.txt", Not("--layer")),
    (
        lambda: run("tag", "--rules", "be.jsonl", "--tokenizer", "en", stdin=b"It is."),
        "these rules need a model, or a file of sentences, with 'lemma'",
        {"be.jsonl": '{"label": "X", "pattern": [{"LEMMA": "be"}]}\n'},
    ),
    # pipelines
    ("pipeline en ner=m.model -o x", "--replace ner=m.model uses it instead"),
    ("pipeline en --replace names=m.model -o x", "--replace: expected one of tokens, upos"),
    ("pipeline en --drop nerr -o x", "found 'nerr'; did you mean 'ner'?"),
    ("pipeline en my.toml -o x", "expected models, found 'my.toml'; --rules my.toml adds rules"),
    # files that stay
    (
        "build --treebank empty -o xx.pipeline",
        Not("xx.pipeline.md"),  # the card that the first build wrote
        {"xx.pipeline.md": "# xx\n\nA pipeline, built by `perceptag build`.\n", "empty/none": ""},
    ),
    ("train --train corpus.txt --no-dev --model letter.txt", "found plain text: letter.txt; --overwrite replaces it"),
    ("train --train corpus.txt --no-dev --model names.ptag", "found a project: names.ptag; --overwrite replaces it"),
    ("convert toy.txt m.model --to conllu", "to replace, found a model: m.model; --overwrite replaces it"),
    ("tag -m en --rules my.toml letter.txt -o my.toml", "my.toml is also an input; writing it would destroy it"),
    ("annotate names.ptag --export letter.txt --overwrite", Not("--overwrite replaces it")),
    # training
    (f"{TO_TRAIN} --set epoch=3", "unknown recipe key 'epoch'; did you mean 'epochs'"),
    (f"{TO_TRAIN} --set passes=5", "did you mean 'epochs'?"),
    (f"{TO_TRAIN} --set epochs=nan", "epochs: expected a whole number, found 'nan'"),
    (f"{TO_TRAIN} --epochs 1 --set epochs=nan", "--epochs and --set epochs: give one of them, not both"),
    (f"{TO_TRAIN} --set epochs", "--set: expected KEY=VALUE, found 'epochs'"),
    (f"{TO_TRAIN} --set shuffle=maybe", "shuffle: expected true or false"),
    (f"{TO_TRAIN} --columns form,postag,chunk", "did you mean 'postag'"),
    (f"{TO_TRAIN} --dev toy.txt", "--no-dev and --dev"),
    (f"{TO_TRAIN} -m - --json", "--model - and --json: both would go to standard output"),
    (f"{TO_TRAIN} -m /dev/stdout --json", "--model /dev/stdout and --json: both would go to standard output"),
    (f"{TO_TRAIN} --add nothing[0]", "template 'nothing[0]': expected a column of the data"),
    (f"{TO_TRAIN} --add form[0", "template 'form[0'"),
    (f"{TO_TRAIN} --add bias --set add=bias", "--add and --set add: give one of them, not both"),
    (f"{TO_TRAIN} --gazetteer cities.txt", "expected class=file, class~=file, 'train' or 'train~', found 'cities.txt'"),
    ("train --train corpus.txt --model n.model --label form", "--label: expected a column of"),
    ("train --train none.txt --no-dev -m x -r pos --on spark", "--on: expected threads, processes, ray"),
    ("train --train '*.txt' -m x", "'perceptag train --on threads' takes patterns of other files"),
    ("train --train corpus.txt --train toy.txt -m x", "--train is given 2 times; only the last one counts: toy.txt"),
    ("train --train corpus.txt --train corpus.txt -m x", Not("times")),
    ("train --train corpus.txt -m x --seed 3 -r collins-pos", "--seed has no effect"),
    # recipes
    (BY_RECIPE, "mine.toml: unknown recipe key 'epoch'; did you mean 'epochs'", {"mine.toml": "epoch = 3"}),
    (BY_RECIPE, "did you mean 'labels.keep'", {"mine.toml": "[labels]\nkep = ['NP']"}),
    (BY_RECIPE, "epochs: expected a whole number, found nan", {"mine.toml": "epochs = nan"}),
    (BY_RECIPE, "epochs: expected a whole number, found 1.5", {"mine.toml": "epochs = 1.5"}),
    (BY_RECIPE, "epochs: expected a number from 1 to 2147483647, found 0", {"mine.toml": "epochs = 0"}),
    (BY_RECIPE, "epochs: expected a whole number, found True", {"mine.toml": "epochs = true"}),
    (BY_RECIPE, "mine.toml:2: expected TOML: ", {"mine.toml": "epochs = 3\nepochs = 4\n"}),
    (BY_RECIPE, "did you mean 'averaged'", {"mine.toml": "weights = 'avraged'"}),
    (BY_RECIPE, "found 'sufix3'", {"mine.toml": "templates = ['sufix3[0]']"}),
    (BY_RECIPE, "or an attribute, found 'pso'", {"mine.toml": "templates = ['pso.lower[0]']"}),
    (BY_RECIPE, "an offset from -20 to 20", {"mine.toml": "templates = ['form[99]']"}),
    (BY_RECIPE, "at least one template", {"mine.toml": "templates = []"}),
    (BY_RECIPE, "found it twice", {"mine.toml": "templates = ['form[0]', 'form[0]']"}),
    (BY_RECIPE, "none.txt: cannot read", {"mine.toml": "templates = ['form[0]']\ngazetteer = ['x=none.txt']"}),
    (BY_RECIPE, "expected chunks of type", {"mine.toml": "templates = ['form[0]']\n[labels]\nkeep = ['VP']"}),
    (BY_RECIPE, "there is no column 'ner'", {"mine.toml": "templates = ['form[0]']\n[labels]\ncolumn = 'ner'"}),
    (BY_RECIPE, "--allow-code", {"mine.toml": "templates = ['x[0]']\nattributes = ['x=os:getcwd']"}),
    # annotation without a server
    ("annotate p.ptag", "expected --labels (types of spans) or --tags"),
    ("annotate p.ptag --labels A --tags B", "--labels and --tags: expected one of them"),
    ("annotate p.ptag --labels A,,B", "--labels: expected different names"),
    ("annotate p.ptag --labels B-PER,O --import one.txt", "expected types of spans, such as PER, found B-PER, O"),
    ("annotate p.ptag --labels A --import one.txt --export x --status some", "--status: expected labelled or all"),
    ("annotate p.ptag --export labels.txt", "p.ptag: expected a project file, found nothing"),
    ("annotate p.ptag --import corpus.txt --export o.csv", "--export: expected a name that ends in"),
    ("annotate p.ptag --import corpus.txt --comment '#' --format jsonl", "--comment: expected a column file"),
    # Python
    (lambda: Recipe("ner"), "Tagger(NAME) trains with it"),
    (lambda: Rules("my.toml"), "Rules.load"),  # type: ignore[arg-type]
    (lambda: Rules([{"label": "PLACE"}]), "Rules.load"),  # type: ignore[arg-type]
    (lambda: Tokenizer.load("en"), "perceptag.load('en')"),
    (lambda: Tagger.load("en"), "perceptag.load('en') loads pipelines, and installed models"),
    (lambda: Tagger().fit([[("Anna", "NNP"), ("sings", "VBZ")]]), "takes words and tags apart"),
    (
        lambda: Tagger("pos", epochs=1).fit([["B-PER", "O"]] * 9, [[f"w{n}", "left"] for n in range(9)]),
        "10 different labels, 2 different words: are words and labels swapped",
    ),
    (
        lambda: Tagger("pos").fit([["Ann", "ran", "home"]] * 5, [["NNP", "_", "NN"]] * 5),
        "'_' (5 times) is learned as a label; --set labels.missing=_ (labels_missing='_')",
    ),
    (
        lambda: Tagger("pos", epochs=1).fit([["Anna", "Berg", "is", "old", "."]], [["PER", "PER", "O", "O", "O"]]),
        "y: labels such as 'PER' seem to mark spans",
    ),
    (lambda: perceptag.load("en")(["Anna.", "Bob."]), "nlp.pipe(texts) takes several texts"),  # type: ignore[arg-type]
    (lambda: perceptag.load("en")(b"Anna"), "text.decode('utf-8') makes a string of bytes"),  # type: ignore[arg-type]
    (lambda: perceptag.load("en")("Anna").noun_chunks, "it has text, sentences, tokens, words and spans"),  # type: ignore[attr-defined]
    (lambda: perceptag.load("en")("Anna").tokens[0].pos_, "found 'pos_'; what spaCy calls pos_ is upos here"),
    (lambda: perceptag.load("en")("Anna").tokens[0].ent_type_, "what spaCy calls ent_type_ is ner here"),
    (lambda: perceptag.load("en")("Anna").words[0].idx, "what spaCy calls idx is start here"),
    (lambda: Client("http://127.0.0.1:1").tag_file("a.txt"), "expected the bytes of a file, found str"),  # type: ignore[arg-type]
    (lambda: [part.upos for part in perceptag.load("en")("Anna")], "document.tokens"),  # type: ignore[attr-defined]
]
