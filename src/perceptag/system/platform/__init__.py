"""All code that depends on the operating system.

Each function says what it does where the system cannot do it. tests/system/test_platform.py keeps names that only some
systems have out of all other modules.
"""
