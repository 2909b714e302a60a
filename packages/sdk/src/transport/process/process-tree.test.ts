import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../../../scripts/requires.ts'
import { bundle, fixture } from '../bundle.suite.ts'
import { canListProcesses, childrenNamed, isGone, leftAfter } from './process-list.suite.ts'

const library = await bundle('process/process.ts')

/** Starts a host, and waits until it has printed `count` process ids. */
async function startHost(args: string[], count: number): Promise<[ChildProcessWithoutNullStreams, number[]]> {
  const host = spawn(process.execPath, args)
  const pids: number[] = []
  for await (const line of createInterface(host.stdout)) {
    const told = JSON.parse(line) as { pid?: number; pids?: number[] }
    pids.push(...(told.pids ?? [told.pid!]))
    if (pids.length === count) break
  }
  return [host, pids]
}

describe('a host that is killed with SIGKILL', requires('posix'), () => {
  const servers = [`${fixture('tree.mjs')} stay`, fixture('stubborn.mjs'), `${fixture('tree.mjs')} go`]

  test('leaves no server and no grandchild after two seconds, whatever they ignore', async () => {
    const [host, pids] = await startHost([fixture('host.mjs'), library, ...servers], 1 + 3 + 1 + 3)
    expect(pids.filter(isGone)).toEqual([])
    host.kill('SIGKILL')
    expect(await leftAfter(2000, pids)).toEqual([])
  })

  test('leaves no guard either, of which there is one for all servers', requires('proc'), async () => {
    const [host] = await startHost([fixture('host.mjs'), library, servers[1]!, servers[1]!], 3)
    const guards = childrenNamed('sh', host.pid!)
    expect(guards).toHaveLength(1)
    host.kill('SIGKILL')
    expect(await leftAfter(2000, guards)).toEqual([])
  })

  test('leaves alone a process group that was called off', async () => {
    const guard = await bundle('process/orphan-guard.ts')
    const [host, pids] = await startHost([fixture('guard-host.mjs'), guard, fixture('stubborn.mjs')], 2)
    const [guarded, free] = pids as [number, number]
    const guards = canListProcesses ? childrenNamed('sh', host.pid!) : []
    host.kill('SIGKILL')
    try {
      expect(await leftAfter(2000, [guarded, ...guards])).toEqual([])
      expect(isGone(free)).toBe(false)
    } finally {
      process.kill(free, 'SIGKILL')
    }
  })
})

test('a hundred servers can be started and closed, and no process and no handle is left', async () => {
  const host = spawn(process.execPath, [fixture('hundred.mjs'), library, fixture('echo.mjs')])
  const [out, err] = await Promise.all([text(host.stdout), text(host.stderr)])
  expect(err).toBe('')
  const { pids, before, after } = JSON.parse(out) as { pids: number[]; before: string[]; after: string[] }
  expect(new Set(pids).size).toBe(100)
  expect(pids.filter((pid) => !isGone(pid))).toEqual([])
  expect(after).toEqual(before)
}, 120_000)
