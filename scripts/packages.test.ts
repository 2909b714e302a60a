/** Rules for every package that is published, checked on the tarballs that `npm pack` writes. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pack, published } from './pack.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const manifestIn = (folder: string) => JSON.parse(read(`${folder}/package.json`))
const { homepage, bugs, repository } = manifestIn('.')
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const folders = published.map(({ folder }) => folder)

/** Modules that are loaded with their first use on Node only: bundlers for pages replace them, which no condition of `exports` can say. */
const acceptedByPublint = new Set(['USE_EXPORTS_OR_IMPORTS_BROWSER'])

/** The packages are ES modules only, which older resolvers do not find and `require` of older Nodes does not load. */
const acceptedResolutions = new Set(['NoResolution node10', 'CJSResolvesToESM node16-cjs'])

const place = mkdtempSync(join(tmpdir(), 'tenon-pack-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('every folder of packages/ and servers/ is published', () => {
  expect(folders).toEqual(expect.arrayContaining(['packages/sdk', 'packages/cli', 'servers/everything']))
  expect(folders.every((folder) => manifestIn(folder).private === undefined)).toBe(true)
})

describe.each(folders)('the manifest of %s', (folder) => {
  const manifest = manifestIn(folder)

  test('says where the package comes from, as the repository does', () => {
    expect(manifest.repository).toEqual({ ...repository, directory: folder })
    expect(manifest.bugs).toBe(bugs)
    // Without it npm takes packages with a scope for private ones.
    expect(manifest.publishConfig).toEqual({ access: 'public' })
    expect(manifest.homepage).toBe(homepage.replace('#', `/tree/main/${folder}#`))
    expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'))
    expect(manifest.keywords).toEqual(expect.arrayContaining(['mcp', 'model-context-protocol']))
  })

  test('builds before it is packed', () => {
    expect(manifest.scripts).toEqual({ prepack: 'npm run --silent build --prefix ../..' })
  })
})

describe.each(folders)('the README of %s', (folder) => {
  const page = read(`${folder}/README.md`)

  test('says how to install the package, and names every subpath', () => {
    const { name, exports = {} } = manifestIn(folder)
    const subpaths = Object.entries<{ types?: string }>(exports).filter(([, { types }]) => types !== undefined)
    const missing = subpaths
      .map(([subpath]) => `${name}${subpath.slice(1)}`)
      .filter((subpath) => !page.includes(subpath))
    expect(missing).toEqual([])
    expect(page).toMatch(new RegExp(`np(?:m install(?: --save-dev)?|x -y) ${name}(?![\\w/-])`))
  })

  test('has links to the documentation that lead somewhere', () => {
    const targets = [...page.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!)
    const relative = targets.filter((target) => !/^\w+:/.test(target))
    expect(relative.filter((target) => target.includes('/docs/'))).not.toEqual([])
    expect(relative.filter((target) => !existsSync(join(root, folder, target)))).toEqual([])
  })
})

// Seconds of work, and minutes on a machine that is busy.
const patienceMs = 240_000

describe('tarballs', { timeout: patienceMs }, () => {
  let tarballs: Awaited<ReturnType<typeof pack>>
  beforeAll(async () => {
    tarballs = await pack(published, place)
  }, patienceMs)
  const tarballOf = (folder: string) => tarballs.find((tarball) => tarball.folder === folder)!

  test.each(folders)('%s: the build, the license, and no maps or tests', (folder) => {
    const paths = tarballOf(folder).files
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
    expect(paths.filter((path) => path.startsWith('dist/')).length).toBeGreaterThan(5)
    const unwanted = paths.filter((path) => /^dist\/.*\.(map|test\.\w+|suite\.\w+)$|(^|\/)\.[^/]*$/.test(path))
    expect(unwanted).toEqual([])
  })

  test.each(folders)('%s: publint finds nothing', async (folder) => {
    const { path } = tarballOf(folder)
    const data = readFileSync(path)
    const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
    const found = messages.filter(({ code }) => !acceptedByPublint.has(code))
    expect(found.map((message) => formatMessage(message, pkg!, { color: false }))).toEqual([])
  })

  // The command has no exports.
  const libraries = folders.filter((folder) => manifestIn(folder).exports !== undefined)

  test.each(libraries)('%s: every way to resolve types finds them, but those accepted by name', async (folder) => {
    const { path } = tarballOf(folder)
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(path))))
    if (!analysis.types) return expect.fail('no types')
    const problems = analysis.problems.map((problem) => {
      const { kind, entrypoint, resolutionKind } = { entrypoint: '', resolutionKind: '', ...problem }
      return { name: `${kind} ${resolutionKind}`, entrypoint }
    })
    expect(problems.filter(({ name }) => !acceptedResolutions.has(name))).toEqual([])
  })
})

describe('types', { timeout: patienceMs }, () => {
  // Inside a package, so that imports resolve as they do for users: to the build.
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(root, 'packages/cli/.test-types-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const subpaths = folders.flatMap((folder) => {
    const { name, exports = {} } = manifestIn(folder)
    const typed = Object.entries<{ types?: string }>(exports).filter(([, { types }]) => types !== undefined)
    return typed.map(([subpath]) => `${name}${subpath.slice(1)}`)
  })

  async function problemsOf(name: string, imported: string[], lib: string[]): Promise<string> {
    const lines = imported.map((subpath, index) => `export * as m${index} from '${subpath}'\n`)
    writeFileSync(join(folder, `${name}.ts`), lines.join(''))
    const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck', 'false', '--noEmit']
    const args = [tsc, ...options, '--types', 'node', '--lib', lib.join(), '--ignoreConfig', `${name}.ts`]
    const run = promisify(execFile)(process.execPath, args, { cwd: folder })
    const { stdout } = await run.catch((failed: { stdout: string }) => failed)
    return stdout
  }

  test('compile without the DOM, and with libraries checked, unless they are for pages', async () => {
    const forPages = ['@tenon/sdk/apps/host', '@tenon/sdk/apps/view']
    const others = subpaths.filter((subpath) => !forPages.includes(subpath))
    expect(others.length).toBe(subpaths.length - forPages.length)
    expect(await problemsOf('programs', others, ['es2023'])).toBe('')
  })

  test('compile with the DOM', async () => {
    expect(await problemsOf('pages', subpaths, ['es2023', 'dom', 'dom.iterable'])).toBe('')
  })
})
