import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../package-folder.ts'
import { licenseText } from './license.ts'
import { manifestOf } from './manifest.ts'
import { bareName } from './package-name.ts'
import type { Plan, Template } from './plan.ts'

const place = fileURLToPath(new URL('templates/', packageFolder))

/** A template consists of folders; files of a later one replace those of an earlier one. */
const layers: { [template in Template]: readonly string[] } = {
  stdio: ['common', 'server'],
  http: ['common', 'server', 'http'],
  minimal: ['common', 'minimal'],
  client: ['common', 'client'],
}

/** The files of a project, by their path in it. */
export async function filesOf(plan: Plan): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const layer of layers[plan.template]) {
    for (const [path, text] of await filesIn(join(place, layer))) files.set(path, text)
  }
  files.set('package.json', manifestOf(files.get('package.json')!, files.get(changes), plan))
  files.delete(changes)
  // Packages are published without their .gitignore files.
  files.set('.gitignore', files.get('gitignore')!)
  files.delete('gitignore')
  if (plan.license !== 'none') files.set('LICENSE', licenseText(plan.license, plan.author, new Date().getFullYear()))
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([path, text]) => [path, named(text, plan)]))
}

/** The changes of a template to the `package.json` of the earlier folders. */
const changes = 'package-changes.json'

async function filesIn(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return await Promise.all(
    files.map(async (file): Promise<[string, string]> => {
      const path = file.slice(folder.length + 1).replaceAll('\\', '/')
      return [path, await readFile(file, 'utf8')]
    }),
  )
}

const named = (text: string, { name }: Plan): string =>
  text.replace(/(package|project)-name/g, (_, kind) => (kind === 'package' ? name : bareName(name)))
