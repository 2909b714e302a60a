import { base64ToBytes } from '../internal/base64.ts'
import { isObject } from '../jsonrpc/classify.ts'
import type { ResourceContents } from '../model/content.ts'
import { FrontMatterError, parseFrontMatter } from './front-matter.ts'
import type { FrontMatter, SkillResource } from './protocol.ts'
import { SkillError, shown } from './skill-error.ts'

/** The one file in an answer to `resources/read`. */
export function onlyContents(uri: string, contents: readonly ResourceContents[]): ResourceContents {
  const [only] = contents
  if (contents.length === 1 && only?.uri === uri) return only
  const found = contents.map((one) => shown(one.uri)).slice(0, 3)
  throw new SkillError('contents', uri, `expected this file alone, got ${found.join(', ') || 'nothing'}`)
}

/** The raw bytes of a file. A text that is clearly too long is not even decoded. */
export function bytesOf(contents: ResourceContents, maxBytes: number): Uint8Array<ArrayBuffer> {
  const { uri } = contents
  const tooLong = (length: number): SkillError =>
    new SkillError('size', uri, `expected ${maxBytes} bytes, got more (${length} characters)`)
  if ('text' in contents && typeof contents.text === 'string') {
    if (contents.text.length > maxBytes) throw tooLong(contents.text.length)
    return new TextEncoder().encode(contents.text)
  }
  const { blob } = contents as { blob: string }
  // Some encoders break lines.
  if (blob.length > (maxBytes / 3) * 4.2 + 4) throw tooLong(blob.length)
  try {
    return base64ToBytes(blob) as Uint8Array<ArrayBuffer>
  } catch (cause) {
    throw new SkillError('contents', uri, 'expected base64', { cause })
  }
}

/** Refuses bytes that are not those of the manifest. */
export async function verifyBytes(bytes: Uint8Array<ArrayBuffer>, { uri, digest, size }: SkillResource): Promise<void> {
  if (bytes.length !== size) throw new SkillError('size', uri, `expected ${size} bytes, got ${bytes.length}`)
  const found = await digestOf(bytes)
  if (found !== digest) throw new SkillError('digest', uri, `expected ${digest}, got ${found}`)
}

export async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Refuses a `SKILL.md` that says other things about itself than its entry, which may be all that a user has seen. */
export async function verifyFrontMatter(uri: string, text: string | undefined, expected: FrontMatter): Promise<void> {
  const found = await readFrontMatter(uri, text)
  for (const field of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [wanted, got] = [ownMember(expected, field), ownMember(found, field)]
    if (isSame(wanted, got)) continue
    throw new SkillError('frontmatter', uri, `${shown(field)}: the entry has ${shown(wanted)}, the file ${shown(got)}`)
  }
}

async function readFrontMatter(uri: string, text: string | undefined): Promise<FrontMatter> {
  if (text === undefined) throw new SkillError('frontmatter', uri, 'expected text')
  try {
    return await parseFrontMatter(text)
  } catch (cause) {
    if (!(cause instanceof FrontMatterError)) throw cause
    throw new SkillError('frontmatter', uri, `line ${cause.line}: ${cause.message}`, { cause })
  }
}

const ownMember = (object: { [member: string]: unknown }, member: string): unknown =>
  Object.hasOwn(object, member) ? object[member] : undefined

/** Compares JSON. Its depth is bounded, because a parsed front matter is. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return one === other
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  )
}

/** The text of bytes that are UTF-8. Made from the verified bytes: the text on the wire may have been another. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
