import { bytes, integer, Misuse, milliseconds, runProgram, text, toggle } from '@tenon/server-kit'
import { networkSettings } from '@tenon/server-kit/network'
import { createFetchServer } from './fetch-server.ts'
import { version } from './version.ts'

await runProgram({
  name: 'tenon-fetch',
  version,
  summary: 'Web pages as Markdown, for models. Private networks are out of reach unless they are allowed by name.',
  settings: {
    userAgent: text('The User-Agent header of every request'),
    ignoreRobotsTxt: toggle('Fetch pages that robots.txt keeps from programs'),
    proxyUrl: text('Send requests through this HTTP proxy, which then resolves names', {
      placeholder: 'URL',
      secret: true,
    }),
    ...networkSettings,
    maxBytes: bytes('Longest document; the rest is not read', { default: 10_000_000 }),
    timeout: milliseconds('Longest time for one document', { default: 30_000 }),
    connectTimeout: milliseconds('Longest time until a connection stands', { default: 10_000 }),
    readTimeout: milliseconds('Longest time to make Markdown of a page', { default: 5_000 }),
    maxRedirects: integer('Most redirects of one document', { max: 20, default: 5 }),
  },
  examples: [
    ['tenon-fetch', 'Speak MCP on stdin and stdout'],
    ['tenon-fetch --allow-private localhost:3000', 'Read the web, and a site on this machine'],
    ['tenon-fetch --allow-host docs.example.com', 'Read one site only'],
  ],
  open(settings) {
    try {
      return { server: createFetchServer({ settings }) }
    } catch (error) {
      if (error instanceof TypeError) throw new Misuse(error.message)
      throw error
    }
  },
})
