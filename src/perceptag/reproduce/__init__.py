"""The tables of the four papers, from data to figures, by one command.

corpora.py      which files are needed, and the sentences in them
penn_treebank.py, retagged.py, name_lists.py    the Penn Treebank; TagChunk's tags or our own; gazetteers
experiment.py   one training run: data, order, recipe, settings
run.py          runs one experiment
rivals.py, likelihood_hmm.py, easiest_first.py    systems that the papers compare with and that are not recipes
results.py      the results of finished experiments, on disk
schedule.py     runs what is missing, on several processes
tables.py       a table as in a paper: the paper's figure, and where ours comes from
collins2002.py, carreras2003.py, kazama2007.py, shen2007.py    the tables, statements and departures of one paper
statements.py, resampling_units.py    does a statement of a paper hold here, and how sure is that?
views.py        tables and statements as text cells and as numbers
plan.py, export.py    what would be run; the recipe and the model of a row
report.py, report_facts.py, html.py, charts.py    run everything, write the report, draw its plots
"""
