import { type JSX, useCallback, useEffect, useState } from 'react'
import { HaltNotice } from '../authorization/halt-notice.tsx'
import { Palette } from '../palette/palette.tsx'
import { SidePanel } from '../panel/side-panel.tsx'
import { useAttention } from '../panel/use-attention.ts'
import { Contained } from '../parts/contained.tsx'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { UndoRemoval } from '../servers/removed.tsx'
import { ConnectProvider } from '../servers/use-connect.tsx'
import { useRoute } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { KeysHelp } from './keys-help.tsx'
import { Rail } from './rail.tsx'
import { Screen } from './screen.tsx'
import { useKeys } from './use-keys.ts'
import { useListKeys } from './use-list-keys.ts'

/** The whole page. */
export function App(): JSX.Element {
  const stream = useBench((bench) => bench.stream)
  const ready = useBench((bench) => bench.ready)
  const route = useRoute()
  const [palette, setPalette] = useState(false)
  const [help, setHelp] = useState(false)
  const [menu, setMenu] = useState(false)
  const openPalette = useCallback(() => setPalette(true), [])
  const openHelp = useCallback(() => setHelp(true), [])
  useKeys(openPalette, openHelp)
  useListKeys()
  useAttention()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes after a choice.
  useEffect(() => setMenu(false), [route])
  if (stream === 'locked') {
    return (
      <main>
        <Empty alone title="The workbench has ended">
          <p>It was stopped, or started anew. Open the link that it shows in the terminal.</p>
        </Empty>
      </main>
    )
  }
  return (
    <ConnectProvider>
      <div className={menu ? 'shell menu-open' : 'shell'}>
        <Rail openPalette={openPalette} openHelp={openHelp} />
        {menu && <button type="button" className="menu-shade" aria-label="Close menu" onClick={() => setMenu(false)} />}
        <div className="main">
          <header className="topbar">
            <button
              type="button"
              className="button icon"
              aria-label="Menu"
              aria-expanded={menu}
              aria-controls="rail"
              onClick={() => setMenu(!menu)}
            >
              <Icon name="menu" />
            </button>
            <strong className="grow">Tenon Workbench</strong>
            <button type="button" className="button" onClick={openPalette}>
              <Icon name="search" />
              Go to…
            </button>
          </header>
          {stream === 'broken' && (
            <p className="banner" role="status">
              The workbench does not answer. The page may be out of date; it is tried again.
            </p>
          )}
          <HaltNotice route={route} />
          {ready && <Screen route={route} />}
        </div>
        {ready && (
          <Contained place={route}>
            <SidePanel />
          </Contained>
        )}
      </div>
      <UndoRemoval />
      {palette && <Palette close={() => setPalette(false)} />}
      {help && <KeysHelp close={() => setHelp(false)} />}
    </ConnectProvider>
  )
}
