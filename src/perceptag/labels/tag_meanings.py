"""What tags of words, features of words and types of names mean, in a few words."""

from __future__ import annotations

_MEANINGS = {
    # universal parts of speech
    "ADJ": "adjective", "ADP": "adposition", "ADV": "adverb", "AUX": "auxiliary", "CCONJ": "coordinating conjunction",
    "DET": "determiner", "INTJ": "interjection", "NOUN": "noun", "NUM": "numeral", "PART": "particle",
    "PRON": "pronoun", "PROPN": "proper noun", "PUNCT": "punctuation", "SCONJ": "subordinating conjunction",
    "SYM": "symbol", "VERB": "verb", "X": "other",
    # tags of the Penn Treebank
    "ADD": "e-mail or web address", "AFX": "affix", "CC": "coordinating conjunction", "CD": "cardinal number",
    "DT": "determiner", "EX": "existential there", "FW": "foreign word", "GW": "part of a word that is split",
    "HYPH": "hyphen", "IN": "preposition or subordinating conjunction", "JJ": "adjective",
    "JJR": "adjective, comparative", "JJS": "adjective, superlative", "LS": "list item marker", "MD": "modal verb",
    "NFP": "superfluous punctuation", "NN": "noun, singular or mass", "NNP": "proper noun, singular",
    "NNPS": "proper noun, plural", "NNS": "noun, plural", "PDT": "predeterminer", "POS": "possessive ending",
    "PRP": "personal pronoun", "PRP$": "possessive pronoun", "RB": "adverb", "RBR": "adverb, comparative",
    "RBS": "adverb, superlative", "RP": "particle", "TO": "to", "UH": "interjection", "VB": "verb, base form",
    "VBD": "verb, past tense", "VBG": "verb, gerund or present participle", "VBN": "verb, past participle",
    "VBP": "verb, present, not third person singular", "VBZ": "verb, present, third person singular",
    "WDT": "wh-determiner", "WP": "wh-pronoun", "WP$": "possessive wh-pronoun", "WRB": "wh-adverb",
    "-LRB-": "opening bracket", "-RRB-": "closing bracket", "``": "opening quotation mark",
    "''": "closing quotation mark", "$": "currency", "#": "number sign", ",": "comma", ":": "colon, semicolon or dash",
    ".": "end of a sentence",
    # entities
    "PER": "person", "PERSON": "person", "LOC": "place", "GPE": "country, city or state", "FAC": "building or road",
    "ORG": "organisation", "MISC": "other name", "NORP": "nationality, religion or political group",
    "DATE": "date", "TIME": "time", "MONEY": "amount of money", "PERCENT": "percentage", "QUANTITY": "measurement",
    "CARDINAL": "number", "NUMBER": "number", "ORDINAL": "ordinal number", "EVENT": "event", "PRODUCT": "product",
    "WORK_OF_ART": "title of a work", "LAW": "law", "LANGUAGE": "language",
    # phrases
    "NP": "noun phrase", "VP": "verb phrase", "PP": "prepositional phrase", "ADVP": "adverb phrase",
    "ADJP": "adjective phrase", "SBAR": "subordinate clause", "PRT": "particle", "CONJP": "conjunction phrase",
    # features of words
    "Number=Sing": "singular", "Number=Plur": "plural", "Gender=Masc": "masculine", "Gender=Fem": "feminine",
    "Gender=Neut": "neuter", "Case=Nom": "nominative", "Case=Acc": "accusative", "Case=Dat": "dative",
    "Case=Gen": "genitive", "Person=1": "first person", "Person=2": "second person", "Person=3": "third person",
    "Tense=Past": "past", "Tense=Pres": "present", "Tense=Fut": "future", "Mood=Ind": "indicative",
    "Mood=Imp": "imperative", "Mood=Sub": "subjunctive", "VerbForm=Fin": "finite", "VerbForm=Inf": "infinitive",
    "VerbForm=Part": "participle", "VerbForm=Ger": "gerund", "Voice=Pass": "passive", "Degree=Pos": "positive",
    "Degree=Cmp": "comparative", "Degree=Sup": "superlative", "Definite=Def": "definite", "Definite=Ind": "indefinite",
    "PronType=Prs": "personal", "PronType=Art": "article", "PronType=Dem": "demonstrative", "PronType=Rel": "relative",
    "PronType=Int": "interrogative", "Poss=Yes": "possessive", "Reflex=Yes": "reflexive", "NumType=Card": "cardinal",
    "NumType=Ord": "ordinal",
}  # fmt: skip


def tag_meaning(label: str) -> str:
    """Return what a tag, the type of a span, or a list of features means; nothing if that is not known.

    >>> tag_meaning("NNS"), tag_meaning("Case=Gen|Number=Plur|Own=1"), tag_meaning("Gadget")
    ('noun, plural', 'genitive, plural, Own=1', '')
    """
    if "=" not in label:
        return _MEANINGS.get(label, "")
    parts = label.split("|")
    return ", ".join(_MEANINGS.get(part, part) for part in parts) if any(part in _MEANINGS for part in parts) else ""
