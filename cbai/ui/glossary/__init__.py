"""The page Glossary: the entries, and how they are found."""
