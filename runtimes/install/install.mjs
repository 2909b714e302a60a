// Installs the packed tarballs into an empty project, with an empty home, and uses them there: compilers, bundlers and
// runtimes see the packages as users do, with nothing of the repository beside them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pack, published } from '../../scripts/pack.mjs'
import { executable, nodeExecutables } from '../tools.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = fileURLToPath(new URL('./project/', import.meta.url))

/** A program that hangs is ended after this time. */
const limitMs = 240_000

/** Packages of others that the checks need, in the versions of the repository. */
const partners = ['@opentelemetry/api', '@types/node', 'esbuild', 'typescript', 'vite', 'zod']
/** Subpaths whose peer is not installed, and subpaths for pages, which need the types of the DOM. */
const withoutPeer = ['@tenon/sdk/testing/vitest']
const forPages = ['@tenon/sdk/apps/host', '@tenon/sdk/apps/view']

/** Reads its skills before its first export is there, which `require` cannot wait for. */
const onlyImported = '@tenon/server-everything'

const expected = '2025-06-18: 42 42 42\n2026-07-28: 42 42 42\n'

/** The results of every check. */
export async function checkInstall() {
  const place = await mkdtemp(join(tmpdir(), 'tenon-install-'))
  try {
    const project = new Project(place)
    await project.prepare()
    await checkTypes(project)
    await checkNodes(project)
    await checkBundlers(project)
    await checkOthers(project)
    return { results: project.results }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function checkTypes(project) {
  const tsc = ['node_modules/typescript/bin/tsc', '--strict', '--skipLibCheck', 'false', '--target', 'es2023']
  const programs = project.subpaths.filter((subpath) => !forPages.includes(subpath))
  await project.write('programs.ts', programs.map((subpath, at) => `export * as m${at} from '${subpath}'\n`).join(''))
  await project.write(
    'all.ts',
    project.subpaths.map((subpath, at) => `export * as m${at} from '${subpath}'\n`).join(''),
  )
  const nodenext = ['--module', 'nodenext', '--types', 'node', '--lib', 'es2023']
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom,dom.iterable']
  await project.check('types, nodenext, without the DOM: every subpath for programs', process.execPath, [
    ...[...tsc, ...nodenext, '--noEmit', 'programs.ts'],
  ])
  await project.check('types, bundler: every subpath', process.execPath, [
    ...[...tsc, ...bundler, '--types', 'node', '--noEmit', 'all.ts', 'page.ts'],
  ])
  await project.check('tsc writes the program', process.execPath, [
    ...[...tsc, ...nodenext, '--outDir', 'out', 'story.ts', 'serve.ts'],
  ])
}

async function checkNodes(project) {
  const imports = project.subpaths.map((subpath) => `await import('${subpath}')\n`)
  const requires = project.subpaths
    .filter((subpath) => subpath !== onlyImported)
    .map((subpath) => `require('${subpath}')\n`)
  await project.write('imports.mjs', imports.join(''))
  await project.write('requires.cjs', requires.join(''))
  const tenon = 'node_modules/tenon/bin/tenon.js'
  for (const node of nodeExecutables()) {
    const { output } = await project.check(`${node.name}: is the version it is said to be`, node.path, ['--version'], {
      prints: `v${node.version}\n`,
    })
    const name = `node ${output.trim()}`
    const check = (what, args, prints) => project.check(`${name}: ${what}`, node.path, args, { prints })
    await check('import of every subpath', ['imports.mjs'])
    await check('require of every subpath', ['requires.cjs'])
    await check('a server and a client', ['out/story.js', node.path, 'out/serve.js'], expected)
    await check('tenon call everything', [tenon, 'call', 'everything', 'add', 'a=19', 'b=23'], '{\n  "sum": 42\n}\n')
    await check('tenon list of a program', [tenon, 'list', '--json', '--', node.path, 'out/serve.js'])
  }
}

async function checkBundlers(project) {
  const node = process.execPath
  await project.check('esbuild: ESM and CommonJS for Node, ESM for browsers', node, ['bundle-esbuild.mjs'])
  for (const format of ['mjs', 'cjs']) {
    const server = `bundled/serve.${format}`
    await project.check(`esbuild: the bundle runs (${format})`, node, [`bundled/story.${format}`, node, server], {
      prints: expected,
    })
  }
  await project.check('Vite: a page', node, ['bundle-vite.mjs'])
}

async function checkOthers(project) {
  const bun = executable('bun')
  const deno = executable('deno')
  const denoArgs = ['run', '--node-modules-dir=manual', '--allow-all']
  const serve = ['out/serve.js']
  await project.check('Bun: a server and a client', bun, ['out/story.js', bun, ...serve], { prints: expected })
  await project.check('Deno: a server and a client', deno, [...denoArgs, 'out/story.js', deno, ...denoArgs, ...serve], {
    prints: expected,
  })
}

class Project {
  results = []
  subpaths = []
  #folder
  #home
  #tarballs

  constructor(place) {
    this.#folder = join(place, 'project')
    this.#home = join(place, 'home')
    this.#tarballs = join(place, 'tarballs')
  }

  /** Writes the project, and installs the tarballs. */
  async prepare() {
    await Promise.all([mkdir(this.#home), mkdir(this.#tarballs), cp(sources, this.#folder, { recursive: true })])
    const tarballs = await pack(published, this.#tarballs)
    const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const dependencies = Object.fromEntries([
      ...tarballs.map(({ name, path }) => [name, `file:${path}`]),
      ...partners.map((name) => [name, devDependencies[name]]),
    ])
    await this.write('package.json', JSON.stringify({ type: 'module', private: true, dependencies }))
    const cache = await outputOf('npm', ['config', 'get', 'cache'])
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', `--cache=${cache.trim()}`]
    await this.check('npm install of the tarballs', 'npm', ['install', ...options])
    for (const { name } of tarballs) this.subpaths.push(...(await subpathsOf(name, this.#folder)))
  }

  write = (path, text) => writeFile(join(this.#folder, path), text)

  /** Runs a program in the project: it passes if it exits with 0, and prints the given text if there is one. */
  async check(name, command, args, { prints } = {}) {
    const began = performance.now()
    const { code, stdout, stderr } = await run(command, args, { cwd: this.#folder, env: emptyHome(this.#home) })
    const ok = code === 0 && (prints === undefined || stdout === prints)
    const error = `exit ${code}${prints === undefined ? '' : `, expected ${JSON.stringify(prints)}`}\n${stdout}${stderr}`
    this.results.push({
      name,
      ok,
      ...(!ok && { error: error.slice(0, 4_000) }),
      ms: Math.round(performance.now() - began),
    })
    return { output: stdout }
  }
}

async function subpathsOf(name, folder) {
  const { exports = {} } = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  const typed = Object.entries(exports).filter(([, { types }]) => types !== undefined)
  return typed.map(([subpath]) => `${name}${subpath.slice(1)}`).filter((subpath) => !withoutPeer.includes(subpath))
}

/** The environment without the user's folders, and without the variables that `npm run` adds. */
function emptyHome(home) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(package|lifecycle|command)|XDG_|NODE_OPTIONS)/i.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
  }
}

async function outputOf(command, args) {
  const { code, stdout, stderr } = await run(command, args, { cwd: root, env: process.env })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

async function run(command, args, options) {
  const child = spawn(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (text) => {
      printed[stream] += text
    })
  }
  const [code, signal] = await once(child, 'close')
  return { ...printed, code: signal ?? code }
}
