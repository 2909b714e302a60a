/** Errors that the client itself caused: it answered wrongly, said no, or was too slow. Telling it so leaks nothing. */
const caused = new WeakSet<object>()

/** Marks an error that the client caused, and rethrows it. */
export function blameClient(error: unknown): never {
  if (typeof error === 'object' && error !== null) caused.add(error)
  throw error
}

export const causedByClient = (error: unknown): error is Error => error instanceof Error && caused.has(error)
