/** A package registry that serves the packages in `node_modules` of this repository, so that `npm install` needs no network. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGzip } from 'node:zlib'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folders of a package: npm installs a second version of it below those who want that one. The first is the usual one. */
const foldersOf = (name: string): string[] =>
  Object.keys(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages)
    .filter((path) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`))
    .sort((a, b) => a.length - b.length)
    .map((path) => join(root, path))
    .filter((path) => existsSync(path))

export interface Registry extends AsyncDisposable {
  readonly url: string
}

export async function startRegistry(): Promise<Registry> {
  const server = createServer((request, response) => {
    const [, name, wanted] =
      /^((?:@[\w-]+\/)?[\w.-]+)(?:@(.+)\.tgz)?$/.exec(decodeURIComponent(request.url!.slice(1))) ?? []
    const manifests = foldersOf(name ?? '').map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    }))
    if (manifests.length === 0) return void response.writeHead(404).end('{}')
    const found = manifests.find(({ manifest }) => manifest.version === wanted)
    if (found) return void tarballOf(found.folder).pipe(response)
    const versions = manifests.map(({ manifest }) => {
      const { version } = manifest
      return [version, { ...manifest, dist: { tarball: `${url}${encodeURIComponent(`${name}@${version}`)}.tgz` } }]
    })
    const latest = manifests[0]!.manifest.version
    response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The name of the outer folder does not matter: npm takes it off. */
const tarballOf = (folder: string): NodeJS.ReadableStream =>
  spawn('tar', ['-chf', '-', '-C', dirname(folder), basename(folder)], { stdio: ['ignore', 'pipe', 'inherit'] })
    // Large programs are among the packages, and they do not travel far.
    .stdout.pipe(createGzip({ level: 1 }))
