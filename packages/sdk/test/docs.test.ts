/**
 * Tests the code in the documentation. A page consists of modules: a `ts` block starts one, `ts continued` continues
 * it. Every module type-checks against the built package. A module with a `ts run` block is executed, and a `text`
 * block after a `run` block is its output; `UPDATE_DOCS=1` writes the real output. `ts test` modules are run by Vitest.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ErrorCode } from '../src/errors.ts'

const repo = fileURLToPath(new URL('../../../', import.meta.url))
const docs = readdirSync(join(repo, 'docs'), { recursive: true }).map((name) => `docs/${name}`)
const pages = ['README.md', ...docs].filter((page) => page.endsWith('.md') && existsSync(join(repo, page)))
const exec = promisify(execFile)
// Colours would be part of the output.
const env: NodeJS.ProcessEnv = { ...process.env, FORCE_COLOR: undefined }
const read = (path: string): string => readFileSync(join(repo, path), 'utf8')

interface Block {
  /** The text after the backticks: the language, then words of ours. */
  info: string[]
  lines: string[]
  /** The index of the first line after the backticks. */
  start: number
  /** The `text` block that follows after nothing but blank lines. */
  output?: Block
}

interface Module {
  page: string
  blocks: Block[]
  kind: 'check' | 'run' | 'test'
  /** Without an extension; its number is the line on which the module starts. */
  name: string
}

