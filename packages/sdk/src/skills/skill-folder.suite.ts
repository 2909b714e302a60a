import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder for one test. */
export interface SkillFolder extends AsyncDisposable {
  readonly path: string
  write(files: { [path: string]: string | Uint8Array }): Promise<void>
}

/** A `SKILL.md` with the required fields. */
export const skillText = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: What ${name} does\n${more}---\n\n# ${name}\n`

/** Makes a folder with these files. */
export async function skillFolder(files: { [path: string]: string | Uint8Array } = {}): Promise<SkillFolder> {
  const path = await mkdtemp(join(tmpdir(), 'skills-'))
  const folder: SkillFolder = {
    path,
    async write(more) {
      for (const [file, contents] of Object.entries(more)) {
        await mkdir(dirname(join(path, file)), { recursive: true })
        await writeFile(join(path, file), contents)
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
  await folder.write(files)
  return folder
}
