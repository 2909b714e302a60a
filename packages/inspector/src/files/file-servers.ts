import { isDeepStrictEqual } from 'node:util'
import type { ServerSpec as FileServer } from '@tenon/replay'
import { RequestProblem } from '../problem.ts'
import type { Challenge, ServerSpec } from '../protocol.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Workbench } from '../workbench.ts'
import { serverEntry } from './server-entry.ts'

/** The server of the workbench that a file means: the one that would be written down like this. */
export function serverFor({ servers }: Workbench, { name, ...entry }: FileServer): ManagedServer | undefined {
  if (entry.command === undefined && entry.url === undefined) {
    return servers.find(({ spec }) => spec.name === (entry.config ?? name))
  }
  const same = servers.filter(({ spec }) => isDeepStrictEqual(serverEntry(spec), { ...entry }))
  return same.find(({ spec }) => spec.name === name) ?? same[0]
}

/** A server of a file that the workbench does not know. */
export function specOf({ name, command, args, env, cwd, url, headers, config }: FileServer): ServerSpec {
  if (url !== undefined) return { kind: 'url', name, url, ...(headers && { headers }) }
  if (command !== undefined) {
    return { kind: 'command', name, command, ...(args && { args }), ...(env && { env }), ...(cwd && { cwd }) }
  }
  throw new RequestProblem(
    config === undefined ? 'The file names no server' : `The workbench has no server called ${JSON.stringify(config)}`,
    'Add it, or choose the server to run on.',
  )
}

/** Has a person allow the programs of a run, one after the other. */
export class Agreement {
  readonly #bench: Workbench
  readonly #show: (challenge: Challenge | undefined) => void
  #waiting: { challenge: string; agree: (yes: boolean) => void } | undefined

  /** `show` gets the program that is asked about, and undefined once there is an answer. */
  constructor(bench: Workbench, show: (challenge: Challenge | undefined) => void) {
    this.#bench = bench
    this.#show = show
  }

  /** A program starts only after a person has allowed it. */
  async ask({ id, spec }: ManagedServer): Promise<void> {
    const { trust } = this.#bench
    if (spec.kind !== 'command' || trust.allows(spec)) return
    const challenge = this.#bench.challenge(id, spec)
    const yes = await new Promise<boolean>((agree) => {
      this.#waiting = { challenge: challenge.id, agree }
      this.#show(challenge)
    })
    this.#waiting = undefined
    this.#show(undefined)
    if (!yes) throw new RequestProblem(`Nobody agreed to start ${spec.command}`)
    trust.confirm(challenge.id, () => spec)
  }

  /** The person has decided. */
  answer(challenge: string, agreed: boolean): void {
    if (this.#waiting?.challenge !== challenge) throw new RequestProblem('Nobody waits for this answer any more')
    this.#waiting.agree(agreed)
  }

  /** Nobody will answer any more. */
  giveUp(): void {
    this.#waiting?.agree(false)
  }
}
