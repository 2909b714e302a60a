/** The corpus of `tricks`: one file per way in which a repository could run a program. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@tenon/sdk/client'
import { gitIn, newFolder, newRepository, write } from './repositories.ts'
import type { Trick, TrickPlace } from './trick.ts'

export const tricks = new Map<string, Trick>()
for (const file of readdirSync(new URL('tricks/', import.meta.url)).sort()) {
  const { trick } = (await import(new URL(`tricks/${file}`, import.meta.url).href)) as { trick: Trick }
  tricks.set(file.replace(/\.ts$/, ''), trick)
}

interface Planted extends TrickPlace {
  readonly marker: string
}

export function plant(trick: Trick): Planted {
  const outside = newFolder()
  const marker = join(outside, 'marker')
  const script = join(outside, 'program')
  // A clean exit without output is a good answer to most of these questions; a filter gets its input back.
  writeFileSync(script, `#!/bin/sh\n: > '${marker}'\ncase "$1" in --*) exit 0;; esac\nexec cat\n`, { mode: 0o755 })
  const folder = newRepository()
  gitIn(folder, 'branch', 'topic')
  const place = { folder, program: script, outside, marker }
  trick.plant(place)
  return place
}

/** Changes that each call will look at. */
function change(folder: string): void {
  write(folder, 'a.txt', 'one\n2\nthree\n')
  write(folder, 'new.txt', 'new\n')
}

/** Calls that both servers know. */
export const calls: [string, { [name: string]: unknown }][] = [
  ['git_status', {}],
  ['git_diff_unstaged', {}],
  ['git_diff', { target: 'HEAD' }],
  ['git_show', { revision: 'HEAD' }],
  ['git_log', {}],
  ['git_branch', { branch_type: 'all' }],
  ['git_add', { files: ['a.txt'] }],
  ['git_add', { files: ['.'] }],
  ['git_diff_staged', {}],
  ['git_commit', { message: 'a message' }],
  ['git_create_branch', { branch_name: 'made' }],
  ['git_checkout', { branch_name: 'topic' }],
  ['git_checkout', { branch_name: 'main' }],
  ['git_reset', {}],
]

export const callsOfOurs: [string, { [name: string]: unknown }][] = [
  ['git_blame', { path: 'a.txt' }],
  ['git_grep', { pattern: 'two' }],
  ['git_grep', { pattern: 'two', revision: 'HEAD' }],
  ['git_read_file', { path: 'a.txt' }],
  ['git_create_tag', { tag_name: 'v1', message: 'm' }],
  ['git_stash_push', {}],
  ['git_stash_apply', {}],
]

/** Makes every call, until the marker appears. */
export async function callAll(
  client: Client,
  { folder, marker }: Planted,
  all: readonly (readonly [string, { [name: string]: unknown }])[],
): Promise<void> {
  change(folder)
  for (const [tool, args] of all) {
    if (existsSync(marker)) return
    await client.callTool(tool, { repo_path: folder, ...args }, { timeoutMs: 5_000 }).catch(() => {})
  }
}

/** The environment in which a server is started for a trick. */
export const environmentOf = (trick: Trick, place: TrickPlace): { [name: string]: string } => ({
  HOME: place.outside,
  ...trick.environment?.(place),
})
