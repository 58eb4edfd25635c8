"""The core's specification: diagrams, laws, counts and recorded playings."""
