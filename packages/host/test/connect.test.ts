import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { discoverServers, expand, findServer, toTarget } from '../src/config.ts'

/** A minimal server that returns its folder, arguments and variables. */
const server = `
process.stdin.on('data', (chunk) => {
  for (const line of String(chunk).split('\\n').filter(Boolean)) {
    const { id, method } = JSON.parse(line)
    if (id === undefined) continue
    const info = { name: process.cwd(), version: process.env.TOKEN + ' ' + process.env.FROM_FILE + ' ' + process.argv[2] }
    const known = { initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: info }, ping: {} }
    const answer = known[method] ? { result: known[method] } : { error: { code: -32601, message: 'unknown' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  }
})
`

test('a server of a project is found, filled in, started in its folder and spoken to', async () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-connect-')))
  try {
    for (const folder of ['app/.git', 'app/.vscode', 'app/src/deep']) mkdirSync(join(top, folder), { recursive: true })
    writeFileSync(join(top, 'app/server.mjs'), server)
    writeFileSync(join(top, 'app/.env'), 'FROM_FILE="a file" # and a comment\nTOKEN=hidden\n')
    const entry = {
      command: process.execPath,
      args: ['./server.mjs', '${input:who}'],
      env: { TOKEN: '${env:TOKEN}' },
      envFile: '${workspaceFolder}/.env',
    }
    writeFileSync(join(top, 'app/.vscode/mcp.json'), JSON.stringify({ servers: { mine: entry } }))
    const where = { cwd: join(top, 'app/src/deep'), home: join(top, 'home'), env: { TOKEN: 'shown' } }
    const { entries } = await discoverServers(where)
    const resolved = await expand(findServer(entries, 'mine')!, { ...where, askInput: () => 'me' })
    expect(resolved.unresolved).toEqual([])
    const { target, options } = toTarget(resolved)
    await using client = await connect(target, options)
    expect(client.server.info).toEqual({ name: join(top, 'app'), version: 'shown a file me' })
  } finally {
    rmSync(top, { recursive: true })
  }
})
