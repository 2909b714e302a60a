import { statSync } from 'node:fs'
import { McpError } from '../../errors.ts'

interface Command {
  command: string
  args?: readonly string[]
  cwd?: string
}

/** The command line for messages. */
export function describeCommand({ command, args = [] }: Command): string {
  const line = [command, ...args].join(' ')
  return `'${line.length > 120 ? `${line.slice(0, 119)}…` : line}'`
}

/** The reason why a server could not be started, with advice. */
export function spawnError(options: Command, error: NodeJS.ErrnoException): McpError {
  return new McpError('spawn', `Cannot start server ${describeCommand(options)}: ${explain(options, error)}`, {
    cause: error,
  })
}

function explain({ command, args = [], cwd }: Command, error: NodeJS.ErrnoException): string {
  // The system reports a missing working directory and a missing program with the same code.
  if (cwd !== undefined && !isDirectory(cwd)) return `the working directory '${cwd}' is not a directory that exists`
  switch (error.code) {
    case 'ENOENT':
      return args.length === 0 && /\s/.test(command)
        ? `there is no program of that name; pass the program as 'command' and the rest as 'args'`
        : `the program '${command}' was not found; install it, or give its full path (PATH is looked through)`
    case 'EACCES':
    case 'EPERM':
      return `'${command}' may not be executed; make it executable, or start it through its interpreter`
    case 'ENOEXEC':
      return `'${command}' is not a program; start it through its interpreter`
    case 'E2BIG':
      return 'arguments and environment are too long together'
    default:
      return error.message
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
