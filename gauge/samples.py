"""One document in every format that is read, with all that the format can hold."""

from __future__ import annotations

CONLLU = """\
# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
# newdoc id = d-17
# newpar
# sent_id = d-17-1
# text = Zoë didn't go to  Köln 😀.
# a comment with	a tab
1	Zoë	Zoë	PROPN	NNP	Number=Sing	3	nsubj	3:nsubj|6.1:nsubj	NER=B-PER
2-3	didn't	_	_	_	_	_	_	_	Typo=No
2	did	do	AUX	VBD	Mood=Ind|Tense=Past	4	aux	_	_
3	n't	not	PART	RB	Polarity=Neg	4	advmod	_	_
4	go	go	VERB	VB	VerbForm=Inf	0	root	0:root	Gloss=a b|NER=O
5	to	to	ADP	IN	_	6	case	_	SpacesAfter=\\s\\s
6	Köln	Köln	PROPN	NNP	Number=Sing	4	obl	4:obl:to	NER=B-LOC
6.1	went	go	VERB	VBD	_	_	_	4:conj	CopyOf=4
7	😀	_	SYM	_	_	4	discourse	_	SpaceAfter=No
8	.	.	PUNCT	.	_	4	punct	_	SpacesAfter=\\r\\n\\r\\n

# newpar id = p2
# sent_id = d-17-2
# text = 𝔘ni New York-based firms / B_PER a|b #1
1	𝔘ni	𝔘ni	X	NN	Foreign=Yes	0	root	_	NER=B-ORG
2	New York-based	_	ADJ	JJ	_	1	dep	_	NER=B-LOC
3	firms	firm	NOUN	NNS	Number=Plur	1	dep	_	_
4	/	/	SYM	:	_	1	dep	_	_
5	B_PER	_	X	NN	_	1	dep	_	_
6	a|b	a|b	X	NN	_	1	dep	_	_
7	#1	#1	NUM	CD	NumType=Card	1	dep	_	SpacesAfter=\\n

# newdoc
# sent_id = e-1
# text = Oslo
1	Oslo	Oslo	PROPN	NNP	_	0	root	_	NER=B-LOC

"""

COLUMNS = """\
# a comment of the file
-DOCSTART- -X- O O

# text = Zoë went to Köln
Zoë NNP B-NP B-PER
went VBD B-VP O
to TO B-PP O
Köln NNP B-NP B-LOC
😀 _ O O


#1 CD B-NP O
𝔘ni NN I-NP B-ORG
_ _ O O
-LRB- : O O

-DOCSTART- -X- O O

Acme NNP B-NP B-ORG
Corp. NNP I-NP I-ORG
Oslo NNP B-NP B-LOC
. . O O
"""

JSONL = """\
{"id": 7, "tokens": ["Zoë", "went", "to", "Köln", "😀"], "xpos": ["NNP", "VBD", "TO", "NNP", "_"], "chunk": ["B-NP", "B-VP", "B-PP", "B-NP", "O"], "ner": ["B-PER", "O", "O", "B-LOC", "O"], "document": "d-17", "meta": {"source": "a\\tb\\u2028", "n": [1, 2.50, null, true]}}
{"id": "8", "tokens": ["𝔘ni", "a/b", "New York", "\\"quoted\\""], "xpos": ["NN", "NN", "NNP", "NN"], "chunk": ["B-NP", "I-NP", "B-NP", "I-NP"], "ner": ["B-ORG", "O", "B-LOC", "O"], "document": "d-17"}
{"tokens": ["Oslo", "."], "xpos": ["NNP", "."], "chunk": ["B-NP", "O"], "ner": ["B-LOC", "O"], "document": "d-18", "note": ""}
"""  # noqa: E501

TEXT = """\
Zoë Harwick didn't visit the council in Köln on May 5, 2024. "I won't pay $4.5 million," she said 😀.
The fund's founder (a 𝔘ni man) stayed in London.

HEADLINE IN OSLO

- a first bullet
- a second one,\twrapped
onto another line.

\f
Kingsley Council met Brandt AG at https://example.org/x_y at 3:30 p.m. It rained\u00a0all day. שלום\ufeff!
"""

DOCCANO = """\
{"id": 1, "text": "Zoë went to Köln 😀. It rained.", "label": [[0, 3, "PER"], [12, 16, "LOC"]], "Comments": [], "author": "a b"}
{"id": 2, "text": "𝔘ni Oslo hired Anna Berg.", "label": [[0, 8, "ORG"], [15, 24, "PER"]]}
"""  # noqa: E501


def files() -> dict[str, bytes]:
    """Return the samples by the names of their files: also with CRLF, and without spaces, for columns without tabs."""
    texts = {
        "rich.conllu": CONLLU,
        "crlf.conllu": CONLLU.replace("\n", "\r\n"),
        "bare.conllu": CONLLU.replace("New York", "New-York").replace("a b", "a-b"),
        "rich.col": COLUMNS,
        "tabs.col": COLUMNS.replace(" ", "\t").replace("\n", "\r\n"),
        "two.col": "Zoë NNP\n😀 _\n\nOslo NNP\n",
        "rich.jsonl": JSONL,
        "bare.jsonl": JSONL.replace("New York", "New-York"),
        "plain.txt": TEXT,
        "crlf.txt": TEXT.replace("\n", "\r\n"),
        "doccano.jsonl": DOCCANO,
    }
    return {name: text.encode() for name, text in texts.items()} | {"utf16.txt": TEXT.encode("utf-16")}
