import type { Scenario, Script } from '../runner/script.ts'

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
/** How many of the messages of the tool `log`, at debug, info and error, pass each level. */
const passing = [3, 2, 1, 1, 1, 0, 0, 0]

function perRequest(script: Script): void {
  script.note('Without a level nothing is logged.', 'log.opt-in-per-request')
  script.call('log')
  for (const [index, level] of levels.entries()) {
    script.note(
      `At ${level} or above.`,
      ...['log.at-or-above', 'log.levels', 'rpc.pattern.request-scoped-notifications'],
      ...(passing[index] ? ['rpc.notification.no-id', 'sub.id.absent-elsewhere'] : []),
    )
    script.call('log', undefined, {
      meta: { 'io.modelcontextprotocol/logLevel': level },
      answers: passing[index]! + 1,
    })
  }
  script.note(
    'One request says nothing about the next.',
    'log.opt-in-per-request',
    'rpc.stateless.no-prior-request-context',
  )
  script.call('log')
  script.note('A level that does not exist.', 'log.invalid-level')
  script.call('log', undefined, { meta: { 'io.modelcontextprotocol/logLevel': 'loud' }, broken: true })
  script.note('There is no level for a connection.', 'log.set-level-removed')
  script.request('logging/setLevel', { level: 'debug' })
}

function perConnection(script: Script): void {
  script.note('Until the client says otherwise the server decides.', 'log.unset-level-free', 'log.capability')
  script.call('log', undefined, { answers: 3 })
  for (const [index, level] of levels.entries()) {
    script.note(`At ${level} or above.`, 'log.set-level-threshold', 'log.levels')
    script.request('logging/setLevel', { level })
    script.call('log', undefined, { answers: passing[index]! + 1 })
  }
  script.note('A level that does not exist changes nothing.', 'log.invalid-level')
  script.request('logging/setLevel', { level: 'loud' }, { broken: true })
  script.request('logging/setLevel', undefined, { broken: true })
  script.call('log')
}

export const logging: Scenario = {
  topic: 'logging',
  play(script) {
    script.open()
    if (script.modern) perRequest(script)
    else perConnection(script)
  },
}

export const progress: Scenario = {
  topic: 'progress',
  play(script) {
    script.open()
    script.note(
      'Whoever gave a token hears of progress, which always grows, before the answer.',
      ...[
        'progress.increasing',
        'progress.active-tokens-only',
        'progress.stop-after-completion',
        'progress.token-type',
      ],
      ...['progress.floating-point', 'progress.message', 'meta.progress-token-key'],
      ...['rpc.notification.no-id', 'sub.id.absent-elsewhere'],
    )
    script.call('count', undefined, { meta: { progressToken: 'count-1' }, answers: 3 })
    script.call('count', undefined, { meta: { progressToken: 0 }, answers: 3 })
    script.note('Whoever gave none hears nothing.', 'progress.optional')
    script.call('count')
    script.note('Some clients write null for none.', 'progress.token-type')
    script.call('count', undefined, { meta: { progressToken: null }, broken: true })
    script.note('A token is a string or an integer.', 'progress.token-type', 'rpc.codes.invalid-params')
    script.call('count', undefined, { meta: { progressToken: {} }, broken: true })
    if (script.modern) return
    script.note('Progress on what nobody asked for is ignored.', 'rpc.notification.no-reply')
    script.notify('notifications/progress', { progressToken: 'unknown', progress: 1 })
    script.request('ping')
  },
}

function askAndCancel(script: Script): void {
  const elicits = script.since('2025-06-18')
  script.note(
    'With the request goes what the server asked for its sake.',
    ...['cancel.either-side', 'cancel.same-direction', 'cancel.request-id-required', 'cancel.request-id-non-task'],
  )
  script.call(elicits ? 'ask_form' : 'sample', undefined, { id: 'asking' })
  script.notify('notifications/cancelled', { requestId: 'asking', reason: 'Closed the dialog' }, 1)
  script.note('An answer that was on its way is ignored.', 'cancel.sender-ignores-late-response', 'cancel.races')
  script.respond(
    1,
    elicits ? { action: 'cancel' } : { role: 'assistant', model: 'm', content: { type: 'text', text: '' } },
    0,
  )
  script.request('ping')
}

export const cancellation: Scenario = {
  topic: 'cancellation',
  play(script) {
    script.open(script.since('2025-06-18') ? { elicitation: {} } : { sampling: {} })
    script.note(
      'A request that was cancelled is not answered: the next message is the answer to the next request.',
      ...['cancel.receiver-stops', 'cancel.client-requests-only', 'stdio.cancel.silence', 'stdio.cancel.stop-work'],
    )
    script.call('wait', undefined, { id: 'slow', answers: 0 })
    script.notify('notifications/cancelled', { requestId: 'slow', reason: 'Took too long' })
    script.call('text')
    script.note('Two at once.', 'cancel.receiver-stops')
    script.call('wait', undefined, { id: 100, answers: 0 })
    script.call('wait', undefined, { id: 101, answers: 0 })
    script.notify('notifications/cancelled', { requestId: 101 })
    script.notify('notifications/cancelled', { requestId: 100 })
    script.call('text')
    script.note(
      'Too late, unknown and malformed cancellations are ignored.',
      ...['cancel.ignore-invalid', 'cancel.receiver-may-ignore', 'cancel.races'],
    )
    script.notify('notifications/cancelled', { requestId: 'slow' })
    script.notify('notifications/cancelled', { requestId: 1 })
    script.notify('notifications/cancelled', { requestId: 'never sent', reason: 'Why not' })
    script.say(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} },
      { broken: script.revision !== '2025-11-25' },
    )
    script.nonsense({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: { a: 1 } } }, 0)
    script.call('text')
    if (!script.modern) askAndCancel(script)
  },
}
