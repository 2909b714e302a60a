import { expect, test } from 'vitest'
import { guessCommandName, guessUrlName } from './guess-name.ts'

test.each([
  ['node crash.mjs', 'crash'],
  ['/usr/bin/node --inspect /srv/weather/dist/index.js', 'weather'],
  ['node server.js', 'server'],
  ['npx -y @modelcontextprotocol/server-files@1.2.3 /tmp', 'server-files'],
  ['npx @playwright/mcp@latest', 'mcp'],
  ['uvx mcp-server-time', 'mcp-server-time'],
  ['pnpm dlx some-server', 'some-server'],
  ['python3 -m weather.server', 'weather.server'],
  ['uv run weather.py', 'weather'],
  ['C:\\tools\\weather.exe --stdio', 'weather'],
  ['docker run -i image', 'docker'],
  ['node', 'node'],
])('%s is called %s', (line, name) => {
  const [command = '', ...args] = line.split(' ')
  expect(guessCommandName(command, args)).toBe(name)
})

test.each([
  ['http://127.0.0.1:3901/sse', '127.0.0.1:3901/sse'],
  ['http://127.0.0.1:3901/nope/', '127.0.0.1:3901/nope'],
  ['https://example.com/mcp', 'example.com'],
  ['wss://example.com', 'example.com'],
  ['nonsense', 'server'],
])('%s is called %s', (url, name) => expect(guessUrlName(url)).toBe(name))
