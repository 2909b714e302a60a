import { modernMeta, type Scenario, type Script } from '../runner/script.ts'

/** An error without an id can be sent only if the revision has one; elsewhere nothing is sent. */
const idless = (script: Script): number => (script.since('2025-11-25') ? 1 : 0)

export const errors: Scenario = {
  topic: 'errors',
  play(script) {
    script.open()
    const params = script.modern ? { params: { _meta: modernMeta() } } : {}
    const list = { method: 'prompts/list', ...params }

    script.note('Not JSON-RPC 2.0.', 'rpc.version-2-0', 'rpc.codes.invalid-request', 'rpc.response.same-id')
    script.nonsense({ id: 'e1', ...list }, 1)
    script.nonsense({ jsonrpc: '1.0', id: 'e2', ...list }, 1)
    script.nonsense({ jsonrpc: 2, id: 'e3', ...list }, 1)
    script.note('No method, or one that is no name.', 'rpc.codes.invalid-request')
    script.nonsense({ jsonrpc: '2.0', id: 'e4' }, 1)
    script.nonsense({ jsonrpc: '2.0', id: 'e5', method: 7 }, 1)
    script.note('Params are an object.', 'rpc.codes.invalid-request')
    script.nonsense({ jsonrpc: '2.0', id: 'e6', method: 'prompts/list', params: [] }, 1)
    script.nonsense({ jsonrpc: '2.0', id: 'e7', method: 'prompts/list', params: 'none' }, 1)

    const unreadable = script.since('2025-11-25')
      ? 'An id that cannot be read cannot be repeated: the error has none.'
      : 'An id that cannot be read cannot be repeated, and an error without one does not exist.'
    script.note(
      unreadable,
      ...['rpc.request.id-not-null', 'rpc.request.id-type', 'rpc.error.id-required-legacy'],
      'rpc.error.id-absent-if-unreadable',
    )
    script.nonsense({ jsonrpc: '2.0', id: null, ...list }, idless(script))
    script.nonsense({ jsonrpc: '2.0', id: 1.5, ...list }, idless(script))
    script.nonsense({ jsonrpc: '2.0', id: { n: 1 }, ...list }, idless(script))
    script.nonsense({ jsonrpc: '2.0', id: true, ...list }, idless(script))
    script.note('An id that no double can hold would come back as another.', 'rpc.error.id-absent-if-unreadable')
    script.noise(
      JSON.stringify({ jsonrpc: '2.0', id: 0, ...list }).replace('0,', '9007199254740993,'),
      idless(script),
      {
        broken: false,
      },
    )
    script.note('JSON that is not an object.', ...(idless(script) ? ['rpc.codes.invalid-request'] : []))
    script.nonsense('hello', idless(script))
    script.nonsense(42, idless(script))
    script.nonsense(null, idless(script))
    if (script.revision !== '2025-03-26') {
      script.note(
        'A list of messages is not a message; whoever asked in it is told so.',
        ...['rpc.batch.not-in-protocol', 'rpc.response.same-id'],
      )
      script.nonsense([{ jsonrpc: '2.0', id: 'b1', ...list }], 1)
      const notification = { jsonrpc: '2.0', method: 'notifications/explode' }
      script.nonsense([notification, { jsonrpc: '2.0', id: 'b2', ...list }, { jsonrpc: '2.0', id: 3, ...list }], 2)
      script.nonsense([notification], idless(script))
      script.nonsense([], idless(script))
    }
    script.note(
      'Any string and any integer is an id.',
      ...['rpc.request.id-type', 'rpc.response.same-id', 'rpc.encoding.utf8'],
    )
    for (const id of [0, -1, 9007199254740991, '', '__proto__', 'ünïcödé \u0000 "']) {
      script.request('tools/call', { name: '__proto__' }, { id })
    }
  },
}

const otherRevisions = (script: Script): string[] =>
  script.modern
    ? ['resources/subscribe', 'tasks/get', 'roots/list', 'sampling/createMessage', 'elicitation/create']
    : ['server/discover', 'subscriptions/listen', 'tasks/get', 'roots/list', 'sampling/createMessage']

