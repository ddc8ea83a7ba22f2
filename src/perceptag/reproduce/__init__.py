"""The tables of the four papers, from data to figures, by one command.

corpora.py      which files are needed, and the sentences in them
experiment.py   one training run: data, recipe, settings
run.py          runs one experiment
results.py      the results of finished experiments, on disk
schedule.py     runs what is missing, on several processes
tables.py       a table as in a paper: the paper's figure, and where ours comes from
collins2002.py, carreras2003.py, kazama2007.py, shen2007.py    the tables and statements of one paper
statements.py   does a statement of a paper hold here?
retagged.py     entity data with parts of speech and chunks of our own
views.py        tables and statements as text cells, for the terminal and the report
report.py, html.py, charts.py    run everything, write the report, draw its plots
"""
