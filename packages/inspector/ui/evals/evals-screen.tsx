import '../styles/playground.css'
import '../styles/evals.css'
import { type JSX, useState } from 'react'
import { visible } from '../content/visible.ts'
import { FileLinks } from '../files/file-links.tsx'
import { Empty } from '../parts/empty.tsx'
import { OpenFile } from '../parts/open-file.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { Split } from '../parts/split.tsx'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { CasePage } from './case-page.tsx'
import { NewCase } from './new-case.tsx'
import { SuitePage } from './suite-page.tsx'
import { keepSuite, useSuites } from './suites.ts'

/** The files of eval cases, and the file or the case that is chosen. */
export default function EvalsScreen({ id, index }: { id: string | undefined; index: string | undefined }): JSX.Element {
  const { folder, items: suites, problem } = useSuites()
  const [adding, setAdding] = useState(false)
  const suite = suites?.find((known) => known.id === id)
  const one = index === undefined ? undefined : suite?.cases[Number(index)]
  return (
    <Split
      isChosen={suite !== undefined}
      list={
        <nav className="list-pane" aria-label="Eval files">
          {suite === undefined && <h1 className="visually-hidden">Evals</h1>}
          <div className="list-head row">
            <button type="button" className="button" onClick={() => setAdding(true)}>
              New case
            </button>
            <OpenFile label="Open a file" accept=".yaml,.yml,.json" take={open} />
          </div>
          <div className="list-scroll">
            {problem !== undefined && <ProblemNotice problem={problem} />}
            {suites?.map((known) => (
              <FileLinks
                key={known.id}
                screen="evals"
                item="case"
                file={known}
                items={known.cases}
                chosen={known.id === id ? (index ?? '') : undefined}
              />
            ))}
            {folder !== '' && <p className="small muted pane-note saved-folder">Files in {visible(folder)}</p>}
          </div>
        </nav>
      }
    >
      {suite !== undefined && one !== undefined && (
        <CasePage key={`${suite.id} ${one.index} ${one.name}`} suite={suite} one={one} />
      )}
      {suite !== undefined && one === undefined && <SuitePage key={suite.id} suite={suite} />}
      {suite === undefined && suites !== undefined && <NothingChosen count={suites.length} />}
      {adding && <NewCase suites={suites ?? []} chosen={id} close={() => setAdding(false)} />}
    </Split>
  )
}

async function open(name: string, text: string): Promise<void> {
  const { suite } = await run('evals.write', { suite: name, text, isNew: true })
  keepSuite(suite)
  goTo('evals', suite.id)
}

function NothingChosen({ count }: { count: number }): JSX.Element {
  if (count > 0) {
    return (
      <Empty title="Choose a file or a case">
        <p>Prompts, and checks of the calls and answers of models. They are files that `tenon eval` runs too.</p>
      </Empty>
    )
  }
  return (
    <Empty title="No eval cases yet">
      <p>
        A case is a prompt with the tool calls that a good answer makes. Write to a model in the Playground, and choose
        “Save as eval case”: it is tried as often as you like, with any model.
      </p>
      <a className="button primary" href={hrefTo('playground')}>
        Go to the Playground
      </a>
    </Empty>
  )
}
