import type { Client } from '../client/client.ts'
import type { CallOptions } from '../client/types.ts'
import { McpError } from '../errors.ts'
import { isObject } from '../jsonrpc/classify.ts'
import type { ResourceContents } from '../model/content.ts'
import type { Resource } from '../model/resources.ts'
import { collect } from './collect.ts'
import { type Skill, skillFile, skillLimits, skillsExtension } from './protocol.ts'
import { type KnownSkill, readEntry, type SkillLimits } from './read-entry.ts'
import { SkillError, shown } from './skill-error.ts'
import { followPath, pathBelow } from './skill-uri.ts'
import { bytesOf, digestOf, onlyContents, textOf, verifyBytes, verifyFrontMatter } from './verify.ts'

export interface SkillsOptions {
  /** Whether to read skills that cannot be verified, because their server makes them anew each time. Default false. */
  dynamic?: boolean
  limits?: Partial<SkillLimits> & {
    /** Skills in a listing. Default 10,000. */
    maxSkills?: number
  }
}

/** The skills that a server lists. */
export interface SkillListing {
  skills: Skill[]
  /** Listed skills that cannot be used, and why: worth telling the user. */
  refused: SkillError[]
}

/** A file of a skill. */
export interface SkillFile {
  uri: string
  /** Below the folder of the skill; never leads out of it. */
  path: string
  mimeType: string | undefined
  bytes: Uint8Array
  /** The bytes as text, if they are UTF-8. */
  text: string | undefined
  /** False if the skill is dynamic, so that there was nothing to verify the bytes by. */
  verified: boolean
}

/** The skills of one server. Nothing is read ahead of need. */
export interface SkillsClient {
  /** Whether the server has skills. */
  readonly supported: boolean
  /** Whether `directory` can be called. */
  readonly readsDirectories: boolean
  /** All skills that the server lists. It may have more, which `get` finds. */
  list(options?: CallOptions): Promise<SkillListing>
  /** One skill, by the URI of its `SKILL.md`. */
  get(uri: string, options?: CallOptions): Promise<Skill>
  /**
   * Reads a file of a skill (by default the `SKILL.md`) by its path or URI, and returns it only if it matches the
   * skill's entry: the size, the digest, and of a `SKILL.md` the front matter. Files that the entry does not list are
   * not read. Give the entry that the user has agreed to; given a URI, the entry is fetched first.
   */
  read(skill: Skill | string, file?: string, options?: CallOptions): Promise<SkillFile>
  /** The current children of a folder, by its URI. They do not add to the files that `read` may read. */
  directory(uri: string, options?: CallOptions): Promise<Resource[]>
}

const maxChildren = 10_000

/**
 * The skills of the server that a client is connected to.
 *
 * @example
 * const { skills } = await skillsOf(client).list()
 * const { text } = await skillsOf(client).read(skills[0])
 */
export function skillsOf(client: Client, { dynamic = false, limits: given = {} }: SkillsOptions = {}): SkillsClient {
  const { maxSkills = 10_000, ...perSkill } = given
  const limits: SkillLimits = { ...skillLimits, ...perSkill }
  const extension = client.extension(skillsExtension)

  const get = async (uri: string, options?: CallOptions): Promise<KnownSkill> => {
    const { skill } = await extension.request('skills/get', { uri }, options)
    const known = readEntry(skill, limits)
    if (known.skill.uri !== uri) throw new SkillError('entry', uri, `got the entry of ${shown(known.skill.uri)}`)
    return known
  }

  return {
    get supported() {
      return extension.settings !== undefined
    },

    get readsDirectories() {
      return extension.settings?.directoryRead === true
    },

    async list(options) {
      const ask = (cursor: object) => extension.request('skills/list', cursor, options)
      return listing(await collect('skills', ask, maxSkills), limits)
    },

    get: async (uri, options) => (await get(uri, options)).skill,

    async read(skill, file = skillFile, options = {}) {
      const known = typeof skill === 'string' ? await get(skill, options) : readEntry(skill, limits)
      if (known.skill.resources === 'dynamic' && !dynamic) {
        throw new SkillError('dynamic', known.skill.uri, 'the skill cannot be verified, and `dynamic` was not set')
      }
      return readFile(client, known, findFile(known, file), limits, options)
    },

    async directory(uri, options) {
      if (extension.settings?.directoryRead !== true) {
        throw new McpError('unsupported', 'The server did not declare that it reads directories')
      }
      const ask = (cursor: object) => extension.request('resources/directory/read', { uri, ...cursor }, options)
      return (await collect('resources', ask, maxChildren)).map((item) => toResource(uri, item))
    },
  }
}

