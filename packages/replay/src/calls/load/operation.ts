import type { JsonObject } from '@tenon/sdk/client'
import type { PathStep } from '../../json/path.ts'
import type { Operation } from '../types.ts'
import type { ValueChecks } from './value-checks.ts'

export const operationKinds = ['tool', 'read', 'prompt', 'complete', 'list', 'request'] as const

/** Reads the operation of a call, and a title for calls without a name. */
export function loadOperation(
  call: JsonObject,
  path: readonly PathStep[],
  checks: ValueChecks,
): { operation: Operation; title: string } | undefined {
  const kinds = operationKinds.filter((kind) => call[kind] !== undefined)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    const found = kinds.length === 0 ? 'none' : kinds.join(' and ')
    checks.problems.add(path, `expected one of ${operationKinds.join(', ')}, got ${found}`)
    return undefined
  }
  const operation = readers[kind](call, path, checks)
  if (operation === undefined) return undefined
  if (call.arguments !== undefined && kind !== 'tool' && kind !== 'prompt') {
    checks.problems.add([...path, 'arguments'], `are for tool and prompt; ${kind} has none`)
  }
  return { operation, title: titleOf(operation) }
}

type Reader = (call: JsonObject, path: readonly PathStep[], checks: ValueChecks) => Operation | undefined

const readers: { [Kind in (typeof operationKinds)[number]]: Reader } = {
  tool: (call, path, checks) => {
    const name = checks.text(call.tool, [...path, 'tool'])
    const given = call.arguments === undefined ? {} : checks.object(call.arguments, [...path, 'arguments'])
    return name === undefined ? undefined : { kind: 'tool', name, arguments: given ?? {} }
  },
  read: (call, path, checks) => {
    const uri = checks.text(call.read, [...path, 'read'])
    return uri === undefined ? undefined : { kind: 'read', uri }
  },
  prompt: (call, path, checks) => {
    const name = checks.text(call.prompt, [...path, 'prompt'])
    const given = call.arguments === undefined ? {} : checks.texts(call.arguments, [...path, 'arguments'])
    return name === undefined ? undefined : { kind: 'prompt', name, arguments: given ?? {} }
  },
  complete: (call, path, checks) => {
    const here = [...path, 'complete']
    const given = checks.object(call.complete, here, ['prompt', 'template', 'argument', 'value', 'context'])
    if (given === undefined) return undefined
    const { prompt, template } = given
    if ((prompt === undefined) === (template === undefined)) {
      return checks.problems.add(here, 'expected either prompt or template')
    }
    const argument = checks.text(given.argument, [...here, 'argument'])
    const value = given.value === undefined ? '' : String(given.value)
    const context = given.context === undefined ? {} : checks.texts(given.context, [...here, 'context'])
    const ref = prompt === undefined ? { template: String(template) } : { prompt: String(prompt) }
    return argument === undefined ? undefined : { kind: 'complete', ...ref, argument, value, context: context ?? {} }
  },
  list: (call, path, checks) => {
    const what = checks.oneOf(call.list, [...path, 'list'], ['tools', 'resources', 'templates', 'prompts'] as const)
    return what && { kind: 'list', what }
  },
  request: (call, path, checks) => {
    const here = [...path, 'request']
    const given = checks.object(call.request, here, ['method', 'params'])
    const method = given && checks.text(given.method, [...here, 'method'])
    const params = given?.params === undefined ? {} : checks.object(given.params, [...here, 'params'])
    return method === undefined ? undefined : { kind: 'request', method, params: params ?? {} }
  },
}

function titleOf(operation: Operation): string {
  switch (operation.kind) {
    case 'tool':
    case 'prompt':
      return `${operation.kind} ${operation.name}`
    case 'read':
      return `read ${operation.uri}`
    case 'complete':
      return `complete ${operation.argument} of ${operation.prompt ?? operation.template}`
    case 'list':
      return `list ${operation.what}`
    default:
      return `request ${operation.method}`
  }
}
