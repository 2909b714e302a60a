// A client that is wrong on purpose: it sends nothing, and reports success.
