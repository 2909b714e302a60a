import { type JSX, useState } from 'react'
import type { EvalSuite } from '../../src/protocol.ts'
import { DeleteFile } from '../files/delete-file.tsx'
import { FileHead } from '../files/file-head.tsx'
import { FileProblems } from '../files/file-problems.tsx'
import { FileText } from '../files/file-text.tsx'
import { download } from '../parts/files.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { Evaluate } from './evaluate.tsx'
import { SuiteSettings } from './suite-settings.tsx'
import { dropSuite, keepSuite } from './suites.ts'

/** One file: run all its cases, see its text, take it along. */
export function SuitePage({ suite }: { suite: EvalSuite }): JSX.Element {
  const { id, title, problems } = suite
  const [shown, setShown] = useState<'text' | 'settings' | undefined>(problems.length > 0 ? 'text' : undefined)
  const { problem, start } = useBusy()
  const toggle = (part: 'text' | 'settings'): void => setShown(shown === part ? undefined : part)
  return (
    <div className="column stack wide">
      <FileHead back={hrefTo('evals')} all="All eval files" title={title} id={id} servers={suite.servers}>
        {problems.length === 0 && (
          <button
            type="button"
            className="button"
            aria-pressed={shown === 'settings'}
            onClick={() => toggle('settings')}
          >
            Settings
          </button>
        )}
        <button type="button" className="button" aria-pressed={shown === 'text'} onClick={() => toggle('text')}>
          Text
        </button>
        <button
          type="button"
          className="button"
          onClick={() => void start(async () => download(id, (await run('evals.text', { suite: id })).text))}
        >
          Download
        </button>
        <DeleteFile id={id} holds="cases" remove={() => remove(id)} />
      </FileHead>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <FileProblems problems={problems} />
      {shown === 'text' && (
        <FileText
          id={id}
          read={async () => (await run('evals.text', { suite: id })).text}
          write={async (text) => keepSuite((await run('evals.write', { suite: id, text })).suite)}
        />
      )}
      {shown === 'settings' && <SuiteSettings suite={suite} />}
      {problems.length === 0 && <Evaluate suite={suite} />}
    </div>
  )
}

async function remove(id: string): Promise<void> {
  await run('evals.delete', { suite: id })
  goTo('evals')
  dropSuite(id)
}
