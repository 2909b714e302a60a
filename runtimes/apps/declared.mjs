// A view with a declared domain.
const answer = await fetch(`${collector}/declared`)
globalThis.got = answer.status
