import { McpError } from '../../errors.ts'
import type { Meta } from '../../model/meta.ts'

const label = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const metaKey = new RegExp(`^(?:${label}(?:\\.${label})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`)

/** Keys of `_meta` have the form that the specification gives them. */
export function checkMetaKeys(meta: Meta | undefined, what: string): void {
  for (const key of Object.keys(meta ?? {})) {
    if (metaKey.test(key)) continue
    const form = 'a name, or a prefix of dotted labels, "/" and a name'
    throw new McpError(
      'invalid_definition',
      `${what} meta: expected keys of the form ${form}, got ${JSON.stringify(key)}`,
    )
  }
}
