import { createInterface } from 'node:readline/promises'
import { createHost } from '@tenon/host'
import { createTranscript } from '@tenon/host/chat'

const [model = 'anthropic/claude-sonnet-5-5', ...args] = process.argv.slice(2)
await using host = await createHost({ model, servers: { weather: { command: 'node', args, trusted: true } } })
await host.ready()
const transcript = createTranscript()
for await (const question of createInterface({ input: process.stdin })) {
  for await (const event of host.chat(question, { transcript })) {
    if (event.type === 'text') process.stdout.write(event.text)
    if (event.type === 'tool-call') console.log(`[${event.name} ${JSON.stringify(event.arguments)}]`)
    if (event.type === 'error') console.error(`The model did not answer: ${event.error.message}`)
    if (event.type === 'done') console.log()
  }
}
