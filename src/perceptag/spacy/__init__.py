"""perceptag in pipelines of spaCy: components that tag and find names, and `Doc` to `Sentence` and back.

    nlp = spacy.blank("en")
    nlp.add_pipe("perceptag_ner")
    nlp.initialize(lambda: examples)  # this trains

spaCy finds the components by their entry points; nothing of perceptag needs to be imported for that.
"""

from perceptag.spacy.components import PerceptagNer, PerceptagTagger, make_ner, make_tagger
from perceptag.spacy.docs import to_doc, to_sentences

__all__ = ["PerceptagNer", "PerceptagTagger", "make_ner", "make_tagger", "to_doc", "to_sentences"]
