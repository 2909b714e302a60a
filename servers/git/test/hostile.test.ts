/** Repositories of strangers: each trick is planted, every tool is called, and no marker appears. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { createGitServer } from '@tenon/server-git'
import { expect, test } from 'vitest'
import { callAll, calls, callsOfOurs, environmentOf, plant, tricks } from './corpus.ts'

const program = fileURLToPath(new URL('../bin/tenon-git.js', import.meta.url))

/** Ours with everything allowed; as a process where the environment matters. */
function open(trick: Parameters<typeof plant>[0], place: ReturnType<typeof plant>, cloneInto: string) {
  const protocols = ['http', 'file', 'ssh']
  if (trick.environment === undefined) {
    return createGitServer({
      repository: [place.folder],
      allowFetch: true,
      allowPush: true,
      cloneInto,
      allowProtocol: protocols,
    })
  }
  const flags = [
    '--allow-fetch',
    '--allow-push',
    '--clone-into',
    cloneInto,
    ...protocols.flatMap((name) => ['--allow-protocol', name]),
  ]
  const target = {
    command: process.execPath,
    args: [program, place.folder, ...flags],
    env: environmentOf(trick, place),
  }
  return { server: target, close: async () => {} }
}

test.each([...tricks])(
  'a hostile repository runs nothing: %s',
  async (_name, trick) => {
    const place = plant(trick)
    const clones = join(place.outside, 'clones')
    mkdirSync(clones)
    const { server, close } = open(trick, place, clones)
    try {
      await using client = await connect(server)
      const status = await client.callTool('git_status', { repo_path: place.folder })
      expect(status, status.text).toMatchObject({ isError: false })
      await callAll(client, place, [...calls, ...callsOfOurs, ...(trick.calls ?? [])])
      expect(existsSync(place.marker)).toBe(false)
    } finally {
      await close()
    }
  },
  60_000,
)
