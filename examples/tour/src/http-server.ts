import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { everything } from './server.ts'

interface RunningServer extends AsyncDisposable {
  url: string
}

/** Starts `everything --http` on any free port; it says on standard error where it listens. */
export async function startHttpServer(): Promise<RunningServer> {
  const { command, args = [] } = everything
  const child = spawn(command, [...args, '--http', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = /http:\/\/\S+\/mcp/.exec(said)
      if (found !== null) resolve(found[0])
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`everything --http ended with ${code}: ${said}`)))
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { url, [Symbol.asyncDispose]: stop }
}
