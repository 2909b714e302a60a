import {
  bytes,
  integer,
  type LiveSettings,
  Misuse,
  milliseconds,
  path,
  runProgram,
  texts,
  toggle,
} from '@tenon/server-kit'
import { networkSettings } from '@tenon/server-kit/network'
import { createBrowserServer } from './browser-server.ts'
import { defaults } from './browser-settings.ts'
import { isExecutable } from './chromium/find-chromium.ts'
import { launchOptions, withLaunchOptions } from './chromium/launch-options.ts'
import { version } from './version.ts'

await runProgram({
  name: 'tenon-browser',
  version,
  summary:
    'A browser for models, with an installed Chromium. Private networks and local files are out of reach unless they are allowed by name.',
  settings: {
    chromium: path('The browser to start: Chromium, Chrome or Edge; an installed one is found without it', {
      env: 'CHROMIUM',
    }),
    headed: toggle('Show the browser in a window'),
    noSandbox: toggle('Start Chromium without its sandbox, as root needs it; a hostile page then has more power'),
    launchFlag: texts('Pass this flag on to Chromium, as --launch-flag=--user-agent=Reader (repeatable)', {
      placeholder: 'FLAG',
    }),
    launchOptions,
    allowEvaluate: toggle('Offer puppeteer_evaluate, which runs scripts of the model in pages'),
    ...networkSettings,
    downloads: path('Keep downloads in this folder; without it they are refused', { placeholder: 'DIR' }),
    maxDownload: bytes('Largest download', { default: defaults.maxDownload }),
    maxTabs: integer('Most tabs of one session', { min: 1, max: 100, default: defaults.maxTabs }),
    maxSessions: integer('Most sessions at the same time', { min: 1, max: 100, default: defaults.maxSessions }),
    idleTimeout: milliseconds('Close a session that nobody uses for so long', { default: defaults.idleTimeout }),
    timeout: milliseconds('Longest time for a page to load', { default: defaults.timeout }),
    actionTimeout: milliseconds('Longest time to wait for an element', { default: defaults.actionTimeout }),
  },
  examples: [
    ['tenon-browser', 'Speak MCP on stdin and stdout'],
    ['tenon-browser --allow-private localhost:3000', 'Open the web, and a site on this machine'],
    ['tenon-browser --downloads ~/Downloads/model', 'Keep downloads'],
  ],
  open(settings) {
    try {
      const { chromium, noSandbox } = withLaunchOptions(settings.current)
      if (chromium !== undefined && !isExecutable(chromium)) {
        throw new Misuse(`--chromium: expected the path of a browser, got ${chromium}`)
      }
      if (noSandbox) process.stderr.write('tenon-browser: Chromium runs without its sandbox (--no-sandbox)\n')
      return createBrowserServer({ settings: mapped(settings, withLaunchOptions) })
    } catch (error) {
      if (error instanceof TypeError) throw new Misuse(error.message)
      throw error
    }
  },
})

/** Settings that a function completes, now and after each change. If it throws, they stay as they were. */
function mapped<T>(settings: LiveSettings<T>, complete: (settings: T) => T): LiveSettings<T> {
  let current = complete(settings.current)
  const listeners: ((current: T, previous: T) => void)[] = []
  settings.onChange((now) => {
    const previous = current
    current = complete(now)
    for (const listener of listeners) listener(current, previous)
  })
  return {
    get current() {
      return current
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
