import type { IconName } from '../parts/icon.tsx'
import { focusQuestion } from '../shell/content-focus.ts'
import type { Bench } from '../state/bench.ts'
import { hrefTo } from '../state/route.ts'
import { shortId } from '../tasks/task-list.ts'
import { offeredTools, toolTitle } from '../tools/tool-list.ts'

/** Something that can be chosen in the palette: all of it leads somewhere. */
export interface Action {
  key: string
  icon: IconName
  title: string
  about: string
  href: string
  /** Done instead of going there; false if it could not be done. */
  act?: () => boolean
}

const screens: readonly Action[] = [
  { key: 'start', icon: 'start', title: 'Start', about: 'Go to', href: hrefTo('') },
  { key: 'tools', icon: 'tools', title: 'Tools', about: 'Go to', href: hrefTo('tools') },
  { key: 'resources', icon: 'resources', title: 'Resources', about: 'Go to', href: hrefTo('resources') },
  { key: 'prompts', icon: 'prompts', title: 'Prompts', about: 'Go to', href: hrefTo('prompts') },
  { key: 'playground', icon: 'playground', title: 'Playground', about: 'Go to', href: hrefTo('playground') },
  { key: 'evals', icon: 'evals', title: 'Evals', about: 'Go to', href: hrefTo('evals') },
  { key: 'questions', icon: 'questions', title: 'Questions', about: 'Go to', href: hrefTo('questions') },
  { key: 'tasks', icon: 'tasks', title: 'Tasks', about: 'Go to', href: hrefTo('tasks') },
  { key: 'timeline', icon: 'timeline', title: 'Timeline', about: 'Go to', href: hrefTo('timeline') },
  { key: 'sessions', icon: 'sessions', title: 'Sessions', about: 'Go to', href: hrefTo('sessions') },
  { key: 'saved', icon: 'saved', title: 'Saved calls', about: 'Go to', href: hrefTo('saved') },
  { key: 'servers', icon: 'server', title: 'Servers', about: 'Go to', href: hrefTo('servers') },
  { key: 'add', icon: 'add', title: 'Add a server', about: 'Go to', href: hrefTo('add') },
]

/** The state that actions are made of. */
type ActionSources = Pick<Bench, 'servers' | 'catalogs' | 'questions' | 'tasks'>

/** All actions of the palette: screens, servers, and their tools, resources and prompts. */
export function actionsOf(bench: ActionSources): Action[] {
  const servers = bench.servers.map(({ id, spec }) => ({
    key: `server ${id}`,
    icon: 'server' as const,
    title: spec.name,
    about: 'Server',
    href: hrefTo('servers', id),
  }))
  const tools = offeredTools(bench).map(({ server, tool }) => ({
    key: `tool ${server.id} ${tool.name}`,
    icon: 'tools' as const,
    title: toolTitle(tool),
    about: `Tool of ${server.spec.name} · ${tool.name}`,
    href: hrefTo('tools', server.id, tool.name),
  }))
  const tasks = bench.tasks.map(({ server, tool, task }) => ({
    key: `task ${server} ${task.taskId}`,
    icon: 'tasks' as const,
    title: `Task ${shortId(task.taskId)}`,
    about: `${tool === undefined ? 'Task' : `Task of ${tool}`} · ${task.status}`,
    href: hrefTo('tasks', server, task.taskId),
  }))
  return [...questionsOf(bench), ...screens, ...servers, ...tools, ...othersOf(bench), ...tasks]
}

/** Open questions come first. */
function questionsOf({ questions: [first], servers }: ActionSources): Action[] {
  if (first === undefined) return []
  const name = servers.find(({ id }) => id === first.server)?.spec.name ?? 'A server'
  return [
    {
      key: 'answer',
      icon: 'questions',
      title: 'Answer',
      about: `${name} asks`,
      href: hrefTo('questions'),
      act: focusQuestion,
    },
  ]
}

function othersOf({ servers, catalogs }: ActionSources): Action[] {
  return servers.flatMap((server) => {
    const { resources, templates, prompts } = catalogs.get(server.id) ?? {}
    const entry = (kind: string, screen: 'resources' | 'prompts', id: string, title: string): Action => ({
      key: `${kind} ${server.id} ${id}`,
      icon: kind === 'Template' ? 'templates' : screen,
      title,
      about: `${kind} of ${server.spec.name} · ${id}`,
      href: hrefTo(screen, server.id, id),
    })
    return [
      ...(resources?.items ?? []).map(({ uri, title, name }) => entry('Resource', 'resources', uri, title ?? name)),
      ...(templates?.items ?? []).map(({ uriTemplate, title, name }) =>
        entry('Template', 'resources', uriTemplate, title ?? name),
      ),
      ...(prompts?.items ?? []).map(({ name, title }) => entry('Prompt', 'prompts', name, title ?? name)),
    ]
  })
}
