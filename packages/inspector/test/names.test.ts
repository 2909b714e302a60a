/** One exported name is declared once, and something outside of its file uses it. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const texts = new Map(
  ['src', 'ui', 'test']
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name, readFileSync(`${root}${name}`, 'utf8')]),
)

const declaration = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm

/** The files that declare each name. */
const declared = new Map<string, string[]>()
for (const [file, text] of texts) {
  for (const [, name] of text.matchAll(declaration)) declared.set(name!, [...(declared.get(name!) ?? []), file])
}

test('each exported name is declared in one file', () => {
  expect(declared.size).toBeGreaterThan(500)
  expect([...declared].filter(([, files]) => new Set(files).size > 1)).toEqual([])
})

test('each exported name is used outside of its file', () => {
  const isUsed = ([name, [file]]: [string, string[]]): boolean => {
    const word = new RegExp(`\\b${name}\\b`)
    return [...texts].some(([other, text]) => other !== file && word.test(text))
  }
  expect([...declared].filter((entry) => !isUsed(entry))).toEqual([])
})
