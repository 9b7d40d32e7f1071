import type { CarrierFigures, StockFigures } from './figures.ts'
import type { HookFigures } from './hooks.ts'
import type { Import } from './orders.ts'
import type { PrepaidRow } from './prepaid.ts'
import type { Step } from './progress.ts'
import type { Receiver } from './receiver.ts'
import { dinars, grouped, seconds, table, tick } from './table.ts'

export interface Check {
  readonly name: string
  readonly isSo: boolean
}

export interface Results {
  readonly imported: Import
  readonly carriers: readonly CarrierFigures[]
  readonly stock: readonly StockFigures[]
  readonly hooks: HookFigures
  readonly prepaid: readonly PrepaidRow[]
  readonly seen: Receiver['seen']
  readonly events: number
  readonly checks: readonly Check[]
  readonly steps: readonly Step[]
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

export const addsUp = ({ server, parcels, rows }: CarrierFigures['cash']) => server === parcels && server === rows

export function report({ imported, carriers, stock, hooks, prepaid, seen, events, checks, steps }: Results): string {
  const line = (name: string, of: (figures: CarrierFigures) => number) => [
    name,
    ...carriers.map(of),
    carriers.reduce((sum, figures) => sum + of(figures), 0),
  ]
  const { all, right, used, usedRight } = imported.accuracy
  return [
    heading('Orders'),
    table(
      ['', ...carriers.map(({ label }) => label), 'Total'],
      [
        line('Orders imported', ({ taken }) => taken),
        line('  sent', ({ sent }) => sent),
        line('    delivered', ({ delivered }) => delivered),
        line('    returned', ({ returned }) => returned),
        line('    still on the way', ({ onTheWay }) => onTheWay),
        line('  refused by the carrier', ({ refused }) => refused),
        ['Rows that need your attention', ...carriers.map(() => ''), imported.asking.length],
      ],
    ),
    heading('Cash owed by the carriers'),
    table(
      ['', 'Server', 'Delivered parcels', 'Sum of ledger entries', 'Agree'],
      carriers.map(({ label, cash }) => [label, dinars(cash.server), dinars(cash.parcels), dinars(cash.rows), tick(addsUp(cash))]),
    ),
    heading('Stock'),
    table(
      ['', 'Before', 'Reserved', 'Sent out', 'In stock', 'Still reserved', 'Adds up'],
      stock.map((row) => [row.sku, row.before, row.reserved, row.gone, row.onHand, row.stillReserved, tick(row.addsUp)]),
    ),
    heading('Prepaid orders'),
    table(
      ['', 'Requested', 'Paid', 'Refunded', 'Counts as paid', 'Carrier collects', 'Payment status'],
      prepaid.map(({ story, asked, paid, refunded, counts, collects, status }) => [
        story,
        dinars(asked),
        dinars(paid),
        dinars(refunded),
        dinars(counts),
        collects === null ? 'not sent' : dinars(collects),
        status.replaceAll('_', ' '),
      ]),
    ),
    heading('Addresses and webhooks'),
    `  Addresses: ${right} of ${all} resolved correctly (${percent(right, all)}). Of the ${used} used without review, ${usedRight} are correct (${percent(usedRight, used)}).`,
    `  Webhooks: ${grouped(hooks.delivered)} delivered, ${grouped(seen.verified)} signatures verified, ${seen.forged} forged; ${grouped(events)} events, ${seen.repeated} of them received twice and counted once.`,
    heading('Checks'),
    ...checks.map(({ name, isSo }) => `  ${tick(isSo)} ${name}`),
    heading('Time'),
    table(
      ['Step', 'Time'],
      [...steps.map(({ name, ms }) => [name, seconds(ms)]), ['Total', seconds(steps.reduce((sum, { ms }) => sum + ms, 0))]],
    ),
  ].join('\n')
}

const heading = (name: string) => `\n${name}\n`
