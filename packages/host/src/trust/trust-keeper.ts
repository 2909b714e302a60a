import { randomBytes } from 'node:crypto'
import type { ReadResourceResult } from '@tenon/sdk/client'
import type { Audit } from '../audit/audit.ts'
import { masked, maskedText } from '../audit/masked.ts'
import { noLists, type ServerLists } from '../catalogue/server-lists.ts'
import { HostError } from '../host-error.ts'
import type { AskPerson } from '../questions/ask-person.ts'
import type { EntryIdentity, ResolvedTarget } from '../servers/resolve-target.ts'
import { canonicalJson } from './canonical-json.ts'
import { type Definition, type DefinitionChange, definitionsOf, keyOf, pinOf, sha256 } from './definitions.ts'
import { differenceOf } from './difference.ts'
import type { LockFile, ServerPin } from './lock-file.ts'

interface TrustParts {
  readonly lock: LockFile | undefined
  readonly person: AskPerson
  readonly audit: Audit | undefined
}

/** The server of a question. */
interface Subject {
  readonly name: string
  readonly trusted: boolean
  /** Fires when nobody needs an answer any more. */
  readonly stopped: AbortSignal
}

/** The lists of a server without the definitions that nobody approved. */
interface Reviewed {
  readonly lists: ServerLists
  readonly instructions: string | undefined
  /** Definitions that are withheld. */
  readonly withheld: readonly DefinitionChange[]
  /** Resolves with true if they were approved. */
  readonly answer: Promise<boolean> | undefined
}

/**
 * Remembers which entries and definitions were approved. Those that are seen first are approved with their server; from
 * then on a definition that changes is withheld until somebody has seen the difference.
 */
export class TrustKeeper {
  readonly #parts: TrustParts
  #pins: Promise<Map<string, ServerPin>> | undefined
  /** Hashes that were denied while this host runs. */
  readonly #denied = new Set<string>()
  /** Questions about the same changes are one question. */
  readonly #asking = new Map<string, Promise<boolean>>()

  constructor(parts: TrustParts) {
    this.#parts = parts
  }

  /** Fails unless the entry of a server is approved. */
  async approveEntry({ name, trusted, stopped }: Subject, { identity, isFromFile }: ResolvedTarget): Promise<void> {
    if (identity === undefined) return
    const pins = await this.#load()
    const known = pins.get(name)
    if (known?.entryHash === hashOf(identity, known?.salt ?? '')) return
    const mustAsk = !trusted && (this.#parts.lock !== undefined || isFromFile)
    const shown = shownEntry(identity)
    if (mustAsk) await this.#askForEntry(name, shown, known?.entry, stopped)
    const salt = randomBytes(16).toString('hex')
    const pin = {
      entry: shown,
      entryHash: hashOf(identity, salt),
      salt,
      definitions: pins.get(name)?.definitions ?? {},
    }
    await this.#save(pins, name, pin)
  }

  async #askForEntry(
    server: string,
    entry: EntryIdentity,
    approved: EntryIdentity | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { person, audit } = this.#parts
    if (!person.exists) {
      throw new HostError('untrusted', `Server ${server} was not approved, and the host has no \`ask\``)
    }
    const isApproved = await person.trust(
      { server, signal },
      { kind: 'trust', entry, ...(approved && { approved }), changes: [] },
    )
    audit?.record({ type: 'trust', server, verdict: isApproved ? 'approve' : 'deny', by: 'person', entry })
    if (!isApproved) throw new HostError('untrusted', `Server ${server} was not approved`)
  }

