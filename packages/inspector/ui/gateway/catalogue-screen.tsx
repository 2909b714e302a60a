import type { JSX } from 'react'
import { visibleLine } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { hrefTo, useParam, withParams } from '../state/route.ts'
import type { View } from './answers.ts'
import { useAnswer } from './ask.ts'
import { CallerFields, useCallerChoice } from './caller-fields.tsx'
import { Fault, Head, MissingNotice, ScrollTable } from './parts.tsx'

/** The most rows that are drawn; a search finds the others. */
const maxRows = 500

/** The items of a virtual server as a caller sees them. */
export function CatalogueScreen(): JSX.Element {
  const choice = useCallerChoice()
  const { answer, problem } = useAnswer<View>('viewAs', choice.caller.id === '' ? undefined : choice)
  const isAnswered = choice.caller.id !== '' && (answer !== undefined || problem !== undefined)
  return (
    <div className="column stack wide">
      <Head
        title="Catalogue"
        about="What a caller sees. Upstreams are asked without the credentials of anybody, and nothing is called."
      />
      <CallerFields />
      {!isAnswered && (
        <Empty title="View as">
          <p>Choose a caller: of each item it is shown whether that caller sees it.</p>
        </Empty>
      )}
      {isAnswered && problem !== undefined && <Fault problem={problem} />}
      {isAnswered && answer !== undefined && <Items view={answer} />}
    </div>
  )
}

function Items({ view }: { view: View }): JSX.Element {
  const [text, setText] = useParam('q')
  const [caller] = useParam('caller')
  const [groups] = useParam('groups')
  const [server] = useParam('server')
  const wanted = (text ?? '').toLowerCase()
  const found = view.items.filter(({ shownAs, upstream }) => `${shownAs} ${upstream}`.toLowerCase().includes(wanted))
  const listed = view.items.filter(({ isListed }) => isListed).length
  return (
    <>
      <MissingNotice missing={view.missing} />
      <div className="row">
        <p className="grow" role="status">
          {listed} of {view.items.length} items are listed for {visibleLine(view.caller.id)}
        </p>
        <div className="search-field">
          <SearchBox label="Search items" value={text ?? ''} change={setText} />
        </div>
      </div>
      <ScrollTable label="Items" heads={['Name', 'Kind', 'Upstream', 'Listed']}>
        {found.slice(0, maxRows).map((item) => (
          <tr key={`${item.kind} ${item.upstream} ${item.name}`}>
            <td>
              <a className="mono" href={withParams(hrefTo('policy'), { caller, groups, server, name: item.shownAs })}>
                {visibleLine(item.shownAs)}
              </a>
            </td>
            <td>{item.kind}</td>
            <td>{visibleLine(item.upstream)}</td>
            <td>
              <span className={`badge ${item.isListed ? 'ok' : ''}`}>{item.isListed ? 'yes' : 'no'}</span>
            </td>
          </tr>
        ))}
      </ScrollTable>
      {found.length > maxRows && <p className="muted">{found.length - maxRows} more: search for them.</p>}
    </>
  )
}
