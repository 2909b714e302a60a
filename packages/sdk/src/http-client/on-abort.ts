interface Waiting {
  callbacks: Set<() => void>
  listener: () => void
}

// One listener per signal, shared by all callbacks: Node warns of a leak beyond ten.
const waiting = new WeakMap<AbortSignal, Waiting>()

/** Calls back when a signal fires. The returned function ends that. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const known = waiting.get(signal) ?? listenTo(signal)
  known.callbacks.add(callback)
  return () => {
    known.callbacks.delete(callback)
    if (known.callbacks.size > 0 || waiting.get(signal) !== known) return
    waiting.delete(signal)
    signal.removeEventListener('abort', known.listener)
  }
}

function listenTo(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>()
  const listener = (): void => {
    for (const callback of [...callbacks]) callback()
  }
  const made = { callbacks, listener }
  waiting.set(signal, made)
  signal.addEventListener('abort', listener, { once: true })
  return made
}