  /** Compares the definitions of a server with the approved ones, and asks about those that differ. */
  async review(subject: Subject, lists: ServerLists, instructions: string | undefined): Promise<Reviewed> {
    const pins = await this.#load()
    const pin = pins.get(subject.name) ?? newPin()
    const definitions = definitionsOf(lists, instructions)
    const isFirst = Object.keys(pin.definitions).length === 0
    const fresh: Definition[] = []
    const changed: Definition[] = []
    for (const definition of definitions) {
      const known = ownPin(pin, definition)
      if (known === undefined) (isFirst || this.#parts.lock === undefined ? fresh : changed).push(definition)
      else if (known.hash !== pinOf(definition).hash) changed.push(definition)
    }
    if (fresh.length > 0) await this.#pin(pins, subject.name, fresh)
    if (changed.length === 0) return { lists, instructions, withheld: [], answer: undefined }
    const withheld = changed.map((definition) => changeOf(definition, pin))
    return {
      ...without(lists, instructions, changed),
      withheld,
      answer: this.#askForChanges(subject, changed, withheld),
    }
  }

  /** Fails if the contents of a skill or an app are not the approved ones. Those that are seen first are approved. */
  async reviewContents(subject: Subject, uri: string, { contents }: ReadResourceResult): Promise<void> {
    const pins = await this.#load()
    const pin = pins.get(subject.name) ?? newPin()
    const value = contents.map((part) => ({
      uri: part.uri,
      ...('text' in part ? { text: part.text } : { blob: part.blob }),
    }))
    const definition: Definition = { kind: 'contents', name: uri, value }
    const known = ownPin(pin, definition)
    if (known === undefined) return this.#pin(pins, subject.name, [definition])
    if (known.hash === pinOf(definition).hash) return
    const approved = await this.#askForChanges(subject, [definition], [changeOf(definition, pin)])
    if (approved !== true)
      throw new HostError('untrusted', `${uri} of ${subject.name} was changed since it was approved`)
  }

  #askForChanges(
    { name, stopped }: Subject,
    changed: readonly Definition[],
    changes: readonly DefinitionChange[],
  ): Promise<boolean> | undefined {
    const { person, audit } = this.#parts
    const key = sha256(canonicalJson([name, changes.map(({ kind, name: of, after }) => [kind, of, after])]))
    if (!person.exists || this.#denied.has(key)) return undefined
    const asked = this.#asking.get(key)
    if (asked !== undefined) return asked
    const ask = async (): Promise<boolean> => {
      const approved = await person.trust({ server: name, signal: stopped }, { kind: 'trust', changes })
      const of = changes.map(keyOf).slice(0, 20)
      audit?.record({ type: 'trust', server: name, verdict: approved ? 'approve' : 'deny', by: 'person', changed: of })
      if (approved) await this.#pin(await this.#load(), name, changed)
      else this.#denied.add(key)
      return approved
    }
    const answer = ask().finally(() => this.#asking.delete(key))
    this.#asking.set(key, answer)
    return answer
  }

  async #pin(pins: Map<string, ServerPin>, server: string, definitions: readonly Definition[]): Promise<void> {
    const pin = pins.get(server) ?? newPin()
    const added = definitions.map((definition) => [keyOf(definition), pinOf(definition)] as const)
    await this.#save(pins, server, { ...pin, definitions: { ...pin.definitions, ...Object.fromEntries(added) } })
  }

  async #save(pins: Map<string, ServerPin>, server: string, pin: ServerPin): Promise<void> {
    pins.set(server, pin)
    await this.#parts.lock?.write(server, pin)
  }

  #load(): Promise<Map<string, ServerPin>> {
    this.#pins ??= this.#parts.lock?.read() ?? Promise.resolve(new Map())
    return this.#pins
  }
}

const newPin = (): ServerPin => ({ salt: randomBytes(16).toString('hex'), definitions: {} })

/** A tool may be called `constructor`. */
const ownPin = ({ definitions }: ServerPin, definition: Definition): ServerPin['definitions'][string] | undefined =>
  Object.hasOwn(definitions, keyOf(definition)) ? definitions[keyOf(definition)] : undefined

const hashOf = (identity: EntryIdentity, salt: string): string => sha256(canonicalJson([salt, identity]))

/** The entry for people and files: options and addresses may have secrets in them. */
function shownEntry(identity: EntryIdentity): EntryIdentity {
  if ('url' in identity) return { ...identity, url: maskedText(identity.url) }
  return { ...identity, args: identity.args.map((arg, at) => maskedArgument(arg, identity.args[at - 1])) }
}

/** `--token=secret`, and `secret` after `--token`. */
function maskedArgument(arg: string, before: string | undefined): string {
  const [, option, value] = /^--?([\w-]+)=([\s\S]*)$/.exec(arg) ?? []
  const name = option ?? /^--?([\w-]+)$/.exec(before ?? '')?.[1]
  const text = value ?? arg
  const shown = name === undefined ? maskedText(text) : (masked({ [name]: text }) as { [name: string]: string })[name]!
  return option === undefined ? shown : arg.slice(0, arg.length - text.length) + shown
}

function changeOf(definition: Definition, pin: ServerPin): DefinitionChange {
  const { kind, name, value: after } = definition
  const known = ownPin(pin, definition)
  const difference =
    known !== undefined && known.value === undefined
      ? ['… it was too large to keep']
      : differenceOf(known?.value, after)
  return { kind, name, ...(known?.value !== undefined && { before: known.value }), after, difference }
}

function without(
  lists: ServerLists,
  instructions: string | undefined,
  changed: readonly Definition[],
): Pick<Reviewed, 'lists' | 'instructions'> {
  const keys = new Set(changed.map(keyOf))
  const { tools, prompts, templates, resources } = { ...noLists, ...lists }
  return {
    lists: {
      tools: tools.filter(({ name }) => !keys.has(keyOf({ kind: 'tool', name }))),
      prompts: prompts.filter(({ name }) => !keys.has(keyOf({ kind: 'prompt', name }))),
      templates: templates.filter(({ uriTemplate: name }) => !keys.has(keyOf({ kind: 'template', name }))),
      resources,
    },
    instructions: keys.has(keyOf({ kind: 'instructions', name: '' })) ? undefined : instructions,
  }
}
