import type { Command } from './command.ts'

interface Row {
  name: string
  summary: string
  load(): Promise<{ default: Command }>
}

/** Every command, in the order of the help. A command's module is loaded when it is run. */
export const commandGroups: readonly { title: string; commands: readonly Row[] }[] = [
  {
    title: 'Use a server',
    commands: [
      {
        name: 'info',
        summary: 'Show the name, revision and capabilities of a server',
        load: () => import('./commands/info.ts'),
      },
      {
        name: 'list',
        summary: 'List tools, resources, templates and prompts',
        load: () => import('./commands/list.ts'),
      },
      { name: 'call', summary: 'Call a tool', load: () => import('./commands/call.ts') },
      { name: 'read', summary: 'Read a resource', load: () => import('./commands/read.ts') },
      { name: 'prompt', summary: 'Fill in a prompt', load: () => import('./commands/prompt.ts') },
      { name: 'complete', summary: 'Ask for values of an argument', load: () => import('./commands/complete.ts') },
      {
        name: 'watch',
        summary: 'Show updates of resources, changes of lists, and logs',
        load: () => import('./commands/watch.ts'),
      },
      {
        name: 'tasks',
        summary: 'See, await, answer and cancel tasks',
        load: () => import('./commands/tasks.ts'),
      },
      {
        name: 'servers',
        summary: 'Show the configured servers and their files',
        load: () => import('./commands/servers.ts'),
      },
      {
        name: 'repl',
        summary: 'Keep a connection and type commands',
        load: () => import('./commands/repl.ts'),
      },
      { name: 'ping', summary: 'See whether a server answers, and how fast', load: () => import('./commands/ping.ts') },
    ],
  },
  {
    title: 'Develop',
    commands: [
      {
        name: 'inspect',
        summary: 'Open the workbench in the browser',
        load: () => import('./commands/inspect.ts'),
      },
      {
        name: 'new',
        summary: 'Write a server or a client, ready to run, test and publish',
        load: () => import('./commands/new.ts'),
      },
      {
        name: 'dev',
        summary: 'Run a server, restart it when a file changes, show its messages',
        load: () => import('./commands/dev.ts'),
      },
      {
        name: 'types',
        summary: 'Write TypeScript types and a typed client for a server',
        load: () => import('./commands/types.ts'),
      },
    ],
  },
  {
    title: 'Record and test',
    commands: [
      {
        name: 'record',
        summary: 'Record every message between a client and a server',
        load: () => import('./commands/record.ts'),
      },
      {
        name: 'replay',
        summary: 'Serve a recorded session again, without its server',
        load: () => import('./commands/replay.ts'),
      },
      { name: 'diff', summary: 'Compare two recorded sessions', load: () => import('./commands/diff.ts') },
      {
        name: 'test',
        summary: 'Make saved calls, and check their results',
        load: () => import('./commands/test.ts'),
      },
    ],
  },
  {
    title: 'Bridge',
    commands: [
      {
        name: 'connect',
        summary: 'Make a remote server usable by clients that start programs',
        load: () => import('./commands/connect.ts'),
      },
      {
        name: 'expose',
        summary: 'Serve a program, or any other server, over HTTP',
        load: () => import('./commands/expose.ts'),
      },
    ],
  },
  {
    title: 'This command',
    commands: [
      {
        name: 'auth',
        summary: 'Log in to servers, see logins, log out',
        load: () => import('./commands/auth.ts'),
      },
      {
        name: 'completion',
        summary: 'Print a script that completes commands with Tab',
        load: () => import('./commands/completion.ts'),
      },
    ],
  },
]

const rows = (): Row[] => commandGroups.flatMap(({ commands }) => commands)

export const commandNames = (): string[] => rows().map(({ name }) => name)

export async function loadCommand(name: string): Promise<Command | undefined> {
  const row = rows().find((candidate) => candidate.name === name)
  return row && (await row.load()).default
}
