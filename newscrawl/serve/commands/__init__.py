"""Commands that show, search and label a harvest; the package of all commands names this folder as well."""
