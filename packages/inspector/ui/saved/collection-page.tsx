import { type JSX, useState } from 'react'
import type { Collection } from '../../src/protocol.ts'
import { DeleteFile } from '../files/delete-file.tsx'
import { FileHead } from '../files/file-head.tsx'
import { FileProblems } from '../files/file-problems.tsx'
import { FileText } from '../files/file-text.tsx'
import { download } from '../parts/files.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { dropCollection, keepCollection } from './collections.ts'
import { RunControls } from './run-controls.tsx'

/** One file: run all its calls, see its text, take it along. */
export function CollectionPage({ collection }: { collection: Collection }): JSX.Element {
  const { id, title, problems } = collection
  const [editing, setEditing] = useState(problems.length > 0)
  const { problem, start } = useBusy()
  return (
    <div className="column stack wide">
      <FileHead back={hrefTo('saved')} all="All saved calls" title={title} id={id} servers={collection.servers}>
        <button
          type="button"
          className="button"
          onClick={() => void start(async () => download(id, (await run('saved.text', { collection: id })).text))}
        >
          Download
        </button>
        <button type="button" className="button" aria-pressed={editing} onClick={() => setEditing(!editing)}>
          Text
        </button>
        <DeleteFile id={id} holds="calls" remove={() => remove(id)} />
      </FileHead>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <FileProblems problems={problems} />
      {editing && (
        <FileText
          key={id}
          id={id}
          read={async () => (await run('saved.text', { collection: id })).text}
          write={async (text) => keepCollection((await run('saved.write', { collection: id, text })).collection)}
        />
      )}
      {problems.length === 0 && <RunControls collection={collection} />}
    </div>
  )
}

async function remove(id: string): Promise<void> {
  await run('saved.delete', { collection: id })
  goTo('saved')
  dropCollection(id)
}
