// The features of the servers written for this run, with any library.

export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const names = ['Ada', 'Alan', 'Grace']

/** The description that tasks use; docs/interop.md explains each part. */
export const work = {
  server: 'interop-server',
  tools: ['echo', 'add', 'picture', 'fail', 'count', 'wait'],
  echo: { name: 'echo', argument: 'text' },
  structured: { name: 'add', arguments: { a: 19, b: 23 }, content: { sum: 42 } },
  media: { name: 'picture', arguments: {} },
  toolError: { name: 'fail', arguments: {}, text: 'It did not work' },
  badArguments: { name: 'add', arguments: { a: 'one', b: 2 } },
  progress: { name: 'report', arguments: {}, atLeast: 5, release: 'release' },
  lateProgress: { name: 'count', arguments: { to: 10 }, reports: 10 },
  cancel: { name: 'wait', arguments: {}, counter: 'cancellations' },
  large: { name: 'large', bytes: 5_000_000 },
  resources: {
    uris: ['note:///motto', 'note:///picture'],
    templates: ['note:///by/{name}'],
    texts: [
      { uri: 'note:///motto', text: 'Measure twice' },
      { uri: 'note:///by/Ada', text: 'A note by Ada' },
    ],
    blobs: [{ uri: 'note:///picture', mimeType: 'image/png' }],
  },
  prompts: { names: ['greet'], get: { name: 'greet', arguments: { name: 'Ada' }, text: 'Greet Ada' }, refuses: true },
  completion: [
    { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'A' }, values: ['Ada', 'Alan'] },
  ],
  sampling: { name: 'ask_model', arguments: { question: 'How many?' }, question: 'How many?' },
  elicitation: {
    name: 'ask_user',
    arguments: {},
    content: { name: 'Ada' },
    accepted: 'The user is Ada',
    declined: 'The user did not say',
  },
  roots: { name: 'show_roots' },
  subscribe: { uri: 'note:///motto', change: { name: 'touch', arguments: {} } },
  listChanged: {
    tool: 'extra',
    change: { name: 'extend', arguments: { on: true } },
    back: { name: 'extend', arguments: { on: false } },
  },
  logging: { level: 'info', name: 'log', arguments: {}, data: 'A line in the log' },
  lostSession: true,
  authorization: { name: 'whoami', text: 'A client with a token' },
  task: { name: 'slow', arguments: {}, text: 'Slowly done' },
  resume: { name: 'report', arguments: {}, text: 'Released', release: 'release' },
}
