// The requests, and the expected answers.
import { checkEcho, quote, request, texts, toolCall } from '../lib/messages.mjs'
import { records, recordsIn } from '../lib/records.mjs'

/** @type {Record<string, (era: string, settings: object) => { message: object, check: (messages: object[]) => void }[]>} */
const kinds = {
  echo: (era, { count = 64, handler }) => texts(count).map((text, id) => echoOf(era, id, text, toolOf(handler))),
  text: (era, { bytes }) => [0, 1].map((id) => echoOf(era, id, String(id).repeat(bytes))),
  list: (era, { tools }) => [
    { message: request(era, 0, 'tools/list'), check: (messages) => checkList(messages, tools) },
  ],
  progress: (era, { operations }) => [
    {
      message: toolCall(era, 0, 'count', { to: operations }, { progressToken: 'bench' }),
      check: (messages) => checkProgress(messages, operations),
    },
  ],
  work: (era, { rounds }) => [
    { message: toolCall(era, 0, 'work', { rounds }), check: ([message]) => checkEcho(message, 0, `${rounds} rounds`) },
  ],
  arguments: (era, { bytes }) => {
    const count = recordsIn(bytes)
    const expected = `${count} records`
    return [0, 1].map((id) => ({
      message: toolCall(era, id, 'count-records', { records: records(count) }),
      check: (messages) => checkEcho(messages.at(-1), id, expected),
    }))
  },
  structured: (era, { bytes }) => [0, 1].map((id) => structuredOf(era, id, recordsIn(bytes))),
}

export const exchangesFor = (kind, era, settings) => kinds[kind](era, settings)

/** The tool with that kind of handler: synchronous, `async`, or `async` with a timer of 1 ms. */
const toolOf = (handler = 'sync') => (handler === 'sync' ? 'echo' : `echo-${handler}`)

function echoOf(era, id, text, tool = 'echo') {
  return { message: toolCall(era, id, tool, { text }), check: (messages) => checkEcho(messages.at(-1), id, text) }
}

function structuredOf(era, id, count) {
  const expected = JSON.stringify({ records: records(count) })
  return {
    message: toolCall(era, id, 'make-records', { count }),
    check(messages) {
      const { structuredContent, isError } = messages.at(-1)?.result ?? {}
      if (!isError && messages.at(-1).id === id && JSON.stringify(structuredContent) === expected) return
      throw new Error(`wrong records: expected ${quote(expected)}, got ${quote(JSON.stringify(messages.at(-1)))}`)
    },
  }
}

function checkList(messages, count) {
  const { tools } = messages.at(-1)?.result ?? {}
  if (tools?.length === count && tools.every(isWholeTool)) return
  throw new Error(`wrong answer to tools/list: expected ${count} tools, got ${quote(JSON.stringify(messages.at(-1)))}`)
}

const isWholeTool = ({ name, inputSchema }, i) =>
  name.endsWith(`tool-${i}`) && inputSchema.properties.text.type === 'string'

function checkProgress(messages, count) {
  const inOrder = messages.slice(0, -1).every(({ params }, i) => params.progress === i + 1)
  if (!inOrder || messages.length !== count + 1) {
    throw new Error(`expected progress from 1 to ${count} and a result, got ${messages.length} messages`)
  }
  checkEcho(messages.at(-1), 0, 'counted')
}
