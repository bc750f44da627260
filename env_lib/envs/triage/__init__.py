"""triage: run the issue queue of an open-source project."""
