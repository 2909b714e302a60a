/** One turn of a conversation in a process of its own: it prints each event, and stops for good after the one it is told. */

import { chat, openTranscript, scriptedModel } from '@tenon/host/chat'
import { connect } from '@tenon/sdk/client'

const [file, server, log, stopAfter, input] = process.argv.slice(2)

const client = await connect({ command: process.execPath, args: [server], env: { WORKSHOP_LOG: log } })
const tools = []
for await (const tool of client.tools()) tools.push({ name: `shop__${tool.name}`, server: 'shop', tool })
const toolbox = {
  tools,
  callTool: (name, args, { callId: _callId, ...options }) =>
    client.callTool(name.slice('shop__'.length), args, options),
  readResource: (_server, uri, options) => client.readResource(uri, options),
}

const note = (note) => ({ name: 'shop__write_note', arguments: { note } })
const model = scriptedModel([
  { step: 1, text: 'Two notes.', calls: [note('one'), note('two')] },
  { step: 2, text: 'One more.', calls: [note('three')] },
  { step: 3, text: 'All done.' },
])

const transcript = await openTranscript(file, { secrets: ['hunter2'] })
let count = 0
for await (const event of chat(toolbox, model, input || undefined, { transcript })) {
  process.stdout.write(`${JSON.stringify({ ...event, error: event.error?.message })}\n`)
  if (++count === Number(stopAfter)) process.kill(process.pid, 'SIGKILL')
}
await transcript.close()
await client.close()
