"""Check the sentences that users give, and convert them for the core."""
