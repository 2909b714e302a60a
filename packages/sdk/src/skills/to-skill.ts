import type { LoadedFile } from './folders/load-files.ts'
import { refuseFile } from './folders/walk-folder.ts'
import { FrontMatterError, parseFrontMatter } from './front-matter.ts'
import { type FrontMatter, type Skill, skillFile, skillLimits } from './protocol.ts'
import { skillUri } from './skill-uri.ts'
import { textOf } from './verify.ts'

/** The entry of a skill, from its files: those of skills that are nested in it too. */
export async function toSkill(root: string, files: readonly LoadedFile[]): Promise<Skill> {
  const uri = `${root}/${skillFile}`
  const own = files.find(({ names }) => skillUri(names) === uri)!
  const resources = files.map(({ names, digest, bytes }) => ({ uri: skillUri(names), digest, size: bytes.length }))
  const frontmatter = await readFrontMatter(own)
  checkLimits(own.path, resources)
  return { uri, frontmatter, resources }
}

async function readFrontMatter({ path, names, bytes }: LoadedFile): Promise<FrontMatter> {
  const text = textOf(bytes)
  if (text === undefined) return refuseFile(path, 'expected text in UTF-8')
  try {
    const frontmatter = await parseFrontMatter(text)
    const folder = names.at(-2)
    if (frontmatter.name === folder) return frontmatter
    throw new FrontMatterError(
      2,
      `name: expected ${JSON.stringify(folder)}, as its folder is named, got ${JSON.stringify(frontmatter.name)}`,
    )
  } catch (error) {
    if (error instanceof FrontMatterError) return refuseFile(`${path}:${error.line}`, error.message)
    throw error
  }
}

/** A skill that is larger than this is not sure to be accepted by any host. */
function checkLimits(path: string, files: readonly { size: number }[]): void {
  const { maxFiles, maxBytes } = skillLimits
  if (files.length > maxFiles)
    refuseFile(path, `the skill has ${files.length} files, and at most ${maxFiles} are allowed`)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > maxBytes) refuseFile(path, `the skill has ${bytes} bytes, and at most ${maxBytes} are allowed`)
}
