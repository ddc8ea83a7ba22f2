"""From sentences as users give them to sentences as the core needs them."""
