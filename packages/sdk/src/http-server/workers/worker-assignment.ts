/** What the first process tells the others. */
export interface WorkerAssignment {
  /** The public port. */
  readonly port: number
  /** Where the first process takes what it alone can answer. */
  readonly socketPath: string
  /** What requests are sealed with by servers without keys of their own: every round may reach another process. */
  readonly stateKey: string
  /** What is left on disk if the first process cannot clean up. */
  readonly folder: string | undefined
}

const variable = 'TENON_HTTP_WORKER'

export const writeAssignment = (assignment: WorkerAssignment): { [variable: string]: string } => ({
  [variable]: JSON.stringify(assignment),
})

/** Undefined in a process that was not started for this. */
export function readAssignment(): WorkerAssignment | undefined {
  const text = process.env[variable]
  // Programs that the worker starts are no workers.
  delete process.env[variable]
  return text === undefined ? undefined : (JSON.parse(text) as WorkerAssignment)
}
