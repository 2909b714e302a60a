// A view that behaves. Bundled into its page.
import { connectToHost } from '@tenon/sdk/apps/view'

const line = document.createElement('p')
const answer = document.createElement('output')
const button = document.createElement('button')
document.body.append(line, answer, button)

const host = await connectToHost({
  info: { name: 'view', version: '1.0.0' },
  displayModes: ['inline', 'fullscreen'],
  onToolInput: ({ name }) => {
    line.textContent = `Greeting ${name}`
  },
  onToolResult: ({ text }) => {
    line.textContent = text
    line.style.height = '321px'
  },
  onTeardown: () => host.callTool('private'),
})
button.onclick = async () => {
  answer.textContent = (await host.callTool('private')).text
}
globalThis.host = host
