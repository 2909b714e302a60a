// A view that declared where it wants to go.
const answer = await fetch(`${collector}/declared`)
globalThis.got = answer.status