export const unknownMethods: Scenario = {
  topic: 'unknown-methods',
  play(script) {
    script.open()
    script.note(
      'A method that does not exist.',
      ...['rpc.codes.method-not-found', 'rpc.error.code-and-message', 'rpc.error.code-integer'],
    )
    script.request('tools/explode')
    script.request('')
    script.request('constructor')
    script.request('notifications/cancelled', { requestId: 1 }, { broken: true })
    script.note(
      'A method of another revision, of the other side, or of a feature that this server does not have.',
      'rpc.codes.method-not-found',
    )
    for (const method of otherRevisions(script)) {
      const tasksExist = method === 'tasks/get' && script.revision === '2025-11-25'
      script.request(method, undefined, { broken: tasksExist || /^(roots|sampling|elicitation)/.test(method) })
    }
    script.note('Notifications are never answered, whatever is wrong with them.', 'rpc.notification.no-reply')
    script.notify('notifications/explode', { now: true })
    script.nonsense({ jsonrpc: '2.0', method: 'tools/list' }, 0)
    script.nonsense({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 'some' } }, 0)
    script.nonsense({ jsonrpc: '2.0', method: 'notifications/explode', params: ['now'] }, 0)
    script.nonsense({ jsonrpc: '2.0', method: 'notifications/cancelled', params: 'all' }, 0)
    script.note(
      'Answers that nobody waits for are ignored, whatever is wrong with them.',
      'rpc.response.one-of-result-error',
    )
    script.nonsense({ jsonrpc: '2.0', id: 77, result: 'not an object' }, 0)
    script.say({ jsonrpc: '2.0', id: 77, result: {}, error: { code: 1, message: 'both' } })
    script.nonsense({ jsonrpc: '2.0', id: 77, error: 'not an object' }, 0)
    script.say({ jsonrpc: '2.0', id: 77, result: {} }, { broken: script.modern })
    script.call('text')
  },
}

export const sameId: Scenario = {
  topic: 'same-id',
  play(script) {
    script.open()
    script.note(
      'An id that is in use is refused; the first request goes on, until it is cancelled.',
      ...['rpc.request.id-unique-in-flight', 'rpc.request.id-unique-per-session'],
    )
    script.call('wait', undefined, { id: 'twin', answers: 0 })
    script.call('text', undefined, { id: 'twin' })
    script.notify('notifications/cancelled', { requestId: 'twin' })
    script.note('The integer and the string are two ids.', 'rpc.request.id-type')
    script.call('wait', undefined, { id: 5, answers: 0 })
    script.call('text', undefined, { id: '5' })
    script.notify('notifications/cancelled', { requestId: 5 })
    if (!script.modern) return
    script.note('An id that is free again can be used again.', 'rpc.request.id-unique-in-flight')
    script.call('text', undefined, { id: '5' })
  },
}

/** Deeper than any message, and still JSON. */
const tooDeep = `{"jsonrpc":"2.0","id":"deep","method":"ping","params":{"_meta":{"a":${'['.repeat(70)}${']'.repeat(70)}}}}`

export const framing: Scenario = {
  topic: 'framing',
  play(script) {
    script.open()
    script.note(
      script.since('2025-11-25')
        ? 'What is not JSON is refused, with an error that has no id, and the conversation goes on.'
        : 'What is not JSON cannot be answered: there are no errors without an id. The conversation goes on.',
      ...(idless(script) ? ['rpc.codes.parse-error'] : []),
      ...['rpc.error.id-absent-if-unreadable', 'rpc.error.id-required-legacy'],
    )
    script.noise('hello?', idless(script))
    script.noise('{"jsonrpc":"2.0","id":"cut","method":"pi', idless(script))
    script.call('text')
    script.note(
      'JSON that nests deeper than any message is refused before it is parsed; a notification still has no answer.',
      ...['rpc.response.same-id', 'rpc.notification.no-reply'],
    )
    script.noise(tooDeep, 1, { broken: false })
    script.noise(tooDeep.replace('"id":"deep","method":"ping"', '"method":"notifications/explode"'), 0, {
      broken: false,
    })
    script.call('text')
  },
}

export const nothingOffered: Scenario = {
  topic: 'nothing-offered',
  server: 'empty',
  play(script) {
    script.note(
      'A server that offers nothing declares nothing, and has no methods for it.',
      ...['rpc.codes.method-not-found', 'discover.capabilities-match', 'complete.errors'],
      ...['prompts.respect-capabilities', 'ver.ext.off-by-default'],
    )
    script.open()
    if (script.modern) script.request('server/discover')
    script.request('tools/list')
    script.call('text')
    script.request('resources/list')
    script.request('resources/templates/list')
    script.request('resources/read', { uri: 'note:///motto' })
    script.request('prompts/list')
    script.request('prompts/get', { name: 'greet' })
    const argument = { name: 'tone', value: '' }
    script.request('completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument })
    if (script.modern) return
    script.request('resources/subscribe', { uri: 'note:///motto' })
    script.request('resources/unsubscribe', { uri: 'note:///motto' })
    script.request('logging/setLevel', { level: 'info' })
  },
}
