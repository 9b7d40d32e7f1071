import { countOutcomes, type SuiteResult } from '../../../plugins/acceptance/accept.ts'
import type { RateWindow } from '../../../plugins/adapter.ts'
import type { PaymentAdapter } from '../../../plugins/payment/kind.ts'
import { folders, inProcess } from './payments.ts'

const intro = `# Gateways

Every folder here is a gateway of the kind \`payment\` ([Write a gateway](../../docs/write-an-adapter/payment.md)). The result is what the acceptance suite says of it, as cases
passed, skipped and failed. Written by \`UPDATE_DOCS=1 bun test test/adapters/payment/payment.test.ts\`; the same test fails where this file is not true any more.
`

const legend = `✓ does it, – does not. *capture*: money can be held first and taken later. *refunds*: whole payments or parts as well, and what it can do against giving back twice.
*payouts*: it says what it sends to the bank, line by line. *news*: it calls back, is asked, or people of the store say it. *own address*: it has a path under its own name as well.
`

const windowIn = ({ calls, seconds }: RateWindow) => `${calls} ${seconds === 60 ? 'a minute' : `in ${seconds} s`}`
const mark = (member: unknown) => (member === undefined ? '–' : '✓')
const SHOWN = 3

const columns: Readonly<Record<string, (gateway: PaymentAdapter) => string>> = {
  currencies: ({ currencies }) =>
    [...currencies.slice(0, SHOWN), currencies.length > SHOWN && `and ${currencies.length - SHOWN} more`].filter(Boolean).join(', '),
  'amounts in': ({ unit }) => (unit === 'major' ? 'whole units' : 'the least unit'),
  'calls at most': ({ net, rateWindows }) => (net.length === 0 ? 'none' : rateWindows.map(windowIn).join(', ') || 'any'),
  test: ({ testConnection }) => mark(testConnection),
  capture: ({ capture }) => mark(capture),
  close: ({ expire }) => mark(expire),
  refunds: ({ refunds }) => (refunds ? `${refunds.partial ? 'whole, parts' : 'whole'}, \`${refunds.exactlyOnce}\`` : 'by hand'),
  payouts: ({ payouts }) => mark(payouts),
  news: ({ webhook, settle }) => (settle ? 'people' : webhook ? 'webhook, poll' : 'poll'),
  'own address': ({ branded = [] }) => (branded.includes('notified') ? '✓' : '–'),
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** What each gateway does and how it fared. The same for the same code. */
export async function acceptanceTable(accepted: (folder: string) => Promise<SuiteResult>): Promise<string> {
  const heads = ['gateway', ...Object.keys(columns), 'passed/skipped/failed']
  const rows: string[] = []
  for (const folder of folders) {
    const [gateway, found] = [await inProcess(folder), await accepted(folder)]
    const result = (['passed', 'skipped', 'failed'] as const).map((outcome) => countOutcomes(found, outcome)).join('/')
    rows.push(row([`[${gateway.slug}](${folder}/README.md)`, ...Object.values(columns).map((cell) => cell(gateway)), result]))
  }
  return [intro, row(heads), row(heads.map(() => '---')), ...rows, '', legend].join('\n')
}
