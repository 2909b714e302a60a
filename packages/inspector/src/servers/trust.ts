import { createHash, randomUUID } from 'node:crypto'
import { RequestProblem } from '../problem.ts'
import type { Challenge, CommandSpec, ServerSpec } from '../protocol.ts'

const challengeMs = 10 * 60_000
const maxChallenges = 100

/**
 * Which processes may be started: those named on the command line, and those a person has agreed to. An agreement is for
 * exactly the shown command; another argument, variable or folder has to be agreed to again.
 */
export class Trust {
  readonly #trusted = new Set<string>()
  readonly #challenges = new Map<string, { server: string; fingerprint: string; until: number }>()

  /** The author of the command line has agreed to it. */
  trust(spec: ServerSpec): void {
    if (spec.kind === 'command') this.#trusted.add(fingerprint(spec))
  }

  allows(spec: ServerSpec): boolean {
    return spec.kind !== 'command' || this.#trusted.has(fingerprint(spec))
  }

  challenge(server: string, spec: CommandSpec): Challenge {
    const id = randomUUID()
    this.#challenges.set(id, { server, fingerprint: fingerprint(spec), until: performance.now() + challengeMs })
    if (this.#challenges.size > maxChallenges) this.#challenges.delete(this.#challenges.keys().next().value!)
    const { command, args = [], env = {}, cwd } = spec
    return { id, server, command, args, env, ...(cwd !== undefined && { cwd }) }
  }

  /** The person agreed. Returns the server; `spec` finds its current specification. */
  confirm(id: string, specOf: (server: string) => ServerSpec): string {
    const challenge = this.#challenges.get(id)
    this.#challenges.delete(id)
    if (challenge === undefined || challenge.until < performance.now()) {
      throw new RequestProblem(
        'This confirmation is not valid any more',
        'Connect again, and confirm what is shown then.',
      )
    }
    const spec = specOf(challenge.server)
    if (spec.kind !== 'command' || fingerprint(spec) !== challenge.fingerprint) {
      throw new RequestProblem('The command was changed after it was shown', 'Connect again, and look at it once more.')
    }
    this.#trusted.add(challenge.fingerprint)
    return challenge.server
  }
}

/** The same for equal processes only: every part in its place, so that nothing can pass for something else. */
export function fingerprint({ command, args = [], env = {}, cwd }: CommandSpec): string {
  const variables = Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([command, args, variables, cwd ?? null]))
    .digest('hex')
}