function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  let touching = false
  for (const [index, line] of read(page).split('\n').entries()) {
    const fence = /^```(.*)$/.exec(line)
    if (open && fence) {
      open = undefined
      touching = true
    } else if (fence) {
      open = { info: fence[1]!.trim().split(/\s+/), lines: [], start: index + 1 }
      if (touching && open.info[0] === 'text') blocks.at(-1)!.output = open
      blocks.push(open)
    } else if (open) open.lines.push(line)
    else if (line.trim() !== '') touching = false
  }
  return blocks
}

function modulesOf(page: string): Module[] {
  const modules: Module[] = []
  for (const block of blocksOf(page).filter(({ info }) => info[0] === 'ts')) {
    if (block.info.includes('continued')) modules.at(-1)!.blocks.push(block)
    else {
      const name = `${page.replace(/\.md$/, '').replaceAll('/', '-')}.${block.start}`
      modules.push({ page, blocks: [block], kind: 'check', name })
    }
    const kind = (['run', 'test'] as const).find((word) => block.info.includes(word))
    if (kind) modules.at(-1)!.kind = kind
  }
  return modules
}

/** The source with every line where the page has it, so that errors point there. `end` follows each block. */
function sourceOf({ blocks }: Module, end = ''): string {
  const lines: string[] = []
  for (const block of blocks) {
    while (lines.length < block.start) lines.push('')
    lines.push(...block.lines, end)
  }
  return `${lines.join('\n')}\n`
}

const separator = '\u001e'

/** The output of each block of a module. */
async function outputsOf(module: Module, folder: string): Promise<string[]> {
  const source = sourceOf(module, `process.stdout.write('\\u001e')`)
  const { code } = await transform(source, { loader: 'ts', target: 'node20', format: 'esm' })
  const file = join(folder, `${module.name}.mjs`)
  writeFileSync(file, code)
  const { stdout } = await exec(process.execPath, [file], { cwd: repo, env, timeout: 100_000 })
  return stdout.split(separator)
}

function writeOutput(page: string, { lines, start }: Block, printed: string): void {
  const all = read(page).split('\n')
  all.splice(start, lines.length, ...printed.trimEnd().split('\n'))
  writeFileSync(join(repo, page), all.join('\n'))
}

const compilerOptions = {
  noEmit: true,
  declaration: false,
  isolatedDeclarations: false,
  rewriteRelativeImportExtensions: false,
  noUnusedLocals: false,
  noUnusedParameters: false,
}

/** The options that most projects have: nothing but `strict`. */
const plainOptions = {
  ...{ strict: true, target: 'es2024', module: 'nodenext', noEmit: true, skipLibCheck: true, types: ['node'] },
  lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'],
}

const modules = pages.flatMap(modulesOf)
/** The last module first: writing an output moves the lines after it. */
const ofKind = (kind: Module['kind']): [string, Module][] =>
  modules
    .filter((module) => module.kind === kind)
    .map((module): [string, Module] => [`${module.page}:${module.blocks[0]!.start}`, module])
    .reverse()

describe('code', () => {
  let folder = ''

  beforeAll(() => {
    // Inside the package, so that imports resolve as they do for users: to the build. Not in dist, which others pack.
    folder = mkdtempSync(join(repo, 'packages/sdk/.test-docs-'))
    const config = { extends: join(repo, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const plain = { compilerOptions: plainOptions, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.plain.json'), JSON.stringify(plain))
    // Otherwise Vitest would find the one of this repository, which tests sources instead.
    writeFileSync(join(folder, 'vitest.config.js'), 'export default {}')
    for (const module of modules) {
      writeFileSync(join(folder, `${module.name}${module.kind === 'test' ? '.test' : ''}.ts`), sourceOf(module))
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each(['tsconfig.json', 'tsconfig.plain.json'])('type-checks with %s', async (config) => {
    expect(modules.length).toBeGreaterThan(20)
    const tsc = join(repo, 'node_modules/typescript/bin/tsc')
    const found = await exec(process.execPath, [tsc, '-p', config, '--pretty', 'false'], { cwd: folder }).catch(
      (failed: { stdout: string }) => failed,
    )
    expect(found.stdout).toBe('')
  })

  test.each(ofKind('run'))('%s prints what it says', async (_name, module) => {
    const printed = await outputsOf(module, folder)
    for (const [index, { info, output }] of [...module.blocks.entries()].reverse()) {
      if (!info.includes('run') || output === undefined) continue
      if (process.env.UPDATE_DOCS) writeOutput(module.page, output, printed[index]!)
      else expect(printed[index]!.trimEnd()).toBe(output.lines.join('\n'))
    }
  })

  test('tests pass', async () => {
    const vitest = join(repo, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--root', folder, '--reporter', 'json']
    const { stdout } = await exec(process.execPath, args, { cwd: folder, env }).catch(
      (failed: { stdout: string; stderr: string }) => expect.fail(failed.stdout + failed.stderr),
    )
    expect(JSON.parse(stdout).testResults).toHaveLength(ofKind('test').length)
  })
})

describe('the page about errors', () => {
  const page = read('docs/errors.md')
  const union = /export type McpErrorCode =((?:\s*\| '\w+')+)/.exec(read('packages/sdk/src/errors.ts'))![1]!

  test.each([...union.matchAll(/'(\w+)'/g)].map(([, code]) => code!))('explains McpError %s', (code) => {
    expect(page).toContain(`\`${code}\``)
  })

  test.each(Object.entries(ErrorCode))('explains %s', (name, code) => {
    expect(page).toContain(`\`${name}\``)
    expect(page).toContain(`${code}`)
  })
})

describe('links', () => {
  const slug = (heading: string): string =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
  const anchors = (path: string): string[] =>
    [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading!))

  const readmes = ['packages', 'servers', 'examples'].flatMap((folder) =>
    ['', ...readdirSync(join(repo, folder))].map((name) => join(folder, name, 'README.md')),
  )

  test.each([...pages, 'CONTRIBUTING.md', ...readmes.filter((path) => existsSync(join(repo, path)))])(
    'of %s lead somewhere',
    (page) => {
      const prose = read(page).replace(/^```.*?^```/gms, '')
      const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
      const broken = targets.filter((target) => {
        if (/^\w+:/.test(target)) return false
        const [path, anchor] = target.split('#') as [string, string?]
        const file = path === '' ? page : relative(repo, resolve(repo, dirname(page), path))
        if (!existsSync(join(repo, file))) return true
        return anchor !== undefined && !anchors(file).includes(anchor)
      })
      expect(broken).toEqual([])
    },
  )
})
