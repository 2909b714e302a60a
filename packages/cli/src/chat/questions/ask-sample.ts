import type { Answer, SampleQuestion } from '@tenon/host'
import type { Terminal } from '../../terminal/terminal.ts'
import { paragraph, say } from '../../terminal/text.ts'
import { askToAllow } from './allow.ts'

/** Asks whether a server may have an answer of the model; shows the request in full. */
export async function askSample(
  { server, call, request, signal }: SampleQuestion,
  terminal: Terminal,
): Promise<Answer> {
  const { bold, dim } = terminal.notes
  const during = call === undefined ? say`` : say` during ${call.tool}`
  terminal.warn(say`${bold(server)} wants an answer of the model of at most ${request.maxTokens} tokens${during}`)
  if (request.systemPrompt !== undefined) terminal.warn(say`  ${dim('system')}  ${paragraph(request.systemPrompt)}`)
  for (const { role, content } of request.messages) {
    for (const block of [content].flat()) {
      const shown = block.type === 'text' ? block.text : `[${block.type}]`
      terminal.warn(say`  ${dim(role)}  ${paragraph(shown)}`)
    }
  }
  for (const { name } of request.tools ?? []) terminal.warn(say`  ${dim('tool')}  ${name}`)
  const help = 'y: this request. n: not. session: all of this server until the chat ends.'
  return { answer: await askToAllow({ help }, terminal, signal) }
}
