import { countOutcomes, type SuiteResult } from '../../../plugins/acceptance/accept.ts'
import type { Carrier, RateWindow } from '../../../plugins/carrier/contract.ts'
import type { Platform } from '../../support/platforms.ts'

const intro = `# Carriers

Every folder here is a platform: one code, and a carrier for each company that it serves. All of them answer the same routes; what one
does not do answers 404 there. The result is what the acceptance suite says of the first company, as cases passed, skipped and failed.
Written by \`UPDATE_DOCS=1 bun test test/adapters/carrier/carrier.test.ts\`; the same test fails where this file is not true any more.
`

const legend = `✓ does it, – does not. *exactly once*: what it can do against one parcel being sent twice (\`unsafe\`: an unknown outcome waits for a person).
*send many*: parcels in one call. *labels*: its own, or printed by the server. *news*: it calls back, or is asked. *cash*: payouts come from its
API, from its sheet, or both.
`

const spans: Readonly<Record<number, string>> = { 1: 'a second', 60: 'a minute', 3600: 'an hour', 86400: 'a day' }
const windowIn = ({ calls, seconds }: RateWindow) => `${calls} ${spans[seconds] ?? `in ${seconds} s`}`

const mark = (member: unknown) => (member === undefined ? '–' : '✓')

/** What is told of each platform, by its first company. */
const columns: Readonly<Record<string, (carrier: Carrier) => string>> = {
  'exactly once': ({ exactlyOnce }) => `\`${exactlyOnce}\``,
  'calls at most': ({ rateWindows }) => rateWindows.map(windowIn).join(', ') || 'any',
  test: ({ testConnection }) => mark(testConnection),
  rates: ({ rates }) => mark(rates),
  fees: ({ fees }) => mark(fees),
  geography: ({ states, cities }) => [states && 'states', cities && 'cities'].filter(Boolean).join(', ') || '–',
  centres: ({ centers }) => mark(centers),
  send: ({ send }) => mark(send),
  'send many': ({ sendMany, sendManyMax }) => (sendMany ? String(sendManyMax ?? '✓') : '–'),
  'look up': ({ findByReference }) => mark(findByReference),
  edit: ({ edit }) => mark(edit),
  cancel: ({ cancel }) => mark(cancel),
  validate: ({ validate }) => mark(validate),
  track: ({ track }) => mark(track),
  list: ({ list }) => mark(list),
  labels: ({ labels }) => (labels ? 'own' : 'server’s'),
  stock: ({ stockProducts }) => mark(stockProducts),
  news: ({ webhook, track }) => [webhook && 'webhook', track && 'poll'].filter(Boolean).join(', ') || '–',
  'webhook set-up': ({ setupWebhook }) => mark(setupWebhook),
  'statuses known': ({ statuses }) => String(Object.keys(statuses).length),
  cash: ({ cash }) => (cash ? 'API, file' : 'file'),
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')

const link = ({ folder, carriers }: Platform) => `[${carriers.length}](${folder}/README.md)`
const resultOf = (accepted: SuiteResult) =>
  (['passed', 'skipped', 'failed'] as const).map((outcome) => countOutcomes(accepted, outcome)).join('/')

/** `adapters/carrier/README.md`: what each platform does and how its first company fared. The same for the same code. */
export async function acceptanceTable(
  platforms: readonly Platform[],
  accepted: (carrier: Carrier, rigOf: Platform['rigOf']) => Promise<SuiteResult>,
): Promise<string> {
  const rows: string[][] = []
  for (const platform of platforms) {
    const [first] = platform.carriers
    const cells = Object.values(columns).map((cell) => cell(first!))
    rows.push([platform.folder, link(platform), ...cells, resultOf(await accepted(first!, platform.rigOf))])
  }
  const companies = platforms.map(({ folder, carriers }) => [folder, carriers.map(({ slug }) => `\`${slug}\``).join(' ')])
  const all = platforms.reduce((sum, { carriers }) => sum + carriers.length, 0)
  return [
    intro,
    table(['platform', 'companies', ...Object.keys(columns), 'passed/skipped/failed'], rows),
    `\n${legend}\n## The ${all} carriers by slug\n`,
    `${table(['platform', 'slugs'], companies)}\n`,
  ].join('\n')
}
