import { McpError } from '../../errors.ts'
import { describe } from '../../jsonrpc/classify.ts'
import type { Implementation } from '../../model/meta.ts'
import { isRevision, type Revision, revisions } from '../../model/revision.ts'
import { checkKinds, type OptionKinds } from '../../options/check-kinds.ts'
import type { ServerLimits } from '../limits.ts'
import type { ServerOptions } from '../options.ts'
import type { PageSizes } from './offers.ts'

// Wrong options throw when the server is made, and not when the first client comes.

const optionKinds: OptionKinds<ServerOptions<never>> = {
  name: 'any',
  version: 'any',
  title: 'string',
  description: 'string',
  websiteUrl: 'string',
  icons: 'array',
  instructions: 'string',
  tools: 'any',
  resources: 'any',
  prompts: 'any',
  middleware: 'array',
  context: 'function',
  logging: 'boolean',
  extensions: 'any',
  capabilities: 'object',
  revisions: 'array',
  pageSize: ['number', 'object'],
  cache: 'object',
  onRootsChanged: 'function',
  onError: 'function',
  stateKeys: 'array',
  spentStates: 'object',
  bus: 'object',
  tasks: 'object',
  backend: 'object',
  limits: 'object',
}

const limitKinds: OptionKinds<ServerLimits> = {
  maxIncoming: 'number',
  maxOutgoing: 'number',
  maxBatch: 'number',
  drainMs: 'number',
  maxKeptBytes: 'any',
  askTimeoutMs: 'number',
  stateTtlMs: 'number',
  maxStateLength: 'number',
  maxSubscriptions: 'number',
  maxListens: 'number',
  maxQuestions: 'number',
  maxProgressPerSecond: 'number',
  maxLogsPerMinute: 'number',
}

/** Everything else that is declared follows from the other options. */
const capabilityKinds: OptionKinds<NonNullable<ServerOptions['capabilities']>> = {
  experimental: 'object',
  extensions: 'object',
}

export function checkServerOptions(options: ServerOptions<never>): void {
  checkKinds(options, optionKinds, 'createServer')
  checkKinds(options.limits ?? {}, limitKinds, 'createServer limits')
  checkKinds(options.capabilities ?? {}, capabilityKinds, 'createServer capabilities')
}

/** Who the server is. */
export function checkInfo({ name, version, title, description, websiteUrl, icons }: Implementation): Implementation {
  for (const [member, value] of Object.entries({ name, version })) {
    if (typeof value !== 'string' || value === '') {
      throw new McpError(
        'invalid_definition',
        `createServer ${member}: expected a string, got ${JSON.stringify(value)}`,
      )
    }
  }
  const given = Object.entries({ name, version, title, description, websiteUrl, icons })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as unknown as Implementation
}

export function checkList<T>(given: readonly T[] | undefined, name: string): readonly T[] {
  if (given === undefined || Array.isArray(given)) return given ?? []
  throw new McpError('invalid_definition', `createServer ${name}: expected an array, got ${describe(given)}`)
}

/** The revisions that are spoken, newest first. */
export function checkRevisions(given: readonly Revision[]): readonly Revision[] {
  const unknown = given.find((revision) => !isRevision(revision))
  if (unknown !== undefined || given.length === 0) {
    throw new McpError(
      'invalid_definition',
      `createServer revisions: expected some of ${revisions.join(', ')}, got ${JSON.stringify(given)}`,
    )
  }
  return revisions.filter((revision) => given.includes(revision))
}

/** Many clients ask for one page of tools only: the others would not exist for them. */
const defaultPageSizes: PageSizes = { tools: 1_000, resources: 100, prompts: 100, tasks: 100 }

/** The page size of each list: one for all, or one for some of them. */
export function checkPageSizes(given: number | Partial<PageSizes> = {}): PageSizes {
  const one = typeof given === 'object' ? undefined : given
  const each = typeof given === 'object' ? given : { tools: one, resources: one, prompts: one, tasks: one }
  for (const [list, size] of Object.entries(each)) {
    const member = one === undefined ? `pageSize.${list}` : 'pageSize'
    if (!Object.hasOwn(defaultPageSizes, list)) {
      const known = Object.keys(defaultPageSizes).join(', ')
      throw new McpError('invalid_definition', `createServer ${member}: expected one of ${known}`)
    }
    if (!Number.isInteger(size) || (size as number) <= 0) {
      const found = JSON.stringify(size)
      throw new McpError('invalid_definition', `createServer ${member}: expected a positive integer, got ${found}`)
    }
  }
  return { ...defaultPageSizes, ...(each as Partial<PageSizes>) }
}

export function checkKeptBytes(bytes: number | undefined): number | undefined {
  if (bytes === undefined || (Number.isSafeInteger(bytes) && bytes >= leastKeptBytes)) return bytes
  const expected = `an integer of ${leastKeptBytes} or more`
  throw new McpError('invalid_definition', `createServer limits.maxKeptBytes: expected ${expected}, got ${bytes}`)
}

/** Less would not hold the usual messages of a few clients. */
const leastKeptBytes = 1024 * 1024
