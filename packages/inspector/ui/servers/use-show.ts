import { goTo } from '../state/route.ts'
import { useConnect } from './use-connect.tsx'

/** Shows a server that was added, and connects it. */
export function useShow(): (added: Promise<{ server: string }>) => Promise<void> {
  const connect = useConnect()
  return async (added) => {
    const { server } = await added
    goTo('servers', server)
    await connect(server)
  }
}
