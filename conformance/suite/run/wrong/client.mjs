// A client that is wrong on purpose: it says nothing, and claims that all went well.
