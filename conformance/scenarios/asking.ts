import type { Scenario, Script } from '../runner/script.ts'

const handshake = (revision: string): boolean => revision !== '2026-07-28'

const filledIn = {
  name: 'Grace',
  email: 'grace@example.com',
  site: 'https://example.com/grace',
  born: '1906-12-09',
  when: '2025-06-18T20:00:00Z',
  people: 3,
  budget: 99.5,
  outside: false,
  size: 'large',
  colour: '#f00',
}

function askForUrl(script: Script): void {
  script.note(
    'A URL. Accepting means consent; what happens there comes later, and the client is told when it is done.',
    ...['elicit.url.params-2025-11', 'elicit.url.valid', 'elicit.url.accept-is-consent'],
    ...['elicit.url.complete-notification', 'elicit.url.complete-has-id'],
  )
  script.call('ask_url')
  script.respond(4, { action: 'accept' }, 2)
  script.note('A URL that the user does not want to open.', 'elicit.server.handle-actions')
  script.call('ask_url')
  script.respond(5, { action: 'decline' })
  script.note(
    'A call can be refused until the user has been somewhere.',
    ...['elicit.url.required-error', 'elicit.url.required-error-list', 'elicit.url.required-error-url-mode'],
    'elicit.error.required',
  )
  script.call('require_url')
}

export const elicitation: Scenario = {
  topic: 'elicitation',
  revisions: (revision) => revision === '2025-06-18' || revision === '2025-11-25',
  play(script) {
    const urls = script.since('2025-11-25')
    script.open({ elicitation: urls ? { form: {}, url: {} } : {} })
    script.note(
      'A form with every kind of field, filled in.',
      ...['elicit.request.direct', 'elicit.request.message', 'elicit.form.params', 'elicit.form.flat-schema'],
      ...['elicit.form.string', 'elicit.form.number', 'elicit.form.enum-names', 'elicit.form.enum-titled'],
      ...['elicit.form.enum-multi', 'elicit.form.default-boolean', 'elicit.form.default-all'],
      'rpc.direction.bidirectional-requests',
    )
    script.call('ask_form')
    const choices = urls ? { days: ['sat', 'sun'], extras: ['song'] } : { days: 'sat, sun', extras: 'A song' }
    script.respond(1, { action: 'accept', content: { ...filledIn, ...choices } })
    script.note('Declined, and dismissed.', 'elicit.server.handle-actions')
    script.call('ask_form')
    script.respond(2, { action: 'decline' })
    script.call('ask_form')
    script.respond(3, { action: 'cancel' })
    if (urls) askForUrl(script)
    const next = urls ? 6 : 4
    script.note('An answer that the form does not allow is not taken.', 'elicit.sec.server-validates')
    script.call('ask_form')
    script.respond(next, { action: 'accept', content: { name: 'Grace', people: 100 } })
    script.note('A client that fails is not the end of the server.', 'elicit.server.handle-actions')
    script.call('ask_form')
    script.refuse(next + 1, { code: -32603, message: 'The window manager is on fire' })
  },
}

const answer = { role: 'assistant', model: 'tiny-1', stopReason: 'endTurn', content: { type: 'text', text: '8849 m' } }

export const sampling: Scenario = {
  topic: 'sampling',
  revisions: handshake,
  play(script) {
    const tools = script.since('2025-11-25')
    script.open({ sampling: tools ? { tools: {} } : {} })
    script.note(
      'The server asks the model of the client.',
      ...['sampling.direct-request', 'sampling.request.required', 'sampling.msg.single-content'],
      ...['sampling.pref.priority-range', 'rpc.direction.bidirectional-requests'],
    )
    script.call('sample')
    script.respond(1, answer)
    script.note('The user says no.')
    script.call('sample')
    script.refuse(2, { code: -1, message: 'User rejected sampling request' })
    script.note('An answer that is no message is not taken.', 'sampling.sec.validate-content')
    script.call('sample')
    script.nonsense({ jsonrpc: '2.0', id: 3, result: { ...answer, role: 'oracle' } }, 1)
    script.call('sample')
    script.nonsense({ jsonrpc: '2.0', id: 4, result: { ...answer, content: { type: 'text' } } }, 1)
    if (!tools) return
    script.note(
      'With tools, after one of them was used.',
      ...['sampling.tools.server-respects', 'sampling.msg.content-array', 'sampling.tools.balance'],
      ...['sampling.tools.result-id', 'sampling.tools.results-only-message', 'sampling.tools.server-answers-all'],
    )
    script.call('sample_with_tools')
    const use = { type: 'tool_use', id: 'use-2', name: 'height', input: { of: 'K2' } }
    script.respond(5, { role: 'assistant', model: 'tiny-1', stopReason: 'toolUse', content: [use] })
  },
}

