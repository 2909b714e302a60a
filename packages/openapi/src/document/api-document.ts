import { parse } from 'yaml'
import { found, isObject, type JsonObject, member, textMember } from './json.ts'
import { OpenApiError } from './openapi-error.ts'

// Larger than the largest public APIs (GitHub's is 12 MB).
const maxCharacters = 32_000_000
const maxHops = 32

/** An OpenAPI document, and what its references mean. References to other documents are never followed. */
export class ApiDocument {
  readonly root: JsonObject
  /** `nullable` and other words of 3.0, which 3.1 replaced by those of JSON Schema. */
  readonly isVersion30: boolean

  constructor(source: string | object) {
    const root = typeof source === 'string' ? parseText(source) : source
    if (!isObject(root)) throw new OpenApiError('', `expected an OpenAPI document, got ${found(root)}`)
    const version = member(root, 'openapi')
    if (typeof version !== 'string' || !/^3\.\d+/.test(version)) {
      const swagger = member(root, 'swagger')
      const got = swagger === undefined ? found(version) : `swagger ${found(swagger)}`
      throw new OpenApiError('/openapi', `expected "3.0.x" or "3.1.x", got ${got}`)
    }
    this.root = root
    this.isVersion30 = version.startsWith('3.0')
  }

  /** What a value is once its reference, if it is one, is followed; and where that is. */
  resolve(value: unknown, pointer: string): { value: unknown; pointer: string } {
    let at = { value, pointer }
    for (let hops = 0; hops < maxHops; hops++) {
      const reference = textMember(at.value, '$ref')
      if (reference === undefined) return at
      at = { value: this.find(reference, at.pointer), pointer: reference.slice(1) }
    }
    throw new OpenApiError(pointer, 'the reference leads in a circle')
  }

  /** The value that a reference names. */
  find(reference: string, from: string): unknown {
    if (!reference.startsWith('#')) {
      throw new OpenApiError(
        from,
        `the reference ${found(reference)} leads to another document; bundle them into one first`,
      )
    }
    let at: unknown = this.root
    for (const part of reference.slice(1).split('/').slice(1)) {
      const name = unescapeStep(part)
      at = Array.isArray(at) && /^\d+$/.test(name) ? at[Number(name)] : member(at, name)
    }
    if (at === undefined) throw new OpenApiError(from, `the reference ${found(reference)} leads nowhere`)
    return at
  }
}

function unescapeStep(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

function parseText(text: string): unknown {
  if (text.length > maxCharacters) {
    throw new OpenApiError('', `expected at most ${maxCharacters} characters, got ${text.length}`)
  }
  try {
    return /^\s*\{/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: 10_000, logLevel: 'error' })
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new OpenApiError('', `expected JSON or YAML: ${reason}`, { cause: error })
  }
}
