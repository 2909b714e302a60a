import type { JSX } from 'react'
import type { EvalRateView, EvalSuite } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { hrefTo } from '../state/route.ts'

const tones = { passed: 'ok', failed: 'danger', skipped: 'warn', running: 'accent' } as const

/** How often each case passed with each model, and whether that is more often than before. */
export function RatesTable({ suite, rates }: { suite: EvalSuite; rates: readonly EvalRateView[] }): JSX.Element {
  const models = [...new Set(rates.map(({ model }) => model))]
  const names = [...new Set(rates.map(({ name }) => name))]
  const find = (name: string, model: string): EvalRateView | undefined =>
    rates.find((rate) => rate.name === name && rate.model === model)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many models are wider than the screen, and scrolled with the keyboard, too.
    <section className="table-scroll" aria-label="Pass rates" tabIndex={0}>
      <table className="rates">
        <thead>
          <tr>
            <th scope="col">Case</th>
            {models.map((model) => (
              <th key={model} scope="col" className="mono">
                {visible(model)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">
                <CaseLink suite={suite} name={name} />
              </th>
              {models.map((model) => (
                <td key={model}>
                  <Rate rate={find(name, model)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Links to a case, unless it has another name now. */
function CaseLink({ suite, name }: { suite: EvalSuite; name: string }): JSX.Element {
  const one = suite.cases.find((known) => known.name === name)
  if (one === undefined) return <span>{visible(name)}</span>
  return <a href={hrefTo('evals', suite.id, String(one.index))}>{visible(name)}</a>
}

function Rate({ rate }: { rate: EvalRateView | undefined }): JSX.Element {
  if (rate === undefined) return <span className="muted">not yet</span>
  const { status, passed, runs, needed, before, change } = rate
  if (runs === 0) return <span className={`badge ${tones[status]}`}>{status}</span>
  return (
    <span className="rate">
      <span className={`badge ${tones[status]}`}>
        {passed} of {runs}
      </span>
      {needed < 1 && <span className="small muted">{Math.round(needed * 100)} % needed</span>}
      {before !== undefined && (
        <span className={change === 'worse' ? 'small change worse' : 'small change'}>
          {change === 'same' ? 'as before' : `${change}: was ${before.passed} of ${before.runs}`}
        </span>
      )}
    </span>
  )
}
