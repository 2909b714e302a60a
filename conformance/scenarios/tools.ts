import type { Scenario } from '../runner/script.ts'

const pages = 12

export const toolsList: Scenario = {
  topic: 'tools-list',
  play(script) {
    script.open()
    script.note(
      'The list comes in pages; a cursor leads to the next, and the last page has none.',
      ...['tools.list.paginated', 'page.operations', 'tools.def.name-and-input-schema', 'tools.name.unique'],
      ...['tools.list.respond', 'cache.hints-required', 'cache.same-scope-all-pages', 'ver.meta.server-info'],
      ...['tools.def.input-schema-not-null', 'tools.def.no-params-schema', 'tools.def.output-schema-object'],
    )
    script.request('tools/list')
    for (let page = 1; page < pages; page++) script.request('tools/list', { cursor: `<cursor-${page}>` })
    script.note('A page can be asked for again.', 'page.stable-cursors', 'tools.list.deterministic-order')
    script.request('tools/list', { cursor: '<cursor-1>' })
    script.note('A cursor that the server did not make is refused.', 'page.invalid-cursor')
    script.request('tools/list', { cursor: 'page 2, please' })
    script.request('tools/list', { cursor: '' })
    script.note('A cursor is a string.', 'rpc.codes.invalid-params')
    script.request('tools/list', { cursor: 2 }, { broken: true })
  },
}

export const toolsCall: Scenario = {
  topic: 'tools-call',
  play(script) {
    script.open()
    script.note(
      'Text, with annotations.',
      ...['tools.result.content-required', 'tools.result.text', 'tools.result.content-annotations'],
      ...['rpc.resulttype.required', 'rpc.resulttype.core-values'],
    )
    script.call('text')
    script.note(
      script.since('2025-06-18')
        ? 'Data with a schema travels as data, and as text for clients that do not look.'
        : 'Data travels as text: the revision has no structured content.',
      ...['tools.result.structured-also-text', 'tools.result.output-schema-conform', 'tools.result.structured-object'],
    )
    script.call('add', { a: 2, b: 3 })
    script.note(
      script.modern ? 'Data may be any JSON value.' : 'Data that is not an object travels as text.',
      'tools.result.structured-any',
    )
    script.call('colours')
    script.note('An image.', 'tools.result.image')
    script.call('image')
    script.note(
      script.since('2025-03-26') ? 'A sound.' : 'A sound is named: the revision cannot carry it.',
      'tools.result.audio',
    )
    script.call('audio')
    script.note(
      script.since('2025-06-18')
        ? 'A link to a resource, and two resources sent along.'
        : 'A link to a resource is named in text; two resources are sent along.',
      ...['tools.result.resource-link', 'tools.result.embedded-resource', 'tools.result.embedded-needs-capability'],
    )
    script.call('resources')
    script.note('A result with metadata of its own.', 'meta.unknown-keys-preserved')
    script.call('with_meta')
    script.note('A name that objects know is a name like any other.')
    script.call('__proto__')
    if (script.revision !== '2025-11-25') return
    script.note('A server without tasks does what was asked for at once.', 'task25.support.undeclared-ignore')
    script.request('tools/call', { name: '__proto__', task: { ttl: 60_000 } })
  },
}

export const toolsErrors: Scenario = {
  topic: 'tools-errors',
  play(script) {
    script.open()
    script.note('What a tool wants the model to read is a result.', 'tools.error.execution-in-result')
    script.call('fail')
    script.note(
      'What went wrong inside is not told; the id is for whoever reads the logs.',
      'tools.sec.sanitise-outputs',
    )
    script.call('crash')
    script.call('break_promise')
    script.note(
      script.since('2025-11-25')
        ? 'Wrong arguments are told to the model, which can correct itself.'
        : 'Wrong arguments are an error of the protocol.',
      ...[
        'tools.error.input-validation-in-result',
        'tools.error.invalid-arguments-protocol',
        'tools.sec.validate-inputs',
      ],
    )
    script.call('add', { a: 'two', b: 3 })
    script.call('add', { a: 2 })
    script.call('add')
    script.note(
      script.modern
        ? 'An error that a tool raises for the client; retired codes are said with those that took their place.'
        : 'An error that a tool raises for the client.',
      ...['rpc.codes.no-32002', 'rpc.codes.no-32042'],
    )
    script.call('lost')
    if (script.since('2025-11-25')) script.call('require_url')
    script.note('A tool that does not exist.', 'tools.error.unknown-tool', 'tools.name.case-sensitive')
    script.call('no_such_tool')
    script.call('Text')
    script.call('constructor')
    script.note('A request that is not a call of a tool.', 'tools.error.malformed-request', 'rpc.codes.invalid-params')
    script.request('tools/call', {}, { broken: true })
    script.request('tools/call', undefined, { broken: true })
    script.request('tools/call', { name: 7 }, { broken: true })
    script.request('tools/call', { name: 'add', arguments: [2, 3] }, { broken: true })
  },
}

export const listChanged: Scenario = {
  topic: 'list-changed',
  play(script) {
    script.open()
    if (script.modern) {
      const notifications = { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true }
      script.note('Who wants to be told of changes says so.', 'sub.listen.filter', 'sub.ack.first')
      script.request('subscriptions/listen', { notifications })
    }
    script.note(
      script.modern ? 'What changes is told there.' : 'What changes is told without being asked for.',
      ...['tools.list-changed', 'res.list-changed', 'prompts.list-changed', 'sub.id.on-every-notification'],
    )
    script.call('rearrange', undefined, { answers: 4 })
    script.note('What is gone is gone.', 'tools.error.unknown-tool')
    script.call('with_meta')
    script.request('prompts/get', { name: 'broken' })
    script.request('resources/read', { uri: 'image:///dot' })
  },
}