export const roots: Scenario = {
  topic: 'roots',
  revisions: handshake,
  play(script) {
    script.open({ roots: { listChanged: true } })
    script.note('The server asks where it may work.', 'roots.list.request', 'roots.server.check-capability')
    script.call('list_roots')
    script.respond(1, { roots: [{ uri: 'file:///home/ada/notes', name: 'Notes' }, { uri: 'file:///tmp' }] })
    script.note('Nowhere.', 'roots.list.request')
    script.call('list_roots')
    script.respond(2, { roots: [] })
    script.note('When that changes it asks again.', 'roots.server.handle-changes')
    script.notify('notifications/roots/list_changed', undefined, 1)
    script.respond(3, { roots: [] }, 0)
    script.note('A client that cannot answer after all.', 'roots.server.unavailable')
    script.call('list_roots')
    script.refuse(4, { code: -32601, message: 'Roots not supported' })
  },
}

export const missingCapabilities: Scenario = {
  topic: 'missing-capabilities',
  play(script) {
    script.open()
    script.note(
      script.modern
        ? 'What the request did not declare is not asked for; the error says what is missing.'
        : 'What the client did not declare is not asked for; the tool says so.',
      ...['life.caps.only-negotiated', 'life.caps.only-negotiated-should', 'ver.caps.missing-error'],
      ...['ver.caps.no-undeclared', 'roots.server.check-capability', 'sampling.tools.server-respects'],
      ...['rpc.codes.reserved-range-meaning', 'mrtr.server.respect-capabilities', 'life.caps.respect-declared'],
      'life.errors.be-prepared',
    )
    script.call('ask_form')
    script.call('ask_url')
    script.call('sample')
    script.call('sample_with_tools')
    script.call('list_roots')
    if (!script.modern) return
    script.note(
      'What one request declared is nothing to the next, and a part of a capability is not the whole.',
      ...['ver.caps.no-inference', 'elicit.capability-empty-is-form', 'elicit.mode.supported-only'],
    )
    script.call('text', undefined, { capabilities: { sampling: { tools: {} }, elicitation: { url: {} }, roots: {} } })
    script.call('ask_url', undefined, { capabilities: { elicitation: {} } })
    script.call('ask_form', undefined, { capabilities: { elicitation: { url: {} } } })
    script.call('sample_with_tools', undefined, { capabilities: { sampling: {} } })
    script.note('Some clients write null for what they cannot do.', 'ver.caps.no-undeclared')
    script.call('sample', undefined, { capabilities: { sampling: null }, broken: true })
    script.call('ask_form', undefined, { capabilities: { elicitation: null }, broken: true })
  },
}

export const formsOnly: Scenario = {
  topic: 'forms-only',
  revisions: (revision) => revision === '2025-11-25',
  play(script) {
    script.open({ elicitation: {}, sampling: {} })
    script.note(
      'An empty capability declares forms, and no URLs.',
      ...['elicit.capability-empty-is-form', 'elicit.mode.supported-only'],
    )
    script.call('ask_url')
    script.call('ask_form')
    script.respond(1, { action: 'decline' })
    script.note('Sampling without its tools is sampling without tools.', 'sampling.tools.server-respects')
    script.call('sample_with_tools')
  },
}
