/** The configuration that the first process gives its workers. */
export interface WorkerAssignment {
  /** The public port. */
  readonly port: number
  /** The socket for requests that only the first process can answer. */
  readonly socketPath: string
  /** The key for sealed state, if the server has none of its own: every round may reach another process. */
  readonly stateKey: string
  /** The folder to remove if the first process cannot clean up. */
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
