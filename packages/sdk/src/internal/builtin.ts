/** The modules of Node that are used if they exist. */
interface Builtins {
  'node:child_process': typeof import('node:child_process')
  'node:crypto': typeof import('node:crypto')
  'node:diagnostics_channel': typeof import('node:diagnostics_channel')
  'node:dns': typeof import('node:dns')
  'node:fs/promises': typeof import('node:fs/promises')
  'node:http': typeof import('node:http')
  'node:https': typeof import('node:https')
  'node:os': typeof import('node:os')
  'node:path': typeof import('node:path')
}

type Source = { getBuiltinModule?: <Name extends keyof Builtins>(name: Name) => Builtins[Name] | undefined }

/** A module of Node, or undefined elsewhere. Looked up by name, so that bundlers for browsers never see it. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  return (globalThis as { process?: Source }).process?.getBuiltinModule?.(name)
}
