import { matcherOf } from '@tenon/host/parts'
import type { GatewayItem } from '../model.ts'
import type { ItemMatch } from './types.ts'

const anyOf = (patterns: readonly string[] | undefined): ((text: string) => boolean) => {
  if (patterns === undefined) return () => true
  const matchers = patterns.map(matcherOf)
  return (text) => matchers.some((matches) => matches(text))
}

/** Whether an item of a virtual server is one of those that patterns select. */
export function compileMatch(match: ItemMatch): (server: string, item: GatewayItem) => boolean {
  const [ofServer, ofUpstream, ofKind, ofName] = [match.server, match.upstream, match.kind, match.name].map(anyOf)
  return (server, { upstream, kind, name }) =>
    ofServer!(server) && ofUpstream!(upstream) && ofKind!(kind) && ofName!(name)
}
