/** An answer that is ready to be handed over. */
interface Endable {
  end(): void
}

let waiting: Endable[] = []

/**
 * Ends an answer at the end of the turn of the event loop, after all requests of the turn were read. Written in between,
 * each answer wakes up a client that has just gone to sleep, and so does the next one: the system then spends more time
 * on that than Node on everything else. With one client, the turn ends at once.
 */
export function endAfterTurn(answer: Endable): void {
  if (waiting.push(answer) === 1) setImmediate(endWaitingAnswers)
}

/** Ends the answers that wait for the end of the turn. */
export function endWaitingAnswers(): void {
  const turn = waiting
  waiting = []
  for (const answer of turn) answer.end()
}
