// Packs two packages of a clone that is not built, as `npm publish` would: the tarballs have the files that they promise.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const folders = ['packages/sdk', 'packages/inspector']
for (const folder of folders) {
  if (existsSync(`${folder}/dist`))
    throw new Error(`${folder}/dist is there already: this check is for a clone that is not built`)
}

for (const folder of folders) {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--workspace', folder], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [{ files }] = JSON.parse(output)
  const packed = new Set(files.map(({ path }) => `./${path}`))
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const promised = Object.values(exports).flatMap(({ types, module, default: main }) => [types, module, main])
  const missing = promised.filter((path) => path !== undefined && !packed.has(path))
  if (missing.length > 0) throw new Error(`${folder}: the tarball lacks ${missing.join(', ')}`)
  console.log(`${folder}: ${files.length} files`)
}
