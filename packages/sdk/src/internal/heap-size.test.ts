import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { heapBytesOf, heapBytesOfText } from './heap-size.ts'

/** Parses texts of many kinds in a process of its own, and compares the estimate with the heap they used. */
const program = `
  import { heapBytesOf } from './heap-size.ts'
  const many = (count, text) => '[' + Array.from({ length: count }, (_, i) => text(i)).join() + ']'
  const texts = {
    'empty objects': many(40000, () => '{}'),
    'empty arrays': many(40000, () => '[]'),
    'nested arrays': many(40000, () => '[[1]]'),
    'objects of one shape': many(40000, (i) => '{"a":' + i + ',"b":"text"}'),
    'objects of many shapes': many(20000, (i) => '{"k' + i + '":1}'),
    'a table': '{' + many(40000, (i) => '"k' + i + '":1').slice(1, -1) + '}',
    'numbers': many(40000, (i) => i + '.5,"x"'),
    'short strings': many(40000, (i) => '"s' + i + '"'),
    'a long string': JSON.stringify('x'.repeat(1e6)),
    'a wide string': JSON.stringify('\\u4e2d'.repeat(5e5)),
  }
  const found = {}
  // The collector may free older garbage while it measures, so the middle of five counts.
  const middle = (values) => values.sort((a, b) => a - b)[2]
  for (const name in texts) found[name] = middle(Array.from({ length: 5 }, () => ratio(texts[name])))
  function ratio(text) {
    for (let i = 0; i < 3; i++) gc()
    const before = process.memoryUsage().heapUsed
    const value = [JSON.parse(text)]
    for (let i = 0; i < 3; i++) gc()
    const heap = process.memoryUsage().heapUsed - before
    return heapBytesOf(value) / heap
  }
  console.log(JSON.stringify(found))`

test('the estimate is near the heap that values take, and rather above it', async () => {
  const resolveDir = fileURLToPath(new URL('.', import.meta.url))
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir },
    bundle: true,
    write: false,
    format: 'esm',
  })
  const args = ['--expose-gc', '--input-type=module', '--eval', outputFiles[0]!.text]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  const ratios = Object.entries(JSON.parse(stdout) as { [name: string]: number })
  expect(ratios).toHaveLength(10)
  expect(ratios.filter(([, ratio]) => ratio < 0.7 || ratio > 6)).toEqual([])
})

test('whether a value is small is found out without looking at all of it', () => {
  let looked = 0
  const large = Array.from({ length: 1000 }, () => ({
    get text() {
      looked++
      return 'x'.repeat(100)
    },
  }))
  expect(heapBytesOf(large, 10_000)).toBeGreaterThan(10_000)
  expect(looked).toBeLessThan(100)
  expect(heapBytesOf(large)).toBeGreaterThan(100_000)
})

test('texts count by characters, twice if they need it', () => {
  expect(heapBytesOfText('x'.repeat(1000))).toBe(1024)
  expect(heapBytesOfText('中'.repeat(1000))).toBe(2024)
  expect([null, true, 1, 1.5, undefined].map((value) => heapBytesOf(value))).toEqual([0, 0, 0, 16, 0])
})
