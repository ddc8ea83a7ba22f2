"""What is said of a file that is not what a command takes it for, and of what is lost or doubtful in it."""

from __future__ import annotations

import json
from pathlib import Path

import perceptag
from command_line import run, toy_model
from message_rows import Not
from perceptag import text
from typed_commands import typed

TRAIN = "train -r basic-ner --epochs 1 --no-dev -m x.model --train"
AUTO = "train --epochs 1 --no-dev -m x.model --train"
TO_JSONL = "convert {} - --to jsonl --tokenizer en"
NAMES = [("Anna", "B-PER"), ("Berg", "I-PER"), ("sings", "O"), ("in", "O"), ("Oslo", "B-LOC"), (".", "O")]
TAGGED = "Ann NNP\nran _\nhome NN\n\n" * 5
CRUSHED = "Word,Tag\nAnna,B-PER\nleft,O\n".replace("\n", "\r\r\n")
PROSE = "Ada Lovelace met Bob in Rome on a very sunny day.\n"
EXPORT = '{"id": 1, "text": "Anna left.", "label": [[0, 4, "PER"]]}\n'
COMMENTED = "# sent_id = 1\nAnna NNP B-NP B-PER\n# NN O O\n\n# sent_id = 2\n# text = Bob\nBob NNP B-NP B-PER\n\n"
ONTONOTES = "".join(f"bc/cctv/00/cctv_0000   0   {n}   w   NN   *   -   -   -   A#1   *   -\n" for n in range(7))
MANY_MISFITS = (
    "id,text,start,end,label\n" + "".join(f"{n},I saw Bob {n}.,7,9,PER\n" for n in range(4)) + "9,Anna ran.,0,4,PER\n"
)
TABLE_OF_MAILS = '"Hello, the steel lamp {0} is broken since Monday. Why?",ORD-{0},lamp\n'
MAILS = "message,order_number,product\n" + "".join(TABLE_OF_MAILS.format(n) for n in range(20))
TREEBANK = "1\tran\t_\t_\tVBD\t_\t_\t_\t_\tSpaceAfter=No\n2\tout\t_\t_\tRB\t_\t_\t_\t_\t_\n\n"
SEVERAL = '{"tokens": ["Anna"], "pos": ["N"], "labels": ["B-PER"]}\n{"tokens": ["is"], "labels": ["O"]}\n'
TYPES = "Anna PER\nBerg PER\nsings O\nin O\nold O\nOslo LOC\n. O\n\n" * 8
PLACES = [{"text": t, "label": "LOC"} for t in ("University of Oslo", "Oslo", "York City", "New York", "Bergen")]
NESTED = json.dumps({"text": "The University of Oslo is not in New York City.", "entities": PLACES})
WITH_NAMES = json.dumps({"text": "Anna is here.", "entities": {"PER": ["Anna"], "LOC": [{"text": "here", "zz": 1}]}})


def prepare(folder: Path) -> None:
    """Make a model of tags, and one of words."""
    toy_model(folder)
    perceptag.Tagger("pos", epochs=1).fit([["Ada", "met"]], [["B-PER", "O"]]).save(folder / "m.model")


def names(line: str, times: int = 8) -> str:
    """Return a column file; `line` shows how a word is written."""
    outside = "{word} O" if "{kind}" in line else line
    rows = [
        (line if y[2:] else outside).format(n=n, word=w, label=y, tag=y[0], kind=y[2:])
        for n, (w, y) in enumerate(NAMES, 1)
    ]
    return "\n".join([*rows, "", ""]) * times


def piped(records: str, *options: str) -> str:
    """Tag records from a pipe, of which only the beginning can be seen before it is read; return what is said."""
    out, err = typed(Path.cwd(), "tag", "-m", "en", *options, stdin=f"{records}\n".encode(), status=2)
    return err if options else out + err


def of(command: str, said: str, content: str | bytes, name: str = "a.txt") -> tuple[str, str, dict[str, str | bytes]]:
    """Return a row about one file, whose name the command ends with, or has in the place of {}."""
    return command.replace("{}", name) if "{}" in command else f"{command} {name}", said, {name: content}


