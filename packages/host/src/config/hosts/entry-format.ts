import type { AuthHints, Transport } from '../model.ts'
import type { SyntaxName } from '../variables/syntaxes.ts'

export type TransportKind = Transport['kind']
type UrlKind = Exclude<TransportKind, 'stdio'>
type AuthMember = keyof AuthHints

/** A place in a file where entries are. */
interface Root {
  path: readonly string[]
  /** Entries of a list name themselves with `name`; those of an object are named by their keys. */
  list?: boolean
  /** Entries are read here but written elsewhere. */
  readOnly?: boolean
}

/** A time limit and its unit. */
export interface TimeMember {
  path: readonly string[]
  unit: 'ms' | 's'
  /** Its path in newer versions. */
  alsoAt?: readonly string[]
  /** It is read but not written. */
  readOnly?: boolean
}

/** How a host writes an entry: one table for reading and writing. Of several names, the first is written. */
export interface EntryFormat {
  roots: readonly Root[]
  variables: SyntaxName
  /** The members in which variables are filled in; all by default. */
  variablesOnlyIn?: readonly string[]
  /** The member that says how a server is reached, and its words. `always`: it is written even where it is obvious. */
  type?: { names: readonly string[]; words: Partial<Record<TransportKind, readonly string[]>>; always?: boolean }
  command: readonly string[]
  /** The command and its arguments are one list. */
  commandIsList?: boolean
  /** A command line or a URL in one string. */
  target?: string
  args: string
  env: readonly string[]
  /** A list of names of variables that are taken over. */
  envFromHost?: string
  cwd?: string
  envFile?: string
  /** The members for the URL, and which kind each of them stands for; those not named cannot be written. */
  urls: readonly { name: string; kind: UrlKind; writes?: readonly UrlKind[] }[]
  headers: readonly (readonly string[])[]
  /** Header name to variable name. */
  headersFromEnv?: string
  /** The variable with the bearer token. */
  bearerFromEnv?: string
  /** The bearer token itself. */
  bearer?: readonly string[]
  /** Members that switch an entry on or off, and their value when it is off. */
  switches?: readonly { name: string; off: boolean }[]
  timeout?: TimeMember
  startTimeout?: TimeMember
  allow?: string
  deny?: string
  auth?: Partial<Record<AuthMember, readonly string[]>>
  /** Their paths in newer versions. */
  alsoAuth?: Partial<Record<AuthMember, readonly string[]>>
  /** Scopes are one string with spaces. */
  scopesAreText?: boolean
  /** Members that mean nothing here and need no word. */
  silent?: readonly string[]
  /** Members that matter to the host but not here, and why. */
  ignored?: Readonly<Record<string, string>>
  /** Members that name a program to run. */
  programs?: readonly string[]
  /** Entries repeat their name in this member. */
  ownName?: string
  /** Members without which the host does not take an entry. */
  constants?: Readonly<Record<string, unknown>>
}
