"""Other annotation tools as clients: INCEpTION's external recommender, and Label Studio's ML backend.

What their users label is kept in the project and learned from; the newest model answers them.
"""
