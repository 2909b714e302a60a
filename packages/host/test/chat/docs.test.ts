import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const union = /export type ChatErrorCode =((?:\s*\| '\w+')+)/.exec(read('packages/host/src/chat/chat-error.ts'))![1]!

test.each([...union.matchAll(/'(\w+)'/g)].map(([, code]) => code!))('the page on conversations explains %s', (code) => {
  expect(read('docs/chat-with-a-model.md')).toContain(`\`${code}\``)
})
