import { clientInfo, modernMeta, type Scenario, type Script } from '../runner/script.ts'

const onlyHere = (revision: string): boolean => revision === '2026-07-28'
const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const clientName = 'io.modelcontextprotocol/clientInfo'

/** A request whose `_meta` is exactly this. */
const withMeta = (script: Script, id: string, _meta: unknown, broken = true): void =>
  script.say({ jsonrpc: '2.0', id, method: 'prompts/list', params: { _meta } }, { answers: 1, broken })

const listAll = (script: Script): void => {
  for (const what of ['tools', 'resources', 'resources/templates', 'prompts']) script.request(`${what}/list`)
}

export const discover: Scenario = {
  topic: 'discover',
  revisions: onlyHere,
  play(script) {
    script.note(
      'The server says what it speaks and what it can do.',
      ...['discover.mandatory', 'discover.result-fields', 'discover.server-info-in-meta', 'discover.instructions'],
      ...['cache.hints-required', 'rpc.resulttype.required', 'life.caps.advertise-implemented'],
      ...['tools.capability', 'res.capability', 'prompts.capability', 'log.capability', 'complete.capability'],
      ...['life.caps.implementation-fields', 'icons.src-required', 'ver.ext.capability-map'],
    )
    script.request('server/discover')
    script.note('Who the client is may be left out.', 'ver.meta.client-info-not-required')
    withMeta(script, 'anonymous', { [version]: '2026-07-28', [capabilities]: {} }, false)
    script.note(
      'What nobody knows is ignored.',
      'meta.unknown-keys-preserved',
      'trace.reserved-keys',
      'life.caps.open-set',
    )
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'com.example/x': [1] }
    withMeta(script, 'traced', { ...modernMeta({ 'com.example/new': {} }), ...trace }, false)
  },
}

export const requestMeta: Scenario = {
  topic: 'request-meta',
  revisions: onlyHere,
  play(script) {
    script.note('What every request has to say, and did not.', 'ver.meta.missing-required-invalid-params')
    script.nonsense({ jsonrpc: '2.0', id: 'm0', method: 'prompts/list' }, 1)
    withMeta(script, 'm00', {})
    withMeta(script, 'm1', { [version]: '2026-07-28' })
    withMeta(script, 'm2', { [version]: '2026-07-28', [capabilities]: [] })
    withMeta(script, 'm3', { [version]: 20260728, [capabilities]: {} })
    script.note(
      'A version that the server does not speak; the error says which it does.',
      ...['ver.nego.unsupported-error', 'rpc.codes.reserved-range-meaning'],
    )
    withMeta(script, 'm4', { [version]: '2030-01-01', [capabilities]: {} }, false)
    script.note('A version with a handshake is none for a request.', 'ver.nego.unsupported-error')
    withMeta(script, 'm5', { [version]: '2025-11-25', [capabilities]: {} }, false)
    script.note('What is missing is told before what is unknown.', 'ver.meta.missing-required-invalid-params')
    withMeta(script, 'm6', { [version]: '2030-01-01' })
    script.note('Methods of the handshake do not exist here.', 'ping.removed', 'rpc.codes.method-not-found')
    script.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    script.request('ping')
  },
}

export const bothEras: Scenario = {
  topic: 'both-eras',
  revisions: onlyHere,
  play(script) {
    script.note('A request that says everything itself needs no handshake.', 'ver.compat.modern-meta-selects-modern')
    script.call('add', { a: 1, b: 2 })
    listAll(script)
    script.note(
      'A handshake afterwards opens a session in its own version.',
      ...['ver.compat.initialize-selects-legacy', 'ver.compat.dual-server-allowed'],
    )
    const params = { protocolVersion: '2025-03-26', capabilities: { sampling: {} }, clientInfo }
    script.say({ jsonrpc: '2.0', id: 'l1', method: 'initialize', params }, { answers: 1 })
    script.notify('notifications/initialized')
    script.say(
      { jsonrpc: '2.0', id: 'l2', method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } },
      { answers: 1 },
    )
    script.note('The other kind of request still works beside it.', 'ver.compat.eras-concurrently')
    script.call('add', { a: 1, b: 2 })
    script.note(
      'Its lists are the same as before: what else is said on a connection makes no difference.',
      ...['tools.list.not-per-connection', 'res.list.not-per-connection', 'prompts.list.not-per-connection'],
      ...['rpc.stateless.connection-not-session', 'tools.list.deterministic-order'],
    )
    listAll(script)
    script.note('News goes to the session, and is told once.', 'ver.compat.eras-concurrently')
    script.call('rearrange', undefined, { answers: 4 })
    script.note('The log level of the session is not the level of the request.', 'log.opt-in-per-request')
    script.say({ jsonrpc: '2.0', id: 'l3', method: 'logging/setLevel', params: { level: 'debug' } }, { answers: 1 })
    script.call('log')
    script.say({ jsonrpc: '2.0', id: 'l4', method: 'tools/call', params: { name: 'log' } }, { answers: 4 })
    script.note(
      'The capabilities of the session are not those of the request.',
      ...['ver.caps.no-inference', 'rpc.stateless.no-prior-request-context', 'rpc.stateless.connection-not-session'],
    )
    script.call('sample')
    script.note('Errors of each in its own words.', 'res.error.not-found-32602', 'rpc.codes.no-32002')
    script.request('resources/read', { uri: 'note:///nowhere' })
    script.say(
      { jsonrpc: '2.0', id: 'l5', method: 'resources/read', params: { uri: 'note:///nowhere' } },
      { answers: 1 },
    )
  },
}

