import { type Setting, text } from '@tenon/server-kit'
import { z } from 'zod'
import type { LaunchSettings } from './launch-settings.ts'

const schema = z.looseObject({
  headless: z.union([z.boolean(), z.literal('shell')]).optional(),
  executablePath: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
})

const withoutSandbox = new Set(['--no-sandbox', '--disable-setuid-sandbox'])

/** The launch options of the original, as JSON: an operator who comes from it has them in the config of the host. */
export const launchOptions: Setting<string | undefined> = text(
  'Launch options as the original has them: headless, executablePath and args',
  { placeholder: 'JSON', env: 'PUPPETEER_LAUNCH_OPTIONS' },
)

/** The settings with the launch options in them; a flag of its own comes before them. Wrong JSON throws a `TypeError`. */
export function withLaunchOptions<T extends LaunchSettings>(settings: T & { launchOptions?: string | undefined }): T {
  const { launchOptions: json } = settings
  if (json === undefined) return settings
  const { headless, executablePath, args = [] } = readOptions(json)
  return {
    ...settings,
    chromium: settings.chromium ?? executablePath,
    headed: settings.headed || headless === false,
    noSandbox: settings.noSandbox || args.some((flag) => withoutSandbox.has(flag)),
    launchFlag: [...args.filter((flag) => !withoutSandbox.has(flag)), ...(settings.launchFlag ?? [])],
  }
}

function readOptions(json: string): z.output<typeof schema> {
  try {
    return schema.parse(JSON.parse(json))
  } catch {
    throw new TypeError(
      '--launch-options (PUPPETEER_LAUNCH_OPTIONS): expected JSON such as { "headless": true, "args": ["--user-agent=Reader"] }',
    )
  }
}
