import type { JSX } from 'react'
import type { LintReport } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { hrefTo } from '../state/route.ts'

type LintFinding = LintReport['findings'][number]

const tones = { error: 'danger', warning: 'warn', note: '' } as const
const providerNames: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'Anthropic'],
  ['google', 'Google'],
  ['openai', 'OpenAI'],
  ['openai-strict', 'OpenAI strict'],
])
const maxShown = 200

const screens = { tool: 'tools', prompt: 'prompts', resource: 'resources', template: 'resources' } as const

/** Findings one below the other. Without `server` they are all about the thing that the page shows. */
export function FindingList({ findings, server }: { findings: readonly LintFinding[]; server?: string }): JSX.Element {
  return (
    <>
      <ul className="findings">
        {findings.slice(0, maxShown).map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings have no identity, and the list is replaced as a whole
          <FindingItem key={index} finding={finding} server={server} />
        ))}
      </ul>
      {findings.length > maxShown && <p className="muted">and {findings.length - maxShown} more</p>}
    </>
  )
}

function FindingItem({ finding, server }: { finding: LintFinding; server: string | undefined }): JSX.Element {
  const { severity, subject, message, fix, rule, providers = [], difference = [] } = finding
  return (
    <li className="finding" data-rule={rule}>
      <span className={`badge ${tones[severity]}`}>{severity}</span>
      <div>
        <p>
          {server !== undefined && <SubjectLink server={server} subject={subject} />}
          {visible(message)}
        </p>
        <p className="muted">{visible(fix)}</p>
        <p className="row small muted">
          <code>{rule}</code>
          {subject.pointer !== '' && <code>{visible(subject.pointer)}</code>}
          {providers.map((name) => (
            <span key={name} className="badge">
              {providerNames.get(name) ?? name}
            </span>
          ))}
        </p>
        {difference.length > 0 && (
          <details>
            <summary>The lines that differ</summary>
            <pre className="difference-lines">{visible(difference.join('\n'))}</pre>
          </details>
        )}
      </div>
    </li>
  )
}

function SubjectLink({ server, subject }: { server: string; subject: LintFinding['subject'] }): JSX.Element {
  const { kind, name } = subject
  if (kind === 'server') return <strong>The server: </strong>
  return (
    <>
      <a href={hrefTo(screens[kind], server, name)}>{visible(name)}</a>
      {': '}
    </>
  )
}
