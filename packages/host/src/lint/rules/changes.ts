import { canonicalJson } from '../../trust/canonical-json.ts'
import { type Definition, keyOf, sha256 } from '../../trust/definitions.ts'
import { differenceOf } from '../../trust/difference.ts'
import type { Collector } from '../collector.ts'
import { definitionsIn, type LintSnapshot } from '../snapshot.ts'
import { at } from '../subjects.ts'
import type { LintCatalogue, LintSubject } from '../types.ts'

const subjectOf = ({ kind, name }: Pick<Definition, 'kind' | 'name'>, server: string): LintSubject =>
  kind === 'tool' || kind === 'prompt' || kind === 'template'
    ? at({ kind, name })
    : at({ kind: 'server', name: server }, '/instructions')

/** Definitions that are not those of the snapshot. Icons and cache hints may change freely. */
export function checkChanges(catalogue: LintCatalogue, since: LintSnapshot, found: Collector): void {
  const { server = '' } = catalogue
  const before = new Map(Object.entries(since.definitions))
  for (const definition of definitionsIn(catalogue)) {
    const key = keyOf(definition)
    const pin = before.get(key)
    before.delete(key)
    const subject = subjectOf(definition, server)
    if (pin === undefined) {
      found.add('definition-new', {
        subject,
        message: 'It was not there before.',
        fix: 'Look at it before you use it.',
      })
    } else if (pin.hash !== sha256(canonicalJson(definition.value))) {
      found.add('definition-changed', {
        subject,
        message: 'Its definition has changed.',
        fix: 'Look at the difference: agreements to the old definition do not stand for the new one.',
        ...(pin.value !== undefined && { difference: differenceOf(pin.value, definition.value) }),
      })
    }
  }
  for (const key of before.keys()) {
    const [kind, name] = [key.split(' ', 1)[0] as Definition['kind'], key.slice(key.indexOf(' ') + 1)]
    // A list that was not read says nothing.
    if (kind !== 'instructions' && catalogue[`${kind}s` as 'tools'] === undefined) continue
    found.add('definition-removed', {
      subject: subjectOf({ kind, name }, server),
      message: 'It is not there any more.',
      fix: 'Whoever uses it fails: keep it, or tell them.',
    })
  }
}
