import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { dialogue } from './dialogue.ts'
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

/** The completions of bash at `|` in a line. */
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

/** Types at a shell in which `tenon` is known, and ends when the shell does. */
async function tabbing(
  command: string,
  steps: readonly (readonly [string | RegExp, string])[],
  extra: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { cwd, env } = prepare()
  const shell = spawn('script', ['-qfec', `stty cols 200 rows 40; exec ${command}`, '/dev/null'], {
    cwd,
    env: { ...env, PS1: 'ready> ', TERM: 'xterm', HISTFILE: '', TENON_COMPLETE_WAIT: '20000', ...extra },
  })
  onTestFinished(() => void shell.kill('SIGKILL'))
  const closed = once(shell, 'close')
  let shown = ''
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text
  })
  await dialogue({ type: (text) => void shell.stdin.write(text), shown: () => shown }, steps)
  await closed
}

describe('bash', () => {
  test('commands, options, choices and servers are completed', async () => {
    expect(await offers('tenon co')).toEqual(['complete', 'completion', 'connect'])
    expect(await offers('tenon list everything --rev')).toEqual(['--revision'])
    expect(await offers('tenon list everything --revision 2025-0')).toEqual(['2025-03-26', '2025-06-18'])
    expect(await offers('tenon call ')).toEqual(['everything', 'other'])
    expect(await offers('tenon chat everything --resume ot')).toEqual(['other'])
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
    expect(await offers('tenon call everything.conv', start)).toEqual(['everything.convert_units'])
    expect(await offers('tenon call everything.add b', start)).toEqual(['b='])
    expect(await offers('tenon install every')).toEqual(['everything'])
    expect(await offers('tenon install everything --to cursor,wind')).toEqual(['cursor,windsurf'])
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

  test('Tab works in a shell', () =>
    tabbing('bash --norc --noprofile -i', [
      ['ready> ', 'source <(tenon completion bash)\r'],
      ['ready> ', 'tenon completi\t'],
      ['tenon completion ', 'fi\t'],
      ['ompletion fish ', '| head -1\r'],
      ['# Completion for tenon: tenon completion fish', 'exit\r'],
    ]))
})

describe('zsh', requires('zsh'), () => {
  const begin = 'autoload -Uz compinit; compinit -u -D'
  const sourced = `${begin}; source <(tenon completion zsh); echo loa""ded\r`
  const inFolder = `mkdir ~/.zfunc; tenon completion zsh > ~/.zfunc/_tenon; fpath+=~/.zfunc; ${begin}; echo loa""ded\r`

  test('commands, options and servers are completed', () =>
    tabbing('zsh -f -i', [
      ['ready> ', sourced],
      ['loaded', ''],
      ['ready> ', 'tenon completi\t'],
      ['tenon completion ', 'fi\t'],
      ['fish ', '| head -1\r'],
      ['# Completion for tenon: tenon completion fish', ''],
      ['ready> ', 'tenon list oth\t'],
      ['other ', '--rev\t'],
      [/--rev.*ision/, '\x03'],
      ['ready> ', 'exit\r'],
    ]))

  test('what a server offers is completed too, without a space behind what goes on', () =>
    tabbing(
      'zsh -f -i',
      [
        ['ready> ', inFolder],
        ['loaded', ''],
        ['ready> ', 'tenon call everything toggle_extras enab\t'],
        ['enabled=', 'tr\t'],
        ['nabled=true ', '\x03'],
        ['ready> ', 'exit\r'],
      ],
      { TENON_COMPLETE: 'start' },
    ))
})

describe('fish', requires('fish'), () => {
  /** The completions of fish at the end of a line. */
  async function offersOfFish(line: string, extra: NodeJS.ProcessEnv = {}): Promise<string[]> {
    const { cwd, env } = prepare()
    const script = 'tenon completion fish | source; complete --do-complete="$argv[1]"'
    const { stdout } = await exec('fish', ['--no-config', '-c', script, '--', line], {
      cwd,
      env: { ...env, TENON_COMPLETE_WAIT: '20000', ...extra },
    })
    return stdout.split('\n').filter((word) => word !== '')
  }

  test('commands, options, choices and servers are completed', async () => {
    expect(await offersOfFish('tenon co')).toEqual(['complete', 'completion', 'connect'])
    expect(await offersOfFish('tenon list everything --rev')).toEqual(['--revision'])
    expect(await offersOfFish('tenon list everything --revision 2025-0')).toEqual(['2025-03-26', '2025-06-18'])
    expect(await offersOfFish('tenon call ')).toEqual(['everything', 'other'])
    expect(await offersOfFish('echo; tenon completion z')).toEqual(['zsh'])
  })

  test('so is what a server offers', async () => {
    const start = { TENON_COMPLETE: 'start' }
    expect(await offersOfFish('tenon call everything con', start)).toEqual(['convert_units'])
    expect(await offersOfFish('tenon call everything toggle_extras enabled=', start)).toEqual([
      'enabled=false',
      'enabled=true',
    ])
  })
})

describe('PowerShell', () => {
  test('its script asks with the line and the cursor, and gets whole words', async () => {
    const { stdout, code } = await tenon(['completion', 'powershell'])
    expect(code).toBe(0)
    expect(stdout).toContain('Register-ArgumentCompleter -Native -CommandName tenon')
    const { cwd, env } = prepare()
    const offered = await exec(process.execPath, [bin, '__complete', 'powershell', '8', 'tenon co'], { cwd, env })
    expect(offered.stdout.trim().split('\n')).toEqual(['complete', 'completion', 'connect'])
  })
})

test('an unknown shell is refused with the known ones', async () => {
  expect(await tenon(['completion', 'fissh'])).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: Expected bash, zsh, fish, powershell, got "fissh"
    hint: Did you mean fish?
    ",
      "stdout": "",
    }
  `)
})
