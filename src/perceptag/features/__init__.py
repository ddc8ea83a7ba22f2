"""What models see of a token: templates, attributes, groups, gazetteers, document columns, word classes."""
