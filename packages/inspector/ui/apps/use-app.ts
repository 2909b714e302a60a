import {
  type AppCsp,
  appUriOf,
  type DisplayMode,
  type HostContext,
  type MountedApp,
  mountApp,
} from '@tenon/sdk/apps/host'
import type { CallToolResult, Tool } from '@tenon/sdk/client'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Call, Problem } from '../../src/protocol.ts'
import { problemOf, run } from '../state/api.ts'
import { appClient } from './app-client.ts'
import { type AppNote, noteTaker, withNote } from './app-notes.ts'
import { changedContext, fitFrame } from './fit-frame.ts'

/** Something that a view wants and a person decides: a page to be opened, or more room. */
export interface AppWish {
  href?: string
  mode?: DisplayMode
  decide: (isGranted: boolean) => void
}

interface AppOptions {
  call: Call
  tool: Tool
  /** The title of the frame. */
  title: string
  isOutsideAllowed: boolean
  context: HostContext
  /** The person lets the view have another mode. */
  setMode: (mode: DisplayMode) => void
}

interface ShownApp {
  container: RefObject<HTMLDivElement | null>
  /** The name of the view in reports of violations. */
  view: string | undefined
  notes: readonly AppNote[]
  /** The origins that the view would like to reach, and may not unless a person allows it. */
  origins: readonly string[]
  wish: AppWish | undefined
  /** The modes that the view knows; undefined if it does not say. */
  modes: readonly DisplayMode[] | undefined
  problem: Problem | undefined
}

/** Shows the view of a tool for as long as the component is there, and sends it the progress of the call. */
export function useApp({ call, tool, title, isOutsideAllowed, context, setMode }: AppOptions): ShownApp {
  const container = useRef<HTMLDivElement>(null)
  const toldHeight = useRef<number>(undefined)
  const [mounted, setMounted] = useState<MountedApp>()
  const [view, setView] = useState<string>()
  const [notes, setNotes] = useState<readonly AppNote[]>([])
  const [origins, setOrigins] = useState<readonly string[]>([])
  const [wish, setWish] = useState<AppWish>()
  const [modes, setModes] = useState<readonly DisplayMode[]>()
  const [problem, setProblem] = useState<Problem>()
  const { server, outcome } = call
  const args = call.operation.method === 'tools/call' ? call.operation.arguments : {}

  // biome-ignore lint/correctness/useExhaustiveDependencies: one view for one call, however often it is rendered.
  useEffect(() => {
    let isGone = false
    let shown: MountedApp | undefined
    const note = (said: Omit<AppNote, 'id'>): void => setNotes((before) => withNote(before, said))
    const toNote = noteTaker()
    let isAsking = false
    // One at a time: another wish must not take the place of the one that a person is about to grant.
    const asked = async (wanted: Omit<AppWish, 'decide'>): Promise<boolean> => {
      if (isAsking) return false
      isAsking = true
      const answer = await new Promise<boolean>((resolve) => setWish({ ...wanted, decide: resolve }))
      isAsking = false
      setWish(undefined)
      return answer
    }
    const show = async (): Promise<void> => {
      const { url: sandbox, view: name } = await run('app.sandbox', { pageHost: location.hostname })
      setView(name)
      const app = await mountApp({
        client: appClient(server),
        container: container.current!,
        app: appUriOf(tool)!,
        sandbox,
        context: { ...context, toolInfo: { tool } },
        approve: ({ csp }) => {
          setOrigins(originsOf(csp))
          return isOutsideAllowed ? { csp } : {}
        },
        // A view does nothing here that its server could not do by itself: it reaches that server and no other.
        callTool: true,
        readResource: true,
        openLink: ({ href }) => asked({ href }),
        // A view that takes the whole screen by itself could pretend to be the workbench.
        requestDisplayMode: async (mode) => {
          const isGranted = mode === 'inline' || (await asked({ mode }))
          if (isGranted) setMode(mode)
          return isGranted
        },
        message: () => {},
        updateModelContext: () => {},
        log: () => {},
        sizeChanged: ({ height }) => {
          toldHeight.current = height
        },
        onMessage: (message) => note(toNote(message)),
        onError: (error) => note({ from: 'host', kind: 'fault', method: 'error', body: error.message }),
      })
      if (isGone) return app.close()
      shown = app
      app.frame.title = title
      app.bridge.toolInput(args)
      void app.bridge.initialized.then(({ capabilities }) => setModes(capabilities.availableDisplayModes))
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
      setWish(undefined)
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
    if (mounted === undefined) return
    const { bridge, frame } = mounted
    const change = changedContext(bridge.context, context, modes)
    if (Object.keys(change).length > 0) bridge.updateContext(change)
    fitFrame(frame, context.containerDimensions ?? {}, toldHeight.current)
  }, [mounted, context, modes])
  return { container, view, notes, origins, wish, modes, problem }
}

const originsOf = (csp: AppCsp): string[] => [...new Set(Object.values(csp).flat() as string[])]
