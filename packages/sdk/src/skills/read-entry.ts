import { describe, isObject } from '../jsonrpc/classify.ts'
import { wrongName } from './front-matter.ts'
import type { FrontMatter, Skill, SkillResource } from './protocol.ts'
import { SkillError, shown } from './skill-error.ts'
import { nameIn, pathBelow, rootOf } from './skill-uri.ts'

/** How large a skill may be. */
export interface SkillLimits {
  /** Files of one skill. Default 512. */
  maxFiles: number
  /** Bytes of all files of one skill. Default 16 MiB. */
  maxBytes: number
}

/** A skill that was described rightly, and its files by path. */
export interface KnownSkill {
  skill: Skill
  root: string
  files: ReadonlyMap<string, SkillResource>
}

const digestForm = /^sha256:[\da-f]{64}$/

/** Reads the entry of a skill, from a server or from a store of earlier answers. */
export function readEntry(value: unknown, limits: SkillLimits): KnownSkill {
  const uri = isObject(value) && typeof value.uri === 'string' ? value.uri : 'a skill'
  const refuse = (message: string): never => {
    throw new SkillError('entry', uri, message)
  }
  if (!isObject(value)) return refuse(`expected an object, got ${describe(value)}`)
  if (typeof value.uri !== 'string') return refuse(`uri: expected a string, got ${describe(value.uri)}`)
  const frontmatter = readFields(value.frontmatter, uri, refuse)
  const { resources } = value
  const skill: Skill = { uri, frontmatter, resources: 'dynamic' }
  const root = rootOf(uri)
  if (resources === 'dynamic') return { skill, root, files: new Map() }
  if (!Array.isArray(resources)) {
    return refuse(`resources: expected a list or "dynamic", got ${describe(resources)}`)
  }
  const files = readFiles(resources, uri, limits, refuse)
  return { skill: { ...skill, resources: [...files.values()] }, root, files }
}

type Refuse = (message: string) => never

function readFields(fields: unknown, uri: string, refuse: Refuse): FrontMatter {
  if (!isObject(fields)) return refuse(`frontmatter: expected an object, got ${describe(fields)}`)
  const { name, description } = fields
  const problem = wrongName(name)
  if (problem !== undefined) return refuse(`frontmatter.name: ${problem}`)
  if (typeof description !== 'string' || description === '') {
    return refuse(`frontmatter.description: expected a text, got ${describe(description)}`)
  }
  const named = nameIn(uri)
  if (named !== name) return refuse(`expected a URI that ends in /${name}/SKILL.md, as frontmatter.name says`)
  return fields as FrontMatter
}

function readFiles(list: unknown[], uri: string, limits: SkillLimits, refuse: Refuse): Map<string, SkillResource> {
  const { maxFiles, maxBytes } = limits
  if (list.length > maxFiles) throw new SkillError('limit', uri, `${list.length} files, and the limit is ${maxFiles}`)
  const files = new Map<string, SkillResource>()
  let bytes = 0
  for (const item of list) {
    const { path, file } = readFile(item, rootOf(uri), refuse)
    if (files.has(path)) return refuse(`resources: ${shown(path)} is listed twice`)
    files.set(path, file)
    bytes += file.size
  }
  if (bytes > maxBytes) throw new SkillError('limit', uri, `${bytes} bytes, and the limit is ${maxBytes}`)
  if (files.get('SKILL.md')?.uri !== uri) return refuse('resources: expected the SKILL.md itself among the files')
  return files
}

function readFile(item: unknown, root: string, refuse: Refuse): { path: string; file: SkillResource } {
  const { uri, digest, size } = isObject(item) ? item : {}
  if (typeof uri !== 'string') return refuse(`resources: expected a uri, got ${describe(uri)}`)
  const path = pathBelow(root, uri)
  if (path === undefined) return refuse(`resources: ${shown(uri)} is not in the folder of the skill`)
  if (typeof digest !== 'string' || !digestForm.test(digest)) {
    return refuse(`resources: ${shown(path)}: expected the digest as sha256: and 64 digits, got ${shown(digest)}`)
  }
  if (!Number.isSafeInteger(size) || (size as number) < 0) {
    return refuse(`resources: ${shown(path)}: expected the size in bytes, got ${shown(size)}`)
  }
  return { path, file: { uri, digest, size: size as number } }
}
