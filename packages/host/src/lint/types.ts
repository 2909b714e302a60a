import type { JsonObject, Prompt, Resource, ResourceTemplate, Tool } from '@tenon/sdk/client'
import type { Provider } from './providers.ts'
import type { LintRule } from './rule-list.ts'
import type { LintSnapshot } from './snapshot.ts'

/** How much a finding matters, the worst first. */
export const severities = ['error', 'warning', 'note'] as const

/**
 * - `error`: a provider refuses the definition, or a person cannot see what a model reads
 * - `warning`: models or hosts are likely to do the wrong thing
 * - `note`: it could be better
 */
export type Severity = (typeof severities)[number]

/** The lists of a server, as it sent them. Lists that are missing are not looked at. */
export interface LintCatalogue {
  /** The name of the server in a host, which many hosts put before the names of its tools. */
  readonly server?: string
  readonly instructions?: string
  readonly tools?: readonly Tool[]
  readonly prompts?: readonly Prompt[]
  readonly resources?: readonly Resource[]
  readonly templates?: readonly ResourceTemplate[]
}

/** A call that was made, to hold its effects against the definition of the tool. */
export interface ObservedCall {
  readonly tool: string
  readonly result: JsonObject
  /** The methods of the notifications that the server sent because of it. */
  readonly notifications?: readonly string[]
}

export interface LintOptions {
  /** Providers whose limits count. By default all but `openai-strict`, which refuses most schemas. */
  readonly providers?: readonly Provider[]
  /** Rules that are left out. */
  readonly ignore?: readonly LintRule[]
  /** The definitions at an earlier time: changes since then are findings. */
  readonly since?: LintSnapshot
  readonly calls?: readonly ObservedCall[]
  /** The tokens that all tool definitions may take together. 10,000. */
  readonly maxTokens?: number
}

/** The part of a server that a finding is about. */
export interface LintSubject {
  readonly kind: 'server' | 'tool' | 'prompt' | 'resource' | 'template'
  /** The name of a tool or prompt, the URI of a resource or template; of a server its name, or nothing. */
  readonly name: string
  /** The place in the definition as a JSON pointer, such as `/inputSchema/properties/path`; `''` is all of it. */
  readonly pointer: string
}

/** Something about a server that could be better. */
export interface LintFinding {
  readonly rule: LintRule
  readonly severity: Severity
  readonly subject: LintSubject
  readonly message: string
  /** The next step for the author of the server. */
  readonly fix: string
  /** The providers that refuse it, or that it matters to. */
  readonly providers?: readonly Provider[]
  /** The lines that have changed, each with `- ` or `+ ` before it. */
  readonly difference?: readonly string[]
}

export interface LintReport {
  readonly server?: string
  /** The worst first. */
  readonly findings: readonly LintFinding[]
  /** All findings, also those that were left out of the list. */
  readonly counts: { readonly [Level in Severity]: number }
  /** How many more there are than the list holds. */
  readonly omitted: number
  /** An estimate of the tokens that the tool definitions take in every prompt: four bytes are one. */
  readonly tokens: { readonly total: number; readonly tools: readonly { name: string; tokens: number }[] }
}
