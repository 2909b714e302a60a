/** Writing the files of hosts: every character that is not the change stays, and files that cannot be changed safely are left alone. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { editText } from '../src/config/write/edit-text.ts'
import { type ConfigFile, type HostId, parsePasted, readConfigText, type ServerEntry } from '../src/config.ts'
import {
  type ConfigChange,
  changeDiff,
  linkHosts,
  placeFor,
  planAdd,
  planRemove,
  planSwitch,
  toInstallLink,
  writeChange,
} from '../src/config-write.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-write-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
/** A file of a host with this text, in a folder of its own. */
function placeWith(host: HostId, name: string, text?: string): ConfigFile {
  const own = join(folder, String(count++))
  mkdirSync(own)
  const file = join(own, name)
  if (text !== undefined) writeFileSync(file, text)
  return { host, title: host, scope: 'user', file }
}

async function entry(text: string): Promise<ServerEntry> {
  const { entries, problems } = await parsePasted(text)
  expect(problems).toEqual([])
  return entries[0]!
}

const time = await entry('{ "time": { "command": "uvx", "args": ["mcp-server-time"] } }')

const commented = `{
\t// My servers. Do not sort.
\t"mcpServers": {
\t\t"a": { "command": "x",   "args": [] }, // the first
\t\t/* second */
\t\t"b": { "command": "y" } // the last
\t},
\t"theme": "dark",
}
`

describe('only the lines of the change are different', () => {
  test('JSON with comments: a server is added after the comment of the one before it', async () => {
    const { after } = (await planAdd(time, placeWith('cursor', 'mcp.json', commented)))!
    expect(after).toBe(
      commented.replace(
        '"b": { "command": "y" } // the last\n',
        '"b": { "command": "y" }, // the last\n\t\t"time": {\n\t\t\t"command": "uvx",\n\t\t\t"args": [\n\t\t\t\t"mcp-server-time"\n\t\t\t]\n\t\t}\n',
      ),
    )
  })

  test.each([
    ['a', commented.replace('\t\t"a": { "command": "x",   "args": [] }, // the first\n', '')],
    [
      'b',
      commented.replace('\t\t"b": { "command": "y" } // the last\n', '').replace('}, // the first', '} // the first'),
    ],
  ])('JSON with comments: %s is removed with its line', async (name, expected) => {
    const { after } = await planRemove(name, placeWith('cursor', 'mcp.json', commented))
    expect(after).toBe(expected)
  })

  test.each([
    [
      '{ "mcpServers": { "a": { "command": "x" } } }',
      '{ "mcpServers": { "a": { "command": "x" }, "n": {"command":"y"} } }',
    ],
    [
      '{ "mcpServers": { "a": { "command": "x" }, } }',
      '{ "mcpServers": { "a": { "command": "x" }, "n": {"command":"y"}, } }',
    ],
    ['{"mcpServers":{}}', '{"mcpServers":{\n  "n": {\n    "command": "y"\n  }\n}}'],
    [
      '{\r\n  "x": 1\r\n}\r\n',
      '{\r\n  "x": 1,\r\n  "mcpServers": {\r\n    "n": {\r\n      "command": "y"\r\n    }\r\n  }\r\n}\r\n',
    ],
    ['\uFEFF{ }', '\uFEFF{\n  "mcpServers": {\n    "n": {\n      "command": "y"\n    }\n  }\n}'],
    ['', '{\n  "mcpServers": {\n    "n": {\n      "command": "y"\n    }\n  }\n}\n'],
  ])('JSON: %j', async (before, expected) => {
    const after = await editText(before, 'json', ['mcpServers', 'n'], { command: 'y' })
    expect(after).toBe(expected)
    // And back: the members are those from before.
    const back = await editText(after, 'json', ['mcpServers', 'n'], undefined)
    expect((await readConfigText(back)).entries).toEqual((await readConfigText(before)).entries)
  })

  const toml = `# Codex
model = "gpt" # the model

[mcp_servers.a]
command = "x" # why
enabled = true

[mcp_servers.a.env]
KEY = "v"

# about profiles
[profiles.fast]
model = "mini"
`
  test('TOML: a server comes and goes', async () => {
    const place = placeWith('codex', 'config.toml', toml)
    const { after } = (await planAdd(time, place))!
    expect(after).toBe(`${toml}\n[mcp_servers.time]\ncommand = "uvx"\nargs = [ "mcp-server-time" ]\n`)
    writeFileSync(place.file, after)
    expect((await planRemove('time', place)).after).toBe(toml)
    expect((await planRemove('a', place)).after).not.toMatch(/KEY|command = "x"/)
    expect((await planSwitch('a', place, false))!.after).toContain('command = "x" # why\nenabled = false\n')
    expect((await planSwitch('time', place, false))!.after).toContain('[mcp_servers.time]\nenabled = false\ncommand')
  })

  const yaml = `# Goose
extensions:
    developer:   # built in
        enabled: true
        args: [ "a",  'b' ]


    # mine
    files:
        cmd: "npx"
        type: stdio
GOOSE_MODEL: x
`
  test('YAML: a server comes and goes', async () => {
    const place = placeWith('goose', 'config.yaml', yaml)
    const { after } = (await planAdd(time, place))!
    expect(after.replace(/ {4}time:[\s\S]*?(?=GOOSE)/, '')).toBe(yaml)
    expect(after).toContain('        type: stdio\n    time:\n        enabled: true\n')
    writeFileSync(place.file, after)
    expect((await planRemove('time', place)).after).toBe(yaml)
    expect((await planSwitch('time', place, false))!.after).toBe(
      after.replace('time:\n        enabled: true', 'time:\n        enabled: false'),
    )
  })

  test('a list of servers, as Continue has it', async () => {
    const place = placeWith('continue', 'config.yaml', 'name: mine # me\nmcpServers:\n  - name: a\n    command: x\n')
    const { after } = (await planAdd(time, place))!
    expect((await readConfigText(after, place)).entries.map(({ name }) => name)).toEqual(['a', 'time'])
    expect(after).toContain('name: mine # me\n')
  })
})

