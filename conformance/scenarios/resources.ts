import type { Scenario, Script } from '../runner/script.ts'

export const resources: Scenario = {
  topic: 'resources',
  play(script) {
    script.open()
    script.note(
      'The list, page by page.',
      ...[
        'res.list.paginated',
        'page.operations',
        'res.def.required-fields',
        'res.def.annotations',
        'res.list.respond',
      ],
      ...['cache.hints-required', 'cache.scope-values', 'cache.ttl-server-non-negative'],
    )
    script.request('resources/list')
    script.request('resources/list', { cursor: '<cursor-1>' })
    script.note('The templates, page by page.', 'res.templates.paginated', 'page.operations', 'cache.hints-required')
    script.request('resources/templates/list')
    script.request('resources/templates/list', { cursor: '<cursor-2>' })
    script.note('A cursor that the server did not make is refused.', 'page.invalid-cursor')
    script.request('resources/list', { cursor: 'nonsense' })
    script.request('resources/templates/list', { cursor: 'nonsense' })

    script.note('Text.', 'res.read.contents', 'cache.hints-required')
    script.request('resources/read', { uri: 'note:///motto' })
    script.note('Bytes.', 'res.read.contents', 'res.sec.binary-encoding', 'res.read.text-only-if-text')
    script.request('resources/read', { uri: 'image:///dot' })
    script.note('By a template.', 'res.read.contents')
    script.request('resources/read', { uri: 'library:///birds/owl' })
    script.request('resources/read', { uri: 'echo:///a/b%20c' })
  },
}

export const resourcesErrors: Scenario = {
  topic: 'resources-errors',
  play(script) {
    script.open()
    script.note(
      'A resource that does not exist, or not any more, or not behind a template.',
      ...[
        'res.error.not-found-32002',
        'res.error.not-found-32602',
        'res.error.no-empty-contents',
        'rpc.codes.no-32002',
      ],
      'res.sec.validate-uris',
    )
    script.request('resources/read', { uri: 'note:///nowhere' })
    script.request('resources/read', { uri: 'note:///gone' })
    script.request('resources/read', { uri: 'library:///birds/oak' })
    script.request('resources/read', { uri: 'not a URI' })
    script.note('What went wrong inside is not told.', 'res.error.internal', 'rpc.codes.internal-error')
    script.request('resources/read', { uri: 'note:///broken' })
    script.note('A request without a URI.', 'rpc.codes.invalid-params')
    script.request('resources/read', {}, { broken: true })
    script.request('resources/read', { uri: ['note:///motto'] }, { broken: true })
  },
}

function listening(script: Script): void {
  const listen = (id: string | number, uris: string[]): void =>
    script.request('subscriptions/listen', { notifications: { resourceSubscriptions: uris } }, { id })
  script.note('Nobody hears of changes without having asked for them.', 'sub.listen.omitted-means-no')
  script.call('touch')
  script.note(
    'Who asks is told first what will be told: of a resource that does not exist, nothing.',
    ...['sub.listen.filter', 'sub.ack.first', 'sub.ack.honoured-subset'],
  )
  listen('news', ['note:///motto', 'note:///nowhere'])
  script.note('Then it is, with the id of the request.', 'sub.id.on-every-notification', 'sub.listen.only-requested')
  script.call('touch', undefined, { answers: 2 })
  script.note('Several can be open at once. An id keeps its type.', 'sub.concurrent', 'sub.id.value')
  listen(7, ['image:///dot'])
  script.call('touch', undefined, { answers: 3 })
  script.note('Until the client ends it, which is not answered.', 'sub.end.client-stdio')
  script.notify('notifications/cancelled', { requestId: 'news' })
  script.call('touch', undefined, { answers: 2 })
  script.notify('notifications/cancelled', { requestId: 7 })
  script.call('touch')
  script.note('There is a limit.', 'rpc.codes.invalid-params')
  listen('many', ['number:///1', 'number:///2', 'number:///3', 'number:///4'])
  script.note('A filter that is none.', 'rpc.codes.invalid-params')
  script.request('subscriptions/listen', {}, { broken: true })
  script.request('subscriptions/listen', { notifications: { toolsListChanged: 'yes' } }, { broken: true })
}

export const subscriptions: Scenario = {
  topic: 'subscriptions',
  play(script) {
    script.open()
    if (script.modern) {
      script.note('Subscribing to one resource is not part of this revision.', 'res.subscribe.removed')
      script.request('resources/subscribe', { uri: 'note:///motto' })
      script.request('resources/unsubscribe', { uri: 'note:///motto' })
      listening(script)
      return
    }
    script.note('Without a subscription nothing is told.', 'res.subscribe.updated-only-if-subscribed')
    script.call('touch')
    script.note('With one, that resource is.', 'res.subscribe.updated-only-if-subscribed', 'res.capability.flags')
    script.request('resources/subscribe', { uri: 'note:///motto' })
    script.call('touch', undefined, { answers: 2 })
    script.note('Subscribing twice is subscribing once.')
    script.request('resources/subscribe', { uri: 'note:///motto' })
    script.call('touch', undefined, { answers: 2 })
    script.note('Until it is taken back.', 'res.subscribe.updated-only-if-subscribed')
    script.request('resources/unsubscribe', { uri: 'note:///motto' })
    script.call('touch')
    script.note('Taking back what never was does no harm.')
    script.request('resources/unsubscribe', { uri: 'note:///nowhere' })
    script.note('A resource that does not exist.', 'res.error.not-found-32002')
    script.request('resources/subscribe', { uri: 'note:///nowhere' })
    script.note('There is a limit.', 'rpc.codes.invalid-params')
    script.request('resources/subscribe', { uri: 'number:///1' })
    script.request('resources/subscribe', { uri: 'number:///2' })
    script.request('resources/subscribe', { uri: 'number:///3' })
    script.note('A request without a URI.', 'rpc.codes.invalid-params')
    script.request('resources/subscribe', {}, { broken: true })
    script.request('resources/unsubscribe', undefined, { broken: true })
  },
}