export const manyCallers: Scenario = {
  topic: 'many-callers',
  revisions: onlyHere,
  play(script) {
    const ada = { [clientName]: { name: 'ada', version: '1.0.0' } }
    const bob = { [clientName]: { name: 'bob', version: '1.0.0' }, 'io.modelcontextprotocol/logLevel': 'error' }
    script.note(
      'Callers that know nothing of each other share a connection: each gets what it asked for, and nothing else.',
      ...['rpc.stateless.many-conversations', 'rpc.stateless.no-prior-request-context'],
      'rpc.pattern.request-scoped-notifications',
    )
    script.call('wait', undefined, { id: 'ada-1', meta: ada, answers: 0 })
    script.call('log', undefined, { id: 'bob-1', meta: bob, answers: 2 })
    script.call('count', undefined, { id: 'ada-2', meta: { ...ada, progressToken: 'a' }, answers: 3 })
    script.call('log', undefined, { id: 'ada-3', meta: ada })
    script.call('count', undefined, { id: 'bob-2', meta: bob })
    script.note('What one of them gives up is not lost to the other.', 'cancel.receiver-stops')
    script.call('wait', undefined, { id: 'bob-3', meta: bob, answers: 0 })
    script.notify('notifications/cancelled', { requestId: 'ada-1' })
    script.call('text', undefined, { id: 'ada-4', meta: ada })
    script.notify('notifications/cancelled', { requestId: 'bob-3' })
  },
}

export const modernOnly: Scenario = {
  topic: 'modern-only',
  server: 'modern-only',
  revisions: onlyHere,
  play(script) {
    script.note(
      'A server without a handshake says so to who expects one, with the versions that it speaks.',
      ...['ver.compat.modern-only-server-hint', 'ver.compat.modern-server-rejects-legacy-stdio'],
    )
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    script.say({ jsonrpc: '2.0', id: 'l1', method: 'initialize', params }, { answers: 1 })
    script.note(
      'One that cannot be read is told so too.',
      ...['ver.compat.modern-only-server-hint', 'ver.compat.modern-server-rejects-legacy-stdio'],
    )
    script.nonsense({ jsonrpc: '2.0', id: 'l2', method: 'initialize', params: {} }, 1)
    script.note('Not even a ping is answered without its metadata.', 'ver.meta.missing-required-invalid-params')
    script.say({ jsonrpc: '2.0', id: 'l3', method: 'ping' }, { answers: 1 })
    script.note('It lists no other version.', 'discover.result-fields')
    script.request('server/discover')
    script.note('Nor does it speak one.', 'ver.nego.unsupported-error')
    withMeta(script, 'm1', { [version]: '2025-11-25', [capabilities]: {} }, false)
  },
}

export const offeredByHandshake: Scenario = {
  topic: 'offered-by-handshake',
  revisions: onlyHere,
  play(script) {
    script.note(
      'A handshake cannot agree on a version without one: the newest that has one is offered instead.',
      'ver.compat.initialize-selects-legacy',
    )
    const params = { protocolVersion: '2026-07-28', capabilities: {}, clientInfo }
    script.say({ jsonrpc: '2.0', id: 'l1', method: 'initialize', params }, { answers: 1 })
    script.notify('notifications/initialized')
    script.say({ jsonrpc: '2.0', id: 'l2', method: 'ping' }, { answers: 1 })
  },
}
