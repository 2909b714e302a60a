import * as oauth from 'oauth4webapi'
import { McpError } from '../../../errors.ts'
import { monotonicMs } from '../../../internal/monotonic-ms.ts'
import { pause } from '../../../internal/timers.ts'
import { isWebUrl } from '../../../internal/web-url.ts'
import { isOAuthError, OAuthError } from '../../oauth-error.ts'
import { explained, requestOptions, requestToken } from '../token-request.ts'
import type { Grant, GrantContext, GrantedToken, ResolvedClient } from './grant.ts'

const deviceCodeType = 'urn:ietf:params:oauth:grant-type:device_code'

const maxWaitMs = 30 * 60_000

/** The code and the page for the user, on any device. */
export interface DeviceCode {
  userCode: string
  /** The page to open. */
  verificationUri: string
  /** The page with the code filled in, if there is one. */
  verificationUriComplete: string | undefined
  expiresInMs: number
}

export interface DeviceCodeOptions {
  /** Shows the code to the user. */
  onCode: (code: DeviceCode) => unknown
}

/** The user agrees on another device, where a code is typed in: for programs without a browser. */
export function deviceCode({ onCode }: DeviceCodeOptions): Grant {
  return {
    name: 'device code',
    type: deviceCodeType,
    interactive: true,
    obtain: async (context) => {
      const client = await context.client()
      const started = await start(context, client)
      const { user_code, verification_uri, verification_uri_complete: complete, expires_in } = started
      if (!isWebUrl(verification_uri) || (complete !== undefined && !isWebUrl(complete))) {
        throw new OAuthError('authorization', 'The page for the code is neither http nor https', context.trace)
      }
      await onCode({
        userCode: user_code,
        verificationUri: verification_uri,
        verificationUriComplete: complete,
        expiresInMs: expires_in * 1_000,
      })
      return poll(context, client, started)
    },
  }
}

async function start(
  context: GrantContext,
  { client, authenticate }: ResolvedClient,
): Promise<oauth.DeviceAuthorizationResponse> {
  const { as, trace, scopes, sentResource } = context
  const parameters = {
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(sentResource !== undefined && { resource: sentResource }),
  }
  try {
    const { [oauth.customFetch]: fetch, ...options } = requestOptions(context, 'device-code')
    const reply = await oauth.deviceAuthorizationRequest(as, client, authenticate, parameters, {
      ...options,
      [oauth.customFetch]: fetch!,
    } as oauth.DeviceAuthorizationRequestOptions)
    return await oauth.processDeviceAuthorizationResponse(as, client, reply)
  } catch (error) {
    throw explained('authorization', 'The device authorization endpoint', error, trace)
  }
}

async function poll(
  context: GrantContext,
  client: ResolvedClient,
  { device_code, interval = 5, expires_in }: oauth.DeviceAuthorizationResponse,
): Promise<GrantedToken> {
  const { as, signal, sentResource } = context
  const until = monotonicMs() + Math.min(expires_in * 1_000, maxWaitMs)
  let pauseMs = Math.max(interval, 1) * 1_000
  while (monotonicMs() < until) {
    await pause(pauseMs, signal)
    if (signal.aborted) throw new McpError('cancelled', 'Nobody waits for the authorization any more')
    try {
      const response = await requestToken({
        ...context,
        client,
        send: (options) =>
          oauth.deviceCodeGrantRequest(as, client.client, client.authenticate, device_code, {
            ...options,
            ...(sentResource !== undefined && { additionalParameters: { resource: sentResource } }),
          }),
      })
      return { response, clientId: client.client.client_id }
    } catch (error) {
      const code = isOAuthError(error) ? error.error : undefined
      if (code === 'slow_down') pauseMs += 5_000
      else if (code !== 'authorization_pending') throw error
    }
  }
  throw new OAuthError('authorization', 'The code expired before the user agreed', context.trace)
}