test('a switch is the member that the entry has, and a host without one is told', async () => {
  const cursor = placeWith('cursor', 'mcp.json', commented)
  const { after } = (await planSwitch('a', cursor, false))!
  expect(after).toContain('"a": { "command": "x",   "args": [], "disabled": true }, // the first')
  expect(await planSwitch('a', cursor, true)).toBeUndefined()
  const code = placeWith('claude-code', '.mcp.json', commented)
  await expect(planSwitch('a', code, false)).rejects.toMatchObject({ problem: { code: 'unsupported' } })
})

test('inputs of VS Code go along, and those of the same id stay', async () => {
  const pasted = await entry(
    '{ "inputs": [{ "id": "k", "type": "promptString", "password": true }], "servers": { "w": { "command": "x", "env": { "K": "${input:k}" } } } }',
  )
  const { after } = (await planAdd(pasted, placeWith('vscode', 'mcp.json')))!
  expect(JSON.parse(after)).toMatchObject({ inputs: [{ id: 'k', password: true }], servers: { w: { type: 'stdio' } } })
  const has = placeWith('vscode', 'mcp.json', '{ "inputs": [{ "id": "k", "type": "pickString" }] }')
  expect(JSON.parse((await planAdd(pasted, has))!.after).inputs).toEqual([{ id: 'k', type: 'pickString' }])
})

test('the same server is no change, another one of that name is not replaced unasked', async () => {
  const place = placeWith('cursor', 'mcp.json', '{ "mcpServers": { "time": { "command": "old" } } }')
  await expect(planAdd(time, place)).rejects.toMatchObject({ problem: { code: 'exists' } })
  const change = (await planAdd(time, place, { replace: true }))!
  expect(change.kind).toBe('replace')
  await writeChange(change, { backups: join(folder, 'backups') })
  expect(await planAdd(time, place)).toBeUndefined()
})

describe('a file that cannot be changed safely is left as it is', () => {
  const text = '{ "mcpServers": {} }'
  const link = (): ConfigFile => {
    const place = placeWith('cursor', 'mcp.json')
    const real = placeWith('cursor', 'real.json', text)
    symlinkSync(real.file, place.file)
    return place
  }
  const plantedFolder = (): ConfigFile => {
    const place = placeWith('cursor', 'x')
    const project = join(place.file, '..')
    symlinkSync(folder, join(project, '.cursor'))
    return { ...place, scope: 'project', folder: project, file: join(project, '.cursor', 'mcp.json') }
  }
  const withMode = (mode: number): ConfigFile => {
    const place = placeWith('cursor', 'mcp.json', text)
    chmodSync(place.file, mode)
    return place
  }
  test.each<[string, () => ConfigFile, RegExp]>([
    ['a link', link, /mcp\.json: is a link to .*real\.json; name that file instead$/],
    ['a folder of the project that leads out of it', plantedFolder, /is in a folder that is a link to/],
    ['a read-only file', () => withMode(0o444), /is read-only$/],
    ['an unreadable file', () => withMode(0o000), /may not be read by this user$/],
    [
      'broken JSON',
      () => placeWith('cursor', 'mcp.json', '{ "mcpServers": { "x": } }'),
      /mcp\.json:1:24: value expected$/,
    ],
    ['a list', () => placeWith('cursor', 'mcp.json', '[]'), /expected an object at the top/],
    [
      'servers that are no object',
      () => placeWith('cursor', 'mcp.json', '{ "mcpServers": 3 }'),
      /cannot be changed|elsewhere/,
    ],
    ['a folder', () => ({ ...placeWith('cursor', 'mcp.json'), file: folder }), /is not a file/],
  ])('%s', async (_, make, message) => {
    await expect(planAdd(time, make())).rejects.toThrow(message)
  })

  test('names given twice: the one that does not count would come to light', async () => {
    const twice = '{ "mcpServers": { "a": { "command": "x" }, "a": { "command": "y" } } }'
    await expect(planRemove('a', placeWith('cursor', 'mcp.json', twice))).rejects.toThrow(/without changing the rest/)
  })

  test('a file that was changed since it was looked at', async () => {
    const place = placeWith('cursor', 'mcp.json', text)
    const change = (await planAdd(time, place))!
    writeFileSync(place.file, '{ "mine": 1 }')
    await expect(writeChange(change, { backups: join(folder, 'b') })).rejects.toThrow(/changed in the meantime/)
    expect(readFileSync(place.file, 'utf8')).toBe('{ "mine": 1 }')
  })
})

