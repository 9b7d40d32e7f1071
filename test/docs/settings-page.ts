import { join } from 'node:path'
import { settingsByTopic } from '../../core/settings.ts'

export const SETTINGS_FILE = join(import.meta.dir, '../../docs/settings.md')

const ABOUT = `# Settings

Generated from \`core/settings.ts\` by \`bun test/docs/settings-page.ts\`; do not edit it.

Settings are environment variables. The server checks them when it starts. If one is invalid, it does not start, and the message names the
setting and the values that it accepts. An empty variable counts as unset.
`

interface Setting {
  readonly default?: unknown
  readonly description?: string
  readonly accepts?: string
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const shownDefault = (value: unknown) => {
  if (value === undefined) return 'unset'
  return value === '' ? 'empty' : `\`${value}\``
}

const row = ([name, setting]: [string, Setting]) =>
  `| \`${name}\` | ${shownDefault(setting.default)} | ${cell(setting.accepts ?? '')} | ${cell(setting.description ?? '')} |`

/** Writes every setting with its default, the values that it accepts (with their unit) and its meaning. */
export function settingsPage(): string {
  const tables = Object.entries(settingsByTopic).map(([topic, settings]) => {
    const rows = Object.entries(settings as Record<string, Setting>).map(row)
    return [`## ${topic}`, '', '| name | default | accepts | meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
  })
  return [ABOUT, ...tables].join('\n')
}

if (import.meta.main) await Bun.write(SETTINGS_FILE, settingsPage())
