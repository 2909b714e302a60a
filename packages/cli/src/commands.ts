import type { Command } from './command.ts'

interface Row {
  name: string
  summary: string
  load(): Promise<{ default: Command }>
}

/** Every command, in the order of the help; each group has a folder. A command's module is loaded when it is run. */
export const commandGroups: readonly { title: string; commands: readonly Row[] }[] = [
  {
    title: 'Use a server',
    commands: [
      {
        name: 'info',
        summary: 'Show the name, revision and capabilities of a server',
        load: () => import('./commands/use/info.ts'),
      },
      {
        name: 'list',
        summary: 'List tools, resources, templates and prompts',
        load: () => import('./commands/use/list.ts'),
      },
      { name: 'call', summary: 'Call a tool', load: () => import('./commands/use/call.ts') },
      { name: 'read', summary: 'Read a resource', load: () => import('./commands/use/read.ts') },
      { name: 'prompt', summary: 'Fill in a prompt', load: () => import('./commands/use/prompt.ts') },
      { name: 'complete', summary: 'Ask for values of an argument', load: () => import('./commands/use/complete.ts') },
      {
        name: 'watch',
        summary: 'Show updates of resources, changes of lists, and logs',
        load: () => import('./commands/use/watch.ts'),
      },
      {
        name: 'tasks',
        summary: 'See, await, answer and cancel tasks',
        load: () => import('./commands/use/tasks.ts'),
      },
      {
        name: 'servers',
        summary: 'Show the configured servers and their files',
        load: () => import('./commands/use/servers.ts'),
      },
      {
        name: 'chat',
        summary: 'Talk to a model that uses the tools of your servers',
        load: () => import('./commands/use/chat.ts'),
      },
      {
        name: 'repl',
        summary: 'Keep a connection and type commands',
        load: () => import('./commands/use/repl.ts'),
      },
      {
        name: 'run',
        summary: 'Run a reference server: files, web, Git, memory, SQL, …',
        load: () => import('./commands/use/run.ts'),
      },
      { name: 'up', summary: 'Keep servers connected between commands', load: () => import('./commands/use/up.ts') },
      { name: 'down', summary: 'End kept servers', load: () => import('./commands/use/down.ts') },
      {
        name: 'ping',
        summary: 'See whether a server answers, and how fast',
        load: () => import('./commands/use/ping.ts'),
      },
      {
        name: 'doctor',
        summary: 'Check a server step by step, and say what to do',
        load: () => import('./commands/use/doctor.ts'),
      },
    ],
  },
  {
    title: 'Your servers',
    commands: [
      {
        name: 'add',
        summary: 'Give a server a name, in your own list or in a host',
        load: () => import('./commands/manage/add.ts'),
      },
      { name: 'enable', summary: 'Switch a server on in its file', load: () => import('./commands/manage/enable.ts') },
      {
        name: 'disable',
        summary: 'Switch a server off in its file',
        load: () => import('./commands/manage/disable.ts'),
      },
      {
        name: 'install',
        summary: 'Copy a server into the files of other hosts',
        load: () => import('./commands/manage/install.ts'),
      },
      {
        name: 'uninstall',
        summary: 'Remove a server from hosts',
        load: () => import('./commands/manage/uninstall.ts'),
      },
      {
        name: 'remove',
        summary: 'Remove a server from the file that has it',
        load: () => import('./commands/manage/remove.ts'),
      },
      {
        name: 'link',
        summary: 'Print links and badges that install a server',
        load: () => import('./commands/manage/link.ts'),
      },
      {
        name: 'export',
        summary: 'Print a server for a host, or a recording as saved calls',
        load: () => import('./commands/manage/export.ts'),
      },
    ],
  },
  {
    title: 'Develop',
    commands: [
      {
        name: 'inspect',
        summary: 'Open the workbench in the browser',
        load: () => import('./commands/develop/inspect.ts'),
      },
      {
        name: 'new',
        summary: 'Write a server or a client, ready to run, test and publish',
        load: () => import('./commands/develop/new.ts'),
      },
      {
        name: 'dev',
        summary: 'Run a server, restart it when a file changes, show its messages',
        load: () => import('./commands/develop/dev.ts'),
      },
      {
        name: 'types',
        summary: 'Write TypeScript types and a typed client for a server',
        load: () => import('./commands/develop/types.ts'),
      },
      {
        name: 'generate',
        summary: 'Write a program with one command for each tool of a server',
        load: () => import('./commands/develop/generate.ts'),
      },
    ],
  },
  {
    title: 'Record and test',
    commands: [
      {
        name: 'record',
        summary: 'Record every message between a client and a server',
        load: () => import('./commands/check/record.ts'),
      },
      {
        name: 'replay',
        summary: 'Serve a recorded session again, without its server',
        load: () => import('./commands/check/replay.ts'),
      },
      {
        name: 'mock',
        summary: 'Serve a stand-in for a server, from a recording or from schemas',
        load: () => import('./commands/check/mock.ts'),
      },
      { name: 'diff', summary: 'Compare two recorded sessions', load: () => import('./commands/check/diff.ts') },
      {
        name: 'lint',
        summary: 'Find faults in the tools, prompts and resources of a server',
        load: () => import('./commands/check/lint.ts'),
      },
      {
        name: 'test',
        summary: 'Make saved calls, and check their results',
        load: () => import('./commands/check/test.ts'),
      },
      {
        name: 'load',
        summary: 'Call a tool many times, and measure it',
        load: () => import('./commands/check/load.ts'),
      },
      {
        name: 'eval',
        summary: 'Let models answer prompts with tools, and check what they do',
        load: () => import('./commands/check/eval.ts'),
      },
    ],
  },
  {
    title: 'Bridge',
    commands: [
      {
        name: 'connect',
        summary: 'Make a remote server usable by clients that start programs',
        load: () => import('./commands/bridge/connect.ts'),
      },
      {
        name: 'expose',
        summary: 'Serve a program, or any other server, over HTTP',
        load: () => import('./commands/bridge/expose.ts'),
      },
      {
        name: 'serve',
        summary: 'Serve several servers as one, on stdio or over HTTP',
        load: () => import('./commands/bridge/serve.ts'),
      },
      {
        name: 'gateway',
        summary: 'Serve many servers at one address, as a file says',
        load: () => import('./commands/bridge/gateway.ts'),
      },
      {
        name: 'guard',
        summary: 'Serve a server without some of its tools, resources or prompts',
        load: () => import('./commands/bridge/guard.ts'),
      },
    ],
  },
  {
    title: 'This command',
    commands: [
      {
        name: 'auth',
        summary: 'Log in to servers, see logins, log out',
        load: () => import('./commands/program/auth.ts'),
      },
      {
        name: 'completion',
        summary: 'Print a script that completes commands with Tab',
        load: () => import('./commands/program/completion.ts'),
      },
      {
        name: 'skill',
        summary: 'Print a skill file that teaches an agent this command',
        load: () => import('./commands/program/skill.ts'),
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
