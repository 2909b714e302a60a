import { type JSX, useCallback, useEffect, useState } from 'react'
import { Contained } from '../parts/contained.tsx'
import { Empty } from '../parts/empty.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { panes, Splitter } from '../parts/splitter.tsx'
import { useContentFocus } from '../shell/content-focus.ts'
import { ThemeButton } from '../shell/theme-button.tsx'
import { useKeys } from '../shell/use-keys.ts'
import { useListKeys } from '../shell/use-list-keys.ts'
import { hrefTo, useRoute } from '../state/route.ts'
import type { Approval } from './answers.ts'
import { ApprovalsScreen } from './approvals-screen.tsx'
import { useAnswer } from './ask.ts'
import { AuditScreen } from './audit-screen.tsx'
import { CatalogueScreen } from './catalogue-screen.tsx'
import { PolicyScreen } from './policy-screen.tsx'
import { useTraffic } from './traffic.ts'
import { TrafficScreen } from './traffic-screen.tsx'
import { UpstreamsScreen } from './upstreams-screen.tsx'

const screens: readonly { name: string; icon: IconName; label: string; Screen: () => JSX.Element }[] = [
  { name: '', icon: 'server', label: 'Servers', Screen: UpstreamsScreen },
  { name: 'catalogue', icon: 'tools', label: 'Catalogue', Screen: CatalogueScreen },
  { name: 'policy', icon: 'evals', label: 'Policy', Screen: PolicyScreen },
  { name: 'approvals', icon: 'questions', label: 'Approvals', Screen: ApprovalsScreen },
  { name: 'audit', icon: 'sessions', label: 'Audit', Screen: AuditScreen },
  { name: 'traffic', icon: 'timeline', label: 'Traffic', Screen: TrafficScreen },
]

/** The workbench of a gateway. */
export function GatewayApp(): JSX.Element {
  const route = useRoute()
  const { stream } = useTraffic()
  const [menu, setMenu] = useState(false)
  const openMenu = useCallback(() => {
    setMenu(true)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.rail nav a')?.focus())
  }, [])
  useKeys(openMenu, openMenu)
  useListKeys()
  useContentFocus(route)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes after a choice.
  useEffect(() => setMenu(false), [route])
  const { Screen } = screens.find(({ name }) => name === route.screen) ?? screens[0]!
  if (stream === 'locked') {
    return (
      <main>
        <Empty alone title="The gateway has ended">
          <p>It was stopped, or started anew. Open the link that it shows in the terminal.</p>
        </Empty>
      </main>
    )
  }
  return (
    <div className={menu ? 'shell menu-open' : 'shell'}>
      <GatewayRail screen={route.screen} />
      {menu && <button type="button" className="menu-shade" aria-label="Close menu" onClick={() => setMenu(false)} />}
      <div className="main">
        <header className="topbar">
          <button
            type="button"
            className="button icon"
            aria-label="Menu"
            aria-expanded={menu}
            aria-controls="rail"
            onClick={() => (menu ? setMenu(false) : openMenu())}
          >
            <Icon name="menu" />
          </button>
          <strong className="grow">Tenon Gateway</strong>
        </header>
        {stream === 'broken' && (
          <p className="banner" role="status">
            The gateway does not answer. The page may be out of date; it is tried again.
          </p>
        )}
        <main className="screen" tabIndex={-1}>
          <Contained place={route}>
            <Screen key={route.screen} />
          </Contained>
        </main>
      </div>
    </div>
  )
}

const pollMs = 2_000

function GatewayRail({ screen }: { screen: string }): JSX.Element {
  const waiting = useAnswer<Approval[]>('approvals', {}, pollMs).answer?.length ?? 0
  return (
    <aside className="rail" id="rail" aria-label="Gateway">
      <div className="rail-body">
        <a className="brand" href={hrefTo('')}>
          <img src="./icon.svg" alt="" />
          Tenon Gateway
        </a>
        <nav className="nav" aria-label="Screens">
          <ul>
            {screens.map(({ name, icon, label }) => (
              <li key={name}>
                <a href={hrefTo(name)} aria-current={screen === name ? 'page' : undefined}>
                  <Icon name={icon} />
                  {label}
                  {name === 'approvals' && waiting > 0 && <span className="count badge accent">{waiting}</span>}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <footer>
          <ThemeButton />
        </footer>
      </div>
      <Splitter pane={panes.rail} resizes="before" />
    </aside>
  )
}
