import type { ClientCapabilities, JsonObject, LoggingLevel } from '@tenon/sdk/client'
import { loggingLevels } from '@tenon/sdk/client'
import type { RawQuestion } from '@tenon/sdk/relay'

/** A call that is under way at the server: where its questions and its messages go. */
export interface Running {
  /** The task whose end it waits for, if it is one. */
  readonly taskId?: string
  /** The least severe level of log messages that the client wants with it; undefined if the session says. */
  readonly logLevel: LoggingLevel | undefined
  /** Whether its client hears log messages at all. */
  readonly hearsLogs: boolean
  /** Whether its client can be asked while it is under way, or with its answer. */
  readonly canAsk: boolean
  ask(question: RawQuestion): Promise<JsonObject>
  notify(method: string, params: JsonObject): void
}

/** The requests that a server may answer with questions. */
export const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get'])

const needed: ReadonlyMap<string, keyof ClientCapabilities> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** True if a client said that it can be asked this; of methods that nobody knows it may say it in its own way. */
export function canBeAsked(method: string, capabilities: ClientCapabilities): boolean {
  const name = needed.get(method)
  return name === undefined || capabilities[name] !== undefined
}

/** True if clients without a session can be asked this. */
export const isQuestion = (method: string): boolean => needed.has(method)

/** True if a client can be asked anything. */
export const isAskable = (capabilities: ClientCapabilities): boolean =>
  [...needed.values()].some((name) => capabilities[name] !== undefined)

/** True if a log message passes a level. */
export const passesLevel = (level: unknown, least: LoggingLevel): boolean =>
  loggingLevels.indexOf(level as LoggingLevel) >= loggingLevels.indexOf(least)

export const isMoreVerbose = (level: LoggingLevel, than: LoggingLevel): boolean =>
  loggingLevels.indexOf(level) < loggingLevels.indexOf(than)

/** Waits, unless nobody does any more. */
export const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })
