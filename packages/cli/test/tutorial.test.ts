import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startStandIn } from '../../../examples/chat/src/stand-in.ts'
import { followTutorial, root, waysToInstall } from './follow-tutorial.ts'

const example = (path: string): string => readFileSync(join(root, 'examples', path), 'utf8')

test.each(waysToInstall)('the tutorial leads from %s to a server in three hosts', { timeout: 240_000 }, async (way) => {
  const home = await followTutorial('docs/tutorial.md', way)
  expect(readFileSync(join(home, 'weather/src/weather.ts'), 'utf8')).toBe(example('weather/src/server.ts'))
})

test('the second tutorial leads to a chat client, and to one on a host', { timeout: 240_000 }, async () => {
  await using model = await startStandIn('key')
  const variables = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: model.url }
  const home = await followTutorial('docs/tutorial-client.md', 'a clone', variables)
  for (const name of ['client.ts', 'host.ts']) {
    expect(readFileSync(join(home, 'chat/src', name), 'utf8')).toBe(example(`chat/src/${name}`))
  }
})

test.each([
  ['client.ts', 59],
  ['host.ts', 15],
])('%s has at most %i lines of code', (name, most) => {
  const lines = example(`chat/src/${name}`).split('\n')
  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(most)
})
