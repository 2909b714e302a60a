import { execFile } from 'node:child_process'
import { relative } from 'node:path'
import { promisify } from 'node:util'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import { didYouMean } from '../line/did-you-mean.ts'
import { findClone } from './clone.ts'
import { refuseFull } from './folder.ts'
import type { newOptions } from './options.ts'
import { bareName } from './package-name.ts'
import { type License, managerIn, type PackageManager, type Plan, placeOf, type Template } from './plan.ts'
import { askFor, askWhich } from './questions.ts'

type Call = CommandCall<typeof newOptions>

/** The plan of a project: from the command line, from the answers of the user, or from defaults. */
export async function makePlan(call: Call): Promise<Plan> {
  const { terminal, signal, words, options: given } = call
  const { cwd, env } = terminal.surroundings
  const [, word, ...others] = words
  if (others.length > 0) throw usage(`Expected one folder, got ${JSON.stringify(others[0])} as well`)
  const asks = terminal.canAsk && !given.yes
  const kind = await kindOf(call, asks)
  const folder = word ?? (await folderOf(kind, given.yes))
  const place = placeOf(folder, cwd, given.name)
  await refuseFull(place.folder, relative(cwd, place.folder) || 'This folder')
  return {
    ...place,
    template: kind === 'client' ? kind : await templateOf(),
    license: (given.license as License | undefined) ?? 'MIT',
    author: given.author ?? (await gitUser()) ?? `the authors of ${bareName(place.name)}`,
    packageManager: (given['package-manager'] as PackageManager | undefined) ?? managerIn(env),
    install: !given['no-install'],
    clone: await findClone(),
  }

  async function folderOf(what: string, silently: boolean): Promise<string> {
    if (asks) return await askFor('Folder', `my-${what}`, terminal, signal)
    if (silently) return `my-${what}`
    throw usage('Expected a folder', `For example: tenon new ${what} my-${what}`)
  }

  async function templateOf(): Promise<Template> {
    if (given.template !== undefined) return given.template as Template
    return asks ? await askWhich('Template', templateMeanings, terminal, signal) : 'stdio'
  }
}

async function kindOf(call: Call, asks: boolean): Promise<'server' | 'client'> {
  const [kind] = call.words
  if (kind === undefined && asks) return await askWhich('Kind', kindMeanings, call.terminal, call.signal)
  if (kind !== 'server' && kind !== 'client') {
    const got = kind === undefined ? 'nothing' : JSON.stringify(kind)
    throw usage(`Expected server or client, got ${got}`, kind && didYouMean(kind, kindMeanings.keys()))
  }
  if (kind === 'client' && call.options.template !== undefined) throw usage('--template is for servers')
  return kind
}

const kindMeanings = new Map([
  ['server', 'offers tools, resources and prompts'],
  ['client', 'uses servers'],
] as const)

const templateMeanings = new Map([
  ['stdio', 'started by its host, one process per client'],
  ['http', 'listens at an address, for any number of clients'],
  ['minimal', 'started by its host, a single tool'],
] as const)

async function gitUser(): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', ['config', 'user.name'])
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}
