import type { ProcessTarget } from './target.ts'

/**
 * The variables that a program is started with: those that it inherits of `host`, and its own.
 *
 * @example
 * const { PATH } = await processEnv({ command: 'npx', inheritEnv: 'network' })
 */
export async function processEnv(
  { env, inheritEnv }: Pick<ProcessTarget, 'env' | 'inheritEnv'>,
  host: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Record<string, string>> {
  const { serverEnv } = await import('../../transport/process/process-env.ts')
  return serverEnv(env, inheritEnv, host)
}
