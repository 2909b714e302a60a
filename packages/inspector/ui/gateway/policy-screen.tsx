import type { JSX } from 'react'
import { visibleLine } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { useParam } from '../state/route.ts'
import type { Explained, ExplainedItem } from './answers.ts'
import { useAnswer } from './ask.ts'
import { CallerFields, useCallerChoice } from './caller-fields.tsx'
import { Fault, Head, MissingNotice, ScrollTable } from './parts.tsx'

/** Tries rules: which of them decide about an item, for a caller and arguments. */
export function PolicyScreen(): JSX.Element {
  const [name, setName] = useParam('name')
  const [text, setText] = useParam('args')
  const args = readArgs(text ?? '')
  const choice = useCallerChoice()
  const isAsked = choice.caller.id !== '' && (name ?? '') !== '' && args !== 'wrong'
  const question = isAsked ? { ...choice, name, ...(args && { args }) } : undefined
  const { answer, problem } = useAnswer<Explained>('explain', question)
  return (
    <div className="column stack wide">
      <Head title="Policy" about="Which rules decide about an item, in lists and in calls. Nothing is called." />
      <CallerFields />
      <label className="field">
        <span className="field-label">Name or URI</span>
        <input
          className="input mono"
          autoComplete="off"
          spellCheck={false}
          value={name ?? ''}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <label className="field">
        <span className="field-label">Arguments, as JSON; without them, as for a list</span>
        <textarea
          className="textarea mono"
          spellCheck={false}
          placeholder="{}"
          aria-invalid={args === 'wrong'}
          value={text ?? ''}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {args === 'wrong' && (
        <p className="issue" role="status">
          Expected an object in JSON
        </p>
      )}
      {question === undefined && (
        <Empty title="Nothing to decide yet">
          <p>Choose a caller and a name. A name of the catalogue leads here too.</p>
        </Empty>
      )}
      {question !== undefined && problem !== undefined && <Fault problem={problem} />}
      {question !== undefined && answer !== undefined && (
        <>
          <MissingNotice missing={answer.missing} />
          {answer.items.map((item) => (
            <Decision key={`${item.kind} ${item.upstream}`} item={item} isList={args === undefined} />
          ))}
        </>
      )}
    </div>
  )
}

function readArgs(text: string): object | undefined | 'wrong' {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'wrong'
  } catch {
    return 'wrong'
  }
}

const effects = {
  allow: ['ok', 'Allowed'],
  approve: ['warn', 'A person has to approve it'],
  deny: ['danger', 'Denied'],
} as const

function Decision({ item, isList }: { item: ExplainedItem; isList: boolean }): JSX.Element {
  const [mark, words] = item.isPinned ? effects[item.effect] : effects.deny
  const depends = isList && item.rules.some(({ outcome }) => outcome === 'unknown')
  return (
    <section className="card" aria-label={`Decision about ${visibleLine(item.shownAs)}`}>
      <header>
        <h2 className="grow">
          {item.kind} <span className="mono">{visibleLine(item.shownAs)}</span>
        </h2>
        <span className={`badge ${item.isListed ? 'ok' : ''}`}>{item.isListed ? 'listed' : 'not listed'}</span>
        <span className={`badge ${depends ? '' : mark}`}>{depends ? 'Depends on the arguments' : words}</span>
      </header>
      <div className="body stack">
        <p>
          {item.isPinned ? (
            <>
              Decided by <strong>{item.by === 'default' ? 'the default' : visibleLine(item.by)}</strong>
              {depends && ', unless a rule that depends on the arguments is stricter'}.
            </>
          ) : (
            'Nobody approved this definition.'
          )}
        </p>
        {!item.isDefined && (
          <p className="muted">Its definition is not known, so its annotations have their defaults.</p>
        )}
        {item.rules.length > 0 && (
          <ScrollTable label="Rules, the strictest first" heads={['Effect', 'Rule', 'Outcome']}>
            {item.rules.map(({ rule, effect, outcome, error }) => (
              <tr key={rule}>
                <td>{effect}</td>
                <td>{visibleLine(rule)}</td>
                <td>
                  {outcome === 'unknown' ? 'depends on the arguments' : outcome}
                  {error !== undefined && `: ${visibleLine(error)}`}
                </td>
              </tr>
            ))}
          </ScrollTable>
        )}
      </div>
    </section>
  )
}
