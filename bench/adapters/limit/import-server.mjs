// Nothing: what it costs to import a module at all.
