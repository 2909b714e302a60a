import { clientInfo, type Scenario } from '../runner/script.ts'

const ping = (id: string): object => ({ jsonrpc: '2.0', id, method: 'ping' })

export const batch: Scenario = {
  topic: 'batch',
  revisions: (revision) => revision === '2025-03-26',
  play(script) {
    const params = { protocolVersion: script.revision, capabilities: {}, clientInfo }
    script.open()
    script.note('Requests that come together are answered together.', 'rpc.batch.receive', 'rpc.batch.send')
    const call = { jsonrpc: '2.0', id: 'b2', method: 'tools/call', params: { name: 'text' } }
    const unknown = { jsonrpc: '2.0', id: 'b3', method: 'tools/explode' }
    script.say([ping('b1'), call, unknown], { answers: 1 })
    script.note('Only requests have answers.', 'rpc.notification.no-reply')
    const notification = { jsonrpc: '2.0', method: 'notifications/explode' }
    script.say([notification, ping('b4'), notification], { answers: 1 })
    script.say([notification, notification])
    script.note('Progress is not kept back until the whole batch is answered.', 'progress.increasing')
    const count = { name: 'count', _meta: { progressToken: 'b5' } }
    script.say([{ jsonrpc: '2.0', id: 'b5', method: 'tools/call', params: count }, ping('b6')], { answers: 3 })
    script.note('What was cancelled is missing from the answers.', 'cancel.receiver-stops')
    const wait = { jsonrpc: '2.0', id: 'b7', method: 'tools/call', params: { name: 'wait' } }
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'b7' } }
    script.say([wait, ping('b8'), cancel], { answers: 1 })
    script.note('Nonsense among requests does not spoil them.', 'rpc.codes.invalid-request')
    script.nonsense([ping('b9'), { jsonrpc: '2.0', id: 'b10' }, 7], 1)
    script.note('The handshake is never part of one.', 'life.init.not-in-batch')
    script.say([{ jsonrpc: '2.0', id: 'b11', method: 'initialize', params }, ping('b12')], { answers: 1 })
    script.note('More than the server takes at once: whoever asked is told so.', 'rpc.response.same-id')
    script.say([ping('b13'), notification, ping('b14'), ping('b15')], { answers: 3 })
    script.note('Two that use the same id.', 'rpc.request.id-unique-per-session')
    const slow = { jsonrpc: '2.0', id: 'b16', method: 'tools/call', params: { name: 'wait' } }
    const stop = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'b16' } }
    script.say([slow, ping('b16'), stop], { answers: 1 })
    script.note('An empty batch has nobody to answer to.', 'rpc.error.id-required-legacy')
    script.say([])
    script.request('ping')
  },
}
