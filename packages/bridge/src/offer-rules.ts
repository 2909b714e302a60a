import { McpError } from '@tenon/sdk/client'
import { matchesGlob } from './glob.ts'
import type { Offer, OfferFilter } from './offers.ts'

type Kind = 'tools' | 'prompts' | 'resources'

interface Rule {
  /** Undefined: all kinds. */
  kind: Kind | undefined
  glob: string
}

const kinds: { [kind in Offer['kind']]: Kind } = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resources',
}

/**
 * Globs as one function, for lists and for calls: `read_*` for all names and URIs, `tools:read_*` for those of tools alone.
 * With `allow` only names that fit are offered, and `deny` goes before it. A glob that cannot be read is a `McpError`.
 *
 * @example
 * const guarded = bridge(upstream, { offers: offerRules(['tools:read_*'], ['*secret*']) })
 */
export function offerRules(allow: readonly string[], deny: readonly string[]): OfferFilter {
  const [allowed, denied] = [allow.map((text) => readRule('allow', text)), deny.map((text) => readRule('deny', text))]
  return (offer) => {
    const kind = kinds[offer.kind]
    const spellings = offer.kind === 'resource' ? spellingsOf(offer.name) : [offer.name]
    const rules = allowed.filter((rule) => concerns(rule, kind))
    // A URI has several spellings: all of them are to be allowed, and none denied.
    return spellings.every(
      (name) =>
        (rules.length === 0 || rules.some(({ glob }) => matchesGlob(glob, name))) &&
        !denied.some((rule) => concerns(rule, kind) && matchesGlob(rule.glob, name)),
    )
  }
}

const concerns = (rule: Rule, kind: Kind): boolean => rule.kind === undefined || rule.kind === kind

function readRule(option: string, text: string): Rule {
  const [, kind, rest] = /^(tools|prompts|resources):(.*)$/s.exec(text) ?? []
  const glob = rest ?? text
  if (glob === '') {
    const expected = 'expected a glob, such as read_* or tools:read_*'
    throw new McpError('invalid_argument', `${option}: ${expected}, got ${JSON.stringify(text)}`)
  }
  return { kind: kind as Kind | undefined, glob }
}

/** A URI as it is, without dot segments and capitals in the host, and without percent signs for plain characters. */
function spellingsOf(uri: string): string[] {
  const normal = URL.canParse(uri) ? new URL(uri).href : uri
  return [...new Set([uri, normal, decoded(uri), decoded(normal)])]
}

function decoded(uri: string): string {
  try {
    const text = decodeURIComponent(uri)
    return URL.canParse(text) ? new URL(text).href : text
  } catch {
    return uri
  }
}