/** One entry that is wrong is no reason to have none; the second of two with one URI is. */
function listing(entries: readonly unknown[], limits: SkillLimits): SkillListing {
  const skills = new Map<string, Skill>()
  const refused: SkillError[] = []
  for (const entry of entries) {
    try {
      const { skill } = readEntry(entry, limits)
      if (skills.has(skill.uri)) refused.push(new SkillError('entry', skill.uri, 'the skill is listed twice'))
      else skills.set(skill.uri, skill)
    } catch (error) {
      if (!(error instanceof SkillError)) throw error
      refused.push(error)
    }
  }
  return { skills: [...skills.values()], refused }
}

interface Wanted {
  uri: string
  path: string
}

/** A file of the skill, by URI or by a path as its texts write it. */
function findFile({ skill, root, files }: KnownSkill, file: string): Wanted {
  const path = file.includes('://') ? pathBelow(root, file) : followPath(file)
  const listed = path === undefined ? undefined : files.get(path)
  if (path !== undefined && listed !== undefined) return { uri: listed.uri, path }
  if (path !== undefined && skill.resources === 'dynamic') {
    return { uri: `${root}/${path.split('/').map(encodeURIComponent).join('/')}`, path }
  }
  throw new SkillError('unlisted', skill.uri, `the skill has no file ${shown(file)}`)
}

async function readFile(
  client: Client,
  known: KnownSkill,
  wanted: Wanted,
  { maxBytes }: SkillLimits,
  options: CallOptions,
): Promise<SkillFile> {
  const result = await client.readResource(wanted.uri, options)
  try {
    return await verified(known, wanted, result.contents, maxBytes)
  } catch (error) {
    // The client may have kept an older file for as long as the server had allowed.
    const { ttlMs } = result as { ttlMs?: unknown }
    if (options.fresh || typeof ttlMs !== 'number' || ttlMs <= 0) throw error
    const { contents } = await client.readResource(wanted.uri, { ...options, fresh: true })
    return verified(known, wanted, contents, maxBytes)
  }
}

async function verified(
  { skill, files }: KnownSkill,
  { uri, path }: Wanted,
  contents: ResourceContents[],
  maxBytes: number,
): Promise<SkillFile> {
  const only = onlyContents(uri, contents)
  const listed = files.get(path)
  const bytes = bytesOf(only, listed?.size ?? maxBytes)
  if (listed !== undefined) await verifyBytes(bytes, listed)
  else if (bytes.length > maxBytes) throw new SkillError('limit', uri, `${bytes.length} bytes of at most ${maxBytes}`)
  const text = textOf(bytes)
  if (uri === skill.uri) await verifyFrontMatter(uri, text, skill.frontmatter)
  return { uri, path, mimeType: only.mimeType, bytes, text, verified: listed !== undefined }
}

function toResource(directory: string, item: unknown): Resource {
  if (isObject(item) && typeof item.uri === 'string' && typeof item.name === 'string')
    return item as unknown as Resource
  throw new McpError('invalid_result', `resources/directory/read ${shown(directory)}: a child without a uri and a name`)
}

/**
 * A digest of all files of a skill, to keep with the consent of the user. If it changes, the user has to agree again.
 * Undefined for dynamic skills, to which no user can agree in advance.
 */
export async function fingerprint({ uri, resources }: Skill): Promise<string | undefined> {
  if (resources === 'dynamic') return undefined
  const files = resources.map((file) => JSON.stringify([file.uri, file.digest])).sort()
  return digestOf(new TextEncoder().encode(JSON.stringify([uri, ...files])))
}
