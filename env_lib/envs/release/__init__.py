"""The duty release: decide whether a repaired change may ship."""
