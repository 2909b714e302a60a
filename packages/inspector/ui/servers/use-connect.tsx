import { createContext, type JSX, type ReactNode, useCallback, useContext, useState } from 'react'
import type { Challenge } from '../../src/protocol.ts'
import { run } from '../state/api.ts'
import { ConfirmCommand } from './confirm-command.tsx'

type Connect = (server: string) => Promise<void>

const ConnectContext = createContext<Connect>(() => Promise.resolve())

/** Connects a server; asks the person first if that starts a program without an agreement. */
export const useConnect = (): Connect => useContext(ConnectContext)

/** Shows the question about a program, from any part of the page. */
export function ConnectProvider({ children }: { children: ReactNode }): JSX.Element {
  const [challenge, setChallenge] = useState<Challenge>()
  const connect = useCallback(async (server: string): Promise<void> => {
    setChallenge((await run('server.connect', { server })).challenge)
  }, [])
  return (
    <ConnectContext value={connect}>
      {children}
      {challenge !== undefined && (
        <ConfirmCommand key={challenge.id} challenge={challenge} done={() => setChallenge(undefined)} />
      )}
    </ConnectContext>
  )
}
