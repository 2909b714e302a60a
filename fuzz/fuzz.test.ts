import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { keep, knownInputs, readKept } from './lib/failures.ts'
import { fuzz, tryInput } from './lib/fuzz.ts'
import { cutAt, mutatedText, mutatedValue } from './lib/mutate.ts'
import { type Target, target } from './lib/target.ts'
import { main } from './main.ts'
import { targets } from './targets/index.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const written: string[] = []
afterAll(() => {
  for (const path of written) rmSync(`${root}${path}`, { force: true })
})

const wrong: Target = target({
  name: 'wrong',
  claim: 'no list has a seven',
  inputs: fc.array(fc.nat(9), { maxLength: 20 }),
  check(list: number[]) {
    if (list.includes(7)) throw new Error('a seven')
  },
})

describe('a claim that does not hold', () => {
  test('is shown by the smallest input, which is kept and fails again', async () => {
    const { failure } = await fuzz(wrong, 1, 5)
    expect(failure).toMatchObject({ input: [7], problem: expect.stringContaining('a seven') })
    const path = keep({ target: 'wrong', ...failure! })
    written.push(path)
    expect(await tryInput(wrong, readKept(`${root}${path}`).input)).toContain('a seven')
  })

  test('is found with the same inputs by the same seed', async () => {
    const [one, other] = [await fuzz(wrong, 42, 5), await fuzz(wrong, 42, 5)]
    expect(one.runs).toBe(other.runs)
  })
})

describe('mutations', () => {
  test('change what they are given, and never the seed itself', () => {
    const seed = { a: { b: [1, 2, 3] }, c: 'd' }
    const before = JSON.stringify(seed)
    const values = fc.sample(mutatedValue(fc.constant(seed)), { seed: 1, numRuns: 200 })
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(100)
    expect(JSON.stringify(seed)).toBe(before)
    expect(new Set(fc.sample(mutatedText(fc.constant(before)), { seed: 1, numRuns: 200 })).size).toBeGreaterThan(100)
  })

  test('cutting loses nothing', () => {
    const bytes = Buffer.from('abcdef')
    expect(Buffer.concat(cutAt(bytes, [3, 1, 3, 99])).toString()).toBe('abcdef')
  })
})

describe('the targets', () => {
  test.each(targets)('$name: $claim', async (one) => {
    for (const { input } of knownInputs(one.name)) expect(await tryInput(one, input)).toBeUndefined()
    const { failure } = await fuzz(one, 1, 0.2)
    await one.close?.()
    expect(failure).toBeUndefined()
  })
})

// Each of them bundles the sources first, which takes long on a busy machine.
describe('the command', { timeout: 120_000 }, () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['fuzz/run.mjs', ...args], { cwd: root, encoding: 'utf8' })

  test('says what it can do, and what it cannot', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await main(['--help'])).toBe(0)
    expect(log).toHaveBeenCalledWith(expect.stringContaining('--seed <number>'))
    expect(await main(['--target', 'nothing'])).toBe(2)
    expect(error).toHaveBeenCalledWith(expect.stringContaining('got "nothing"'))
  })

  test('prints its seed and its outcome as JSON', () => {
    const { stdout, status } = run('--target', 'sse', '--time', '0.1', '--seed', '123', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ seed: 123, outcomes: [{ target: 'sse', seed: 123 }], files: [] })
  })

  test('fails with the command that tries the input again', () => {
    const path = keep({ target: 'sse', input: { text: 5 }, problem: '' })
    written.push(path)
    expect(run('--replay', path)).toMatchObject({ status: 1, stdout: expect.stringMatching(/^sse: /) })
  })
})
