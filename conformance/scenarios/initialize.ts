import { clientInfo, modernMeta, type Scenario } from '../runner/script.ts'

const handshake = (revision: string): boolean => revision !== '2026-07-28'

export const initialize: Scenario = {
  topic: 'initialize',
  revisions: handshake,
  play(script) {
    script.note(
      'The offered version is answered with itself, and the server says who it is in the words of the revision.',
      ...['life.version.server-echoes-supported', 'life.init.server-response', 'life.init.instructions'],
      ...['life.caps.implementation-fields', 'life.caps.advertise-implemented', 'tools.capability', 'res.capability'],
      ...['prompts.capability', 'log.capability', 'complete.capability', 'icons.src-required'],
    )
    script.request('initialize', {
      protocolVersion: script.revision,
      capabilities: { roots: { listChanged: true }, sampling: {}, experimental: { 'com.example/unknown': {} } },
      clientInfo,
    })
    script.note('The notification that ends the handshake is not answered.', 'rpc.notification.no-reply')
    script.notify('notifications/initialized')

    script.note('A connection is initialized once.', 'life.init.first-interaction')
    script.request('initialize', { protocolVersion: script.revision, capabilities: {}, clientInfo })
    script.note('The refusal changed nothing.')
    script.request('ping')
  },
}

export const counterOffer: Scenario = {
  topic: 'counter-offer',
  revisions: handshake,
  play(script) {
    script.note(
      'A version that the server does not know is answered with the newest that it has a handshake for.',
      ...['life.version.server-counter-offer', 'life.version.server-counter-latest', 'life.errors.be-prepared'],
    )
    script.request('initialize', { protocolVersion: '1999-12-31', capabilities: {}, clientInfo })
    script.notify('notifications/initialized')
    script.note(
      'The connection goes on in that version.',
      'life.caps.respect-version',
      'life.caps.respect-version-should',
    )
    script.call('text')
  },
}

export const legacyOnly: Scenario = {
  topic: 'legacy-only',
  server: 'legacy-only',
  revisions: (revision) => revision === '2025-11-25',
  play(script) {
    const _meta = modernMeta()
    script.note('A server that only knows handshakes waits for one, whatever a request says of itself.')
    script.say({ jsonrpc: '2.0', id: 'm1', method: 'server/discover', params: { _meta } }, { answers: 1 })
    script.note('A newer version is answered with its own.', 'life.version.server-counter-offer')
    script.request('initialize', { protocolVersion: '2026-07-28', capabilities: {}, clientInfo })
    script.notify('notifications/initialized')
    script.note('After it, what a request says of itself is ignored.', 'meta.unknown-keys-preserved')
    script.request('prompts/list', { _meta })
    script.request('server/discover', { _meta })
  },
}

export const beforeInitialize: Scenario = {
  topic: 'before-initialize',
  revisions: handshake,
  play(script) {
    script.note('Ping is answered before anything else.', 'ping.either-side')
    script.request('ping')
    script.note('Everything else has to wait.', 'life.init.first-interaction')
    script.request('tools/list')
    script.note('The handshake is never part of a batch.', 'life.init.not-in-batch', 'rpc.batch.not-in-protocol')
    const params = { protocolVersion: script.revision, capabilities: {}, clientInfo }
    const batches = script.revision === '2025-03-26'
    script.say([{ jsonrpc: '2.0', id: 'in a batch', method: 'initialize', params }], { answers: 1, broken: !batches })
    script.note('A notification too early is ignored.', 'rpc.notification.no-reply')
    script.notify('notifications/initialized')
    script.notify('notifications/roots/list_changed')

    script.note('An initialize that cannot be read is refused, member by member.', 'rpc.codes.invalid-params')
    script.request('initialize', undefined, { broken: true })
    script.request('initialize', { protocolVersion: script.revision, capabilities: {} }, { broken: true })
    script.request('initialize', { protocolVersion: script.revision, clientInfo }, { broken: true })
    script.request('initialize', { protocolVersion: 7, capabilities: {}, clientInfo }, { broken: true })

    script.note('None of that counts as an initialize.', 'life.version.server-echoes-supported')
    const capabilities = { sampling: {}, roots: {} }
    script.request('initialize', { protocolVersion: script.revision, capabilities, clientInfo })
    script.note(
      'Until the client has said that it is ready, the server asks nothing, but pings and logs.',
      'life.init.server-quiet-before-initialized',
    )
    script.call('sample')
    script.request('resources/subscribe', { uri: 'note:///motto' })
    script.call('touch')
    script.call('rearrange')
    script.call('log', undefined, { answers: 3 })
    script.call('ping_client')
    script.respond(1, {})
  },
}