ROWS = [
    # another kind of file
    of(TRAIN, "a.txt: this looks like a PDF file", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n\0\1\2\n"),
    of(TRAIN, "a.txt: this looks like a zip archive", b"PK\3\4\x14\0\0\0" + bytes(range(256))),
    of(TRAIN, "keep only the JSON between the lines with ```", 'Here it is:\n```json\n[{"text": "Ada"}]\n```\n'),
    of(TRAIN, "this looks like XML or HTML", "<doc>\n<p>Anna sings.</p>\n"),
    of("check", "this looks like XML or HTML", "<PER>Anna Berg</PER> sings.\nIn <LOC>Oslo</LOC>, too, she does.\n"),
    of("check", "this looks like TOML", '[[rule]]\nlabel = "X"\n'),
    of(TRAIN, "this looks like JSON of no known tool", '{"title": "Anna"}\n'),
    of(TO_JSONL, Not("export of"), '{"text": {"0": "Anna lives"}, "label": {"0": [[0, 4, "PER"]]}}\n', "a.json"),
    of(TRAIN, "CoNLL-2012 shared task (OntoNotes)", ONTONOTES),
    of(TRAIN, "CoNLL-2012 shared task", "#begin document (bc/cctv/00/cctv_0000); part 000\n"),
    of(TRAIN, "this looks like running text without labels", PROSE),
    of(TRAIN, "this looks like running text", f"{PROSE}\n{PROSE}"),
    of(TRAIN, "this looks like running text without labels", "Anna Berg lives in Oslo .\n"),
    of("check --stats", "this looks like running text", PROSE),
    of("eval -m en", "this looks like running text", PROSE),
    of("check", "this looks like running text", PROSE),
    of(TO_JSONL, "this looks like running text without labels", "It was a nice day.\n\nWe left home.\n"),
    of("check", Not("running text"), "Oslo oslo NNP B-LOC\nand and CC O\n. . . .\n"),
    of(TRAIN, "this looks like a table separated by commas, without a header that is known", "Anna,B-PER\nsings,O\n"),
    of(TRAIN, "this looks like a table separated by semicolons", "Satz;Wort;Etikett\n1;Anna;B-PER\n1;\";\";O\n",
     "a.csv"),
    of("check", "this looks like a table separated by", 'Anna,B-PER\nsings,O\n",",O\n', "a.csv"),
    of("annotate p.ptag --labels PER --export o --import", "looks like a table separated by commas", "Anna,O\nBob,O\n"),
    of(AUTO, "a table separated by commas with the header message, order_number, product; expected", MAILS, "a.csv"),
    of("tokenize", "recognised as a table with a header; 'perceptag convert a.csv sentences.jsonl'",
     "id,text\n1,A b.\n", "a.csv"),
    of("tag -m en", "recognised as doccano export; 'perceptag convert", EXPORT, "a.jsonl"),
    of("tag -m en --out-dir o", "recognised as a table with a header; 'perceptag convert", "token,label\nAnna,O\n",
     "a.csv"),
    of("tag -m en", "expected running text, found -DOCSTART-", "-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\n"),
    of("tag -m m.model --tokenizer en", "--format columns reads them", "Anna\tNNP\nsings\tVBZ\n.\t.\n"),
    of("classes --sizes 2 -o c", "expected running text", "The DT\ndog NN\nbarks VBZ\n. .\n\n" * 20),
    of("classes --min-count 1 --sizes 2 -o c", "every sentence is a single word", "the\ndog\nbarks\n" * 30),
    of("pipeline -o p", "this is not a perceptag model", "The DT\n"),
    # encodings and line ends
    of(TRAIN, "invalid UTF-8: byte 0xFC at byte 2 of the line; --encoding names another encoding", b"M\xfcller NE\n"),
    of("check --encoding utf-16", "expected text in utf-16 with a byte order mark, found none", b"Caf\xe9 B\nx O\n"),
    of("check --encoding klingon", "--encoding: expected auto, utf-8, latin-1", "Anna O\n"),
    of("convert --encoding latin-1 {} -", "a.txt: the text is UTF-8, not latin-1", "Jürgen B-PER\n\n"),
    of("split --encoding latin-1", "the parts are written in UTF-8",
     "".join(f"J\xfcrgen{n} B-PER\n\n" for n in range(9)).encode("latin-1")),
    of("tag -m toy.model --in-place", "expected a file in UTF-8", "The DT B-NP\n\n".encode("utf-16")),
    of(TO_JSONL, "a.csv: expected lines that end in LF, CRLF or CR, found CR CR LF", CRUSHED, "a.csv"),
    of(TO_JSONL, "found CR CR LF", "Anna B-PER\r\r\nleft O\r\r\n"),
    (f"{AUTO} a.txt --gazetteer c=b.txt", "b.txt: expected phrases, one in a line", {"a.txt": "A X\nb O\n",
     "b.txt": "\n"}),
    (f"{AUTO} a.txt --gazetteer c=b.txt", "lists are read as UTF-8: 'iconv", {"a.txt": "A X\n",
     "b.txt": b"Z\xfcrich\n"}),
    # labels in another spelling
    of(AUTO, "seem to mark spans, but are read as labels of single tokens", names("{word} {tag}_{kind}")),
    of(AUTO, "expected 'B-LOC' and 'I-LOC'; 'perceptag convert FILE OUT --iob' writes them so", TYPES),
    of("check", "other spelling", names("{word} {kind}-{tag}")),
    of("convert --iob {} -", "--iob: column 'label': expected labels such as B_PER", names("{word} {label}")),
    of(TRAIN, "the label '0' seems to stand for tokens outside of spans, but only 'O' does",
     "Anna B-PER\nsings 0\n. 0\n\n" * 3),
    of("check", "the label 'none' seems to stand for tokens outside", "Anna B-PER\nsings none\n. none\n\n" * 3),
    of("check", Not("outside of spans"), "Anna NN\nsings VB\n. OTHER\n\n" * 3),
    of("check", "PER is not a label of IOB2: expected B-PER", "Acme B-ORG\nCorp I-ORG\nhired PER\nAnn B-PER\n. O\n"),
    of("check", "OUT is not a label of IOB2: expected O", "Acme B-ORG\nCorp I-ORG\nhired OUT\nAnn B-PER\n. O\n"),
    of(TRAIN, "a.txt:7: PERSON is not a label of IOB2", "The B-NP\ndog I-NP\n\n" * 2 + "It PERSON\n\n"),
    of(AUTO, "a.txt: column 'label': expected at least two labels, found only '_'; 'c1' has 2 labels: --label c1",
     "A X _\nb Y _\n"),
    # labels that are not known
    of(AUTO, "a.txt:2: _ is not a label of IOB2; --set labels.missing=_", "Ann B-PER\nsaw _\nRome B-LOC\n"),
    of(AUTO, "'_' (5 times) is learned as a label; --set labels.missing=_ (labels_missing='_')", TAGGED),
    of(TRAIN, "1 of 3 sentences left out, all of whose labels are '_' (not known)", "A B-X\nb O\n\nC B-X\n\nD _\n\n"),
    of(TRAIN, "1 of 2 sentences left out, which have no labels; first: ",
     '{"tokens": ["A"]}\n{"tokens": ["A", "b"], "labels": ["B-X", "O"]}\n', "a.jsonl"),
    of("check", "there are words only, no labels", "Anna\nsings\n\nBob\nran\n"),
    ("compare a.txt a.txt a.txt", "found '_' (not known) in all sentences", {"a.txt": "Anna B-PER\nleft _\n\n"}),
    of("train -r ner --epochs 1 --no-dev -m x --set labels.missing=_ --train", Not("left out, all"),
     "Anna B-X\nb O\n\nCy B-X\nd O\n\nD _\ne _\n\n"),
    # columns
    of(TRAIN, "expected words in the first column, found numbers of tokens; --columns id,form,label",
     names("{n}\t{word}\t{label}")),
    of(TRAIN, "if they are words, --columns with form first says so", names("{n} {word} {label}")),
    of("check", "found places of tokens", names("1-{n}\t0-3\t{word}\t{label}")),
    of(TRAIN, "found labels; --columns label,c1,form", names("{label} NN {word}")),
    of(TRAIN, "found numbers of sentences; --columns sentence,form,label", "1 Anna B\n1 left O\n\n2 Bob B\n2 sang O\n"),
    of(TRAIN, "found numbers; a first line 'sentence word tag'", "1 Anna B\n1 left O\n2 Bob B\n2 sang O\n"),
    of(AUTO, "found labels; --columns label,form",
     "".join(f"DET the\nNOUN dog{n}\nVERB sleeps{n}\n\n" for n in range(50))),
    of("check", Not("first column"), "1 B\n2 I\n\n7 O\n8 B\n9 I\n5 O\n\n"),
    of(TRAIN, "names of columns, not like a token: token tag; delete the line",
     "token tag\n" + "Ann NNP\nran VBD\n\n" * 5),
    of("check", Not("names of columns"), "token NN\n" + "Ann NNP\nran VBD\n\n" * 5),
    of(f"{TRAIN} {{}} --columns w,p,t", "its first line names the columns", "Sentence #,Word,POS,Tag\n1,A,N,O\n",
     "a.csv"),
    of("check --columns ner,pos,form", "--label: expected ner or pos, since the last column has the words",
     "O V Ann\nO D left\n"),
    of("check --label form", "found 'form', the words", "Anna B-PER\nsings O\n"),
    of(AUTO, "expected labels, found misc of CoNLL-U, such as SpaceAfter=No", "ran VBD SpaceAfter=No\nout RB _\n"),
    of(AUTO, "'pos', which the model looks at; found form, label; 'perceptag", SEVERAL, "a.jsonl"),
    of("convert {} o.txt", "left out: pos (not in all sentences of a.jsonl)", SEVERAL, "a.jsonl"),
    of("check", "'# sent_id = 1' is read as a token: --comment '#' skips such lines", COMMENTED * 3),
    of(TRAIN, "is a blank line missing?", "Anna B-PER\nlives O\n" * 80),
    of("convert {} o.jsonl --comment '# s'", "since jsonl has no place for it: comments",
     "# s = 1\nAnna B-PER\nleft O\n"),
    # dev data
    (f"{TRAIN} a.txt --dev b.txt".replace("--no-dev ", ""), "no spans in 1 sentence of dev data: dev F1 is always 0",
     {"a.txt": "A B-X\nb O\n\n", "b.txt": "It O\n"}),
    (f"{TRAIN} a.txt --dev b.txt".replace("--no-dev ", ""), "label 'PER' is not in the training data",
     {"a.txt": "A B-PER\nb O\n\n", "b.txt": "A PER\nb O\n"}),
    # tables
    of(TO_JSONL, "a.csv:3: expected a tag in column 'label', found none",
     "sentence_id,token,label\n1,Anna,NNP\n1,sings,\n2,Bob,NNP\n2,ran,VBD\n", "a.csv"),
    of("check", "a.csv:4: no tag in column 'tag': taken as O",
     "Sentence #,Word,Tag\n1,Anna,B-PER\n1,sings,O\n2,Sam,\n2,left,O\n", "a.csv"),
    of(TO_JSONL, "a.csv:4: sentence '1' has rows further up, too: it is read as another sentence",
     "sentence_id,token,label\n1,A,O\n2,B,B-X\n1,c,O\n", "a.csv"),
    of(TO_JSONL, "a column such as sentence_id, or an empty row, begins another one",
     "word,tag\n" + "Anna,B-PER\n" * 101, "a.csv"),
    of(TO_JSONL, Not("begins another one"), "word,tag\n" + "Anna,B-PER\n" * 100, "a.csv"),
    of(TO_JSONL, "rows with the same 'satz' are taken for one sentence",
     "Satz;word;tag\n1;A;B-X\n1;b;O\n2;C;B-X\n2;d;O\n", "a.csv"),
    of("tag -m en", "a.csv:3: expected a word in column 'token', found none",
     "sentence_id,token\n1,Anna\n1,\n1,left\n", "a.csv"),
    of("tag -m en", "a.csv:3: expected a row, found a quotation mark that is not closed",
     'id,text\n0,Eva sat\n1,"Anna said ""x""\n2,Eva\n', "a.csv"),
    of("tag -m en", "--text NAME names the", "id,complaint\n1,Anna left Oslo.\n", "a.csv"),
    of("tag -m en --text body", "expected a column or key 'body', found 'id', 'complaint'",
     "id,complaint\n1,Anna left.\n", "a.csv"),
    of(f"{TRAIN} {{}} --text body", "--text: expected a column or key 'body'", "Anna B-PER\nleft O\n"),
    of(AUTO, "--label NAME that of the labels of words",
     "doc,word,Entity_Type,annotator\nd,Anna,B-PER,x\nd,sings,O,x\n", "a.csv"),
    of("check --fail-on warning", "unknown labels 4 a.csv:2", MANY_MISFITS, "a.csv"),
    of("convert {} - --label-names '[0, 1]'", "expected names, such as O,B-PER,I-PER, or a list of them, found",
     '{"tokens": ["A"], "ner_tags": [1]}\n', "a.jsonl"),
    of("convert {} - --label-names O", "expected numbers below 1", "token,ner_tag\nAnna,1\nleft,0\n", "a.csv"),
    of("convert {} - --label-names O,B-PER", "numbers, or names among them, in column 'label', found 'B-ORG'",
     "Anna B-PER\nLee B-ORG\n"),
    of("annotate p.ptag --export o --label-names O,B --import", "perceptag convert FILE sentences.jsonl --label-names",
     "Anna 1\nleft 0\n"),
    of(TO_JSONL, "a.csv:3: expected one word and its tag, as in the first row, found 3 of each",
     'tokens,ner_tags\nAnna left,"B-PER,O"\nBob went home,B-PER O O\n', "a.csv"),
    of(TO_JSONL, "a.csv:3: expected a word; the quotation mark before it is closed in another row",
     'word,tag\n"5,000",CD\n",X\nAnna,B\n",X\nBob,B\n', "a.csv"),
    of(TO_JSONL, "expected a list of strings, such as ['Anna', 'sings']",
     'tokens,tags\n"[Anna, left]","[B-PER, O]"\n', "a.csv"),
    of(TO_JSONL, "a.csv:3: left out: a text without words",
     'id,text,entities\n1,Anna left Oslo.,"[[0, 4, ""PER""]]"\n2,,[]\n', "a.csv"),
    of("train --on threads -r collins-pos -s shards=2 --no-dev -m x --train",
     "expected words in the first column, found labels",
     "B-PER Ann\nO left\nB-LOC Oslo\n\nB-PER Bob\nO met\nB-PER Ann\n"),
    of(TRAIN, "read as tokens that look like comments", COMMENTED * 3),
    of("check --suspects", "expected words and labels, found only one column", "word\n"),
    of("convert {} - --to inline", "format inline: expected labels, found only form", '["Ada"]\n', "a.jsonl"),
    # JSON
    of("check", "a.jsonl:1: expected a list of names with labels, or [] for none, found 'none'",
     '{"text": "A b", "entities": "none"}\n{"text": "A b", "entities": [{"text": "A", "label": "X"}]}\n', "a.jsonl"),
    of(TO_JSONL, "a.jsonl:2: expected names with labels, such as",
     '{"text": "A b", "entities": {"X": ["A"]}}\n{"text": "A b", "entities": {"X": [3]}}\n', "a.jsonl"),
    of("check", "found NaN, which JSON does not have; null is for a missing value", '{"text": NaN, "label": []}\n',
     "a.jsonl"),
    of("check", Not("table"), '{"tokens":["Anna","left"]}\n{"tokens":["Bob"],"labels":["B-PER"]}\n', "a.jsonl"),
    of("check", "'upos' are numbers up to 1 here: expected their names",
     '{"tokens": ["EU", "rejects"], "upos": [1, 0]}\n', "a.jsonl"),
    of(TO_JSONL, "a.jsonl:2: expected a text, found null", EXPORT + '{"id": 2, "text": null, "label": []}\n',
     "a.jsonl"),
    of("tag -m en", "a.jsonl:2: expected a text, found 5", '{"id": 1, "text": "Anna left."}\n{"id": 2, "text": 5}\n',
     "a.jsonl"),
    of("tag -m en", ", record 2: expected a text, found null", '[{"id": 1, "text": "Anna left."}, {"text": null}]',
     "a.json"),
    of("tag -m en -q", "a.jsonl:2: left out: a text without words", '{"text": "Anna left."}\n{"text": " "}\n',
     "a.jsonl"),
    of("tag -m en", "left out: the key 'values', which has the name of a layer",
     '{"tokens": ["Anna"], "values": "mine"}\n', "a.jsonl"),
    of("tag -m en -q --to conllu", "left out, since conllu has no place for it: the key 'source'",
     '{"tokens": ["Anna"], "source": "web"}\n', "a.jsonl"),
    of("tag -m m.model", "expected a tokeniser, found none; --tokenizer en", "id,text\n1,Anna left Oslo.\n", "a.csv"),
    of("tag -m en", "--text text tags only the texts", '{"text": "Anna left Oslo", "tags": ["B-PER", "O", "B-LOC"]}\n',
     "a.jsonl"),
    of(TO_JSONL, "'Oslo' (LOC): inside or across another name, which has the place", NESTED, "a.jsonl"),
    of(TO_JSONL, "'Bergen' (LOC): not found in the text", NESTED, "a.jsonl"),
    of(TO_JSONL, "entities.zz", WITH_NAMES, "a.jsonl"),
    of(TO_JSONL, Not("entities.PER"), WITH_NAMES, "a.jsonl"),
    of("convert {} b.txt", "words without spaces between them, which en does not cut: 'perceptag convert --tokenizer'",
     '{"text": "王小明在北京大学学习。", "label": [[0, 3, "PER"]]}\n', "a.jsonl"),
    of("convert {} b.conllu", "white space of several characters between sentences",
     '{"text": "Anna left.\\n\\nBob is in Oslo."}\n', "a.jsonl"),
    of("convert {} b.conllu", Not("white space"), '{"text": "Anna left. Bob is in Oslo."}\n', "a.jsonl"),
    of("convert {} b.jsonl --to doccano", "one character of white space becomes a space",
     '{"text": "Anna left.  Bob ran.", "label": [[0, 4, "PER"]]}\n', "a.jsonl"),
    of("convert {} b.jsonl --to doccano", "a.txt:3: expected a label of IOB2, such as O, found '0'",
     "Acme B-ORG\nCorp I-ORG\nhired 0\nAnn B-PER\n"),
    of("convert {} b.jsonl --to doccano", "such as B and I, are called SPAN", "The O\nbattery B\nlife I\nis O\n"),
    of("convert {} - --label-names O", "expected numbers below 1, as many as names, found 1",
     '{"tokens": ["A"], "ner_tags": [1]}\n', "a.jsonl"),
    of("convert {} a.ann", "the label 'GEO LOC' is called 'GEO_LOC', since names of labels have no spaces in brat",
     '{"tokens": ["Rome"], "labels": ["B-GEO LOC"]}', "a.jsonl"),
    # standard input
    (lambda: piped('{"id": 1, "body": "Anna left."}'), "--text body tags only the texts"),
    (lambda: piped('{"b": "A."}\n{"id": 2}', "--text", "b"), "<stdin>:2: --text: expected a key 'b', found 'id'"),
    (lambda: piped('{"text": "A."}\n' + EXPORT, "-f", "jsonl"), "<stdin>:2: expected a text without labels"),
    (lambda: piped('[{"id": 1, "body": "Anna left."}]'), "--text body tags only the texts"),
    (lambda: piped('{"text": null}'), "expected a list of strings 'tokens'"),
    (lambda: piped('[\n{"id": 1, "body": "Anna left."}\n]'), "expected one JSON object per line"),
    (lambda: run("check", "-", stdin=EXPORT.encode()), "<stdin>: doccano export, 1 text"),
    (lambda: run("check", "--stats", "-", stdin=b"PK\3\4\n\0\n"),
     "<stdin>: this looks like a zip archive or a spreadsheet"),
    # names that tell no format
    ("convert a.txt x.unknown", "--to names a format", {"a.txt": "Anna B-PER\n"}),
    ("convert a.txt x.csv", "--to names a format", {"a.txt": "Anna B-PER\n"}),
    ("tag -m en a.txt -o a.csv", "--to columns", {"a.txt": "Anna saw Rome.\n"}),
    # reading in Python
    (lambda: list(text.read("a.jsonl")), "'perceptag convert FILE sentences.jsonl' reads exports of annotation tools",
     {"a.jsonl": EXPORT}),
    (lambda: list(text.read("a.csv")), "'perceptag convert FILE sentences.jsonl' reads tables",
     {"a.csv": "Sentence #;Word;Tag\n1;He;O\n;left;O\n"}),
    (lambda: list(text.read("none.txt")), "none.txt: cannot read: No such file"),
]  # fmt: skip
