import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerSpec } from '../src/protocol.ts'

/** A process with a tool for each way to misbehave in the middle of a call. */
export const troubled: ServerSpec = {
  kind: 'command',
  name: 'troubled',
  command: process.execPath,
  revision: '2025-06-18',
  args: [
    '-e',
    `
    const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
    const done = (id) => say({ id, result: { content: [{ type: 'text', text: 'answered all the same' }] } })
    const tools = {
      die: () => { process.stderr.write('these are my last words\\n', () => process.exit(7)) },
      hang: () => {},
      shout: (id) => {
        process.stderr.write(Array.from({ length: 20000 }, (_, at) => 'line ' + at).join('\\n') + '\\n', () => done(id))
      },
      babble: (id) => { process.stdout.write('Server is running!\\n{"half":\\n\\n', () => done(id)) },
      refuse: (id) => say({ id, error: { code: -32001, message: 'Not today', data: { until: 'tomorrow' } } }),
      lie: (id) => say({ id, result: { content: 'no list' } }),
      lure: (id, { url }) => {
        say({ id: 'lure', method: 'elicitation/create', params: { mode: 'url', message: 'Look', url, elicitationId: 'e' } })
        answered = ({ result, error }) =>
          say({ id, result: { content: [{ type: 'text', text: result?.action ?? error.message }] } })
      },
    }
    let answered
    const serverInfo = { name: 'troubled', version: '1' }
    const answers = {
      'tools/list': { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) },
      ping: {},
    }
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params, ...reply } = JSON.parse(line)
      if (id === 'lure') answered(reply)
      else if (method === 'initialize')
        say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
      else if (method === 'tools/call') tools[params.name](id, params.arguments)
      else if (answers[method]) say({ id, result: answers[method] })
    }).on('close', () => process.exit())`,
  ],
}

/** A key and a self-signed certificate. */
export function selfSigned(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  try {
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    execFileSync('openssl', [...made, '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'], {
      stdio: 'ignore',
    })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
