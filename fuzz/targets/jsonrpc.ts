import fc from 'fast-check'
import { isRpcError } from '../../packages/sdk/src/errors.ts'
import type { Channel } from '../../packages/sdk/src/jsonrpc/channel.ts'
import { classify, explainInvalid } from '../../packages/sdk/src/jsonrpc/classify.ts'
import type { JsonObject, Payload } from '../../packages/sdk/src/jsonrpc/message.ts'
import { Peer } from '../../packages/sdk/src/jsonrpc/peer.ts'
import type { PeerDelegate } from '../../packages/sdk/src/jsonrpc/peer-options.ts'
import { mutatedValue } from '../lib/mutate.ts'
import { saidMessages } from '../lib/seeds.ts'
import { assert, assertEqual, show, type Target, target } from '../lib/target.ts'

const messages = saidMessages()

/** One end of a conversation with an arbitrary peer; collects its answers. */
function openPeer(): { peer: Peer; sent: Payload[]; complaints: Error[] } {
  const sent: Payload[] = []
  const complaints: Error[] = []
  const channel: Channel = { open: () => {}, send: (payload) => void sent.push(payload), close: async () => {} }
  const delegate: PeerDelegate = {
    request: () => ({}),
    notification: () => {},
    abandoned: () => {},
    toWireError: () => ({ code: -32603, message: 'Internal error' }),
    protocolError: (error) => complaints.push(error),
    closed: () => {},
    batches: () => true,
    errorsWithoutId: () => true,
    answersForeign: () => true,
  }
  return { peer: new Peer(channel, delegate), sent, complaints }
}

async function checkConversation(values: unknown[]): Promise<void> {
  const { peer, sent, complaints } = openPeer()
  for (const value of values) {
    sent.length = 0
    complaints.length = 0
    peer.receive(value)
    await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    judge(value, sent.flat() as unknown as JsonObject[], complaints)
  }
  await peer.close()
}

/** A request is answered once, with its id; an invalid message is reported; nothing else is answered. */
function judge(value: unknown, answers: JsonObject[], complaints: Error[]): void {
  const kind = classify(value)
  if (kind === 'request') {
    assertEqual(
      answers.map(({ id }) => id),
      [(value as JsonObject).id],
      'answers to a request',
    )
  } else if (kind === 'batch') {
    const asked = (value as unknown[]).filter((one) => classify(one) === 'request').length
    assert(answers.length >= Math.min(asked, 1), `a batch with ${asked} requests got ${answers.length} answers`)
  } else if (kind === 'invalid') {
    assert(complaints.length > 0 && complaints.every(isRpcError), `no complaint about ${show(value)}`)
    assert(/expected|not both/.test(explainInvalid(value).message), `vague: ${explainInvalid(value).message}`)
    assert(answers.length <= 1, `${answers.length} answers to what is no message`)
  } else assertEqual(answers, [], `answers to a ${kind}`)
  for (const answer of answers) assert(['result', 'error'].includes(classify(answer)), `answered ${show(answer)}`)
}

export const jsonrpc: Target = target({
  name: 'jsonrpc',
  claim: 'whatever arrives is classified, each request is answered once, and what is no message is explained',
  inputs: fc.array(mutatedValue(fc.oneof(fc.constantFrom(...messages), fc.jsonValue({ maxDepth: 2 }))), {
    minLength: 1,
    maxLength: 4,
  }),
  check: checkConversation,
})
