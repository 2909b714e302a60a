import type { JSX } from 'react'
import { Dialog } from '../parts/dialog.tsx'

const keys: readonly [keys: readonly string[], meaning: string][] = [
  [['Ctrl', 'K'], 'Go to any tool, server or screen by a few letters'],
  [['/'], 'Search in the list or the timeline; in lists without a search, the first item'],
  [['↑', '↓'], 'From item to item'],
  [['Enter'], 'Open the item, or the best match of a search, and go into its form'],
  [['Esc'], 'Back to the list'],
  [['Ctrl', 'Enter'], 'Call the tool, read the resource, get the prompt'],
  [['Alt', '↑', '↓'], 'Move a server in the rail'],
  [['←', '→'], 'Move the line between two panes, if it has the focus; with Shift by more'],
  [['+', '−', '0'], 'Zoom in, out, and back in the lanes'],
  [['?'], 'These keys'],
]

/** The keys of the workbench. */
export function KeysHelp({ close }: { close: () => void }): JSX.Element {
  return (
    <Dialog label="Keys" close={close}>
      <div className="stack keys-help">
        <h2>Keys</h2>
        <dl>
          {keys.map(([names, meaning]) => (
            <div key={meaning}>
              <dt>
                {names.map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <div className="row">
          <button type="button" className="button primary" onClick={close}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  )
}
