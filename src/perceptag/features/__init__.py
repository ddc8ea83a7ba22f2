"""From sentences to feature rows: columns, type ids, templates, attributes, gazetteers, word classes."""
