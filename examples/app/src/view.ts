/** The view. It runs in a sandbox of the host, and talks to nobody but the host. */
import { connectToHost } from '@tenon/sdk/apps/view'

const show = (text: string): void => {
  document.querySelector('main')!.textContent = text
}

const host = await connectToHost({
  info: { name: 'dice', version: '1.0.0' },
  onToolInput: ({ sides }) => show(`Rolling a die with ${sides ?? 6} sides …`),
  onToolResult: ({ content }) => show(content[0]?.type === 'text' ? content[0].text : ''),
})

document.querySelector('button')!.addEventListener('click', async () => show((await host.callTool('again')).text))
