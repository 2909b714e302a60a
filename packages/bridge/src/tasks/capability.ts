import { type RawSender, tasksExtension } from '@tenon/sdk/relay'

/** True if capabilities name the tasks extension. */
export const knowsTasks = ({ extensions }: { readonly extensions?: unknown }): boolean =>
  typeof extensions === 'object' && extensions !== null && Object.hasOwn(extensions, tasksExtension)

/** The capabilities of a client or a server, without tasks. */
export function withoutTasks<Capabilities extends { extensions?: { [id: string]: { [setting: string]: unknown } } }>(
  capabilities: Capabilities,
): Capabilities {
  if (!knowsTasks(capabilities)) return capabilities
  const { [tasksExtension]: _, ...others } = capabilities.extensions!
  const { extensions: __, ...rest } = capabilities
  return (Object.keys(others).length === 0 ? rest : { ...rest, extensions: others }) as Capabilities
}

/** The same client, declaring that it knows tasks. */
export const withTasks = (sender: RawSender): RawSender => ({
  ...sender,
  capabilities: {
    ...sender.capabilities,
    extensions: { ...sender.capabilities.extensions, [tasksExtension]: {} },
  },
})
