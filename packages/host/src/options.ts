import { join } from 'node:path'
import type { JsonObject, RootsSource } from '@tenon/sdk/client'
import type { Audit } from './audit/audit.ts'
import type { Consent } from './consent/types.ts'
import { tenonFolder } from './folder.ts'
import type { AnyLanguageModel } from './models/language-model.ts'
import type { Sample } from './questions/server-questions.ts'
import type { Ask } from './questions/types.ts'
import type { ServersInput } from './servers/server-config.ts'

/** Options of `createHost`. */
export interface HostOptions {
  /** The servers by name, or those of `discoverServers()`. */
  servers?: ServersInput
  /** Rules for calls; without them everything is asked for but read-only tools of trusted servers. */
  consent?: Consent
  /** Answers consent, trust, forms, pages and model requests of servers. Without it such things are refused. */
  ask?: Ask
  /** The model of `host.chat`, and for requests of servers: a name such as `anthropic/claude-sonnet-5-5`, or a model of the AI SDK. */
  model?: string | AnyLanguageModel
  /** Answers requests of servers in place of `model`. Without either no server is offered a model. */
  sample?: Sample
  /** Roots of the servers that have none of their own. */
  roots?: RootsSource
  /**
   * The file of approved servers and definitions, such as `tenon.lock` in a project; true is one in `folder`. Without it
   * servers that the program itself names need no approval, and definitions are pinned while the host runs.
   */
  lock?: string | boolean
  /** The folder of the user's own files: answers for ever, and the key of the lock. That of Tenon, if there is a lock. */
  folder?: string
  /** A file that every decision and result is noted in, or a log of your own. Nothing runs that cannot be noted. */
  audit?: string | Audit
  /** Facts for rules, as `session`: who uses the host, and for what. */
  session?: JsonObject
  /** Errors of listeners and of background work. */
  onError?: (error: Error) => void
}

/** The lock file of a host, if it has one. */
export function lockPath({ lock, folder }: HostOptions): string | undefined {
  if (typeof lock === 'string') return lock
  return lock === true ? join(folder ?? tenonFolder(), 'tenon.lock') : undefined
}
