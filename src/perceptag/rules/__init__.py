"""Rules: patterns over tokens, phrases and text, and what their matches say about spans."""
