import type { Resource } from '../model/resources.ts'
import { listDirectories } from './folders/directories.ts'
import { type LoadedFile, loadFiles } from './folders/load-files.ts'
import { mediaType } from './folders/media-type.ts'
import { type Found, refuseFile, type Tree, walkFolder } from './folders/walk-folder.ts'
import { type Skill, skillFile } from './protocol.ts'
import { rootsAbove, skillUri } from './skill-uri.ts'
import { toSkill } from './to-skill.ts'
import { textOf } from './verify.ts'

/** A file as it is served. */
export interface ServedFile {
  readonly listed: Resource & { mimeType: string }
  readonly digest: string
  /** Text if the bytes are UTF-8: then it has exactly these bytes. */
  readonly body: string | Uint8Array
}

/** All that is served at one moment: reads return the bytes that the digests were made of. */
export interface Catalog {
  /** By the URI of their `SKILL.md`. */
  readonly skills: ReadonlyMap<string, Skill>
  /** By URI: only keys of this map exist. */
  readonly files: ReadonlyMap<string, ServedFile>
  /** The children of each folder. */
  readonly directories: ReadonlyMap<string, readonly Resource[]>
  /** The real folders that it was read from. */
  readonly sources: readonly string[]
}

interface CatalogOptions {
  folders: readonly string[]
  prefix: readonly string[]
  maxTotalBytes: number
}

/** Reads folders of skills. */
export async function readCatalog({ folders, prefix, maxTotalBytes }: CatalogOptions): Promise<Catalog> {
  const trees: Tree[] = []
  for (const folder of folders) trees.push(await walkFolder(folder, prefix))
  const found = trees.flatMap(({ files }) => files)
  const directories = trees.flatMap((tree) => tree.directories)
  const roots = new Set(found.filter(isSkillFile).map(({ names }) => skillUri(names.slice(0, -1))))
  const loaded = await loadFiles(
    found.filter(({ names }) => rootsAbove(names, roots).length > 0).map(checkNames),
    maxTotalBytes,
  )
  const skills = await toSkills(loaded, roots)
  const files = toFiles(loaded, skills)
  return {
    skills,
    files,
    directories: listDirectories(files, directories, roots),
    sources: [...new Set(directories.map(({ path }) => path))],
  }
}

const isSkillFile = ({ names }: Found): boolean => names.at(-1) === skillFile

/** Clients refuse such names: another system could take them for more than a name. */
function checkNames(file: Found): Found {
  if (/[\\\ufffd\p{Cc}\p{Surrogate}]/u.test(file.names.join(''))) {
    refuseFile(file.path, 'a name with a backslash or with characters that cannot be seen')
  }
  return file
}

async function toSkills(files: readonly LoadedFile[], roots: ReadonlySet<string>): Promise<Map<string, Skill>> {
  const byRoot = new Map<string, LoadedFile[]>([...roots].map((root) => [root, []]))
  for (const file of files) for (const root of rootsAbove(file.names, roots)) byRoot.get(root)!.push(file)
  const skills = await Promise.all([...byRoot].map(([root, own]) => toSkill(root, own)))
  return new Map(skills.map((skill) => [skill.uri, skill]))
}

function toFiles(files: readonly LoadedFile[], skills: ReadonlyMap<string, Skill>): Map<string, ServedFile> {
  const served = new Map<string, ServedFile>()
  for (const file of files) {
    const uri = skillUri(file.names)
    if (served.has(uri)) refuseFile(file.path, `${uri} is served from another folder already`)
    served.set(uri, toServed(uri, file, skills.get(uri)))
  }
  return served
}

function toServed(uri: string, { names, bytes, digest }: LoadedFile, skill: Skill | undefined): ServedFile {
  const text = textOf(bytes)
  const fileName = names.at(-1)!
  const { name, description } = skill?.frontmatter ?? { name: fileName, description: undefined }
  const mimeType = mediaType(fileName, text !== undefined)
  const listed = { uri, name, ...(description !== undefined && { description }), mimeType, size: bytes.length }
  return { listed, digest, body: text ?? bytes }
}
