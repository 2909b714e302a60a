// Builds the page into dist/ui, unless everything that it was made from is as it was.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const record = join(root, 'dist/ui/.made-from.json')

const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('base64')

const files = readdirSync(join(root, 'ui'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
const always = [...files, 'vite.config.ts', 'build-page.mjs', '../../package-lock.json']

function isCurrent() {
  if (!existsSync(record)) return false
  const known = new Map(Object.entries(JSON.parse(readFileSync(record, 'utf8'))))
  if (always.some((file) => !known.has(file))) return false
  return [...known].every(([file, was]) => existsSync(join(root, file)) && digest(join(root, file)) === was)
}

if (!isCurrent()) {
  // Loaded only when something has changed: loading takes longer than finding out.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const { output } = await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
  const modules = output
    .flatMap((chunk) => Object.keys(chunk.modules ?? {}))
    .filter((id) => id.startsWith('/') && !id.includes('node_modules') && existsSync(id))
    .map((id) => relative(root, id))
  const madeFrom = [...new Set([...always, ...modules])]
  writeFileSync(record, JSON.stringify(Object.fromEntries(madeFrom.map((file) => [file, digest(join(root, file))]))))
}
