import type { Style } from '../../terminal/style.ts'
import { join, say, type TerminalText } from '../../terminal/text.ts'

/** The actions of the keys of `tenon dev`. */
interface ShortcutActions {
  restart(): void
  clear(): void
  toggleMessages(): void
  showWorkbench(): void
  quit(): void
}

const shortcuts: readonly [key: string, label: string, action: keyof ShortcutActions][] = [
  ['r', 'restart', 'restart'],
  ['c', 'clear', 'clear'],
  ['v', 'show messages', 'toggleMessages'],
  ['o', 'workbench', 'showWorkbench'],
  ['q', 'quit', 'quit'],
]

const ctrlC = '\u0003'
const ctrlD = '\u0004'

export const shortcutHelp = ({ bold, dim }: Style): TerminalText =>
  join(
    shortcuts.map(([key, label]) => say`${bold(key)} ${dim(label)}`),
    '   ',
  )

/** Listens to single keys of a terminal; the returned function restores the terminal. `?` calls `showHelp`. */
export function listenToShortcuts(
  stdin: NodeJS.ReadStream,
  actions: ShortcutActions,
  showHelp: () => void,
): () => void {
  const handlers = new Map<string, () => void>([
    ...shortcuts.map(([key, , action]): [string, () => void] => [key, () => actions[action]()]),
    ['?', showHelp],
    [ctrlC, () => actions.quit()],
    [ctrlD, () => actions.quit()],
  ])
  return listenToKeys(stdin, handlers)
}

function listenToKeys(stdin: NodeJS.ReadStream, handlers: ReadonlyMap<string, () => void>): () => void {
  const restore = (): void => void stdin.setRawMode(false)
  const listen = (text: string): void => {
    for (const key of text) handlers.get(key)?.()
  }
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', listen)
  stdin.resume()
  process.once('exit', restore)
  return () => {
    process.off('exit', restore)
    stdin.off('data', listen)
    stdin.pause()
    restore()
  }
}
