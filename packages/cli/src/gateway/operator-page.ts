import type { Gateway } from '@tenon/gateway'

/** The addresses of the people who run a gateway. */
interface OperatorPlace {
  /** The API, if the file says where it is. */
  readonly operator?: string
  /** The link to the page. It works once. */
  readonly page?: string
  close(): Promise<void>
}

/** Opens the API that the file asks for, and the page that is wanted: on this machine alone, with a token that no browser gets. */
export async function openOperator(gateway: Gateway, wantsPage: boolean): Promise<OperatorPlace> {
  const isNamed = gateway.config.operator !== undefined
  if (!isNamed && !wantsPage) return { close: async () => {} }
  const { serveOperator } = await import('@tenon/gateway/operator')
  const api = await serveOperator(gateway)
  const operator = isNamed ? { operator: api.url } : {}
  if (!wantsPage) return { ...operator, close: api.close }
  try {
    const { startGatewayPage } = await import('@tenon/inspector')
    const page = await startGatewayPage({ api, onError: (error) => gateway.report(error, 'page') })
    const close = async (): Promise<void> => {
      await page.close()
      await api.close()
    }
    return { ...operator, page: page.url, close }
  } catch (error) {
    await api.close()
    throw error
  }
}
