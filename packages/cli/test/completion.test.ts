import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bare, dialogue } from './dialogue.ts'
import { bin, cleanEnv, everything, temporaryFolder, tenon } from './tenon.ts'

const exec = promisify(execFile)
const [, program, ...args] = everything

/** A folder with a configured server, and `tenon` on the path. */
function prepare(): { cwd: string; env: NodeJS.ProcessEnv } {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'bin'))
  writeFileSync(join(cwd, 'bin/tenon'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  const servers = { everything: { command: program, args }, other: { url: 'http://127.0.0.1:9/mcp' } }
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: servers }))
  return { cwd, env: { ...cleanEnv(cwd), PATH: `${join(cwd, 'bin')}:${process.env.PATH}` } }
}

/** What bash would offer at `|` in a line. */
async function offers(line: string, extra: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const { cwd, env } = prepare()
  const point = line.indexOf('|') < 0 ? line.length : line.indexOf('|')
  const script = `source <(tenon completion bash)
    COMP_LINE=$1 COMP_POINT=$2 COMP_WORDS=(tenon) COMP_CWORD=0
    _tenon 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await exec('bash', ['-c', script, '-', line.replace('|', ''), String(point)], {
    cwd,
    env: { ...env, TENON_COMPLETE_WAIT: '20000', ...extra },
  })
  return stdout.split('\n').filter((word) => word !== '')
}

describe('bash', () => {
  test('commands, options, choices and servers are completed', async () => {
    expect(await offers('tenon co')).toEqual(['complete', 'completion', 'connect'])
    expect(await offers('tenon list everything --rev')).toEqual(['--revision'])
    expect(await offers('tenon list everything --revision 2025-0')).toEqual(['2025-03-26', '2025-06-18'])
    expect(await offers('tenon call ')).toEqual(['everything', 'other'])
    expect(await offers('tenon completion z')).toEqual(['zsh'])
    expect(await offers('tenon inspect --fr')).toEqual(['--fresh'])
    expect(await offers('tenon inspect --calls b')).toEqual(['bin/'])
    expect(await offers('tenon call ev| -- node server.js')).toEqual([])
  })

  test('a program is not started by Tab, unless the environment says so', async () => {
    expect(await offers('tenon call everything con')).toEqual([])
    const start = { TENON_COMPLETE: 'start' }
    expect(await offers('tenon call everything con', start)).toEqual(['convert_units'])
    expect(await offers('tenon call everything toggle_extras enabled=', start)).toEqual(['false', 'true'])
    const line = `tenon call draw_chart val| -- ${program} ${args.join(' ')}`
    expect(await offers(line, start)).toEqual(['values='])
    expect(await offers('tenon read everything swatch:///{', start)).toEqual(['///\\{color\\}\\{\\?size\\}'])
  })

  test('a server at an address is asked', async () => {
    const server = spawn(program!, [...args, '--http', '0'], { stdio: ['ignore', 'ignore', 'pipe'] })
    onTestFinished(() => void server.kill())
    const [text] = await once(server.stderr.setEncoding('utf8'), 'data')
    const url = /http:\S+mcp/.exec(text)![0]
    expect(await offers(`tenon prompt ${url} convert quantity=mass from=k`)).toEqual(['kg'])
    expect(await offers(`tenon prompt ${url} c`)).toEqual(['convert'])
  })

  test('a server that is slow is not waited for', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    expect(await offers(`tenon call http://127.0.0.1:${port}/mcp x`, { TENON_COMPLETE_WAIT: '200' })).toEqual([])
  })

  test('Tab works in a shell', async () => {
    const { cwd, env } = prepare()
    const shell = spawn('script', ['-qfec', 'bash --norc --noprofile -i', '/dev/null'], {
      cwd,
      env: { ...env, PS1: 'ready> ', TERM: 'dumb', HISTFILE: '' },
    })
    onTestFinished(() => void shell.kill('SIGKILL'))
    let shown = ''
    shell.stdout.setEncoding('utf8').on('data', (text) => {
      shown += text
    })
    const terminal = { type: (text: string) => void shell.stdin.write(text), shown: () => shown }
    await dialogue(terminal, [
      ['ready> ', 'source <(tenon completion bash)\r'],
      ['ready> ', 'tenon completi\t'],
      ['tenon completion ', 'fi\t'],
      ['ompletion fish ', '| head -1\r'],
      ['# Completion for tenon: tenon completion fish', 'exit\r'],
    ])
    await once(shell, 'close')
    expect(bare(shown)).toContain('tenon completion fish')
  })
})

let shells: string[]
beforeAll(async () => {
  const found = await Promise.all(
    ['zsh', 'fish'].map((shell) =>
      exec(shell, ['-c', 'true']).then(
        () => shell,
        () => '',
      ),
    ),
  )
  shells = found.filter((shell) => shell !== '')
})

test('the scripts for other shells are accepted by them, where they are installed', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { stdout, code } = await tenon(['completion', shell])
    expect(code).toBe(0)
    expect(stdout).toContain(`__complete ${shell}`)
    if (!shells.includes(shell)) continue
    const file = join(temporaryFolder(), 'script')
    writeFileSync(file, stdout)
    await exec(shell, ['-n', file])
  }
})

test('an unknown shell is refused with the known ones', async () => {
  expect(await tenon(['completion', 'fissh'])).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: Expected bash, zsh, fish, got "fissh"
    hint: Did you mean fish?
    ",
      "stdout": "",
    }
  `)
})
