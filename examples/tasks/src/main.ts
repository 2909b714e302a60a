import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, connect } from '@tenon/sdk/client'

const folder = await mkdtemp(join(tmpdir(), 'tasks-'))
const args = [fileURLToPath(new URL('server.js', import.meta.url)), folder]
const startServer = (): Promise<Client> =>
  connect(
    { command: 'node', args },
    {
      elicit: ({ message }) => {
        console.log(`the user is asked: ${message}`)
        return { action: 'accept', content: { title: 'Joints' } }
      },
    },
  )

// The call is answered at once with a task. Its id is all that one has to keep.
const morning = await startServer()
const { id } = await morning.tasks.start('publish', { file: 'joints.mov' })
let task = await morning.tasks.get(id!)
while (task.status === 'working') task = await morning.tasks.get(id!)
console.log(`before the restart: ${task.status}`)
await morning.close()

// Another process of the server takes it up again: the question is answered, and the encoding is not repeated.
const evening = await startServer()
const { text } = await evening.tasks.result(id!, { tool: 'publish' })
console.log(text.replace(/\d+/, '…'))
assert.match(text, /^Published “Joints”/)

await evening.close()
await rm(folder, { recursive: true })
