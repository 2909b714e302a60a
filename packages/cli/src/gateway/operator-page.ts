import type { Gateway } from '@tenon/gateway'
import type { GatewayPage } from '@tenon/inspector'

/** The page for the people who run a gateway, on this machine alone. The API behind it has a token that nobody else gets. */
export async function openOperatorPage(gateway: Gateway): Promise<Pick<GatewayPage, 'url' | 'close'>> {
  const { serveOperator } = await import('@tenon/gateway/operator')
  const { startGatewayPage } = await import('@tenon/inspector')
  const api = await serveOperator(gateway)
  try {
    const page = await startGatewayPage({ api, onError: (error) => gateway.report(error, 'page') })
    const close = async (): Promise<void> => {
      await page.close()
      await api.close()
    }
    return { url: page.url, close }
  } catch (error) {
    await api.close()
    throw error
  }
}
