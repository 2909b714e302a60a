import { ownScript } from '../lib/servers.mjs'

/** Tenon as client or server. */
export const tenon = {
  name: 'tenon',
  title: 'Tenon',
  client: {
    script: new URL('./client.mjs', import.meta.url).href,
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026', 'sse', 'websocket'],
  },
  server: {
    start: ownScript(new URL('./server.mjs', import.meta.url)),
    // Its notes belong to a connection, and stateless requests have none.
    lacks: (task, transport) => task === 'script' && transport === 'http-2026',
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026', 'sse', 'websocket'],
    // The bridge to a remote server, as `tenon connect` makes it.
    bridgedOver: ['http'],
    work: {
      server: 'everything',
      tools: ['echo', 'add', 'draw_chart', 'count_primes', 'plan_trip', 'list_roots', 'toggle_extras', 'clock_now'],
      echo: { name: 'echo', argument: 'message' },
      structured: { name: 'add', arguments: { a: 19, b: 23 }, content: { sum: 42 } },
      media: { name: 'draw_chart', arguments: { values: [3, 1, 2] } },
      toolError: { name: 'divide', arguments: { dividend: 1, divisor: 0 }, text: 'The divisor is 0' },
      badArguments: { name: 'add', arguments: { a: 'one', b: 2 } },
      progress: { name: 'report', arguments: {}, atLeast: 5, release: 'release' },
      lateProgress: { name: 'count_primes', arguments: { below: 20_000 }, reports: 20 },
      cancel: { name: 'wait', arguments: {}, counter: 'cancellations' },
      large: { name: 'large', bytes: 5_000_000 },
      script: [
        { name: 'write_note', arguments: { title: 'plan', text: 'Measure twice' }, text: 'was created' },
        { name: 'write_note', arguments: { title: 'plan', text: 'Measure twice, cut once' }, text: 'was changed' },
        { name: 'search_notes', arguments: { query: 'cut' }, text: 'plan' },
        { name: 'read_note', arguments: { title: 'plan' }, text: 'cut once' },
        { name: 'delete_note', arguments: { title: 'plan' }, text: 'is gone' },
        { name: 'read_note', arguments: { title: 'plan' }, text: 'There is no note', fails: true },
      ],
      resources: {
        uris: ['guide:///welcome', 'guide:///logo.png', 'swatch:///teal', 'board:///today'],
        templates: ['swatch:///{color}{?size}', 'conversion:///{quantity}/{from}/{to}{?value}'],
        texts: [
          { uri: 'guide:///welcome', text: 'server' },
          { uri: 'conversion:///length/km/m?value=2', text: '2000' },
        ],
        blobs: [{ uri: 'swatch:///teal', mimeType: 'image/png' }],
      },
      prompts: {
        names: ['introduce', 'convert', 'review_note', 'name_that_color'],
        get: {
          name: 'convert',
          arguments: { quantity: 'length', from: 'km', to: 'mi' },
          text: 'Convert a length of 1 km',
        },
        refuses: true,
      },
      completion: [
        {
          ref: { type: 'ref/prompt', name: 'name_that_color' },
          argument: { name: 'color', value: 'te' },
          values: ['teal'],
        },
        {
          ref: { type: 'ref/resource', uri: 'swatch:///{color}{?size}' },
          argument: { name: 'color', value: 'tom' },
          values: ['tomato'],
        },
      ],
      sampling: { name: 'summarize', arguments: { text: 'A long story' }, question: 'A long story' },
      elicitation: {
        name: 'plan_trip',
        arguments: { destination: 'Bern' },
        content: { traveller: 'Ada', email: 'ada@example.com', start: '2026-05-01', nights: 2 },
        accepted: '2026-05-03',
        declined: 'does not want to plan',
      },
      roots: { name: 'list_roots' },
      subscribe: {
        uri: 'board:///today',
        change: { name: 'write_on_board', arguments: { text: 'Written by the interop run' } },
      },
      listChanged: {
        tool: 'roll_dice',
        change: { name: 'toggle_extras', arguments: { enabled: true } },
        back: { name: 'toggle_extras', arguments: { enabled: false } },
      },
      logging: { level: 'info', name: 'count_primes', arguments: { below: 100 }, data: 'started' },
      lostSession: true,
      authorization: { name: 'whoami', text: 'ada' },
      task: { name: 'cook_dinner', arguments: { minutesMs: 50 }, content: { spicy: 'hot' }, text: 'hot main course' },
      resume: { name: 'report', arguments: {}, text: 'Released', release: 'release' },
    },
  },
}

/** Tasks whose tools keep something in one process, or need a second server. */
const ofOneProcess = ['script', 'list-changed', 'lost-session', 'authorization']

/** Tenon as four servers behind a balancer. */
export const balancedTenon = {
  ...tenon,
  server: {
    ...tenon.server,
    start: ownScript(new URL('./balanced.mjs', import.meta.url)),
    lacks: (task) => ofOneProcess.includes(task),
    transports: ['http', 'http-2026'],
    unbridged: true,
  },
}
