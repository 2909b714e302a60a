// Nothing: the cost of importing any module.
