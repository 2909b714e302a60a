import type { JSX } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { hostPresets } from '../../src/servers/client-features.ts'
import { visible } from '../content/visible.ts'
import { ColumnHeads } from '../parts/column-heads.tsx'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'

const maxShown = 100

/** The tools of a server as the application would name them that the workbench stands in for. */
export function HostView({ server }: { server: ServerView }): JSX.Element | null {
  const tools = useBench((bench) => bench.catalogs.get(server.id)?.tools?.items)
  const preset = hostPresets.get(server.spec.client?.host ?? '')
  if (preset === undefined || tools === undefined) return null
  const { label, maxToolName, maxTools } = preset
  const named = tools.map(({ name }) => ({ name, there: preset.toolName(server.spec.name, name) }))
  const long = named.filter(({ there }) => there.length > maxToolName).length
  return (
    <section className="card" aria-label={`Tools in ${label}`}>
      <header>
        <h2>Tools in {label}</h2>
        {long > 0 && <span className="badge danger">{long === 1 ? '1 name is' : `${long} names are`} too long</span>}
        {maxTools !== undefined && tools.length > maxTools && (
          <span className="badge warn">more than {maxTools} tools</span>
        )}
        <span className="grow" />
        <span className="small muted">at most {maxToolName} characters</span>
      </header>
      <div className="body table-scroll">
        <table className="host-names">
          <ColumnHeads names={['Tool', 'Name there', 'Length']} />
          <tbody>
            {named.slice(0, maxShown).map(({ name, there }) => (
              <tr key={name}>
                <td>
                  <a href={hrefTo('tools', server.id, name)}>{visible(name)}</a>
                </td>
                <td>
                  <code>{visible(there)}</code>
                </td>
                <td>
                  {there.length > maxToolName ? <span className="badge danger">{there.length}</span> : there.length}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {named.length > maxShown && <p className="muted">and {named.length - maxShown} more</p>}
      </div>
    </section>
  )
}
