import { createInterface } from 'node:readline/promises'
import Anthropic from '@anthropic-ai/sdk'
import { connect, type JsonObject } from '@tenon/sdk/client'

const [model = 'claude-sonnet-5-5', ...args] = process.argv.slice(2)
const anthropic = new Anthropic()
await using client = await connect({ command: 'node', args })

const tools: Anthropic.Tool[] = []
for await (const { name, description = '', inputSchema } of client.tools()) {
  tools.push({ name, description, input_schema: inputSchema as Anthropic.Tool.InputSchema })
}

/** The conversation so far: the model remembers nothing itself. */
const messages: Anthropic.MessageParam[] = []

/** Asks the model, makes the calls that it wants, and asks again, until it answers in words. */
async function answer(question: string): Promise<void> {
  messages.push({ role: 'user', content: question })
  for (let step = 1; step <= 10; step++) {
    const stream = anthropic.messages.stream({ model, max_tokens: 4096, tools, messages })
    stream.on('text', (text) => process.stdout.write(text))
    const { content } = await stream.finalMessage()
    messages.push({ role: 'assistant', content })
    const calls = content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) return console.log()
    messages.push({ role: 'user', content: await Promise.all(calls.map(call)) })
  }
  console.log('The model still wants to call tools after 10 steps')
}

/** Calls a tool. The model reads failures too: it may try something else. */
async function call({ id, name, input }: Anthropic.ToolUseBlock): Promise<Anthropic.ToolResultBlockParam> {
  console.log(`[${name} ${JSON.stringify(input)}]`)
  try {
    const { text, isError } = await client.callTool(name, input as JsonObject)
    return { type: 'tool_result', tool_use_id: id, content: text, is_error: isError }
  } catch (error) {
    return { type: 'tool_result', tool_use_id: id, content: `${error}`, is_error: true }
  }
}

for await (const question of createInterface({ input: process.stdin })) {
  await answer(question).catch((error: Error) => console.error(`The model did not answer: ${error.message}`))
}
