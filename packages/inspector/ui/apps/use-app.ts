import { type AppCsp, appUriOf, type HostContext, type MountedApp, mountApp } from '@tenon/sdk/apps/host'
import type { CallToolResult, Tool } from '@tenon/sdk/client'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Call, Problem } from '../../src/protocol.ts'
import { problemOf, run } from '../state/api.ts'
import { useShownTheme } from '../state/shown-theme.ts'
import { appClient } from './app-client.ts'
import { type AppNote, withNote } from './app-notes.ts'

/** A page that a view wants to be opened, until the person decides. */
export interface WantedLink {
  href: string
  decide: (isOpened: boolean) => void
}

interface ShownApp {
  container: RefObject<HTMLDivElement | null>
  notes: readonly AppNote[]
  /** The origins that the view would like to reach, and may not unless a person allows it. */
  wishes: readonly string[]
  link: WantedLink | undefined
  problem: Problem | undefined
}

const maxHeight = 800

/** Shows the view of a tool for as long as the component is there, and sends it the progress of the call. */
export function useApp(call: Call, tool: Tool, isOutsideAllowed: boolean): ShownApp {
  const container = useRef<HTMLDivElement>(null)
  const [mounted, setMounted] = useState<MountedApp>()
  const [notes, setNotes] = useState<readonly AppNote[]>([])
  const [wishes, setWishes] = useState<readonly string[]>([])
  const [link, setLink] = useState<WantedLink>()
  const [problem, setProblem] = useState<Problem>()
  const theme = useShownTheme()
  const { server, outcome } = call
  const args = call.operation.method === 'tools/call' ? call.operation.arguments : {}

  // biome-ignore lint/correctness/useExhaustiveDependencies: one view for one call, however often it is rendered.
  useEffect(() => {
    let isGone = false
    let shown: MountedApp | undefined
    const note = (said: Omit<AppNote, 'id'>): void => setNotes((before) => withNote(before, said))
    let isAsking = false
    // One at a time: another link must not take the place of the one that a person is about to click.
    const asked = async (href: string): Promise<boolean> => {
      if (isAsking) return false
      isAsking = true
      const answer = await new Promise<boolean>((resolve) => setLink({ href, decide: resolve }))
      isAsking = false
      setLink(undefined)
      return answer
    }
    const show = async (): Promise<void> => {
      const { url: sandbox } = await run('app.sandbox', { pageHost: location.hostname })
      const client = appClient(server)
      const app = await mountApp({
        client,
        container: container.current!,
        app: appUriOf(tool)!,
        sandbox,
        context: contextFor(tool, theme),
        approve: ({ csp }) => {
          setWishes(originsOf(csp))
          return isOutsideAllowed ? { csp } : {}
        },
        // A view does nothing here that its server could not do by itself: it reaches that server and no other.
        callTool: true,
        readResource: true,
        openLink: ({ href }) => asked(href),
        message: () => {},
        updateModelContext: () => {},
        log: (params) => note({ method: 'notifications/message', params }),
        onRequest: ({ method, params, error }) =>
          note({ method, params, ...(error !== undefined && { error: error.message }) }),
        onError: (error) => note({ method: 'error', params: error.message }),
      })
      if (isGone) return app.close()
      shown = app
      app.bridge.toolInput(args)
      setMounted(app)
      setProblem(undefined)
      void app.bridge.closed.then((reason) => {
        if (!isGone) setProblem({ kind: 'invalid', message: `The view was closed: ${reason.message}` })
      })
    }
    show().catch((error: unknown) => {
      if (!isGone) setProblem(problemOf(error))
    })
    return () => {
      isGone = true
      setLink(undefined)
      setMounted(undefined)
      void shown?.close()
    }
  }, [isOutsideAllowed])

  useEffect(() => {
    if (mounted === undefined || outcome === undefined) return
    if (outcome.kind === 'result') mounted.bridge.toolResult(outcome.result as unknown as CallToolResult)
    else mounted.bridge.toolCancelled(outcome.problem.message)
  }, [mounted, outcome])
  useEffect(() => {
    if (mounted !== undefined && mounted.bridge.context.theme !== theme) mounted.bridge.updateContext({ theme })
  }, [mounted, theme])
  return { container, notes, wishes, link, problem }
}

function contextFor(tool: Tool, theme: 'light' | 'dark'): HostContext {
  return {
    theme,
    toolInfo: { tool },
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    containerDimensions: { maxHeight },
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: 'web',
  }
}

const originsOf = (csp: AppCsp): string[] => [...new Set(Object.values(csp).flat() as string[])]