test('a written file keeps its permissions, and a copy of the old one is kept for its user only', async () => {
  const place = placeWith('cursor', 'mcp.json', commented)
  chmodSync(place.file, 0o640)
  const change = (await planAdd(time, place))!
  const { backup } = await writeChange(change, { backups: join(folder, 'copies') })
  expect(readFileSync(place.file, 'utf8')).toBe(change.after)
  expect(statSync(place.file).mode & 0o777).toBe(0o640)
  expect(readFileSync(backup!, 'utf8')).toBe(commented)
  expect(statSync(backup!).mode & 0o777).toBe(0o600)
  const missing = { ...placeWith('cursor', 'x'), file: join(folder, 'new/deep/mcp.json') }
  expect(await writeChange((await planAdd(time, missing))!, { backups: join(folder, 'copies') })).toEqual({})
  expect(existsSync(missing.file)).toBe(true)
})

test('fifty copies are kept', async () => {
  const backups = join(folder, 'many')
  const place = placeWith('cursor', 'mcp.json', '{}')
  const change: ConfigChange = (await planAdd(time, place))!
  for (let day = 0; day < 55; day++) {
    writeFileSync(place.file, '{}')
    await writeChange(change, { backups, now: new Date(Date.UTC(2026, 0, day + 1)) })
  }
  const names = readdirSync(backups)
  expect(names).toHaveLength(50)
  expect(names.sort()[0]).toContain('2026-01-06')
})

test('the difference shows the lines around the change, and no secrets', async () => {
  const before = `{
  "mcpServers": {
    "a": { "command": "x", "env": { "API_KEY": "s3cr3t-of-a" } }
  }
}
`
  const added = await entry(
    '{ "b": { "url": "https://b.example/mcp", "headers": { "Authorization": "Bearer t0k3n\\"x" } } }',
  )
  const change = (await planAdd(added, placeWith('cursor', 'mcp.json', before)))!
  const lines = await changeDiff(change)
  const shown = lines.map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`).join('\n')
  expect(shown).toBe(` {
   "mcpServers": {
-    "a": { "command": "x", "env": { "API_KEY": "…" } }
+    "a": { "command": "x", "env": { "API_KEY": "…" } },
+    "b": {
+      "url": "https://b.example/mcp",
+      "headers": {
+        "Authorization": "Bearer …"
+      }
+    }
   }
 }`)
})

test('the place for a host is its file of the scope', async () => {
  const where = { home: '/home/me', cwd: '/srv', env: {}, platform: 'linux' } as const
  expect((await placeFor('vscode', 'user', where)).file).toBe('/home/me/.config/Code/User/mcp.json')
  expect((await placeFor('vscode', 'project', where)).file).toBe('/srv/.vscode/mcp.json')
  expect((await placeFor('tenon', 'user', where)).file).toBe('/home/me/.config/tenon/mcp.json')
  await expect(placeFor('claude-desktop', 'project', where)).rejects.toThrow(/no file of a project/)
})

test('install links are read back as the server that they were made of', async () => {
  const remote = await entry('{ "docs": { "url": "https://docs.example.com/mcp" } }')
  for (const host of linkHosts) {
    for (const made of [time, remote]) {
      const { url, page } = await toInstallLink(made, host)
      for (const text of [url, page!]) {
        const [found] = (await parsePasted(text)).entries
        expect({ host, name: found?.name, transport: found?.transport }).toMatchObject({
          name: made.name,
          transport: JSON.parse(JSON.stringify(made.transport)),
        })
      }
    }
  }
  await expect(toInstallLink(time, 'zed')).rejects.toThrow(/no install link/)
})
